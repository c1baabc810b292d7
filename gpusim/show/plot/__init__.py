"""Figures: data and ax in, ax out. None runs a kernel; matplotlib is imported when the first one is drawn.

| what | figure |
| --- | --- |
| one request of a warp | sector_map, bank_heatmap, matrix_sectors, event_map |
| masks and lanes over time | divergence_timeline, lane_widths, barrier_wait |
| threads, blocks and elements | ownership_map, block_warps, fetch_map, tile_phases, tree, race_map |
| host, bus and GPU | spans |
| an SM and its blocks | occupancy_limits, occupancy_heatmap, waves, gantt, warp_timeline |
| times and bounds | roofline, roofline_bars, ladder, waterfall, latency_ladder, traffic |
| numbers | bars, curve, heatmap, correctness_map |
| arrays in memory | scopes, memory_strip, csr, two_in_four |

Each returns its canvas, which shows itself as the last value of a cell; `headline` is its sentence, and
`alt_text` describes it.
`refused` says why a setting is not possible, `panels` puts several on one figure.
"""

from .banks import bank_heatmap
from .barchart import bars
from .correctness import correctness_map
from .curves import curve
from .cycles import warp_timeline
from .diagrams import refused, scopes, traffic
from .divergence import divergence_timeline
from .events import event_map
from .fetch import fetch_map
from .intensity import roofline
from .ladders import ladder, latency_ladder, waterfall
from .lanes import barrier_wait, lane_widths
from .layouts import memory_strip
from .maps import heatmap, occupancy_heatmap
from .matrices import matrix_sectors
from .ownership import ownership_map
from .paper import alt_text, canvas, headline, panels
from .races import race_map
from .residency import occupancy_limits, waves
from .roofs import roofline_bars
from .schedules import gantt
from .sectors import sector_map
from .spans import spans
from .sparse import csr, two_in_four
from .theme import DARK, LIGHT
from .tiles import tile_phases
from .trees import reduction_rounds, tree
from .warps import block_warps

__all__ = [
    "DARK", "LIGHT", "alt_text", "bank_heatmap", "barrier_wait", "bars", "block_warps", "canvas",
    "correctness_map", "csr", "curve", "divergence_timeline", "event_map", "fetch_map", "gantt", "headline",
    "heatmap", "ladder", "lane_widths", "latency_ladder", "matrix_sectors", "memory_strip",
    "occupancy_heatmap", "occupancy_limits", "ownership_map", "panels", "race_map",
    "reduction_rounds", "refused", "roofline", "roofline_bars", "scopes", "sector_map", "spans",
    "tile_phases", "traffic", "tree", "two_in_four", "warp_timeline", "waterfall", "waves",
]  # fmt: skip
