"""The bank map: which bank serves which lane of one shared-memory request, and who queues behind whom."""

from ...rules import banks
from ...units import BANKS, LANES
from ..written import plural
from .paper import begin, center, fit, headline, text_width, write
from .requests import one_request, request_words
from .shapes import cells, strokes
from .theme import CELL, MARGIN, NOTE

TOP, LANE = 52.0, 4.55  # points: first lane, height of a lane
QUEUE = 73.0  # points: height of the queues
HEIGHT = TOP + LANES * LANE + 24 + QUEUE + 30


def bank_heatmap(addresses, active=None, size=4, kind="load", *, title=None, note=None, turns=None, ax=None):
    """Draw the banks of one warp's request to shared memory: lane by bank, and the queue at each bank.

    addresses : (32,) int, byte address of each lane within shared memory; or an event of `run.trace`
    active : (32,) bool, None for all;  size : bytes a lane;  kind : "load", "store", "atomic", "atomic_inc"
    turns : wavefronts to leave room for (32 for a slider), None for 8, 16 or 32
    return : ax, 322 points high; panels([322], columns=2) puts two side by side

    A lane is green if its bank serves it at once, red if it waits for another word of the same bank. Queues
    grow upward in the order of service; half- and quarter-warps (8, 16 bytes a lane) come one after another.

    >>> import numpy as np
    >>> bank_heatmap(np.arange(32) * 4 * 32).headline
    '32 wavefronts where 1 would do'
    >>> import numpy as np
    >>> bank_heatmap(np.arange(32) * 4 * 33).headline
    '1 wavefront'
    """
    address, active, size, kind = one_request(addresses, active, size, kind)
    served, limits = _service(address, active, size, kind)
    total, ideal = limits[-1], len(limits) - 1
    ax, width, _ = begin(ax, HEIGHT)
    left, right = (30.0, width - MARGIN - 4) if width > 250 else (22.0, width - MARGIN)
    wide = (right - left) / BANKS
    _draw_lanes(ax, served, left, wide, ideal)
    room = turns or next((rows for rows in (8, 16, 32) if rows >= total), total)
    _draw_queues(ax, served, limits, left, wide, max(room, total))
    text = _longest(served, active, short=width < 250)
    write(ax, MARGIN, TOP + LANES * LANE + 17, "wavefront", NOTE, "muted")
    start = MARGIN + text_width("wavefront", NOTE) + 10
    write(ax, start, TOP + LANES * LANE + 17, text, fit(text, NOTE, right - start))
    sentence = plural(total, "wavefront")
    if total > ideal and width > 250:
        sentence += f" where {ideal} would do"
    passes = f"; {ideal} passes of {LANES // ideal} lanes" if ideal > 1 else ""
    headline(ax, title or sentence, note or request_words(kind, size, active) + passes,
             "Bank map of one request to shared memory", text, "bad" if total > ideal else "ink")  # fmt: skip
    return ax


def _service(address, active, size, kind):
    """([(lane, bank, round, waits)], limits) of `banks.schedule`: waits, if an earlier word of its pass comes first."""
    served, limits = banks.schedule(address, active, size, kind)
    return [(lane, bank, turn, turn not in limits) for lane, bank, turn in served], limits


def _draw_lanes(ax, served, left, wide, passes):
    """The map above: a row a lane, a column a bank."""
    right, bottom = left + BANKS * wide, TOP + LANES * LANE
    write(ax, MARGIN, TOP - 8, "lane", NOTE, "muted")
    marks = (0, 8, 16, 24, 32)
    strokes(ax, [(left + bank * wide, TOP, left + bank * wide, bottom) for bank in marks], "idle", 0.5, 0.35)
    strokes(ax, [(left, TOP + lane * LANE, right, TOP + lane * LANE) for lane in marks], "idle", 0.5, 0.35)
    if passes > 1:
        cut = [TOP + LANE * lane for lane in range(0, LANES + 1, LANES // passes)][1:-1]
        strokes(ax, [(left, y, right, y) for y in cut], "ink", 0.8, None, (1, 2))
    for lane in (0, 8, 16, 24, 31):
        write(ax, left - 4, TOP + lane * LANE + 5.3, str(lane), NOTE, "muted", "right")
    for waits, color in ((False, "shared"), (True, "bad")):
        boxes = {(left + bank * wide + 0.3, TOP + lane * LANE + 0.3, wide - 0.6, LANE - 0.6)
                 for lane, bank, _, late in served if late == waits}  # fmt: skip
        cells(ax, sorted(boxes), color)


def _draw_queues(ax, served, limits, left, wide, room):
    """The queues below: a column a bank, first served at the bottom."""
    base, high = TOP + LANES * LANE + 24 + QUEUE, min(9.1, QUEUE / room)
    for waits, color in ((False, "shared"), (True, "bad")):
        boxes = {(left + bank * wide + 0.3, base - (turn + 1) * high + 0.2, wide - 0.6, high - 0.4)
                 for _, bank, turn, late in served if late == waits}  # fmt: skip
        cells(ax, sorted(boxes), color)
    if high > 7.5 and wide > 8:  # room for the number of the lane, or the first of those that share a word
        first = {}
        for lane, bank, turn, _ in served:
            first.setdefault((bank, turn), lane)
        for (bank, turn), lane in first.items():
            center(ax, left + (bank + 0.5) * wide, base - (turn + 0.5) * high, str(lane), CELL, "bg")
    cuts = [base - end * high for end in limits[1:-1]]
    strokes(ax, [(left, y, left + BANKS * wide, y) for y in cuts], "ink", 0.8, None, (1, 2))
    strokes(ax, [(left, base + 0.5, left + BANKS * wide, base + 0.5)], "muted", 0.7)
    ends = {1, limits[-1]} if (limits[-1] - 1) * high > 8 else {limits[-1]}
    for turn in ends - {0}:
        write(ax, left - 4, base - (turn - 0.5) * high + 3.1, str(turn), NOTE, "muted", "right")
    for bank in (0, 8, 16, 24, 31):
        write(ax, left + (bank + 0.5) * wide, base + 10.5, str(bank), NOTE, "muted", "center")
    write(ax, left + 16 * wide, base + 22, "bank", NOTE, "muted", "center")


def _longest(served, active, short):
    """Say where the longest queue stands, or that there is none."""
    if not served:
        return "no lane is active"
    queues = {}
    for lane, bank, turn, _ in served:
        queues.setdefault(bank, {}).setdefault(turn, set()).add(lane)
    if not any(late for *_, late in served):
        most = max(len(lanes) for turns in queues.values() for lanes in turns.values())
        if most == 1:
            return "no lane waits" if short else "no lane waits: each bank serves one at a time"
        return "no lane waits" if short else f"no lane waits: up to {most} lanes share one word"
    waiting = {
        bank: sum(1 for b, t in {(b, t) for _, b, t, late in served if late} if b == bank) for bank in queues
    }
    worst = max(waiting.values())
    banks_ = [bank for bank, n in sorted(waiting.items()) if n == worst]
    deep = len(queues[banks_[0]])
    if len(banks_) == 1:
        return (
            f"bank {banks_[0]}: {deep} turns"
            if short
            else f"the longest queue is at bank {banks_[0]}: {deep} turns"
        )
    return (
        f"{len(banks_)} banks: {deep} turns"
        if short
        else f"{len(banks_)} banks have the longest queue: {deep} turns"
    )
