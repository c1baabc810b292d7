"""The roofline: attainable speed over intensity on log axes, with versions of a kernel as named points."""

import math
from typing import NamedTuple

import numpy as np

from ..written import rate, scaled, three
from .paper import begin, headline, text_width, write
from .roofs import article
from .scales import Scales
from .shapes import diamonds, dots, line, strokes
from .theme import MARGIN, NOTE

LEFT, TOP, HEIGHT = 34.0, 60.0, 268.0  # points: y axis, top of the frame, whole figure
_STYLE = ((2.2, None), (1.2, (4, 2)))  # width and dashes of the first roof, and of the others


def roofline(points, bandwidth, compute, *, unit="FLOP/s", device="", title=None, note=None, xlim=None,
             ylim=None, path=False, ax=None):  # fmt: skip
    """Draw the roof of a GPU and where kernels stand under it.

    points : {name: (intensity, speed)} or (intensity, speed, kind); FLOP a byte and FLOP/s;
        kind : "measured" (default, a diamond), "estimated" (a ring), "counted" (a dot)
    bandwidth : bytes/s, or {name: bytes/s}: the first slope is the roof, others are dashed
    compute : FLOP/s, or {name: FLOP/s}: the first flat roof counts, others are dashed
    xlim, ylim : limits of the axes, None for decades around the points
    path : join the points in their order, each with one line of text
    return : ax

    >>> roofline({"tiled": (16.5, 8.9e12)}, 4.24e12, 63.5e12).headline
    '8.9 of 63.5 TFLOP/s'
    """
    slopes = bandwidth if isinstance(bandwidth, dict) else {"HBM": bandwidth}
    flats = compute if isinstance(compute, dict) else {"compute": compute}
    points = {name: (*value, "measured")[:3] for name, value in points.items()}
    slope, peak = next(iter(slopes.values())), next(iter(flats.values()))
    factor, prefix = scaled(peak, ("", "k", "M", "G", "T", "P"))
    ax, width, height = begin(ax, HEIGHT)
    xlim = xlim or _decades([v[0] for v in points.values()] + [peak / slope / 3, peak / slope * 4])
    highest, lowest = max(flats.values()) * 1.05, xlim[0] * slope * 1.5
    ylim = ylim or _decades([v[1] for v in points.values()] + [highest, lowest])
    y = tuple(limit * factor for limit in ylim)
    frame = Scales(ax, LEFT, TOP, width - MARGIN - 10, height - 38, xlim, y, True, True)
    frame.y_axis(f"{prefix}{unit}")
    frame.x_axis("FLOP per byte", grid=True)
    marks = [_Mark(name, float(frame.x(x)), float(frame.y(speed * factor)), kind, speed * factor,
                   min(peak, x * slope) * factor) for name, (x, speed, kind) in points.items()]  # fmt: skip
    taken = _draw_distances(frame, marks, path)
    taken += 3 * _draw_roofs(frame, slopes, flats, factor, f"{prefix}{unit}", taken)
    for mark in marks:
        _draw_mark(ax, mark)
        taken += 30 * [_label(ax, mark, path, taken, frame)]  # to cover a text is worse than to cover a line
    best = max([speed for _, speed, _ in points.values()] + [0])
    where = f" on {article(device)} {device}" if device else ""
    what = ", ".join(sorted({kind for *_, kind in points.values()})) + where
    told = [f"{name}: {rate(speed, unit)} at {three(x)} FLOP per byte"
            for name, (x, speed, _) in points.items()]  # fmt: skip
    headline(ax, title or f"{three(best * factor)} of {three(peak * factor)} {prefix}{unit}",
             note or f"{what}; ridge at {three(peak / slope)} FLOP per byte",
             "Roofline, speed over arithmetic intensity on logarithmic axes", "; ".join(told))  # fmt: skip
    return ax


class _Mark(NamedTuple):
    """A point: its name, place and kind; its speed and the roof over it, in units of the axis."""

    name: str
    x: float
    y: float
    kind: str
    speed: float
    roof: float


def _decades(values):
    """Return limits at powers of ten around all values; at least a little room at both ends."""
    values = [value for value in values if value > 0]
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))


def _along(points, reach=3):
    """Return small boxes along a line through points, for labels to keep away from."""
    corners = zip(points, points[1:], strict=False)
    return [
        (x - reach, y - reach, x + reach, y + reach) for a, b in corners for x, y in np.linspace(a, b, 24)
    ]


def _draw_distances(frame, marks, path):
    """Join the points, or drop a dotted line from the roof to each; return the boxes that are taken."""
    taken = [(one.x - 6, one.y - 6, one.x + 6, one.y + 6) for one in marks]
    if path:
        places = [(one.x, one.y) for one in marks]
        line(frame.ax, places, "ink", 0.9, (1, 2))
        return taken + _along(places)
    drops = [(one.x, one.y, one.x, float(frame.y(one.roof)) + 1.5) for one in marks]
    strokes(frame.ax, drops, "ink", 0.8, None, (1, 1.6))
    return taken + [(x - 1, top, x + 1, y) for x, y, _, top in drops]


