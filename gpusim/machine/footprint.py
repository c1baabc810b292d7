"""Footprints: how many different sectors a launch touches, worked out from the patterns of its accesses.

An access reaches the elements c + table[thread] + sum(stride * index).  Turned into sectors, thread by thread and axis by
axis from the smallest stride up, that is nearly always a few runs, whatever the size of the launch.
"""
from __future__ import annotations

import numpy as np

from .pattern import Pattern

SECTOR = 32
MOST = 1 << 22                    # runs; beyond that sectors are ticked off one by one


def distinct_sectors(footprints, axes=None):
    """Count the distinct sectors of some accesses to one array.

    footprints : [(buffer, bytes a lane, index pattern, pieces, extents of the axes)]
    axes : the axes that vary, all if None; others stay at their first step
    """
    starts, ends = [], []
    for _, size, at, items, extents in footprints:
        for box, threads in items:
            run = _runs(size, at, box, threads, extents, axes)
            starts.append(run[0])
            ends.append(run[1])
    if not starts:
        return 0
    starts, ends = _merge(np.concatenate(starts), np.concatenate(ends))
    return int((ends - starts).sum())


def _runs(size, at, box, threads, extents, axes):
    """Sorted runs of sectors [start, end) that one piece of an access touches."""
    per_sector = SECTOR // size
    elements, strides = _thread_elements(at, threads), ()
    if type(at) is Pattern:
        strides = at.strides
    groups = [(elements, [])]
    for axis, extent in enumerate(extents):
        first, last = box.get(axis, (0, extent))
        stride = strides[axis] if axis < len(strides) else 0
        if not stride:
            continue
        if axes is not None and axis not in axes:
            last = first + 1
        groups = [g for elements, steps in groups for g in _along(elements + stride * first, steps, stride, last - first, per_sector)]
    parts = [_spread(np.unique(elements // per_sector), steps) for elements, steps in groups]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _thread_elements(at, threads):
    if type(at) is int:
        return np.array([at])
    table = np.zeros((1, 1, 1), np.int64) if at.table is None else at.table.array
    if threads is not None:
        table = np.broadcast_to(table, np.broadcast_shapes(table.shape, threads.array.shape))
        return np.unique(table[np.broadcast_to(threads.array, table.shape)]) + at.c
    return np.unique(table) + at.c


def _along(elements, steps, stride, count, per_sector):
    """Add an axis: steps that are whole sectors are kept for later, smaller ones are taken at once."""
    period = int(per_sector // np.gcd(stride, per_sector))
    whole = count // period
    if whole > 1:
        taken = np.unique((elements[:, None] + stride * np.arange(period)).reshape(-1))
        yield taken, [*steps, (stride * period // per_sector, whole)]
        rest = np.arange(whole * period, count)
    else:
        rest = np.arange(count)
    if len(rest):
        yield np.unique((elements[:, None] + stride * rest).reshape(-1)), steps


def _spread(sectors, steps):
    """Runs of sectors after all whole-sector axes, the smallest stride first."""
    starts, ends = _merge(sectors, sectors + 1)
    for stride, count in sorted(steps, key=lambda step: abs(step[0])):
        if stride < 0:
            starts, ends, stride = starts + stride * (count - 1), ends + stride * (count - 1), -stride
        if stride <= (ends - starts).min():
            ends = ends + stride * (count - 1)
        elif len(starts) * count > MOST:
            starts, ends = _ticked(starts, ends, stride, count)
        else:
            moves = stride * np.arange(count)
            starts, ends = ((x[:, None] + moves).reshape(-1) for x in (starts, ends))
        starts, ends = _merge(starts, ends)
    return starts, ends


def _ticked(starts, ends, stride, count):
    """The same by marking every sector in a bitmap."""
    low = int(starts.min())
    marks = np.zeros(int(ends.max()) + stride * (count - 1) - low, bool)
    for start, end in zip(starts - low, ends - low):
        for offset in range(int(start), int(end)):
            marks[offset: offset + stride * (count - 1) + 1: stride] = True
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marks, [False]])))
    return edges[::2] + low, edges[1::2] + low


def _merge(starts, ends):
    """Runs as few disjoint runs in order."""
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    fresh = np.concatenate([[True], starts[1:] > ends[:-1]])
    last = np.concatenate([np.flatnonzero(fresh)[1:] - 1, [len(ends) - 1]])
    return starts[fresh], ends[last]
