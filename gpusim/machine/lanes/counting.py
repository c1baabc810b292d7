"""Counting lane by lane: what a branch, an access or arithmetic of some lanes adds to a tally."""

from __future__ import annotations

import numpy as np

from ...units import WORD
from ..account.cost import TAG_PERIOD, cost
from ..values.value import is_by_thread, six_axes, start, table

PERIOD = {"global": TAG_PERIOD, "shared": WORD}  # bytes after which an access costs the same again


class Counter:
    """Adds to a tally what the lanes of a space do."""

    def __init__(self, tally):
        self.tally = tally

    def branch(self, space, site, mask, taken):
        """The lanes `taken` of `mask` go one way, the others another."""
        warps, active = space.population(mask)
        split = 0
        if taken is not False and taken is not mask:
            blocks = np.broadcast_shapes(np.shape(mask)[:3] or (1, 1, 1), np.shape(taken)[:3])
            rows = space.active_by_warp(mask, blocks)
            on = space.active_by_warp(taken, blocks)
            split = int((on.any(axis=1) & (rows & ~on).any(axis=1)).sum()) * space.repeats(blocks)
        self.tally.pass_by(site, warps, active, split)

    def arith(self, space, site, mask):
        """Arithmetic, a shuffle, a barrier: warps and lanes come by."""
        self.tally.pass_by(site, *space.population(mask))

    def access(self, space, site, buffer, kind, index, mask):
        """An access at elements `index`: by the plain rules, or from memory if the same shape was seen before."""
        key = _alike(space, site, buffer, kind, index, mask)
        known = site.memo.get(key) if key is not None else None
        if known is None or buffer.space == "global":
            addresses, active, times = addresses_of(space, site, index, mask)
        if key is None:
            self.tally.later(site, buffer, kind, addresses, active, times)
            return
        if known is None:
            known = site.memo[key] = cost(buffer.space, kind, site.size, addresses, active)
        self.tally.access(site, buffer.space, kind, known, space.block_count)
        if buffer.space == "global":
            self.tally.mark(site, kind, buffer, addresses, active)

    def settle(self):
        """The kernel has ended."""
        self.tally.settle()


def _alike(space, site, buffer, kind, index, mask):
    """What names all accesses of a site that cost a block the same, in this launch and in others; None where
    blocks or lanes differ, or where warps are packed for one loop alone."""
    if mask is not True or space.packed is not None:
        return None
    period = max(1, PERIOD.get(buffer.space, WORD) // site.size)
    if not is_by_thread(index):
        return None
    return space.lanes_shape, buffer.space, kind, table(index), start(index) % period


def addresses_of(space, site, index, mask):
    """(byte addresses, active lanes, times): rows of 32, and how many blocks each row stands for."""
    values = six_axes(index)
    packed = space.full_shape[:3] if space.packed is not None else (1, 1, 1)
    blocks = np.broadcast_shapes(values.shape[:3], np.shape(mask)[:3] or (1, 1, 1), packed)
    values = np.broadcast_to(values, (*blocks, *values.shape[3:]))
    rows = space.by_warp(values).astype(np.int64) * site.size
    return rows, space.active_by_warp(mask, blocks), space.repeats(blocks)
