"""Footprints: how many different sectors a launch touches, worked out from the patterns of its accesses.

An access reaches the elements c + table[thread] + sum(stride * index).  Turned into sectors, thread by thread
and axis by axis from the smallest stride up, that is nearly always a few runs, whatever the size of the
launch.
"""

from __future__ import annotations

import math

import numpy as np

from ...units import SECTOR
from ..values.value import start, strides, table

MOST = 1 << 22  # runs; beyond that sectors are ticked off one by one


def distinct_sectors(touches, per_block=False):
    """Count the distinct sectors of some Touches of one array.

    per_block : count those of each block for itself and add up
    """
    if per_block:
        return sum(_of_blocks(group) for group in _joined(touches))
    return distinct_pieces(touches, SECTOR)


def distinct_pieces(touches, piece):
    """Count the distinct aligned pieces of so many bytes."""
    starts, ends = _all_runs(touches, piece)
    return int((ends - starts).sum())


def filled_sectors(touches):
    """Count the sectors of which every byte is touched."""
    size = touches[0].size
    starts, ends = _all_runs(touches, size)
    per_sector = SECTOR // size
    return int(np.maximum(0, ends // per_sector - -(-starts // per_sector)).sum())


def _all_runs(touches, piece):
    runs = [_runs(group, box, threads, piece) for group, box, threads in _alike(touches)]
    if not runs:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return _merge(*(np.concatenate(side) for side in zip(*runs)))


def _alike(touches):
    """(touches, box, threads) of accesses that differ by a constant alone: together they make long runs."""
    groups = {}
    for touch in touches:
        for box, threads in touch.items:
            moves = touch.size, strides(touch.at), touch.table(), touch.extents
            key = moves, tuple(sorted(box.items())), threads
            groups.setdefault(key, ([], box, threads))[0].append(touch)
    return groups.values()


def _joined(touches):
    """Touches of one array in groups that move from block to block in step, so that their overlaps can be seen."""
    groups = {}
    for touch in touches:
        boxes = tuple(tuple(sorted(box.items())) for box, _ in touch.items)
        groups.setdefault((strides(touch.at)[:3], touch.extents[:3], boxes), []).append(touch)
    return groups.values()


def _of_blocks(group):
    """Sectors of each block, summed: blocks whose offsets fall alike into sectors have as many."""
    first, total = group[0], 0
    for part, (box, _) in enumerate(first.items):
        residues = {0: 1}
        for axis in range(3):
            ends = first.range_along(axis, box)
            residues = convolve(residues, first.stride(axis), *ends, SECTOR // first.size)
        for residue, times in residues.items():
            alone = [touch.of_one_block(part, residue) for touch in group]
            total += times * distinct_pieces(alone, SECTOR)
    return total


def convolve(counts, stride, first, last, modulus):
    """Add stride * step for all steps of [first, last) to a histogram of residues."""
    steps = last - first
    if stride % modulus == 0:
        return {residue: n * steps for residue, n in counts.items()}
    period = modulus // math.gcd(stride, modulus)
    result = {}
    for k in range(min(period, steps)):
        times = (steps - k + period - 1) // period
        shift = stride * (first + k)
        for residue, n in counts.items():
            key = (residue + shift) % modulus
            result[key] = result.get(key, 0) + n * times
    return result


def _runs(touches, box, threads, piece):
    """Sorted runs of pieces [start, end) that one box of some accesses touches, which differ by a constant alone."""
    one = touches[0]
    per_piece = piece // one.size
    elements = np.unique(np.concatenate([_thread_elements(touch.at, threads) for touch in touches]))
    groups = [(elements, [])]
    for axis in range(len(one.extents)):
        (first, last), stride = one.range_along(axis, box), one.stride(axis)
        if stride:
            groups = [
                g
                for elements, steps in groups
                for g in _along(elements + stride * first, steps, stride, last - first, per_piece)
            ]
    parts = [_spread(np.unique(elements // per_piece), steps) for elements, steps in groups]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _thread_elements(at, threads):
    own = np.zeros((1, 1, 1), np.int64) if table(at) is None else table(at).array
    if threads is not None:
        own = np.broadcast_to(own, np.broadcast_shapes(own.shape, threads.array.shape))
        own = own[np.broadcast_to(threads.array, own.shape)]
    return np.unique(own) + start(at)


def _along(elements, steps, stride, count, per_piece):
    """Add an axis: steps that are whole pieces are kept for later, smaller ones are taken at once."""
    period = per_piece // math.gcd(stride, per_piece)
    whole = count // period
    if whole > 1:
        taken = np.unique((elements[:, None] + stride * np.arange(period, dtype=np.int64)).reshape(-1))
        yield taken, [*steps, (stride * period // per_piece, whole)]
        rest = np.arange(whole * period, count, dtype=np.int64)
    else:
        rest = np.arange(count, dtype=np.int64)
    if len(rest):
        yield np.unique((elements[:, None] + stride * rest).reshape(-1)), steps


def _spread(sectors, steps):
    """Runs of pieces after all whole-piece axes, the smallest stride first."""
    starts, ends = _merge(sectors, sectors + 1)
    for stride, count in sorted(steps, key=lambda step: abs(step[0])):
        if stride < 0:
            starts, ends, stride = starts + stride * (count - 1), ends + stride * (count - 1), -stride
        if stride <= (ends - starts).min():
            ends = ends + stride * (count - 1)
        elif len(starts) * count > MOST:
            starts, ends = _ticked(starts, ends, stride, count)
        else:
            moves = stride * np.arange(count, dtype=np.int64)
            starts, ends = ((x[:, None] + moves).reshape(-1) for x in (starts, ends))
        starts, ends = _merge(starts, ends)
    return starts, ends


def _ticked(starts, ends, stride, count):
    """The same by marking every sector in a bitmap."""
    low = int(starts.min())
    marks = np.zeros(int(ends.max()) + stride * (count - 1) - low, bool)
    for first, end in zip(starts - low, ends - low):
        for offset in range(int(first), int(end)):
            marks[offset : offset + stride * (count - 1) + 1 : stride] = True
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marks, [False]])))
    return edges[::2] + low, edges[1::2] + low


def _merge(starts, ends):
    """Runs as few disjoint runs in order."""
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    fresh = np.concatenate([[True], starts[1:] > ends[:-1]])
    last = np.concatenate([np.flatnonzero(fresh)[1:] - 1, [len(ends) - 1]])
    return starts[fresh], ends[last]
