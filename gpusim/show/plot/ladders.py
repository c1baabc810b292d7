"""Steps on a scale: versions of a kernel towards a peak, factors that multiply up, and latencies."""

import math

import numpy as np

from ..written import three
from .paper import begin, fit, headline, text_width, write
from .scales import Scales, decades, tick_text
from .shapes import cells, diamonds, dots, strokes
from .theme import LABEL, MARGIN, NOTE, TINT, VALUE

TOP, PITCH, BAR = 48.0, 20.0, 12.0  # points: first row, row to row, height of a bar


def ladder(speeds, peak=None, *, unit="TFLOP/s", kind="estimated", measured=None, device="", title=None,
           note=None, ax=None):  # fmt: skip
    """Draw versions of a kernel in their order, each with its factor over the last, towards a peak.

    speeds : {version: speed}, in the unit;  peak : of the card, or None;  kind : "estimated" or "counted"
    measured : {version: speed} on a real GPU
    return : ax

    >>> ladder({"naive": 5.2, "tiled": 8.9, "two-level": 36.1}, 63.5).headline
    '36.1 of 63.5 TFLOP/s, 6.9 times the first'
    """
    measured = measured or {}
    top = TOP + (12 if peak else 0)
    ax, width, height = begin(ax, top + PITCH * len(speeds) + 22)
    left = MARGIN + min(max([text_width(name, LABEL) for name in speeds] + [20]), 130) + 8
    most = max([*speeds.values(), *measured.values(), peak or 0])
    frame = Scales(ax, left, top - 4, width - MARGIN - (14 if peak else 64), height - 20, (0, most))
    _axis(frame, unit)
    if peak:
        x = float(frame.x(peak))
        strokes(ax, [(x, top - 6, x, frame.bottom)], "compute", 2)
        write(ax, x, top - 9, f"peak {three(peak)}", NOTE, align="right")
    last = None
    for row, (name, speed) in enumerate(speeds.items()):
        _draw_version(frame, top + row * PITCH, name, speed, last, measured.get(name), kind)
        last = speed
    told = [f"{name}: {three(speed)}" for name, speed in speeds.items()]
    told += [f"{name} measured {three(speed)}" for name, speed in measured.items()]
    where = f"; ◆ measured{' on ' + device if device else ''}" if measured else ""
    headline(ax, title or _progress(speeds, measured, peak, unit),
             note or f"{kind}{where}; × is the factor over the row above", "Ladder of versions",
             "; ".join(told))  # fmt: skip
    return ax


def _progress(speeds, measured, peak, unit):
    name, first = next(iter(speeds.items()))
    best = max(measured.values(), default=max(speeds.values()))
    times = three(float(f"{best / measured.get(name, first):.2g}"))
    return f"{three(best)}{f' of {three(peak)}' if peak else ''} {unit}, {times} times the first"


def _draw_version(frame, y, name, speed, last, measured, kind):
    """Draw one bar with its measured mark, its value, and its factor over the last one."""
    ax, left, end = frame.ax, frame.left, float(frame.x(speed))
    write(ax, left - 6, y + 9.3, name, fit(name, LABEL, left - MARGIN - 6, least=5), align="right")
    cells(ax, [(left, y, end - left, BAR)], "load", alpha=TINT if kind == "estimated" else None)
    if kind == "estimated":
        cells(ax, [(max(left, end - 1.4), y, 1.4, BAR)], "load")
    mark = end if measured is None else float(frame.x(measured))
    if measured is not None:
        strokes(ax, [(mark, y - 2, mark, y + BAR + 2)], "ink", 1)
        diamonds(ax, [(mark, y + BAR / 2)], 3)
    text = three(speed if measured is None else measured)
    rise = f"{three(float(f'{speed / last:.2g}'))}×" if last else ""
    wide = text_width(f"{text}  {rise}" if rise else text, VALUE, True) + 6
    x = max(end, mark) + 5
    if x + wide > float(ax.get_xlim()[1]) - 4:
        x = min(end, mark) - wide - 3
    write(ax, x, y + 9, text, VALUE, bold=True, ground=x > end)
    write(ax, x + text_width(text, VALUE, True) + 4, y + 9, rise, VALUE, "muted", ground=x > end)


def _axis(frame, unit):
    """Write the ticks of a horizontal scale at the bottom, the unit at its right end."""
    ticks = decades(*frame.xlim) if frame.xlog else frame._ticks(frame.xlim, False, 5)
    edge = float(frame.ax.get_xlim()[1]) - MARGIN
    places = [float(frame.x(tick)) for tick in ticks]
    strokes(frame.ax, [(x, frame.top, x, frame.bottom) for x in places], "idle", 0.5, 0.35)
    end = 0.0
    for tick, x in zip(ticks, places, strict=True):
        half = text_width(tick_text(tick), NOTE) / 2
        if x - half > end + 4 and x + half < edge - text_width(unit, NOTE) - 5:
            write(frame.ax, x, frame.bottom + 11.5, tick_text(tick), NOTE, "muted", "center")
            end = x + half
    write(frame.ax, edge, frame.bottom + 11.5, unit, NOTE, "muted", "right")


