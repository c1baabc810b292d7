"""The divergence timeline: a row a lane, a column an instruction, coloured by the side of its branch."""

import numpy as np

from ...units import LANES
from ..written import percent, plural
from .paper import begin, fit, headline, text_width, write
from .scales import steps
from .shapes import cells, strokes
from .theme import CASES, MARGIN, NOTE

LEFT, TOP, GAP = 46.0, 58.0, 5.0  # points: first instruction, first lane, between warps
MASKED, COMMON = "masked", "all"


def divergence_timeline(masks, sides=None, labels=None, *, title=None, note=None, slots=None, height=None,
                        ax=None):  # fmt: skip
    """Draw which lanes work in which instruction, warp by warp.

    masks : (warps, slots, 32) bool, True where a lane works; or a list of (slots of this warp, 32);
        or the events of `run.trace` for one warp, or a list of such lists
    sides : a word for each slot, "all", "then", "else" or the number of a case; or one list a warp;
        worked out from the branches when events are given
    labels : a text for each slot, written above; equal neighbours are written once
    slots : instructions to leave room for, so that a slider's figures keep their scale
    height : of the figure in points, None for what the warps need
    return : ax

    >>> masks = np.zeros((1, 3, 32), bool); masks[0, 0] = True; masks[0, 1, :8] = True; masks[0, 2, 8:] = True
    >>> divergence_timeline(masks, ["all", "then", "else"]).headline
    '67 % of the lane slots do work'
    """
    masks, sides = _unpack(masks, sides)
    longest = slots or max([len(mask) for mask in masks] + [1])
    room = (height - TOP - 22 - GAP * len(masks)) if height else 226
    lane = float(np.clip(room / (LANES * len(masks)), 0.4 if height else 0.9, 4.5))
    tall = LANES * lane + GAP
    ax, width, _ = begin(ax, height or TOP + len(masks) * tall + 22)
    right = width - MARGIN - 4
    step = (right - LEFT) / longest
    for warp, (mask, side) in enumerate(zip(masks, sides, strict=True)):
        top = TOP + warp * tall
        write(ax, MARGIN, top + 16 * lane + 3, f"warp {warp}", NOTE)
        _draw_warp(ax, mask, side, top, step, lane)
    low = TOP + len(masks) * tall + 11
    for tick in steps(0, longest, 6):
        if float(tick).is_integer():
            write(ax, LEFT + tick * step, low, str(tick), NOTE, "muted", "center")
    write(ax, MARGIN, low, "slot", NOTE, "muted")
    if labels is not None:
        _draw_labels(ax, labels, step, right)
    active, all_slots = sum(int(mask.sum()) for mask in masks), sum(LANES * len(mask) for mask in masks)
    share = percent(active / all_slots) if all_slots else "0 %"
    issued = sum(map(len, masks))
    headline(
        ax,
        title or f"{share} of the lane slots do work",
        note or f"{plural(len(masks), 'warp')}, {plural(issued, 'instruction')}; each thin row is one lane",
        "Divergence timeline, lanes by instructions",
        f"{active} of {all_slots} lane slots are active, in {plural(issued, 'instruction')} of all warps",
    )
    return ax


def _unpack(masks, sides):
    """Return ([(slots, 32) bool], [[side of each slot]]), a list entry a warp."""
    masks = list(masks)
    if masks and hasattr(masks[0], "mask"):
        masks = [masks]
    if masks and len(masks[0]) and hasattr(masks[0][0], "mask"):
        masks, derived = zip(*(event_slots(events) for events in masks), strict=True)
        sides = derived if sides is None else sides
    elif masks and np.ndim(masks[0]) == 1:
        masks = [np.array(masks, bool)]
    masks = [np.asarray(mask, bool).reshape(-1, LANES) for mask in masks]
    if sides is None:
        sides = [COMMON] * max([len(mask) for mask in masks] + [0])
    if not len(sides) or isinstance(sides[0], str) or np.ndim(sides[0]) == 0:
        sides = [list(sides)[: len(mask)] for mask in masks]
    for warp, (mask, side) in enumerate(zip(masks, sides, strict=True)):
        if len(mask) != len(side):
            raise ValueError(f"warp {warp} has {len(mask)} slots but {len(side)} sides")
    return masks, [list(side) for side in sides]


