"""Masks of the counting machine: sets of lanes written as boxes of blocks and loop steps, each with its
threads.

A condition on a pattern cuts the boxes where it changes, so a guard costs a few boxes, whatever the size of
the grid.
"""

from __future__ import annotations

import numpy as np

from ..values.conditions import Logic
from ..values.pattern import Irregular

MOST = 4096  # boxes; more of them mean that the pattern is no good description


class Pieces:
    """[(box, threads)]: `box` maps an axis to (lo, hi), axes that are missing run in full; `threads` is a
    Table or None (all).

    No two boxes overlap, so no warp is in two pieces of one block and loop step.
    """

    __slots__ = ("items",)

    def __init__(self, items):
        self.items = items


def items_of(mask):
    """The pieces of a mask; True is one box without bounds."""
    return [({}, None)] if mask is True else mask.items


def evaluate(space, items, condition):
    """Split pieces by a condition: (where it holds, where it does not), two lists of pieces."""
    if condition is True or condition is False:
        return (items, []) if condition else ([], items)
    if isinstance(condition, Logic):
        return _evaluate_logic(space, items, condition)
    yes, no = [], []
    for box, threads in items:
        _cut(space, condition, dict(box), threads, yes, no)
    if len(yes) + len(no) > MOST:
        raise Irregular("a condition that changes too often over blocks and loop steps")
    return yes, no


def _evaluate_logic(space, items, condition):
    yes, no = evaluate(space, items, condition.parts[0])
    if condition.op == "!":
        return no, yes
    if condition.op == "&":
        second = evaluate(space, yes, condition.parts[1])
        return second[0], unite(space, no, second[1])
    second = evaluate(space, no, condition.parts[1])
    return unite(space, yes, second[0]), second[1]


def unite(space, items, others):
    """The lanes of either list of pieces; where boxes overlap, their threads join in one piece."""
    for box, threads in others:
        items = _insert(space, items, box, threads)
    return items


def _insert(space, items, box, threads):
    result, pending = [], [box]
    for there, on in items:
        overlaps, rest = [], []
        for part in pending:
            common = common_box(space, there, part)
            if common is None:
                rest.append(part)
                continue
            overlaps.append(common)
            rest += [b for b, _ in _less(space, part, None, common, None)]
        pending = rest
        kept = [(there, on)]
        for common in overlaps:
            kept = [piece for b, t in kept for piece in _less(space, b, t, common, None)]
            result.append((common, None if on is None or threads is None else _either(space, on, threads)))
        result += kept
    return result + [(part, threads) for part in pending]


def common_box(space, a, b):
    """The box that two boxes share, or None."""
    joint = dict(a)
    for axis, (start, end) in b.items():
        first, last = joint.get(axis, (0, space.extents[axis]))
        joint[axis] = max(first, start), min(last, end)
    return None if any(lo >= hi for lo, hi in joint.values()) else joint


def _either(space, a, b):
    on = a.array | b.array
    return None if on.all() else space.intern(on)


def _cut(space, condition, box, threads, yes, no):
    """Put the parts of one piece where they belong, cutting along the axis that matters most."""
    pattern = condition.pattern
    axes = []
    lo = hi = pattern.c
    for axis, stride in enumerate(pattern.strides):
        if not stride:
            continue
        first, last = box.get(axis, (0, space.extents[axis]))
        low, high = sorted((stride * first, stride * (last - 1)))
        lo, hi = lo + low, hi + high
        if last - first > 1:
            axes.append((abs(stride) * (last - first), axis, stride, first, last, low, high))
    below, above = _thread_bounds(pattern.table, threads)
    verdict = _decided(condition.kind, lo + below, hi + above)
    if verdict is not None:
        (yes if verdict else no).append((box, threads))
    elif not axes:
        _split_threads(space, condition, box, threads, lo, yes, no)
    else:
        _, axis, stride, first, last, low, high = max(axes)
        for start, end in _ranges(condition.kind, stride, first, last, lo - low + below, hi - high + above):
            _cut(space, condition, {**box, axis: (start, end)}, threads, yes, no)


