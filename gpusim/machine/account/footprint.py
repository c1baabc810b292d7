"""Footprints: how many different sectors a launch touches, worked out from the patterns of its accesses.

An access reaches the elements c + table[thread] + sum(stride * index).  Turned into sectors, thread by thread
and axis by axis from the smallest stride up, that is nearly always a few runs, whatever the size of the
launch.
"""

from __future__ import annotations

import math

import numpy as np

from ...units import SECTOR
from ..values.pattern import Pattern

MOST = 1 << 22  # runs; beyond that sectors are ticked off one by one


def distinct_sectors(footprints, per_block=False):
    """Count the distinct sectors of some accesses to one array.

    footprints : [(buffer, bytes a lane, index pattern, pieces, extents of the axes)]
    per_block : count those of each block for itself and add up
    """
    if per_block:
        return sum(_of_blocks(footprint) for footprint in _joined(footprints))
    return distinct_pieces(footprints, SECTOR)


def distinct_pieces(footprints, piece):
    """Count the distinct aligned pieces of so many bytes."""
    starts, ends = _all_runs(footprints, piece)
    return int((ends - starts).sum())


def filled_sectors(footprints):
    """Count the sectors of which every byte is touched."""
    size = footprints[0][1]
    starts, ends = _all_runs(footprints, size)
    per_sector = SECTOR // size
    return int(np.maximum(0, ends // per_sector - -(-starts // per_sector)).sum())


def _all_runs(footprints, piece):
    runs = [_runs(*alike, piece) for alike in _alike(footprints)]
    if not runs:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return _merge(*(np.concatenate(side) for side in zip(*runs)))


def _alike(footprints):
    """(size, index patterns, box, threads, extents) of accesses that differ by a constant alone: together
    they make long runs."""
    groups = {}
    for _, size, at, items, extents in footprints:
        moves = (at.strides, id(at.table)) if type(at) is Pattern else ()
        for box, threads in items:
            key = size, moves, tuple(sorted(box.items())), id(threads), extents
            groups.setdefault(key, (size, [], box, threads, extents))[1].append(at)
    return groups.values()


def _joined(footprints):
    """Footprints of one array in groups that move from block to block in step, so that their overlaps can be
    seen."""
    groups = {}
    for footprint in footprints:
        _, _, at, items, extents = footprint
        key = (
            at.strides[:3] if type(at) is Pattern else (),
            extents[:3],
            tuple(tuple(sorted(box.items())) for box, _ in items),
        )
        groups.setdefault(key, []).append(footprint)
    return groups.values()


def _of_blocks(group):
    """Sectors of each block, summed: blocks whose offsets fall alike into sectors have as many."""
    _, size, at, items, extents = group[0]
    total = 0
    for part, (box, _) in enumerate(items):
        residues = {0: 1}
        for axis in range(3):
            first, last = box.get(axis, (0, extents[axis]))
            stride = at.strides[axis] if type(at) is Pattern and axis < len(at.strides) else 0
            residues = convolve(residues, stride, first, last, SECTOR // size)
        for residue, times in residues.items():
            alone = []
            for _, own_size, own, own_items, own_extents in group:
                own_box, threads = own_items[part]
                inner = {**own_box, **{axis: (0, 1) for axis in range(3)}}
                moved = own + residue if type(own) is int else _at_block_zero(own, residue)
                alone.append((None, own_size, moved, [(inner, threads)], own_extents))
            total += times * distinct_pieces(alone, SECTOR)
    return total


def _at_block_zero(pattern, residue):
    strides = (0, 0, 0, *pattern.strides[3:])
    return Pattern(pattern.space, pattern.c + residue, strides, pattern.table, 0, 0)


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


def _runs(size, patterns, box, threads, extents, piece):
    """Sorted runs of pieces [start, end) that one piece of some accesses touches; their patterns differ by a
    constant alone."""
    per_piece = piece // size
    elements = np.unique(np.concatenate([_thread_elements(at, threads) for at in patterns]))
    strides = patterns[0].strides if type(patterns[0]) is Pattern else ()
    groups = [(elements, [])]
    for axis, extent in enumerate(extents):
        first, last = box.get(axis, (0, extent))
        stride = strides[axis] if axis < len(strides) else 0
        if stride:
            groups = [
                g
                for elements, steps in groups
                for g in _along(elements + stride * first, steps, stride, last - first, per_piece)
            ]
    parts = [_spread(np.unique(elements // per_piece), steps) for elements, steps in groups]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _thread_elements(at, threads):
    if type(at) is int:
        return np.array([at], np.int64)
    table = np.zeros((1, 1, 1), np.int64) if at.table is None else at.table.array
    if threads is not None:
        table = np.broadcast_to(table, np.broadcast_shapes(table.shape, threads.array.shape))
        return np.unique(table[np.broadcast_to(threads.array, table.shape)]) + at.c
    return np.unique(table) + at.c


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
    for start, end in zip(starts - low, ends - low):
        for offset in range(int(start), int(end)):
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