def waterfall(start, factors, *, unit="", end=None, title=None, note=None, ax=None):
    """Draw how factors multiply a start value up to an end value, on a logarithmic scale.

    start : (name, value);  factors : {name: factor};  end : name of the product
    return : ax

    >>> waterfall(("GTX 980", 4.6), {"SMs": 8.25, "clock": 1.76}, unit="TFLOP/s", end="H100").headline
    'GTX 980 to H100: 14.5 times, 4.6 to 66.8 TFLOP/s'
    """
    name, value = start
    steps = np.cumprod([value, *factors.values()])
    ax, width, height = begin(ax, TOP + PITCH * (len(factors) + 2) + 22)
    labels = [name, *factors, end or "product"]
    left = MARGIN + min(max(text_width(label, LABEL) for label in labels), 130) + 8
    low, high = steps.min() / 1.6, steps.max() * 1.05
    frame = Scales(ax, left, TOP - 4, width - MARGIN - 34, height - 20, (low, high), xlog=True)
    _axis(frame, unit)
    x = [float(frame.x(step)) for step in steps]
    rows = [(left, x[0], f"{three(value)}", "load", True)]
    rows += [(x[k], x[k + 1], f"× {three(factor)}", "bad" if factor < 1 else "compute", False)
             for k, factor in enumerate(factors.values())]  # fmt: skip
    rows += [(left, x[-1], three(steps[-1]), "load", True)]
    for row, (label, (a, b, text, color, whole)) in enumerate(zip(labels, rows, strict=True)):
        y = TOP + row * PITCH
        size = fit(label, LABEL, left - MARGIN - 6, whole, least=5)
        write(ax, left - 6, y + 9.3, label, size, align="right", bold=whole)
        cells(ax, [(min(a, b), y, max(abs(b - a), 1), BAR)], color)
        write(ax, max(a, b) + 5, y + 9, text, VALUE, bold=whole, ground=True)
        if row < len(rows) - 1:
            strokes(ax, [(b, y + BAR, b, y + PITCH)], "ink", 0.7, None, (1, 1.6))
    whole = steps[-1] / steps[0]
    sentence = f"{name} to {labels[-1]}: {three(whole)} times, {three(value)} to {three(steps[-1])} {unit}"
    headline(
        ax,
        title or sentence.strip(),
        note or "each row multiplies the one above; logarithmic scale",
        "Chart of factors",
        "; ".join(f"{name} × {three(factor)}" for name, factor in factors.items()),
    )
    return ax


def latency_ladder(latencies, *, unit="cycles", measured=None, colors=None, title=None, note=None, device="",
                   ax=None):  # fmt: skip
    """Draw how long a read takes from each kind of memory, on a logarithmic scale.

    latencies : {memory: cycles}, or {memory: (least, most)} where an order of magnitude is meant
    measured : {memory: cycles} on a real GPU;  colors : {memory: palette name}
    return : ax

    >>> latency_ladder({"shared": (20, 30), "L2": (200, 300), "device memory": (400, 800)}).headline
    'device memory takes 23 times as long as shared'
    """
    measured, colors = measured or {}, colors or {}
    spans = {name: (v, v) if np.ndim(v) == 0 else tuple(v) for name, v in latencies.items()}
    ax, width, height = begin(ax, TOP + PITCH * len(spans) + 22)
    left = MARGIN + min(max([text_width(name, LABEL) for name in spans] + [20]), 130) + 8
    every = [v for span in spans.values() for v in span] + list(measured.values())
    limits = 10.0 ** math.floor(math.log10(min(every))), 10.0 ** math.ceil(math.log10(max(every)))
    frame = Scales(ax, left, TOP - 4, width - MARGIN - 44, height - 20, limits, xlog=True)
    _axis(frame, unit)
    for row, (name, (least, most)) in enumerate(spans.items()):
        y = TOP + row * PITCH + BAR / 2
        color = colors.get(name, _memory_color(name))
        write(ax, left - 6, y + 3.3, name, fit(name, LABEL, left - MARGIN - 6, least=5), align="right")
        a, b = float(frame.x(least)), float(frame.x(most))
        strokes(ax, [(left, y, a, y)], color, 0.8, 0.5)
        cells(ax, [(a, y - 3.5, b - a, 7)] if b > a else [], color, alpha=TINT)
        dots(ax, [(x, y) for x in dict.fromkeys((a, b))], color, 3)
        end = b
        if name in measured:
            end = max(b, float(frame.x(measured[name])))
            diamonds(ax, [(float(frame.x(measured[name])), y)], 3.2)
        text = three(measured[name]) if name in measured else three(least)
        text += f" to {three(most)}" if most > least and name not in measured else ""
        size = fit(text, VALUE, width - 4 - end - 8, least=5)
        write(ax, end + 8, y + 3.1, text, size, bold=name in measured, ground=True)
    middle = {name: measured.get(name, math.sqrt(a * b)) for name, (a, b) in spans.items()}
    fast, slow = min(middle, key=middle.get), max(middle, key=middle.get)
    ratio = three(float(f"{middle[slow] / middle[fast]:.2g}"))
    where = f"; ◆ measured{' on ' + device if device else ''}" if measured else "; orders of magnitude"
    headline(
        ax,
        title or f"{slow} takes {ratio} times as long as {fast}",
        note or f"{unit} until a read value can be used{where}",
        "Ladder of latencies",
        "; ".join(f"{name}: {three(a)} to {three(b)}" for name, (a, b) in spans.items()),
    )
    return ax


def _memory_color(name):
    name = name.lower()
    known = {"register": "compute", "shared": "shared", "l1": "l1", "l2": "l2", "constant": "l1"}
    return next((color for word, color in known.items() if word in name), "hbm")