def event_slots(events):
    """Return ((slots, 32) bool, [side of each slot]) of a warp's events: one slot an instruction.

    Arithmetic (also of tensor cores) takes as many slots as it has operations; loops and barriers cost no
    instruction in this count.
    """
    sides, slots = event_sides(events), []
    for event, side in zip(events, sides, strict=True):
        free = event.kind in ("loop", "barrier")
        count = getattr(event, "operations", 1) if event.kind in ("arith", "tensor") else 0 if free else 1
        slots += count * [(np.asarray(event.mask, bool), side)]
    return np.array([mask for mask, _ in slots], bool).reshape(-1, LANES), [side for _, side in slots]


def event_sides(events):
    """Return the side of the latest open branch that each event belongs to: "then", "else" or "all".

    events : of one warp, in order, each with `mask` (32,) and, for a branch, `taken` (32,)
    Where all lanes agreed, masks cannot tell the inside of a branch from what follows: that is "all".
    """
    found, open_branches = [], []
    for event in events:
        mask = np.asarray(event.mask, bool)
        while open_branches and (mask & ~open_branches[-1][0]).any():
            open_branches.pop()
        side = COMMON
        while open_branches:
            parent, taken = open_branches[-1]
            if not (mask & ~taken).any():
                side = "then"
            elif not (mask & taken).any():
                side = "else"
            else:
                open_branches.pop()
                continue
            break
        found.append(side)
        taken = getattr(event, "taken", None)
        if event.kind in ("branch", "loop") and taken is not None:
            taken = mask & np.asarray(taken, bool)
            if taken.any() and (mask & ~taken).any():
                open_branches.append((mask, taken))
    return found


def _draw_warp(ax, mask, side, top, step, lane):
    """One warp: equal neighbours become one box, then page-coloured lines part the lanes."""
    boxes = {}
    start = 0
    for slot in range(1, len(mask) + 1):
        if slot < len(mask) and side[slot] == side[start] and (mask[slot] == mask[start]).all():
            continue
        edges = np.flatnonzero(np.diff(mask[start])) + 1
        for first, end in zip([0, *edges], [*edges, LANES], strict=True):
            what = side[start] if mask[start][first] else MASKED
            box = (LEFT + start * step, top + first * lane, (slot - start) * step, (end - first) * lane)
            boxes.setdefault(what, []).append(box)
        start = slot
    for what, some in boxes.items():
        color, alpha = _color(what)
        cells(ax, some, color, alpha=alpha)
    right, bottom = LEFT + len(mask) * step, top + LANES * lane
    if len(mask) and lane > 1.2:
        gap = 0.28 * lane if lane < 3 else 0.8
        strokes(ax, [(LEFT, top + n * lane, right, top + n * lane) for n in range(1, LANES)], "bg", gap)
    if step > 3:
        strokes(ax, [(LEFT + n * step, top, LEFT + n * step, bottom) for n in range(1, len(mask))], "bg", 1)


def _color(what):
    """Return (colour, alpha) of a side."""
    if what == MASKED:
        return "idle", 0.20
    if what == COMMON:
        return "muted", 0.62
    if what in ("then", "else"):
        return CASES[what == "else"], None
    return CASES[int(what) % len(CASES)], None if int(what) < len(CASES) else 0.6


def _draw_labels(ax, labels, step, right):
    """Texts above the columns; one that would touch its left neighbour moves right, or is left out."""
    labels, start, end = list(labels), 0, LEFT - 40
    for slot in range(1, len(labels) + 1):
        if slot < len(labels) and labels[slot] == labels[start]:
            continue
        text, room = str(labels[start]), (slot - start) * step
        longer = f"{text}: {plural(slot - start, 'instruction')}"
        if slot - start > 1 and text_width(longer, NOTE) < room:
            text = longer
        size = fit(text, NOTE, max(room, 18), least=7.5)
        wide = text_width(text, size)
        x = min(max(LEFT + start * step + (room - wide) / 2, end + 4), right + 4 - wide)
        if text and x >= end + 3.9 and x < LEFT + slot * step:
            write(ax, x, TOP - 6, text, size)
            end = x + wide
        start = slot
