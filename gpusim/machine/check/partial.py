"""Parts of a warp: lanes that wait for each other at a __syncwarp of their own, as tiles and masks let them.

What each lane knows of each other one is a number: of its accesses all that were made before the __syncwarp with that
number.  Two accesses are in order where the later one's lane knows the earlier one.
"""

from __future__ import annotations

import math

import numpy as np

from ...rules.races import ATOMIC, READ
from ...units import LANES
from ..values.members import as_bits, has_bits
from .pairs import neighbours

MOST = 1 << 14  # warps times their __syncwarps that are followed


def lanes_known(entries, block, thread, at, number):
    """A Known for the events of an epoch, or None where every __syncwarp is one of a whole warp.

    at : of the events of a __syncwarp, the mask that the lane passes;  number : of the entry
    """
    syncs = [i for i, e in enumerate(entries) if e.buffer is None]
    if not syncs:
        return None
    space = entries[0].space
    while space.packed is not None:
        space = space.outer
    size = math.prod(space.shape)
    warps, warp = np.unique(block * -(-size // LANES) + thread // LANES, return_inverse=True)
    warp, lane = warp.reshape(-1), thread % LANES
    exists = np.zeros((len(warps), LANES), bool)
    exists[np.arange(len(warps), dtype=np.int64)[:, None], np.arange(LANES, dtype=np.int64)] = (
        warps[:, None] % -(-size // LANES) * LANES + np.arange(LANES, dtype=np.int64) < size
    )
    groups = []
    for sync in syncs:
        mine = number == sync
        named, here = np.zeros((len(warps), LANES), np.int64), np.zeros((len(warps), LANES), bool)
        named[warp[mine], lane[mine]], here[warp[mine], lane[mine]] = at[mine], True
        groups.append(np.where(here, named & as_bits(here), 0))
    whole = as_bits(exists)
    if all((group == np.where(exists, whole, 0))[group.any(axis=1)].all() for group in groups):
        return None
    if len(warps) * len(syncs) > MOST:
        return None
    return Known(syncs, groups, warp, lane)


class Known:
    """rows : one array (warps, lane, other lane) for the time before the first __syncwarp and after each"""

    def __init__(self, syncs, groups, warp, lane):
        self.syncs, self.warp, self.lane = np.array(syncs, np.int64), warp, lane
        self.rows = [np.zeros((len(groups[0]), LANES, LANES), np.int32)]
        for sync, group in zip(syncs, groups):
            now = self.rows[-1].copy()
            for w in np.flatnonzero(group.any(axis=1)).tolist():
                for members in np.unique(group[w][group[w] > 0]).tolist():
                    some = np.flatnonzero(has_bits(np.array([[members]], np.int64))[0])
                    row = now[w, some].max(axis=0)
                    row[some] = sync
                    now[w, some] = row
            self.rows.append(now)

    def ordered(self, a, b, when_a, when_b):
        """Whether events `a` are known where events `b` of the same warp are made; when : the numbers of their entries"""
        rows = np.stack(self.rows)
        last = np.searchsorted(self.syncs, when_b)
        return rows[last, self.warp[b], self.lane[b], self.lane[a]] > when_a

    def races(self, cell, event, number, kind, value):
        """(earlier, later, name) of the races inside warps, as `racing.find_races` gives them.

        cell : of each word that an event touches, with its warp;  event : the number of that event
        """
        order = np.lexsort((number, cell))
        cell, event, number, kind, value = cell[order], event[order], number[order], kind[order], value[order]
        found = {}
        for a, b in neighbours(cell, (kind != READ) & (kind != ATOMIC)):
            reads, alike = (kind == READ), (number[a] == number[b]) & (value[a] == value[b])
            apart = self.lane[event[a]] != self.lane[event[b]]
            racing = apart & ~alike & ~(reads[a] & reads[b]) & ~((kind[a] == ATOMIC) & (kind[b] == ATOMIC))
            a, b = a[racing], b[racing]
            late = ~self.ordered(event[a], event[b], number[a], number[b])
            for one, other in zip(a[late].tolist(), b[late].tolist()):
                found.setdefault((other, 0 if reads[other] else 1 if reads[one] else 2), one)
        later = np.array([other for other, _ in found], np.int64)
        earlier = np.array(list(found.values()), np.int64)
        return order[earlier], order[later], np.array([name for _, name in found], np.int64)
