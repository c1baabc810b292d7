"""Lanes over time: one instruction for 1, 4 or 32 elements, and warps that wait at a barrier."""

import numpy as np

from ..written import percent, plural, three
from .paper import begin, center, fit, headline, write
from .scales import steps, tick_text
from .shapes import cells, strokes
from .theme import LABEL, MARGIN, NOTE, VALUE


def lane_widths(elements, widths=(1, 4, 32), *, names=None, longest=None, title=None, note=None, ax=None):
    """Draw the same work with instructions of several widths: columns are instructions, rows are lanes.

    elements : number of independent operations;  widths : lanes of an instruction
    names : a name for each width;  longest : instructions to leave room for
    return : ax; its height depends on the widths only

    >>> lane_widths(40).headline
    '40 elements take 40, 10 or 2 instructions'
    """
    names = names or [f"{width} lane{'' if width == 1 else 's'}" for width in widths]
    counts = [-(-elements // width) for width in widths]
    lane = 9.0 if max(widths) <= 16 else 5.2
    ax, full, height = begin(ax, 46 + sum(lane * width + 14 for width in widths) + 16)
    left = 62.0
    step = min((full - MARGIN - left) / (longest or max(counts)), 18.0)
    top = 46.0
    for width, count, name in zip(widths, counts, names, strict=True):
        write(ax, MARGIN, top + lane * width / 2 + 3, name, fit(name, LABEL, left - MARGIN - 6, least=5))
        spot = np.arange(count * width)
        gap = min(0.8, step * 0.15)
        boxes = np.stack(
            [
                left + spot // width * step + gap / 2,
                top + spot % width * lane + 0.3,
                np.full(len(spot), step - gap),
                np.full(len(spot), lane - 0.6),
            ],
            1,
        )
        cells(ax, boxes[spot < elements], "compute")
        cells(ax, boxes[spot >= elements], "idle", alpha=0.2)
        if step >= 8 and lane >= 8:
            for place in spot[:elements]:
                x, y, w, h = boxes[place]
                center(ax, x + w / 2, y + h / 2, str(place), fit(str(place), 6.5, step - 1, least=4), "bg")
        top += lane * width + 14
    for tick in steps(0, longest or max(counts), 6, whole=True):
        write(ax, left + tick * step, height - 8, tick_text(tick), NOTE, "muted", "center")
    write(ax, MARGIN, height - 8, "instruction", NOTE, "muted")
    told = ", ".join(map(str, counts[:-1])) + f" or {counts[-1]}" if len(counts) > 1 else str(counts[0])
    idle = sum(count * width - elements for count, width in zip(counts, widths, strict=True))
    headline(
        ax,
        title or f"{plural(elements, 'element')} take {told} instructions",
        note or "a column is one instruction, a cell one element",
        "Lanes over instructions",
        f"{plural(idle, 'lane slot')} stay{'s' if idle == 1 else ''} idle",
    )
    return ax


def barrier_wait(arrivals, *, unit="cycles", until=None, title=None, note=None, ax=None):
    """Draw how long each warp works before a barrier and how long it then waits for the last one.

    arrivals : (warps,) or (warps, barriers) time of work before each barrier, in the unit
    until : end of the time axis, None for the end of the last barrier
    return : ax; its height depends on the number of warps only

    >>> barrier_wait([4, 10, 6, 8]).headline
    '30 % of the time is spent waiting'
    """
    work = np.asarray(arrivals, float)
    work = work[:, None] if work.ndim == 1 else work
    warps, barriers = work.shape
    spans = work.max(0)
    starts = np.r_[0, np.cumsum(spans)]
    row = min(14.0, 240.0 / warps)
    ax, width, height = begin(ax, 58 + row * warps + 26)
    left, right = 58.0, width - MARGIN - 4
    scale = (right - left) / (until or starts[-1] or 1)
    high = row * 0.8
    busy = [
        (left + starts[b] * scale, 58 + w * row, work[w, b] * scale, high)
        for w in range(warps)
        for b in range(barriers)
    ]
    wait = [
        (left + (starts[b] + work[w, b]) * scale, 58 + w * row, (spans[b] - work[w, b]) * scale, high)
        for w in range(warps)
        for b in range(barriers)
        if spans[b] > work[w, b]
    ]
    cells(ax, busy, "compute")
    cells(ax, wait, "idle", "idle", 0.5, 0.15, (2, 1.5))
    ends = left + starts[1:] * scale
    strokes(ax, [(x, 52, x, 58 + warps * row) for x in ends], "ink", 1.6)
    for x, text in zip(ends, ["barrier"] * barriers, strict=True):
        write(ax, min(x, right), 49, text, VALUE, align="right")
    every = max(1, round(9 / row))
    for warp in range(0, warps, every):
        write(ax, left - 6, 58 + warp * row + high / 2 + 3, f"warp {warp}", VALUE, "muted", "right")
    for tick in steps(0, until or starts[-1], 6):
        write(ax, left + tick * scale, height - 10, tick_text(tick), NOTE, "muted", "center")
    write(ax, MARGIN, height - 10, unit, NOTE, "muted")
    share = 1 - work.sum() / (warps * spans.sum()) if spans.sum() else 0.0
    headline(
        ax,
        title or f"{percent(share)} of the time is spent waiting",
        note or f"{plural(warps, 'warp')}, {plural(barriers, 'barrier')}; the last to arrive frees all",
        "Timeline of warps at a barrier",
        f"the barriers are passed after {', '.join(map(three, starts[1:]))} {unit}",
    )
    return ax
