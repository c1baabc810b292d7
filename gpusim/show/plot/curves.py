"""A curve over a parameter: counted, estimated or measured series, with the reader's own setting on it."""

import math

import numpy as np

from ..written import three
from .paper import begin, fit, headline, text_width, write
from .scales import Scales, decades, doubles, steps, tick_text
from .shapes import diamonds, dots, line, strokes
from .theme import MARGIN, NOTE

COLORS = ("load", "store", "shared", "compute", "issue", "hbm")
DASH = {"counted": None, "estimated": (4, 2), "measured": None}
TOP = 58.0


def curve(
    series, *, x="", y="", here=None, measured=None, marks=None, level=None, xlog=False, ylog=False,
    xlim=None, ylim=None, xticks=None, yticks=None, xtext=None, ytext=None, colors=None, title=None,
    note=None, height=196.0, ax=None,
):  # fmt: skip
    """Draw one or more series over a parameter.

    series : {name: (xs, ys)} or {name: (xs, ys, kind)}, kind "counted" (solid), "estimated" (dashed) or
        "measured" (thin, with diamonds); a single (xs, ys) has no name
    x, y : names of the axes with their units;  xlog, ylog : True, or 2 for an axis of doublings
    here : (x, y) or (x, y, text), the reader's setting: a dot on the curve
    measured : (xs, ys) of single measured points: diamonds
    marks : {x: text}, vertical lines, such as a break-even;  level : {y: text}, horizontal ones
    xtext, ytext : functions that write a tick;  height : of the figure, points
    return : ax

    >>> p = np.linspace(0, 1, 50)
    >>> ax = curve((p, 1 - (1 - p) ** 32), x="p", y="warps that diverge", here=(.05, 1 - .95 ** 32))
    >>> ax.headline
    'warps that diverge: 0.806 at p = 0.05'
    """
    series = series if isinstance(series, dict) else {"": series}
    series = {name: (np.asarray(value[0], float), np.asarray(value[1], float), (*value, "counted")[2])
              for name, value in series.items()}  # fmt: skip
    xs, ys = _everything(series, measured, here)
    xlim, ylim = xlim or _limits(xs, xlog, False), ylim or _limits(ys, ylog, True)
    xticks = _ticks(xlim, xlog, xs) if xticks is None else xticks
    yticks = _ticks(ylim, ylog) if yticks is None else yticks
    ax, width, height = begin(ax, height)
    left, right = _margins(series, ylim, ylog, yticks, ytext or tick_text)
    scales = xlim, ylim, bool(xlog), bool(ylog)
    frame = Scales(ax, left, TOP, width - MARGIN - right, height - 34, *scales)
    frame.y_axis(y, yticks, ytext)
    frame.x_axis(x, xticks, xtext)
    _draw_marks(frame, marks or {}, level or {})
    drawn = _draw_all(frame, series, colors or {})
    if measured is not None:
        points = frame.points(*(np.asarray(part, float) for part in measured[:2]))
        diamonds(ax, _inside(frame, points))
    text = _draw_here(frame, here, x, width, drawn)
    over = f"{y or 'a value'} over {x or 'a parameter'}"
    names = ", ".join(f"{name} ({kind})" if name else kind for name, (_, _, kind) in series.items())
    headline(ax, title or (f"{y or 'value'}: {text}" if text else over),
             note if note is not None else names if len(series) > 1 else "", f"Curve of {over}",
             _ends_in_words(series))  # fmt: skip
    return ax


def _margins(series, ylim, ylog, yticks, text):
    """Return the room for the values at the left and for the names at the right, points."""
    ends = max([text_width(name, NOTE) + 10 for name in series if name] + [12])
    if yticks is None:
        yticks = decades(*ylim) if ylog else steps(*ylim, 5)
    return MARGIN + 6 + max([text_width(text(tick), NOTE) for tick in yticks] + [8]), min(ends, 96)


def _draw_all(frame, series, colors):
    """Draw all series and their names at their right ends; return the points of each."""
    spots, drawn = [], []
    for place, (name, (xs, ys, kind)) in enumerate(series.items()):
        color = colors.get(name, COLORS[place % len(COLORS)])
        points = _draw_series(frame, xs, ys, kind, color)
        drawn.append(points)
        if name and len(points):
            spots.append([points[-1][1], name, points[-1][0]])
    _write_ends(frame.ax, frame, spots)
    return drawn


def _everything(series, measured, here):
    xs, ys = [v[0] for v in series.values()], [v[1] for v in series.values()]
    if measured is not None:
        xs, ys = xs + [np.asarray(measured[0], float)], ys + [np.asarray(measured[1], float)]
    if here is not None:
        xs, ys = xs + [np.array([here[0]], float)], ys + [np.array([here[1]], float)]
    return np.concatenate(xs), np.concatenate(ys)


def _limits(values, log, from_zero):
    values = values[np.isfinite(values)]
    if log:
        values, base = values[values > 0], 2 if log == 2 else 10
        if not len(values):
            return 1, base
        low = float(base) ** math.floor(math.log(values.min(), base) + 1e-9)
        high = float(base) ** math.ceil(math.log(values.max(), base) - 1e-9)
        return low, high if high > low else low * base
    if not len(values):
        return 0, 1
    low, high = float(values.min()), float(values.max())
    if from_zero:
        low, high = min(low, 0.0), high * 1.04 if high > 0 else high
    return low, high if high > low else low + 1


