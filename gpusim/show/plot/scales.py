"""Axes of a chart inside a canvas: data to points, linear or logarithmic, with grid, ticks and names."""

import math

import numpy as np

from ..written import power, scaled, three
from .paper import text_width, write
from .shapes import strokes
from .theme import MARGIN, NOTE


class Scales:
    """A rectangle of a canvas with a horizontal and a vertical scale.

    left, top, right, bottom : points;  x, y : (low, high) in data units;  xlog, ylog : logarithmic scales

    >>> from gpusim.show.plot import canvas
    >>> frame = Scales(canvas(120), 40, 20, 340, 100, (1, 1000), (0, 10), xlog=True)
    >>> round(float(frame.x(10))), round(float(frame.y(5)))
    (140, 60)
    """

    def __init__(self, ax, left, top, right, bottom, x=(0, 1), y=(0, 1), xlog=False, ylog=False):
        self.ax, self.left, self.top, self.right, self.bottom = ax, left, top, right, bottom
        self.xlim, self.ylim, self.xlog, self.ylog = x, y, xlog, ylog

    def x(self, value):
        """Return the horizontal place, in points, of data values."""
        return self.left + _share(value, self.xlim, self.xlog) * (self.right - self.left)

    def y(self, value):
        """Return the vertical place, in points, of data values; downward."""
        return self.bottom - _share(value, self.ylim, self.ylog) * (self.bottom - self.top)

    def points(self, x, y):
        """Return places (n, 2) of data values."""
        return np.stack(np.broadcast_arrays(self.x(x), self.y(y)), -1)

    def y_axis(self, name="", ticks=None, text=None):
        """Draw grid lines across the vertical scale, their values at the left, and the name above."""
        ticks = self._ticks(self.ylim, self.ylog, 5) if ticks is None else ticks
        places = [float(self.y(tick)) for tick in ticks]
        strokes(self.ax, [(self.left, y, self.right, y) for y in places], "idle", 0.5, 0.35)
        for tick, y in zip(ticks, places, strict=True):
            write(self.ax, self.left - 5, y + 3.1, (text or tick_text)(tick), NOTE, "muted", "right")
        if name:
            write(self.ax, MARGIN, self.top - 9, name, NOTE, "muted")

    def x_axis(self, name="", ticks=None, text=None, grid=False):
        """Draw the bottom line with ticks, their values under it, and the name at its end."""
        ticks = self._ticks(self.xlim, self.xlog, 6) if ticks is None else ticks
        places = [float(self.x(tick)) for tick in ticks]
        if grid:
            strokes(self.ax, [(x, self.top, x, self.bottom) for x in places], "idle", 0.5, 0.35)
        axis = [(self.left, self.bottom, self.right, self.bottom)]
        strokes(self.ax, axis + [(x, self.bottom, x, self.bottom + 3) for x in places], "muted", 0.7)
        self._labels(ticks, places, text or tick_text)
        if name:
            write(self.ax, self.right, self.bottom + 24.5, name, NOTE, "muted", "right")

    def _labels(self, ticks, places, text):
        """Write the values, leaving out those that would touch their left neighbour or leave the canvas."""
        end, edge = 0.0, float(self.ax.get_xlim()[1]) - 2
        for tick, x in zip(ticks, places, strict=True):
            label = text(tick)
            half = text_width(label, NOTE) / 2
            x = min(x, edge - half)
            if x - half > end + 3:
                write(self.ax, x, self.bottom + 12.5, label, NOTE, "muted", "center")
                end = x + half

    @staticmethod
    def _ticks(limits, log, most):
        return decades(*limits) if log else steps(*limits, most)


def _share(value, limits, log):
    value, (low, high) = np.asarray(value, float), limits
    if log:
        with np.errstate(divide="ignore", invalid="ignore"):
            return (np.log(value) - math.log(low)) / (math.log(high) - math.log(low))
    return (value - low) / ((high - low) or 1)


def steps(low, high, most=6, whole=False):
    """Return at most `most` + 1 round values between two limits, 1, 2, 4 or 5 times a power of ten apart.

    whole : integers only

    >>> steps(0, 28), steps(0, 1, 3)
    ([0, 4, 8, 12, 16, 20, 24, 28], [0, 0.25, 0.5, 0.75, 1])
    """
    span = (high - low) or 1
    scale = 10.0 ** (math.floor(math.log10(span)) - 1)
    sizes = [size * scale for size in (1, 2, 2.5, 4, 5, 10, 20, 25, 40, 50, 100)]
    if whole:
        sizes = [size for size in sizes if size >= 1 and size.is_integer()] or [1]
    step = next(size for size in sizes if span / size <= most + 1.01)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = [float(f"{place * step:.10g}") for place in range(first, last + 1)]
    return [int(value) if value.is_integer() else value for value in values]


def decades(low, high):
    """Return the powers of ten between two limits, at most 7 of them.

    >>> decades(1, 1000), decades(0.05, 20)
    ([1, 10, 100, 1000], [0.1, 1, 10])
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    stride = max(1, -(-(last - first + 1) // 7))
    return [10**e if e >= 0 else float(f"1e{e}") for e in range(first, last + 1, stride)]


def doubles(low, high):
    """Return the powers of two between two limits: ticks of a scale that doubles.

    >>> doubles(1, 32)
    [1, 2, 4, 8, 16, 32]
    """
    return [2**e for e in range(math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9) + 1)]


def tick_text(value):
    """Write the value of a tick: powers of ten as such beyond 10 000, other large values with k, M, G.

    >>> tick_text(1000), tick_text(100000), tick_text(0.25), tick_text(4e6)
    ('1000', '10⁵', '0.25', '4 M')
    """
    size = abs(float(value))
    if size > 0 and math.log10(size).is_integer():
        return three(value) if 1e-3 <= size <= 1e4 else power(value)
    if size >= 1e4:
        factor, prefix = scaled(value, ("", "k", "M", "G", "T"))
        return f"{three(value * factor)} {prefix}"
    return three(value)
