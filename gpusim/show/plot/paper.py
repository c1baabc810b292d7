"""A canvas measured in points, y downward, with its headline and its description."""

import functools

import numpy as np

from .shapes import matplotlib
from .text import alt_text, center, fit, text_width, write
from .theme import HEADLINE, MARGIN, NOTE, WIDTH

__all__ = [
    "alt_text", "begin", "canvas", "center", "clear", "fit", "headline", "panels", "text_width", "write",
]  # fmt: skip


@functools.cache
def _canvas_class():
    matplotlib()
    from matplotlib.axes import Axes

    class Canvas(Axes):
        """Axes in points that show themselves in a notebook as an inline SVG with its description."""

        headline = ""

        def _repr_html_(self):
            from .svg import show

            return show(self)._repr_html_()

        def __repr__(self):
            return f"<Canvas: {alt_text(self)}>"

    return Canvas


def canvas(height, width=WIDTH):
    """Return new axes of `width` x `height` points, origin at the top left, on a figure of their own.

    >>> ax = canvas(100)
    >>> [float(edge) for edge in (*ax.get_xlim(), *ax.get_ylim())]
    [0.0, 345.6, 100.0, 0.0]
    """
    return panels([height], width=width)[0]


def panels(heights, columns=1, width=WIDTH):
    """Return a list of canvases, row by row, on one figure: give them to several plot functions.

    heights : points of each row;  columns : canvases of equal width in each row

    >>> [float(ax.get_xlim()[1]) for ax in panels([100, 80], columns=2)]
    [172.8, 172.8, 172.8, 172.8]
    """
    heights = [float(height) for height in heights]
    total = sum(heights)
    figure = matplotlib().figure.Figure(figsize=(width / 72, total / 72), facecolor="white")
    made, top = [], 0.0
    for height in heights:
        for column in range(columns):
            place = (column / columns, 1 - (top + height) / total, 1 / columns, height / total)
            made.append(_blank(figure, place, width / columns, height))
        top += height
    return made


def _blank(figure, place, width, height):
    ax = _canvas_class()(figure, place)
    figure.add_axes(ax)
    ax.set_axis_off()
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_autoscale_on(False)
    return ax


def begin(ax, height, width=WIDTH):
    """Return (ax, width, height): a new canvas, or the given one wiped and, if it is alone, resized."""
    if ax is None:
        return canvas(height, width), width, height
    clear(ax)
    width = float(ax.get_xlim()[1])
    if len(ax.figure.axes) == 1 and not np.isclose(ax.get_ylim()[0], height):
        ax.figure.set_size_inches(width / 72, height / 72)
        ax.set_ylim(height, 0)
    return ax, width, float(ax.get_ylim()[0])


def clear(ax):
    """Remove everything drawn on a canvas; limits stay, and it is much faster than ax.clear()."""
    for artist in list(ax.get_children()):
        if artist in ax.patches or artist in ax.texts or artist in ax.images or artist in ax.lines:
            artist.remove()
    ax._gs_alt = ""


def headline(ax, title, note="", picture="", detail="", color="ink"):
    """Write the sentence with the numbers that matter, a muted line under it, and store the description.

    picture : what kind of picture it is;  detail : what else a reader who cannot see it needs, in sentences
    The sentence is kept as ax.headline.
    """
    ax.headline, room = title, ax.get_xlim()[1] - 2 * MARGIN
    write(ax, MARGIN, 16.5, title, fit(title, HEADLINE, room, bold=True), color=color, bold=True)
    if note:
        write(ax, MARGIN, 30, note, fit(note, NOTE, room), color="muted")
    sentences = [text.strip().rstrip(".") for text in (picture, title, note, detail) if text.strip()]
    ax._gs_alt = ". ".join(text[0].upper() + text[1:] for text in sentences) + "."
    ax.figure._gs_alt = alt_text(ax)
