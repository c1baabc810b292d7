"""The axes of a launch: where a value lives that differs from block to block, from loop step to loop step,
from thread to thread.

A lane value is an array with six axes, (grid z, y, x, block z, y, x); an axis along which it does not change
has extent 1, so NumPy's broadcasting shares the work: `row` of a 2-D kernel is one number a row, never one a
thread.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ...units import LANES, warps_of
from .pattern import Pattern, make
from .tables import table_of


class Space:
    """The blocks, loop steps and threads that run together.

    blocks : ((z0, z1), (y0, y1), (x0, x1)), block indices, ends excluded
    shape : (Tz, Ty, Tx), threads of a block
    grid : (Gz, Gy, Gx), blocks of the whole launch
    threads : (n,) linear thread ids when only some threads of each block run (then they lie on the last
        axis), or None
    """

    def __init__(self, blocks, shape, grid, threads=None):
        self.blocks, self.shape, self.grid, self.threads = blocks, shape, grid, threads
        self.extents = [hi - lo for lo, hi in blocks]  # block axes; the counting machine appends loop axes
        self.lanes_shape = shape if threads is None else (1, 1, len(threads))
        self.thread_count = math.prod(self.lanes_shape)
        self.block_count = math.prod(self.extents)
        self.full_shape = (*self.extents, *self.lanes_shape)
        self.block_shape, self.packed = tuple(self.extents), None
        self._arrays, self._truths = {}, {}
        self.variables = self._special_variables()

    @cached_property
    def block_index(self):
        """The number of each block along z, y and x, as six-axis arrays; made when asked for, as grids are
        large."""
        return [
            np.arange(n, dtype=np.int64).reshape([-1 if a == axis else 1 for a in range(6)])
            for axis, n in enumerate(self.extents[:3])
        ]

    def move(self, blocks):
        """Stand for other blocks, as many along each axis; what was worked out for the old ones stays
        true."""
        self.blocks = blocks
        for axis, letter in ((0, "z"), (1, "y"), (2, "x")):
            self.variables[f"blockIdx.{letter}"] = self._block_number(axis)
        for memory in (self._arrays, self._truths):
            if len(memory) > 256:
                memory.clear()

    def _block_number(self, axis):
        lo, hi = self.blocks[axis]
        return lo if hi - lo == 1 else Pattern(self, lo, tuple(int(a == axis) for a in range(3)), None)

    def _special_variables(self):
        names = {}
        ids = (
            np.arange(math.prod(self.shape), dtype=np.int64)
            if self.threads is None
            else np.asarray(self.threads)
        )
        position = np.unravel_index(ids, self.shape)
        for axis, letter in ((0, "z"), (1, "y"), (2, "x")):
            along = position[axis].reshape(self.lanes_shape)
            names[f"threadIdx.{letter}"] = self.thread_value(along)
            names[f"blockIdx.{letter}"] = self._block_number(axis)
            names[f"blockDim.{letter}"] = int(self.shape[axis])
            names[f"gridDim.{letter}"] = int(self.grid[axis])
        names["linear thread"] = self.thread_value(ids.reshape(self.lanes_shape))
        return names

    def thread_value(self, array):
        """The value that thread `t` of every block has in `array` (shape of a block): an int where all agree,
        else a pattern."""
        return make(self, 0, (), self.intern(array))

    def intern(self, array):
        """One Table for equal arrays, squeezed along every axis on which the array does not change."""
        array = np.asarray(array)
        if array.dtype != bool:
            array = array.astype(np.int64, copy=False)
        for axis in range(3):
            if array.shape[axis] > 1 and (array == array.take([0], axis)).all():
                array = array.take([0], axis)
        return table_of(array)

    def offsets(self, pattern):
        """`pattern` less its smallest value, as a six-axis array; shared by all patterns that differ by a
        constant."""
        key = (pattern.strides, pattern.table)
        array = self._arrays.get(key)
        if array is None:
            array = np.zeros((1,) * 6, np.int64)
            if pattern.table is not None:
                array = array + (pattern.table.array - pattern.table.lo)
            for axis, stride in enumerate(pattern.strides):
                if stride:
                    steps = stride * np.arange(self.extents[axis], dtype=np.int64)
                    shape = [1] * 6
                    shape[axis] = -1
                    array = array + (steps - steps.min()).reshape(shape)
            self._arrays[key] = array
        return array

    symbolic = False

    def require_lanes(self, what, cycles=None):
        """Called before a value is spread into one number a lane; the counting machine's space refuses."""

    def by_warp(self, values):
        """A six-axis array as rows of 32 lanes: (block rows x warps, 32); the last warp of a block is filled
        with its last lane.

        Block axes of extent 1 stay one row, so a pattern that no block changes has the warps of one block
        only.
        """
        blocks = values.shape[:3]
        rows = np.broadcast_to(values, (*blocks, *self.lanes_shape, *values.shape[6:]))
        rows = rows.reshape(math.prod(blocks), self.thread_count, *values.shape[6:])
        spare = -self.thread_count % LANES
        if spare:
            rows = np.concatenate([rows, np.repeat(rows[:, -1:], spare, axis=1)], axis=1)
        return rows.reshape(-1, LANES, *values.shape[6:])

    def from_warps(self, rows, blocks):
        """The way back from `by_warp`; blocks : extents of the block axes that the rows had."""
        spare = -self.thread_count % LANES
        rows = rows.reshape(math.prod(blocks), self.thread_count + spare)[:, : self.thread_count]
        return rows.reshape(*blocks, *self.lanes_shape)

    def active_by_warp(self, mask, blocks=(1, 1, 1)):
        """A mask as rows of 32 lanes, spread over at least `blocks`; lanes beyond the block are idle."""
        mask = np.broadcast_to(mask, (*blocks, 1, 1, 1)) if np.ndim(mask) == 0 else mask
        mask = np.broadcast_to(mask, (*np.broadcast_shapes(mask.shape[:3], blocks), *mask.shape[3:]))
        rows = self.by_warp(mask)
        spare = -self.thread_count % LANES
        if spare:
            rows = rows.reshape(-1, self.thread_count + spare).copy()
            rows[:, self.thread_count :] = False
            rows = rows.reshape(-1, LANES)
        return rows

    def repeats(self, blocks):
        """How many blocks of the space one row of these block axes stands for."""
        return self.block_count // math.prod(blocks)

    def population(self, mask):
        """(warps with an active lane, active lanes)"""
        if mask is True:
            return self.block_count * warps_of(self.thread_count), self.block_count * self.thread_count
        rows = self.active_by_warp(mask)
        times = self.repeats(mask.shape[:3])
        return int(rows.any(axis=1).sum()) * times, int(rows.sum()) * times

    def lanes_of(self, mask):
        """How many lanes of the whole space a mask has."""
        return int(np.broadcast_to(mask, self.full_shape).sum())

    def first(self, mask, values=None):
        """(block, thread, value) of the first lane of `mask` in block order; block and thread as (x, y, z)."""
        where = np.broadcast_to(mask, self.full_shape)
        at = np.unravel_index(int(np.argmax(where)), where.shape)
        block, thread = self.identity(at)
        value = None if values is None else np.broadcast_to(values, self.full_shape)[at].item()
        return block, thread, value

    def identity(self, at):
        """(block, thread) of the lane at a six-axis position, each as (x, y, z)."""
        block = tuple(int(self.blocks[a][0] + at[a]) for a in (2, 1, 0))
        lane = np.ravel_multi_index(at[3:], self.lanes_shape)
        linear = lane if self.threads is None else self.threads[lane]
        z, y, x = np.unravel_index(int(linear), self.shape)
        return block, (int(x), int(y), int(z))

    def truth(self, condition):
        """A condition as True, False or a six-axis boolean array."""
        key = condition.key()
        array = self._truths.get(key)
        if array is None:
            array = self._truths[key] = settle(condition.evaluate())
        return array


def settle(mask):
    """A boolean array as itself, or as True or False where all its elements agree."""
    if mask is True or mask is False:
        return mask
    if not mask.any():
        return False
    return True if mask.all() else mask