def _ticks(limits, log, values=()):
    """Return doublings, or whole numbers for whole values; None leaves it to the frame."""
    if log != 2:
        return steps(*limits, 6, whole=True) if not log and len(values) and (values % 1 == 0).all() else None
    ticks = doubles(*limits)
    return ticks[:: max(1, -(-len(ticks) // 8))]


def _inside(frame, points):
    x, y = points.T
    return points[
        (x >= frame.left - 1) & (x <= frame.right + 1) & (y >= frame.top - 1) & (y <= frame.bottom + 1)
    ]


def _draw_series(frame, xs, ys, kind, color):
    """Draw a line, cut at the frame; return its points."""
    if kind not in DASH:
        raise ValueError(f"a series is counted, estimated or measured, not {kind!r}")
    with np.errstate(invalid="ignore"):
        outside = (
            (ys < min(frame.ylim)) | (ys > max(frame.ylim)) | (xs < frame.xlim[0]) | (xs > frame.xlim[1])
        )
    points = frame.points(xs, np.clip(ys, *frame.ylim))
    points[outside & np.r_[outside[1:], True] & np.r_[True, outside[:-1]]] = np.nan
    points[:, 0] = np.clip(points[:, 0], frame.left, frame.right)
    if kind == "measured":
        line(frame.ax, points, "ink", 0.9)
        diamonds(frame.ax, _inside(frame, points[~outside]), 3)
    else:
        line(frame.ax, points, color, 1.6, DASH[kind])
        if len(xs) <= 12 and kind == "counted":
            dots(frame.ax, _inside(frame, points[~outside]), color, 1.8)
    return points[np.isfinite(points).all(1)]


def _write_ends(ax, frame, spots):
    """Write the names of series at their right ends, pushed apart where lines end close together."""
    spots.sort()
    low = frame.top - 6
    for spot in spots:
        spot[0] = low = max(spot[0] + 3, low + 10.5)
    over = max(0, low - frame.bottom)
    for y, name, x in spots:
        size = fit(name, NOTE, float(ax.get_xlim()[1]) - x - 8, least=6)
        write(ax, x + 5, y - over, name, size)


def _draw_marks(frame, marks, level):
    ax = frame.ax
    for place, (value, text) in enumerate(marks.items()):
        x = float(frame.x(value))
        if not frame.left - 1 <= x <= frame.right + 1:
            continue
        strokes(ax, [(x, frame.top, x, frame.bottom)], "ink", 1.1)
        wide = text_width(text, NOTE)
        at = x + 4 if x + 4 + wide < frame.right + 4 or x - 4 - wide < 4 else x - 4 - wide
        write(ax, at, frame.top + 7 + 11 * (place % 3), text, NOTE, ground=True)
    for value, text in level.items():
        y = float(frame.y(value))
        strokes(ax, [(frame.left, y, frame.right, y)], "ink", 0.9, None, (1, 2))
        write(ax, frame.left + 4, y - 3.5, text, NOTE, ground=True)


def _draw_here(frame, here, name, width, drawn):
    """Draw the reader's dot and its label, where the label covers least of the curves; return the label."""
    if here is None:
        return ""
    x, y = float(frame.x(here[0])), float(frame.y(here[1]))
    text = here[2] if len(here) > 2 else f"{three(here[1])} at {name or 'x'} = {three(here[0])}"
    if not (frame.left - 1 <= x <= frame.right + 1 and frame.top - 1 <= y <= frame.bottom + 1):
        return text
    dots(frame.ax, [(x, y)])
    wide, dense = text_width(text, NOTE, True), [_densify(points) for points in drawn if len(points)]

    def cost(place):
        left, low = place
        right, top = left + wide, low - 8
        covered = sum(((p > (left - 3, top - 2)) & (p < (right + 3, low + 4))).all(1).sum() for p in dense)
        outside = left < 4 or right > width - 4 or low > frame.bottom - 3 or top < frame.top - 4
        return covered + 1e4 * outside + 1e3 * (right > frame.right + 4)  # names stand right of the frame

    spots = [(left, y + drop) for drop in (14, -8, 24, -18, 3.5) for left in (x + 8, x - 8 - wide)]
    left, low = min(spots, key=cost)
    write(frame.ax, left, low, text, NOTE, bold=True, ground=True)
    return text


def _densify(points):
    """Return points every few points along a line."""
    share = np.linspace(0, len(points) - 1, 400)
    return np.stack([np.interp(share, np.arange(len(points)), points[:, axis]) for axis in (0, 1)], 1)


def _ends_in_words(series):
    told = []
    for name, (xs, ys, _) in series.items():
        if len(xs):
            who = f"{name}: " if name else ""
            told.append(f"{who}{three(ys[0])} at {three(xs[0])}, {three(ys[-1])} at {three(xs[-1])}")
    return "; ".join(told)
