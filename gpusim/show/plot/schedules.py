"""The Gantt chart: which block runs when, on which slot of which SM."""

import math

from ..written import percent, plural, three
from .paper import begin, center, fit, headline, text_width, write
from .scales import steps, tick_text
from .shapes import cells, rounded
from .theme import LABEL, MARGIN, NOTE, TINT, identity

TOP, LEFT = 44.0, 58.0  # points: first slot, time 0


def gantt(placements, *, unit="unit", until=None, waiting=(), sm="SM", title=None, note=None, height=None,
          ax=None):  # fmt: skip
    """Draw which block occupies which slot of which SM, and when.

    placements : (block, sm, slot, start, end) each, or the result of the block scheduler;
        an end of None or infinity: the block never ends
    until : end of the time axis, None for the last end;  unit : of time;  waiting : blocks that never start
    height : points of all slots, None for 15 each;  sm : what an SM is called
    return : ax

    >>> gantt([(0, 0, 0, 0, 3), (1, 1, 0, 0, 3), (2, 0, 0, 3, 4)]).headline
    '88 % busy over 4 units of time'
    """
    stays = [_stay(one) for one in getattr(placements, "placements", placements)]
    ends = [end for *_, end in stays if math.isfinite(end)]
    last = until or max(ends + [max(start for *_, start, _ in stays) * 1.25 or 1])
    slots = sorted({stay[1:3] for stay in stays})
    if hasattr(placements, "per_sm"):
        slots = [(one, slot) for one in range(placements.sms) for slot in range(placements.per_sm)]
    top, row, tall = _rows(slots, height)
    ax, width, bottom = begin(ax, TOP + tall + 26 + (12 if waiting else 0))
    scale = (width - MARGIN - 2 - LEFT) / last
    _name_slots(ax, sm, slots, top, row)
    _draw_idle(ax, stays, slots, top, row, scale, last)
    _draw_stays(ax, stays, top, row, scale, last, unit)
    _draw_time(ax, bottom - 12 - (12 if waiting else 0), scale, last)
    if waiting:
        text = f"{_span(waiting)} never start{'s' if len(waiting) == 1 else ''}"
        write(ax, LEFT, bottom - 6, text, NOTE, "bad")
    stuck = [block for block, *_, end in stays if not math.isfinite(end)]
    sms = len({one for one, _ in slots})
    each = plural(len(slots) // sms, "block")
    what = f"{plural(len(stays), 'block')}, {plural(sms, sm)} with room for {each} each"
    final = max(stays, key=lambda stay: stay[4])
    headline(ax, title or _sentence(stays, stuck, len(slots), last, unit),
             note or what, "Gantt chart of blocks on the slots of each SM",
             f"Block {final[0]} ends last, on {sm} {final[1]}", "bad" if stuck else "ink")  # fmt: skip
    return ax


def _sentence(stays, stuck, slots, last, unit):
    if stuck:
        return f"{plural(len(stuck), 'block')} never end{'s' if len(stuck) == 1 else ''}"
    busy = sum(min(end, last) - start for *_, start, end in stays) / (slots * last)
    return f"{percent(busy)} busy over {_length(last, unit)} of time"


def _length(time, unit):
    """A time in words: a unit of measure has no plural.

    >>> _length(1, "unit"), _length(2.5, "unit"), _length(20.3, "µs")
    ('1 unit', '2.5 units', '20.3 µs')
    """
    many = "" if time == 1 or unit in ("s", "ms", "µs", "ns") else "s"
    return f"{three(time)} {unit}{many}"


def _rows(slots, height):
    """Return ({slot: its top}, height of a row, height of all): rows as high as fit, SMs set apart."""
    sms = sorted({one for one, _ in slots})
    gap = 7.0 if len(sms) < 12 else min(2.0, 0.2 * (height or 300.0) / len(sms))
    fits = ((height or 300.0) - gap * len(sms)) / len(slots)
    row = min(15.0, fits) if height or len(slots) > 16 else 15.0
    tall = row * len(slots) * 1.13 + gap * (len(sms) - 1)
    squeeze = min(1.0, height / tall) if height else 1.0
    top = {(one, slot): TOP + (place * row * 1.13 + gap * sms.index(one)) * squeeze
           for place, (one, slot) in enumerate(slots)}  # fmt: skip
    return top, row, height or tall


def _draw_time(ax, base, scale, last):
    for tick in steps(0, last, 5):
        write(ax, LEFT + tick * scale, base, tick_text(tick), NOTE, "muted", "center")
    write(ax, MARGIN, base, "time", NOTE, "muted")


def _stay(one):
    """Return (block, sm, slot, start, end) of a tuple or of the scheduler's record."""
    if hasattr(one, "contexts"):
        first, end = one.contexts
        one = one.block, one.sm, first // (end - first + 1), one.start, one.end
    block, sm, slot, start, end = one
    return int(block), int(sm), int(slot), float(start), math.inf if end is None else float(end)


def _span(blocks):
    blocks = sorted(blocks)
    if len(blocks) == 1:
        return f"block {blocks[0]}"
    if blocks == list(range(blocks[0], blocks[-1] + 1)):
        return f"blocks {blocks[0]} to {blocks[-1]}"
    return "blocks " + ", ".join(map(str, blocks))


def _name_slots(ax, name, slots, top, row):
    """Write the names of SMs and, where there is more than one and room, of slots."""
    sms = sorted({one for one, _ in slots})
    many = len(slots) > len(sms) and row >= 8.5
    every = max(1, math.ceil(9 / max(row * len(slots) / len(sms), 1)))
    for one in sms[::every]:
        mine = [top[key] for key in slots if key[0] == one]
        middle = (mine[0] + mine[-1] + row) / 2 + 3.2
        text = f"{name} {one}"
        write(ax, MARGIN, middle, text, fit(text, LABEL, 26 if many else 46, bold=True), bold=True)
    for key in slots if many else []:
        write(ax, LEFT - 5, top[key] + row / 2 + 2.6, str(key[1]), 7.5, "muted", "right")


def _draw_idle(ax, stays, slots, top, row, scale, last):
    boxes = []
    for key in slots:
        now = 0.0
        for start, end in sorted((stay[3], stay[4]) for stay in stays if stay[1:3] == key) + [(last, last)]:
            if (start - now) * scale > 2:
                boxes.append((LEFT + now * scale + 0.7, top[key], (start - now) * scale - 1.2, row))
            now = max(now, end)
    cells(ax, boxes, "idle", "idle" if row > 4 else None, 0.6, 0.12 if row > 4 else 0.25, (2, 1.5))
    for x, y, wide, high in boxes:
        if wide > 26 and high > 9:
            center(ax, x + wide / 2, y + high / 2, "idle", NOTE, "muted")


def _draw_stays(ax, stays, top, row, scale, last, unit):
    boxes = [
        (LEFT + start * scale, top[sm, slot], max((min(end, last) - start) * scale - 0.8, 0.6), row)
        for _, sm, slot, start, end in stays
    ]
    endless = [not math.isfinite(stay[4]) for stay in stays]
    for color in range(4):
        some = [
            box
            for box, stay, never in zip(boxes, stays, endless, strict=True)
            if stay[0] % 4 == color and not never
        ]
        if row > 4:
            rounded(ax, some, 1.8, identity(color), "muted", 0.9, TINT)
        else:  # too flat for an outline and a number: busy or not
            cells(ax, some, "load")
    rounded(
        ax, [box for box, never in zip(boxes, endless, strict=True) if never], 1.8, "bad", "bad", 1.1, TINT
    )
    final = max(range(len(stays)), key=lambda place: stays[place][4])
    if not any(endless) and row > 5:
        rounded(ax, [boxes[final]], 1.8, None, "muted", 2)
    for place, ((x, y, wide, high), stay) in enumerate(zip(boxes, stays, strict=True)):
        strong = place == final or endless[place]
        length = "never ends" if endless[place] else _length(stay[4] - stay[3], unit)
        text = f"block {stay[0]}: {length}" if strong else str(stay[0])
        if text_width(text, NOTE, strong) > wide - 4:
            text = str(stay[0])
        if text_width(text, NOTE, strong) <= wide - 2 and high >= 8:
            center(ax, x + wide / 2, y + high / 2, text, min(NOTE, high - 0.5), bold=strong)
