"""Figures: data and ax in, ax out. None runs a kernel; matplotlib is imported when the first one is drawn."""

from .banks import bank_heatmap
from .divergence import divergence_timeline
from .inline import svg
from .paper import alt_text, canvas, headline, panels
from .sectors import sector_map
from .theme import DARK, LIGHT

__all__ = [
    "DARK",
    "LIGHT",
    "alt_text",
    "bank_heatmap",
    "canvas",
    "divergence_timeline",
    "headline",
    "panels",
    "sector_map",
    "svg",
]
