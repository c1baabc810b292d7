"""Horizontal bars, single or stacked: counted, estimated or measured, on a linear or a logarithmic scale."""

import math

from ..written import integer, three
from .paper import begin, fit, headline, text_width, write
from .scales import Scales, decades, steps, tick_text
from .shapes import cells, diamonds, strokes
from .theme import LABEL, MARGIN, NOTE, TINT, VALUE, resource

TOP, PITCH, BAR = 46.0, 19.0, 11.5  # points: first bar, bar to bar, height of a bar


def bars(values, *, unit="", kind="counted", measured=None, colors=None, deep=None, log=False, limit=None,
         least=None, text=None, title=None, note=None, device="", ax=None):  # fmt: skip
    """Draw one horizontal bar a name, or one stack of parts.

    values : {name: number} or {name: {part: number}}; a part is a resource such as "copy", "load", "compute"
    unit : of the numbers;  kind : "counted" (solid) or "estimated" (pale, firm end)
    measured : {name: number} on a real GPU, a diamond;  device : its name
    deep : the name whose bar stays deep while the others are pale;  colors : {name or part: palette name}
    log : logarithmic scale from `least` on;  limit : right end of the scale
    text : function that writes a number
    return : ax; its height depends on the number of bars only

    >>> bars({"naive": 17301504, "tiled": 1048576}, unit="sectors").headline.replace(chr(0x2009), " ")
    'tiled: 16.5 times fewer sectors'
    """
    measured, colors, text = measured or {}, colors or {}, text or _number
    parts = {name: value if isinstance(value, dict) else {"": value} for name, value in values.items()}
    totals = {name: sum(value.values()) for name, value in parts.items()}
    names = list(dict.fromkeys(part for value in parts.values() for part in value if part))
    top = TOP + (14 if names else 0)
    ax, width, height = begin(ax, top + PITCH * len(parts) + 24)
    left = MARGIN + min(max([text_width(name, LABEL, deep is not None) for name in parts] + [20]), 130) + 8
    every = [*totals.values(), *measured.values()]
    room = max([text_width(text(value), VALUE, True) for value in every] + [10]) + 8
    low = least or (_decade_below(every) if log else 0)
    scale = low, limit or max([*every, 1e-30])
    frame = Scales(ax, left, top - 4, width - MARGIN - room, height - 22, scale, xlog=log)
    _draw_scale(frame, log, unit)
    for row, (name, value) in enumerate(parts.items()):
        y, strong = top + row * PITCH, deep is None or name == deep
        size = fit(name, LABEL, left - MARGIN - 6, name == deep, least=5)
        write(ax, left - 6, y + 9, name, size, "ink", "right", bold=name == deep)
        end = _draw_stack(frame, value, y, kind if strong or kind == "estimated" else "pale", colors, name)
        _draw_value(frame, y, end, text(totals[name]), measured.get(name), bold=name == deep)
    _draw_key(ax, names, colors, TOP)
    told = [f"{name}: {text(total)} {unit}".strip() for name, total in totals.items()]
    told += [f"{name} measured {text(value)} {unit}".strip() for name, value in measured.items()]
    what = kind + (f"; ◆ measured{' on ' + device if device else ''}" if measured else "")
    headline(ax, title or _sentence(totals, unit, text), note if note is not None else what,
             f"Bars of {unit or 'values'}", "; ".join(told))  # fmt: skip
    return ax


def _decade_below(values):
    """Return the power of ten under the smallest value."""
    return 10.0 ** math.floor(math.log10(min([value for value in values if value > 0] or [1]) / 1.0001))


def _draw_value(frame, y, end, shown, measured, bold):
    """Write a bar's value after its end, or after the measured mark if that is close; draw the mark."""
    ax, x = frame.ax, end + 4
    if measured is not None:
        mark = float(frame.x(max(measured, frame.xlim[0])))
        if end - 3 < mark < end + 9 + text_width(shown, VALUE, bold):
            x = mark + 6
        strokes(ax, [(mark, y - 2.5, mark, y + BAR + 2.5)], "ink", 1)
        diamonds(ax, [(mark, y + BAR / 2)], 3)
    write(ax, x, y + 8.8, shown, VALUE, bold=bold, ground=True)


def _number(value):
    return integer(value) if float(value).is_integer() else three(value)


def _sentence(totals, unit, text):
    if len(totals) == 2 and min(totals.values()) > 0:
        (less, low), (_, high) = sorted(totals.items(), key=lambda item: item[1])
        if high > low:
            if unit in ("s", "ms", "µs", "ns"):
                return f"{less}: {text(low)} {unit}, {three(high / low)} times less"
            return f"{less}: {three(high / low)} times fewer {unit}".strip()
    if not totals:
        return "nothing to draw"
    most = max(totals, key=totals.get)
    return f"{most}: {text(totals[most])} {unit}".strip()


def _draw_scale(frame, log, unit):
    ticks = decades(*frame.xlim) if log else steps(*frame.xlim, 5)
    places = [float(frame.x(tick)) for tick in ticks]
    ax, end = frame.ax, 0.0
    edge = float(ax.get_xlim()[1]) - MARGIN
    strokes(ax, [(x, frame.top, x, frame.bottom) for x in places], "idle", 0.5, 0.35)
    for tick, x in zip(ticks, places, strict=True):
        label = tick_text(tick)
        half = text_width(label, NOTE) / 2
        if x - half > end + 4 and x + half < edge - text_width(unit, NOTE) - 5:
            write(ax, x, frame.bottom + 11.5, label, NOTE, "muted", "center")
            end = x + half
    if unit:
        write(ax, edge, frame.bottom + 11.5, unit, NOTE, "muted", "right")


def _draw_stack(frame, value, y, kind, colors, name):
    """Draw the parts of one bar one after another; return where it ends."""
    done, end = 0.0, frame.left
    for part, number in value.items():
        color = colors.get(part) or colors.get(name) or resource(part)[1]
        start, done = end, done + number
        end = float(frame.x(max(done, frame.xlim[0])))
        if end <= start:
            continue
        alpha = {"estimated": TINT, "pale": 0.45}.get(kind)
        cells(frame.ax, [(start, y, end - start, BAR)], color, alpha=alpha)
        if kind == "estimated":
            cells(frame.ax, [(max(end - 1.4, start), y, 1.4, BAR)], color)
        elif part and end - start > 1.5:
            strokes(frame.ax, [(end, y, end, y + BAR)], "bg", 0.8)
    return end


def _draw_key(ax, names, colors, y):
    x = MARGIN
    for name in names:
        text, color = resource(name)
        cells(ax, [(x, y - 6.5, 7, 7)], colors.get(name, color))
        write(ax, x + 10, y, text, NOTE, "muted")
        x += 22 + text_width(text, NOTE)
