"""Text on a canvas, placed by its baseline, so that its place depends on no font; how wide it will be; and the
text that stands for a whole figure."""

import functools

from .shapes import cells, matplotlib
from .theme import LABEL, LIGHT, VALUE

FAMILY = "DejaVu Sans"  # comes with matplotlib; in an SVG the page's own font takes its place


@functools.cache
def _properties(size, bold):
    matplotlib()
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=FAMILY, size=size, weight="bold" if bold else "normal")


@functools.cache
def _advance(letter, bold):
    """Return how far a letter moves the pen, in sizes of the font."""
    from matplotlib import font_manager, ft2font

    # an enumeration from matplotlib 3.10 on, plain constants before
    unhinted = ft2font.LoadFlags.NO_HINTING if hasattr(ft2font, "LoadFlags") else ft2font.LOAD_NO_HINTING
    font = font_manager.get_font(font_manager.findfont(_properties(10, bold)))
    font.set_size(100, 72)
    return font.load_char(ord(letter), unhinted).linearHoriAdvance / 65536 / 100


@functools.lru_cache(4096)
def text_width(text, size=LABEL, bold=False):
    """Return the width of a text in points in DejaVu Sans, the widest font that a figure is shown in.

    >>> 25 < text_width("stride", 9) < 30
    True
    """
    return sum(_advance(letter, bold) for letter in text) * size


def fit(text, size, room, bold=False, least=6.0):
    """Return the size, at most `size`, at which a text is no wider than `room` points."""
    return max(least, min(size, size * room / max(text_width(text, size, bold), 1e-9)))


@functools.cache
def _text_class():
    matplotlib()
    from matplotlib import rcParams
    from matplotlib.text import Text

    class Words(Text):
        """A text that goes into an SVG as it is: the page lays it out, so nothing is measured here."""

        def draw(self, renderer):
            if rcParams["svg.fonttype"] != "none" or not hasattr(renderer, "_draw_text_as_text"):
                super().draw(renderer)
                return
            x, y = self.get_transform().transform(self.get_position())
            gc = renderer.new_gc()
            gc.set_foreground(self.get_color())
            gc.set_alpha(self.get_alpha())
            low = renderer.get_canvas_width_height()[1] - y
            font = self.get_fontproperties()
            renderer.draw_text(gc, x, low, self.get_text(), font, self.get_rotation(), mtext=self)
            gc.restore()

    return Words


def write(
    ax, x, y, text, size=LABEL, color="ink", align="left", bold=False, rotation=0, ground=False, alpha=None
):
    """Write a text whose baseline is at y; align: left, center, right; ground: page colour behind it."""
    if ground:
        wide = text_width(text, size, bold)
        left = x - {"left": 0, "center": 0.5, "right": 1}[align] * wide
        cells(ax, [(left - 1.5, y - 0.8 * size - 1, wide + 3, 1.05 * size + 2)], "bg")
    words = _text_class()(
        x, y, text, color=LIGHT[color], fontproperties=_properties(round(float(size), 2), bold), alpha=alpha,
        horizontalalignment=align, rotation=rotation, rotation_mode="anchor", parse_math=False, zorder=1,
        clip_on=False,
    )  # fmt: skip
    return ax.add_artist(words)


def center(ax, x, y, text, size=VALUE, color="ink", bold=False):
    """Write a text in the middle of a cell; digits stand .73 of their size high."""
    return write(ax, x, y + 0.365 * size, text, size, color, "center", bold)


def alt_text(figure):
    """Return what a figure shows, in sentences with their numbers: for readers who cannot see it.

    figure : a Figure, or the canvas that a plot function returned
    """
    figure = getattr(figure, "figure", None) or figure
    return " ".join(filter(None, (getattr(ax, "_gs_alt", "") for ax in figure.axes)))
