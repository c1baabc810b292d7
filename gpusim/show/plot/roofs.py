"""Roofline bars: the least time that each resource needs for each version of a kernel; the longest binds."""

from ..written import seconds, three, time_unit
from .paper import begin, fit, headline, text_width, write
from .scales import Scales, steps, tick_text
from .shapes import cells, diamonds, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, resource

LEFT, TOP, BAR, PITCH = 66.0, 52.0, 7.6, 9.7  # points: zero, first group, height of a bar, bar to bar


def roofline_bars(rows, measured=None, *, device="", title=None, note=None, limit=None, ax=None):
    """Draw, for each version of a kernel, the least time that each resource needs; the longest binds.

    rows : {version: {resource: seconds}}, estimated, as `gs.estimate(...).bounds` has them: "hbm", "l2", ...
    measured : {version: seconds} on a real GPU, or None;  device : its name
    limit : seconds at the right end of the axis, None for the longest; fix it where figures are compared
    return : ax; its height depends on the numbers of versions and resources only

    >>> ax = roofline_bars({"naive": {"hbm": 5e-5, "l1": 0.0247}}, {"naive": 0.0264}, device="H200")
    >>> ax.headline
    '26.4 ms; at least 24.7 ms for L1'
    """
    measured = measured or {}
    extra = PITCH if measured else 0
    heights = [22 + extra + PITCH * len(bounds) for bounds in rows.values()]
    ax, width, height = begin(ax, TOP + sum(heights) + 20)
    longest = limit or max(
        [t for bounds in rows.values() for t in bounds.values()] + list(measured.values()) + [0]
    )
    factor, unit = time_unit(longest)
    room = 34.0 if limit is None else 40.0
    frame = Scales(ax, LEFT, TOP, width - MARGIN - room, height - 20, (0, longest * factor or 1))
    top = TOP
    for (name, bounds), tall in zip(rows.items(), heights, strict=True):
        _draw_group(ax, frame, name, bounds, top, extra, factor)
        if name in measured:
            _draw_measured(ax, frame, measured[name] * factor, unit, top, top + tall - 9)
        top += tall
    ticks = steps(0, frame.xlim[1], 6)
    for tick in ticks:
        write(ax, frame.x(tick), height - 11, tick_text(tick), NOTE, "muted", "center")
    write(ax, frame.x(0) - 8, height - 11, unit, NOTE, "muted", "right")
    what = "bars: least time each resource needs (estimated)"
    if measured:
        what += "; ◆ measured" + (f" on {article(device)} {device}" if device else "")
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
        return f"{seconds(measured[name])}; {least}" if name in measured else "A" + least[1:]
    times = [measured.get(name, rows[name][which]) for name, which in binding.items()]
    factor, unit = time_unit(max(times))
    return " → ".join(three(time * factor) for time in times) + f" {unit}"


def _draw_group(ax, frame, name, bounds, top, extra, factor):
    """One version: its name and a bar for each resource."""
    write(ax, MARGIN, top, name, fit(name, NOTE, frame.right, True), bold=True)
    first = top + 6.5
    bottom = first + extra + PITCH * len(bounds) + 1.5
    ticks = [float(frame.x(tick)) for tick in steps(0, frame.xlim[1], 6)]
    strokes(ax, [(x, first, x, bottom) for x in ticks], "idle", 0.5, 0.35)
    binds = max(bounds, key=bounds.get) if bounds else None
    for place, (which, time) in enumerate(bounds.items()):
        y = first + 1.5 + extra + place * PITCH
        text, color = resource(which)
        strong = which == binds
        write(ax, frame.left - 6, y + 6.8, text, NOTE, "ink" if strong else "muted", "right", bold=strong)
        end = float(frame.x(time * factor))
        cells(ax, [(frame.left, y, end - frame.left, BAR)], color, alpha=None if strong else TINT)
        if not strong and time > 0:
            cells(ax, [(max(end - 1.4, frame.left), y, 1.4, BAR)], color)
        color = "ink" if strong else "muted"
        write(ax, end + 4, y + 6.6, three(time * factor), VALUE, color, bold=strong, ground=True)


def _draw_measured(ax, frame, time, unit, top, bottom):
    """The measured time in a row of its own, with a whisker; values that this would cross go to its right."""
    mark, label = float(frame.x(time)), f"{three(time)} {unit}"
    for text in ax.texts:
        x, y = text.get_position()
        wide = text_width(text.get_text(), VALUE, True)
        if text.get_fontsize() == VALUE and top < y < bottom + 9 and x - 6 < mark < x + wide + 3:
            text.set_x(mark + 5)
    write(ax, frame.left - 6, top + 14.8, "measured", NOTE, "ink", "right")
    strokes(ax, [(mark, top + 15.5, mark, bottom)], "ink", 1.1)
    diamonds(ax, [(mark, top + 11.8)])
    inside = mark + 8 + text_width(label, NOTE, True) > float(ax.get_xlim()[1]) - 4
    align = "right" if inside else "left"
    write(ax, mark - 7 if inside else mark + 7, top + 14.8, label, NOTE, "ink", align, bold=True, ground=True)


def article(device):
    """Return "an" before names that are said with a vowel first: an A100, an H200, an L4, but a T4.

    >>> article("H200"), article("T4")
    ('an', 'a')
    """
    return "an" if device[:1].upper() in "AEFHILMNORSX" else "a"
