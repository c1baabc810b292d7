"""Figures: data and ax in, ax out. None runs a kernel; matplotlib is imported when the first one is drawn."""

from .banks import bank_heatmap
from .divergence import divergence_timeline
from .inline import svg
from .intensity import roofline
from .ownership import ownership_map
from .paper import alt_text, canvas, headline, panels
from .roofs import roofline_bars
from .sectors import sector_map
from .theme import DARK, LIGHT
from .warps import block_warps

__all__ = [
    "DARK",
    "LIGHT",
    "alt_text",
    "bank_heatmap",
    "block_warps",
    "canvas",
    "divergence_timeline",
    "headline",
    "ownership_map",
    "panels",
    "roofline",
    "roofline_bars",
    "sector_map",
    "svg",
]
