"""Rooflines: the least time each resource needs, as bars; and attainable speed over intensity, on log axes."""

import math

import numpy as np

from .paper import begin, center, headline, text_width, write
from .scales import Frame, steps, tick_text
from .shapes import cells, diamonds, dots, line, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, rate, resource, seconds, three, time_unit

LEFT, TOP, BAR, PITCH = 66.0, 52.0, 7.6, 9.7  # points: zero, first group, height of a bar, bar to bar


def roofline_bars(rows, measured=None, *, device="", title=None, note=None, limit=None, ax=None):
    """Draw, for each version of a kernel, the least time that each resource needs; the longest binds.

    rows : {version: {resource: seconds}}, estimated; resources as in `gs.estimate(...).bounds`: "hbm", "l2", ...
    measured : {version: seconds} on a real GPU, or None;  device : its name
    limit : seconds at the right end of the axis, None for the longest; fix it where figures are compared
    return : ax; its height depends on the numbers of versions and resources only

    >>> ax = roofline_bars({"naive": {"hbm": 5e-5, "l1": 0.0247}}, {"naive": 0.0264}, device="H200")
    >>> ax.headline
    '26.4 ms; at least 24.7 ms for L1'
    """
    measured = measured or {}
    heights = [16 + PITCH * len(bounds) + 6 for bounds in rows.values()]
    ax, width, height = begin(ax, TOP + sum(heights) + 20)
    longest = limit or max(
        [t for bounds in rows.values() for t in bounds.values()] + list(measured.values()) + [0]
    )
    factor, unit = time_unit(longest)
    room = 34.0 if limit is None else 40.0
    frame = Frame(ax, LEFT, TOP, width - MARGIN - room, height - 20, (0, longest * factor or 1))
    top = TOP
    for (name, bounds), tall in zip(rows.items(), heights, strict=True):
        _draw_group(ax, frame, name, bounds, measured.get(name), factor, unit, top, top + tall - 6)
        top += tall
    ticks = steps(0, frame.xlim[1], 6)
    for tick in ticks:
        write(ax, frame.x(tick), height - 11, tick_text(tick), NOTE, "muted", "center")
    write(ax, frame.x(0) - 8, height - 11, unit, NOTE, "muted", "right")
    what = "bars: least time each resource needs (estimated)"
    if measured:
        what += f";  ◆ measured{' on an ' if device[:1] in 'AHL' and device else ' on a ' if device else ''}{device}"
    binding = {name: max(bounds, key=bounds.get) for name, bounds in rows.items() if bounds}
    headline(ax, title or _bars_sentence(rows, measured, binding), note or what,
             "Bars of the least time that each resource needs, one group a version",
             "; ".join(f"{name}: {resource(which)[0]} binds with {seconds(rows[name][which])}"
                       for name, which in binding.items()))  # fmt: skip
    return ax


def _bars_sentence(rows, measured, binding):
    if len(rows) == 1:
        name, which = next(iter(binding.items()))
        least = f"at least {seconds(rows[name][which])} for {resource(which)[0]}"
        return f"{seconds(measured[name])}; {least}" if name in measured else least.capitalize()
    times = [measured.get(name, rows[name][which]) for name, which in binding.items()]
    factor, unit = time_unit(max(times))
    return " → ".join(three(time * factor) for time in times) + f" {unit}"


def _draw_group(ax, frame, name, bounds, measured, factor, unit, top, bottom):
    """One version: its name, a bar a resource, and the measured time across all of them."""
    write(ax, MARGIN, top, name, NOTE, bold=True)
    first = top + 6.5
    right = frame.right
    ticks = [frame.x(tick) for tick in steps(0, frame.xlim[1], 6)]
    strokes(ax, [(x, first, x, bottom) for x in ticks if x < right + 1], "idle", 0.5, 0.35)
    binds = max(bounds, key=bounds.get) if bounds else None
    mark = None if measured is None else float(frame.x(measured * factor))
    label = "" if measured is None else f"{three(measured * factor)} {unit}"
    for place, (which, time) in enumerate(bounds.items()):
        y = first + 1.5 + place * PITCH
        text, color = resource(which)
        strong = which == binds
        write(ax, frame.left - 6, y + 6.8, text, NOTE, "ink" if strong else "muted", "right", bold=strong)
        end = float(frame.x(time * factor))
        cells(ax, [(frame.left, y, end - frame.left, BAR)], color, alpha=None if strong else TINT)
        if not strong and time > 0:
            cells(ax, [(max(end - 1.4, frame.left), y, 1.4, BAR)], color)
        value = three(time * factor)
        x = _beside(end, text_width(value, VALUE, strong), mark)
        write(ax, x, y + 6.6, value, VALUE, "ink" if strong else "muted", bold=strong, ground=True)
    if mark is not None:
        strokes(ax, [(mark, first + 9, mark, bottom - 1)], "ink", 1.1)
        diamonds(ax, [(mark, first + 5.3)])
        wide = text_width(label, NOTE, True)
        fits = mark + 7 + wide < float(ax.get_xlim()[1]) - 4
        # the name of the mark stands where no bar of the first row reaches
        ends = float(frame.x(next(iter(bounds.values()), 0) * factor)) + 24
        inside = not fits or (mark - 7 - wide > ends and mark > frame.left + 0.75 * (right - frame.left))
        write(ax, mark - 7 if inside else mark + 7, first + 8.3, label, NOTE, "ink", "right" if inside else "left",
              bold=True, ground=True)  # fmt: skip


def _beside(end, wide, mark):
    """Return where a bar's value starts: right of its end, or right of the measured line if it would cross that."""
    return mark + 5 if mark is not None and end - 2 < mark < end + wide + 8 else end + 4