def _draw_roofs(frame, slopes, flats, factor, unit, points):
    """Draw the roofs, the first of each kind heavy, and write their names; return the boxes they take."""
    ax, taken = frame.ax, []
    highest, steepest = max(flats.values()), max(slopes.values())
    levels = [float(frame.y(speed * factor)) for speed in flats.values()]
    for place, (name, speed) in enumerate(flats.items()):
        start, y = float(frame.x(max(frame.xlim[0], speed / steepest))), float(frame.y(speed * factor))
        line(ax, [(start, y), (frame.right, y)], "compute", *_STYLE[place > 0])
        text = f"{name} {three(speed * factor)} {unit}"
        end, base = frame.right - 2, y - 5
        if any(y - 16 < level < y for level in levels):  # it would stand on another roof
            end, base = max(start - 8, frame.left + text_width(text, NOTE) + 4), y + 3.5
        write(ax, end, base, text, NOTE, "ink", "right", ground=True)
        taken += [(end - text_width(text, NOTE) - 2, base - 9, end + 2, base + 3)]
        taken += [(start, y - 2, frame.right, y + 2)]
    for place, (name, speed) in enumerate(slopes.items()):
        x = np.geomspace(frame.xlim[0], min(highest / speed, frame.xlim[1]), 40)
        at = frame.points(x, x * speed * factor)
        at = at[(at[:, 1] <= frame.bottom) & (at[:, 1] >= frame.top)]
        if len(at) < 2:
            continue
        color = {"l2": "l2", "l1": "l1", "shared": "shared"}.get(name.lower(), "hbm")
        line(ax, at[[0, -1]], color, *_STYLE[place > 0])
        below = speed < max(slopes.values())
        box = _slope_name(ax, at[0], at[-1], f"{name} {rate(speed)}", points, below)
        taken += _along([tuple(at[0]), tuple(at[-1])]) + box
    return taken


def _slope_name(ax, start, end, text, points, below):
    """Write the name of a slope along it, where no point is near; return the boxes it takes."""
    along = (end - start) / np.hypot(*(end - start))
    up = np.array([along[1], -along[0]]) * (-1 if below else 1)
    wide = text_width(text, NOTE)

    def boxes(share):
        first = start + (end - start) * share + up * (11.5 if below else 4.5)
        spots = [
            first + along * wide * part + np.array([along[1], -along[0]]) * 4
            for part in np.linspace(0, 1, 12)
        ]
        return first, [(x - 5, y - 5, x + 5, y + 5) for x, y in spots]

    points = np.array(points, float).reshape(-1, 4)
    room = max(0.05, 1 - wide / np.hypot(*(end - start)) - 0.05)
    shares = [0.2 * room, 0.45 * room, 0.02, 0.7 * room, room]
    share = min(shares, key=lambda one: sum(_covered(box, points) for box in boxes(one)[1]))
    first, taken = boxes(share)
    write(ax, *first, text, NOTE, rotation=math.degrees(math.atan2(-along[1], along[0])))
    return taken


def _draw_mark(ax, mark):
    if mark.kind == "measured":
        diamonds(ax, [(mark.x, mark.y)], 4)
    else:
        dots(ax, [(mark.x, mark.y)], "load", 3.2, ring=mark.kind == "estimated")


def _label(ax, mark, path, taken, frame):
    """Write a point's name and distance beside it, where they cover least; return their box."""
    x, y, ratio = mark.x, mark.y, mark.roof / mark.speed
    far = f"; roof {three(float(f'{ratio:.2g}'))}× higher" if ratio >= 1.05 else ""
    lines = [f"{mark.name}: {three(mark.speed)}"] if path else [mark.name, three(mark.speed) + far]
    wide, tall = max(text_width(text, NOTE) for text in lines), 11.0 * len(lines) + 3
    lefts = (x + 9, x - 9 - wide, min(x - wide / 2, frame.right + 6 - wide))
    sides = [(left, y + down) for left in lefts[:2] for down in (-tall / 2, -3, 3, 14, -tall, -tall - 12, 26)]
    sides += [(lefts[2], y + down) for down in (8, 20, 32, 44, -tall - 8)]

    def cost(place):
        left, top = place
        box = (left - 2, top, left + wide + 2, top + tall)
        hits = _covered(box, taken) + 12 * abs(top + tall / 2 - y)
        sideways = left < frame.left + 2 or left + wide > frame.right + 8
        return hits + 1e5 * (sideways or top < frame.top or box[3] > frame.bottom)

    taken = np.array(taken)
    left, top = min(sides, key=cost)
    for number, text in enumerate(lines):
        color = "ink" if number == 0 else "muted"
        write(ax, left, top + 9 + 11 * number, text, NOTE, color, ground=True)
    return (left - 2, top, left + wide + 2, top + tall)


def _covered(box, others):
    """Return the area of other boxes that a box covers."""
    low, high = np.maximum(others[:, :2], box[:2]), np.minimum(others[:, 2:], box[2:])
    return float(np.clip(high - low, 0, None).prod(1).sum())
