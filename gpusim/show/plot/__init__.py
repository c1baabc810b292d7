"""Figures: data and ax in, ax out. None runs a kernel; matplotlib is imported when the first one is drawn."""

from .banks import bank_heatmap
from .inline import html, svg
from .paper import alt_text, canvas, headline, panels
from .sectors import sector_map
from .theme import DARK, LIGHT, css

__all__ = [
    "DARK",
    "LIGHT",
    "alt_text",
    "bank_heatmap",
    "canvas",
    "css",
    "headline",
    "html",
    "panels",
    "sector_map",
    "svg",
]