def _decided(kind, lo, hi):
    if kind == "<":
        return True if hi < 0 else False if lo >= 0 else None
    if lo > 0 or hi < 0:
        return False
    return True if lo == hi == 0 else None


def _thread_bounds(table, threads):
    if table is None:
        return 0, 0
    if threads is None:
        return table.lo, table.hi
    key = "bounds", threads
    bounds = table.memo.get(key)
    if bounds is None:
        values, on = np.broadcast_arrays(table.array, threads.array)
        bounds = table.memo[key] = (int(values[on].min()), int(values[on].max()))
    return bounds


def _split_threads(space, condition, box, threads, base, yes, no):
    table = condition.pattern.table
    key = condition.kind, base, threads
    found = table.memo.get(key)
    if found is None:
        on = table.array < -base if condition.kind == "<" else table.array == -base
        inside = np.True_ if threads is None else threads.array
        found = table.memo[key] = tuple(
            space.intern(np.broadcast_to(part, np.broadcast_shapes(np.shape(part), (1, 1, 1))))
            if part.any()
            else None
            for part in (on & inside, ~on & inside)
        )
    for part, side in zip(found, (yes, no)):
        if part is not None:
            side.append((box, part))


def _ranges(kind, stride, first, last, rest_lo, rest_hi):
    """Cut [first, last): stretches where the condition is decided stay whole, steps in between stand
    alone."""
    if stride < 0:  # walk the axis backwards
        flipped = _ranges(kind, -stride, -last + 1, -first + 1, rest_lo, rest_hi)
        return [(-end + 1, -start + 1) for start, end in flipped]
    if kind == "<":
        sure = -(-(0 - rest_hi) // stride)  # steps below have stride * step + rest_hi < 0
        never = -(rest_lo // stride)  # steps from here have stride * step + rest_lo >= 0
    else:
        sure = -(rest_hi // stride)  # steps below: all values negative
        never = -(rest_lo // stride) + 1  # steps from here: all values positive
    sure, never = (min(last, max(first, x)) for x in (sure, never))
    if never - sure > MOST:
        raise Irregular("a condition that changes too often over blocks and loop steps")
    middle = [(step, step + 1) for step in range(sure, never)]
    if len(middle) == 0 and sure in (first, last):  # nothing gained: halve, so that the recursion ends
        half = (first + last) // 2
        return [(first, half), (half, last)]
    return [r for r in ((first, sure), *middle, (never, last)) if r[0] < r[1]]


def subtract(space, items, gone):
    """Pieces less other pieces."""
    for other_box, other_threads in gone:
        left = []
        for box, threads in items:
            left += _less(space, box, threads, other_box, other_threads)
        items = left
    return items


def _less(space, box, threads, other_box, other_threads):
    outside, inner = [], dict(box)
    for axis, (start, end) in other_box.items():
        first, last = inner.get(axis, (0, space.extents[axis]))
        start, end = max(start, first), min(end, last)
        if start >= end:
            return [(box, threads)]
        for piece in ((first, start), (end, last)):
            if piece[0] < piece[1]:
                outside.append(({**inner, axis: piece}, threads))
        inner[axis] = (start, end)
    if other_threads is None:
        return outside
    here = np.ones((1, 1, 1), bool) if threads is None else threads.array
    rest = here & ~other_threads.array
    if rest.any():
        outside.append(
            (inner, space.intern(np.broadcast_to(rest, np.broadcast_shapes(rest.shape, (1, 1, 1)))))
        )
    return outside


def volume(space, box):
    """Blocks times loop steps in a box."""
    total = 1
    for axis, extent in enumerate(space.extents):
        first, last = box.get(axis, (0, extent))
        total *= last - first
    return total
