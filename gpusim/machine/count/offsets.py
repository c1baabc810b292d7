"""Offsets: what one access costs a block, as a function of where the block's part of the array begins.

The cost of a warp changes only where one of its lanes crosses into another sector (or, for L1, another line),
and it repeats with the period of the rule.  So a few offsets stand for all, and they are worked out once for
all launches.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...units import LANES, LINE, SECTOR, WORD
from ..account.cost import FIELDS, TAG_PERIOD, costs, l1_costs

FAR = 1 << 40  # a multiple of every period: keeps addresses positive


def block_cost(space, memo, key, kind, memory, size, table, threads, residues):
    """The cost of one access over all warps of a block, summed over offsets.

    memo, key : where results are kept; table, threads : Tables of elements and of active lanes, or None
    residues : [(offset in elements, how often)]
    return : (8,) int, in the order of cost.FIELDS
    """
    warps = memo.get(key)
    if warps is None:
        warps = memo[key] = _different_warps(space, table, threads)
    offsets, times = (np.array(column, dtype=object) for column in zip(*residues))
    total = np.zeros(len(FIELDS), dtype=object)
    for warp in warps:
        total = total + warp.cost(kind, memory, size, offsets.astype(np.int64), times)
    return total


class Warp:
    """Warps of a block that ask for the same elements but for a shift: `bases` are their shifts."""

    def __init__(self, elements, active, bases):
        self.elements, self.active, self.bases = elements[None], active[None], bases
        self.known = {}

    def cost(self, kind, memory, size, offsets, times):
        """Summed cost for block offsets (in elements), each so many times."""
        if memory == "shared":  # a shift by whole words turns the banks, and changes nothing
            rule = partial(costs, memory, kind, size)
            word = max(WORD, size)
            return self._sum(("shared", kind, size), rule, size, word, word, offsets, times)
        rule = partial(costs, memory, kind, size, l1=False)
        period = SECTOR  # rounds of stores in L1 do not depend on the offset either
        total = self._sum((kind, size), rule, size, SECTOR, period, offsets, times)
        if kind == "load":
            rule = partial(l1_costs, size)
            total = total + self._sum(("l1", size), rule, size, LINE, TAG_PERIOD, offsets, times)
        return total

    def _sum(self, key, rule, size, unit, period, offsets, times):
        known = self.known.setdefault(key, {})
        unit, period = unit // size, max(1, period // size)
        bases, warps = np.unique(self.bases % period, return_counts=True)
        stand_ins = self._stand_ins((offsets[:, None] + bases).reshape(-1) % period, unit, period)
        shifts, back = np.unique(stand_ins, return_inverse=True)
        weight = np.zeros(len(shifts), dtype=object)
        np.add.at(weight, back.reshape(-1), np.outer(times, warps.astype(object)).reshape(-1))
        missing = np.array([s for s in shifts.tolist() if s not in known], np.int64)
        if len(missing):
            addresses = (self.elements + missing[:, None] + FAR) * size
            known.update(zip(missing.tolist(), rule(addresses, np.repeat(self.active, len(missing), axis=0))))
        return sum(known[s].astype(object) * w for s, w in zip(shifts.tolist(), weight))

    def _stand_ins(self, shift, unit, period):
        """For each shift, the smallest one with the same cost, modulo the period."""
        edges = np.unique(-self.elements[self.active] % unit)
        within = shift % unit
        at = np.searchsorted(edges, within, side="right") - 1
        stand_in = np.where(at >= 0, edges[at], edges[-1] - unit)
        return (shift - within + stand_in) % period


def _different_warps(space, table, threads):
    values = np.zeros((1,) * 6, np.int64) if table is None else table.array[None, None, None]
    active = space.active_by_warp(True if threads is None else threads.array[None, None, None])
    rows = space.by_warp(values)
    some = active.any(axis=1)
    rows, active = rows[some], active[some]
    bases = np.where(active, rows, np.iinfo(np.int64).max).min(axis=1)
    rows = np.where(active, rows - bases[:, None], 0)
    both, which = np.unique(np.concatenate([rows, active], axis=1), axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [Warp(row[:LANES], row[LANES:].astype(bool), bases[which == i]) for i, row in enumerate(both)]
