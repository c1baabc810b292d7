"""Figures: data and ax in, ax out. None runs a kernel; matplotlib is imported when the first one is drawn."""

from .inline import html, svg
from .paper import alt_text, canvas, headline, panels
from .theme import DARK, LIGHT, css

__all__ = ["DARK", "LIGHT", "alt_text", "canvas", "css", "headline", "html", "panels", "svg"]
