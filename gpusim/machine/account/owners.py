"""Which global arrays can race at all: those with an element that several threads touch, one of them by
writing it.

Most kernels give every element that they write to one thread.  Where the counting machine has described all
accesses as patterns, that is shown once for the whole launch, whatever its size, and no access needs to be
watched: an address is a number in mixed radix, its digits are the block, loop and thread indices, and no
digit's span reaches the stride of the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .touch import by_buffer


@dataclass(frozen=True)
class Digit:
    """One index that an address depends on: `stride` bytes a step, `extent` steps.

    where : ("block or loop axis", number), ("thread axis", number) or ("threads", array) for a formula of its
        own
    """

    stride: int
    extent: int
    where: tuple


def touched_by_many(writable, tally, shape):
    """The buffers of which more than one thread may touch an element, with at least one of them writing.

    writable : {buffer: kinds of accesses that the text makes}, for those that the kernel may write
    tally : of the counting machine, or None if it could not count
    shape : (z, y, x), threads of a block
    """
    if tally is None:
        return {buffer for buffer, kinds in writable.items() if _conflict(kinds)}
    touches = by_buffer(touch for entry in tally.entries.values() for touch in entry.touches)
    return {
        buffer
        for buffer, found in touches.items()
        if _conflict({t.kind for t in found}) and not one_owner(found, shape)
    }


def _conflict(kinds):
    return "store" in kinds or ("load" in kinds and any(kind.startswith("atomic") for kind in kinds))


def one_owner(touches, shape):
    """True if it is certain that no two threads touch a common byte; touches : of one array; shape : threads
    of a block."""
    first = touches[0]
    for touch in touches:
        alike = (
            touch.size == first.size
            and touch.table() is first.table()
            and touch.strides()[:3] == first.strides()[:3]
        )
        if not alike or _loops(touch) != _loops(first):
            return False
    threads = _thread_digits(touches, shape)
    if threads is None:
        return False
    digits = [Digit(1, first.size, ("byte", 0)), *_start_digit(touches), *threads]
    for axis in range(len(first.extents)):
        ranges = [touch.range_along(axis) for touch in touches if axis < len(touch.extents)]
        extent = max(hi for _, hi in ranges) - min(lo for lo, _ in ranges)
        stride = first.strides()[axis]
        if stride == 0 and extent > 1 and axis < 3:
            return False  # blocks that share their elements
        if stride and extent > 1:
            digits.append(Digit(stride, extent, ("axis", axis)))
    return _injective(sorted(digits, key=lambda d: abs(d.stride)), touches, shape)


def _start_digit(touches):
    """The constant parts of the indices, if they differ, as one more digit."""
    starts = np.unique(np.array([touch.start() for touch in touches], np.int64))
    if len(starts) == 1:
        return []
    gap = int(np.gcd.reduce(starts - starts[0]))
    return [Digit(gap, int(starts[-1] - starts[0]) // gap + 1, ("start", int(starts[0])))]


def _loops(touch):
    """[(stride, extent)] of the loops that an address depends on."""
    return [(s, n) for s, n in zip(touch.strides()[3:], touch.extents[3:]) if s]


def _thread_digits(touches, shape):
    """Digits of the threads of a block, or None if two active threads share a value."""
    active = np.zeros(shape, bool)
    for touch in touches:
        for _, threads in touch.items:
            active |= True if threads is None else threads.array
    table = touches[0].table()
    values = np.broadcast_to(np.int64(0) if table is None else table.array * touches[0].size, shape)
    here = values[active]
    if len(np.unique(here)) < len(here):
        return None
    box = tuple(slice(w.min(), w.max() + 1) for w in np.nonzero(active))
    inner = values[box]
    steps = [
        int(inner[tuple(int(a == axis) for a in range(3))] - inner[0, 0, 0]) if inner.shape[axis] > 1 else 0
        for axis in range(3)
    ]
    straight = sum(
        step * np.arange(n, dtype=np.int64).reshape([-1 if a == axis else 1 for a in range(3)])
        for axis, (step, n) in enumerate(zip(steps, inner.shape))
    )
    if (
        all(step or n == 1 for step, n in zip(steps, inner.shape))
        and (inner - inner[0, 0, 0] == straight).all()
    ):
        return [
            Digit(step, n, ("thread axis", axis))
            for axis, (step, n) in enumerate(zip(steps, inner.shape))
            if n > 1
        ]
    if len(here) == 1:
        return []
    folded = _folded(values) if active.all() else None
    if folded is not None:
        return folded
    gap = int(np.gcd.reduce(here - here.min()))
    return [Digit(gap, int(here.max() - here.min()) // gap + 1, ("threads", values))]


def _folded(values):
    """Two digits for threads that fill rows one after the other: a * (t / period) + b * (t % period); None if
    they do not."""
    flat = values.reshape(-1)
    steps = np.diff(flat)
    breaks = np.flatnonzero(steps != steps[0])
    if not len(breaks) or len(flat) % (breaks[0] + 1) or breaks[0] == 0:
        return None
    period = int(breaks[0]) + 1
    rows = np.arange(len(flat), dtype=np.int64) // period
    down, along = int(flat[period] - flat[0]), int(steps[0])
    if (flat != flat[0] + rows * down + (np.arange(len(flat), dtype=np.int64) % period) * along).any():
        return None
    parts = (rows * down, flat - flat[0] - rows * down)
    return [
        Digit(step, n, ("threads", part.reshape(values.shape)))
        for step, n, part in zip((down, along), (len(flat) // period, period), parts)
    ]


def _injective(digits, touches, shape):
    """True if different digits give different addresses; digits in order of their strides.

    Where the lower digits reach beyond a stride, the guards of the kernel may keep them below it: then the
    lower and the higher digits are two numbers of their own.
    """
    reach = 0
    for place, digit in enumerate(digits):
        stride = abs(digit.stride)
        if stride <= reach:
            low, high = digits[:place], digits[place:]
            return (
                all(d.stride % stride == 0 for d in high)
                and _span(low, touches, shape) < stride
                and _injective(low, touches, shape)
                and _injective(high, touches, shape)
            )
        reach += stride * (digit.extent - 1)
    return True


def _span(digits, touches, shape):
    """How far apart the values of some digits get in the pieces of the accesses."""
    lows, highs = [], []
    axes = {d.where[1]: d.stride for d in digits if d.where[0] == "axis"}
    threads = np.zeros(shape, np.int64)
    size = 1
    for d in digits:
        if d.where[0] == "byte":
            size = d.extent
        elif d.where[0] == "thread axis":
            threads = threads + d.stride * np.arange(shape[d.where[1]], dtype=np.int64).reshape(
                [-1 if a == d.where[1] else 1 for a in range(3)]
            )
        elif d.where[0] == "threads":
            threads = threads + d.where[1]
    base = next((d.where[1] for d in digits if d.where[0] == "start"), None)
    for touch in touches:
        start = 0 if base is None else touch.start() - base
        for box, on in touch.items:
            some = threads if on is None else threads[np.broadcast_to(on.array, shape)]
            low, high = start + int(some.min()), start + int(some.max())
            for axis, stride in axes.items():
                first, last = touch.range_along(axis, box)
                ends = sorted((stride * first, stride * (last - 1)))
                low, high = low + ends[0], high + ends[1]
            lows.append(low)
            highs.append(high)
    return max(highs) - min(lows) + size - 1
