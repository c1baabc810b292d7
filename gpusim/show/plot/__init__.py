"""Figures: data and ax in, ax out. None runs a kernel; matplotlib is imported when the first one is drawn."""

from .banks import bank_heatmap
from .barchart import bars
from .curves import curve
from .divergence import divergence_timeline
from .inline import svg
from .intensity import roofline
from .maps import correctness_map, heatmap, occupancy_heatmap
from .ownership import ownership_map
from .paper import alt_text, canvas, headline, panels
from .races import race_map
from .residency import occupancy_limits, waves
from .roofs import roofline_bars
from .schedules import gantt, warp_timeline
from .sectors import sector_map
from .theme import DARK, LIGHT
from .warps import block_warps

__all__ = [
    "DARK", "LIGHT", "alt_text", "bank_heatmap", "bars", "block_warps", "canvas", "correctness_map", "curve",
    "divergence_timeline", "gantt", "headline", "heatmap", "occupancy_heatmap", "occupancy_limits",
    "ownership_map", "panels", "race_map", "roofline", "roofline_bars", "sector_map", "svg", "warp_timeline",
    "waves",
]  # fmt: skip
