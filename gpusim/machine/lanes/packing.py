"""Packing: in a loop that most warps have left, only the others are carried on.

The warps that still run are gathered into a space of their own, with one block axis for the warps and one
thread axis of 32 lanes; when the loop ends, what it changed is put back.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ...units import LANES, warps_of
from ..memory.buffers import LocalBuffer, Pointer
from ..values.arithmetic import Unknown, truth
from ..values.conditions import Condition, Logic
from ..values.pattern import Pattern
from ..values.space import Space, settle
from .masks import different_arrays, null_for_some

FEW = 8  # spaces of so few warps are not worth packing


class PackedSpace(Space):
    """Some warps of another space.

    rows : (R,) numbers of those warps among the rows of 32 lanes of `outer`
    """

    def __init__(self, outer, rows):
        super().__init__(((0, 1), (0, 1), (0, len(rows))), (1, 1, LANES), (1, 1, 1))
        self.outer, self.rows = outer, rows
        self.packed = self
        self.block_shape = outer.block_shape
        self.block_index = [self.gather(index) for index in outer.block_index]
        lanes = np.arange(math.prod(outer.full_shape), dtype=np.int64).reshape(outer.full_shape)
        self.origin = self.gather(lanes)

    def gather(self, values):
        """A six-axis array of the outer space, packed."""
        full = np.broadcast_to(values, self.outer.full_shape)
        return self.outer.by_warp(full)[self.rows].reshape(1, 1, len(self.rows), 1, 1, LANES)

    def scatter(self, packed, old):
        """The outer array after the packed warps have changed it."""
        full = np.broadcast_to(old, self.outer.full_shape)
        rows = self.outer.by_warp(full)
        rows = rows.copy() if rows.base is not None else rows
        rows[self.rows] = np.broadcast_to(packed, self.full_shape).reshape(-1, LANES)
        return self.outer.from_warps(rows, self.outer.full_shape[:3])

    def active_by_warp(self, mask, blocks=(1, 1, 1)):
        rows = super().active_by_warp(mask, self.full_shape[:3])
        return rows & self.real

    @cached_property
    def real(self):
        """Lanes that exist: the last warp of a block may be short."""
        return self.outer.active_by_warp(True, self.outer.full_shape[:3])[self.rows]

    def identity(self, at):
        """(block, thread) of a packed lane."""
        return self.outer.identity(np.unravel_index(int(self.origin[at]), self.outer.full_shape))


def crowded_out(m, mask):
    """True, at times, if fewer than half of the space's warps have a lane in `mask`."""
    if mask is True or m.progress.steps & 7:
        return False
    warps = m.space.block_count * warps_of(m.space.thread_count)
    return warps > FEW and 2 * m.space.population(mask)[0] < warps


def pack(m, outer, mask, *values):
    """Go on with the warps of `mask` alone: (what `unpack` needs, the mask, the values) in the packed
    space."""
    alive = m.space.active_by_warp(mask, m.space.full_shape[:3]).any(axis=1)
    space = PackedSpace(m.space, np.flatnonzero(alive))
    twins = {}  # a local array may be known by several pointers: it is packed once
    packed = [_packed(space, value, twins) for value in values]
    state = outer, m.space, values, twins
    m.space = space
    inside = settle(space.gather(mask) & space.real.reshape(space.full_shape))
    if inside is not True and settle(inside | ~space.real.reshape(space.full_shape)) is True:
        inside = True
    return state, inside, *packed


def unpack(m, state, *values):
    """Back to the space that `pack` left: the values with the packed warps' changes."""
    while state is not None:
        state, outer, before, twins = state
        for buffer, twin in twins.items():
            buffer.values[:] = [_unpacked(m.space, a, b, {}) for a, b in zip(twin.values, buffer.values)]
        homes = {twin: buffer for buffer, twin in twins.items()}
        values = tuple(_unpacked(m.space, new, old, homes) for new, old in zip(values, before))
        m.space = outer
    return values


def _packed(space, value, twins):
    kind = type(value)
    if kind is Pattern:
        return space.gather(value.lanes())
    if kind in (Condition, Logic):
        value, kind = truth(value), np.ndarray
    if kind is np.ndarray and value.ndim:
        return space.gather(value)
    if kind is Pointer:
        buffer = value.buffer
        if isinstance(buffer, LocalBuffer):
            if buffer not in twins:
                buffer.unset = None  # what packed lanes set is not followed
                twins[buffer] = buffer.like([_packed(space, x, twins) for x in buffer.values])
            buffer = twins[buffer]
        return Pointer(buffer, _packed(space, value.offset, twins))
    return [_packed(space, x, twins) for x in value] if kind is list else value


def _unpacked(space, new, old, homes):
    kind = type(new)
    if kind is list:
        return [_unpacked(space, a, b, homes) for a, b in zip(new, old)]
    if kind is Pointer:
        buffer = homes.get(new.buffer, new.buffer)
        if old is None:
            raise null_for_some()
        if type(old) is not Pointer:
            return Pointer(buffer, _unpacked(space, new.offset, 0, homes))
        if old.buffer != buffer:
            raise different_arrays()
        return Pointer(buffer, _unpacked(space, new.offset, old.offset, homes))
    if kind is Unknown or new is None or old is None:
        return new
    if type(old) in (Pattern, Condition, Logic):
        old = old.lanes() if type(old) is Pattern else truth(old)
    if (
        not (kind is np.ndarray and new.ndim)
        and not (isinstance(old, np.ndarray) and old.ndim)
        and new is old
    ):
        return new
    dtype = next(
        (x.dtype for x in (new, old) if isinstance(x, (np.ndarray, np.generic))),
        np.dtype(bool if kind is bool else np.int64),
    )
    result = space.scatter(np.asarray(new, dtype), np.asarray(old, dtype))
    return settle(result) if np.dtype(dtype) == np.bool_ else result
