"""The lanes machine: executes a kernel on data, all blocks and threads of a space at once, and counts access
by access.

Generated code calls it with the mask of the lanes that take part: True (all), False (none, then nothing is
called) or a six-axis boolean array.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import CudaUnsupported, OutOfBounds
from ...units import warps_of
from ..account.cost import cost
from ..check.report import more_shared
from ..check.rows import RowChecks
from ..memory.buffers import Pointer, SharedBuffer, element, read, read_shared, target, write, write_shared
from ..memory.local import LocalMemory
from ..values.arithmetic import Unknown, lanes, truth
from ..values.pattern import Pattern
from ..values.space import settle
from .barriers import Barriers
from .matrices import Matrices
from .packing import Packing
from .progress import Progress
from .warp import WarpOps


class LanesMachine(LocalMemory, Packing, Barriers, Progress, RowChecks, WarpOps, Matrices):
    """Runs one space.

    tally : where counts go, or None to execute only
    checks : what watches the accesses for races and unset memory, or None
    shared : shared arrays by name, where several machines run warps of the same blocks
    """

    def __init__(self, launch, space, tally=None, checks=None, shared=None):
        self.launch, self.space, self.tally, self.checks = launch, space, tally, checks
        self.dataless = launch.dataless
        self.watch_progress(launch.step_limit)
        self.shared_buffers, self.alone, self.trips = {} if shared is None else shared, shared is None, {}

    def special(self, name):
        """threadIdx.x and its kin."""
        return self.space.variables[name]

    # Masks.

    def split(self, site, mask, condition):
        """The lanes of `mask` for which the condition holds, and those for which it does not."""
        condition = self.certain(site, condition)
        if condition is True or condition is False:
            sides = (mask, False) if condition else (False, mask)
        else:
            sides = settle(mask & condition), settle(mask & ~condition)
        if self.tally is not None:
            self._count_branch(site, mask, sides[0])
        return sides

    def certain(self, site, condition):
        """A condition as True, False or a boolean array; without data, one that a load decides cannot be
        counted."""
        if type(condition) is Unknown:
            raise self.launch.not_countable(site, condition)
        return truth(condition)

    def meet(self, mask, condition):
        """The lanes of `mask` for which the condition holds; not counted as a branch."""
        condition = self.certain(None, condition)
        if condition is True:
            return mask
        return False if condition is False else settle(mask & condition)

    def without(self, mask, gone):
        """`mask` less the lanes that are gone."""
        if gone is False or mask is False:
            return mask
        return False if gone is True else settle(mask & ~gone)

    def join(self, a, b):
        """Lanes of either mask."""
        if a is False or b is True:
            return b
        return a if b is False or a is True else settle(a | b)

    def loop(self, site, mask, condition):
        """The lanes that go round once more."""
        self.step(site, mask)
        condition = self.certain(site, condition)
        if condition is True or condition is False:
            going = mask if condition else False
        else:
            going = settle(mask & condition)
        if self.tally is not None:
            self._count_branch(site, mask, going)
        return going

    def merge(self, mask, new, old, dtype):
        """A variable after an assignment by the lanes of `mask`."""
        if mask is True or old is None:
            return new
        if type(new) is Unknown or type(old) is Unknown:
            return new if type(new) is Unknown else old
        return np.where(mask, lanes(new, dtype), lanes(old, dtype)).astype(dtype, copy=False)

    def merge_pointer(self, mask, new, old):
        """A pointer variable after an assignment by the lanes of `mask`."""
        if mask is True or old is None or new is old:
            return new
        if new is not None and new.buffer == old.buffer:
            return Pointer(new.buffer, self.merge(mask, new.offset, old.offset, np.dtype(np.int64)))
        raise CudaUnsupported(
            "a pointer that leads to different arrays in different threads is not supported",
            hint="keep one pointer for each array and choose between the loaded values",
        )

    # Counting.

    def _count_branch(self, site, mask, taken):
        warps, active = self._population(mask)
        split = 0
        if taken is not False and taken is not mask:
            blocks = np.broadcast_shapes(np.shape(mask)[:3] or (1, 1, 1), np.shape(taken)[:3])
            rows = self.space.active_by_warp(mask, blocks)
            on = self.space.active_by_warp(taken, blocks)
            split = int((on.any(axis=1) & (rows & ~on).any(axis=1)).sum()) * self._repeats(blocks)
        self.tally.pass_by(site, warps, active, split)

    def arith(self, site, mask):
        """Count a statement's arithmetic on data."""
        warps, active = self._population(mask)
        self.tally.pass_by(site, warps, active)

    def _population(self, mask):
        """(warps with an active lane, active lanes)"""
        if mask is True:
            return self.space.block_count * warps_of(
                self.space.thread_count
            ), self.space.block_count * self.space.thread_count
        rows = self.space.active_by_warp(mask)
        times = self._repeats(mask.shape[:3])
        return int(rows.any(axis=1).sum()) * times, int(rows.sum()) * times

    def _repeats(self, blocks):
        """How many blocks of the space one row of these block axes stands for."""
        return self.space.block_count // math.prod(blocks)

    def _count_access(self, site, buffer, kind, index, mask):
        """Count an access at elements `index` by the plain rules, or from memory if the same shape was seen
        before."""
        key = self._alike(site, buffer, kind, index, mask)
        known = site.memo.get(key) if key is not None else None
        if known is None or buffer.space == "global":
            addresses, active, times = self.addresses(site, index, mask)
        if key is None:
            self.tally.later(site, buffer, kind, addresses, active, times)
            return
        if known is None:
            known = site.memo[key] = cost(buffer.space, kind, site.size, addresses, active)
        self.tally.access(site, buffer.space, kind, known, self.space.block_count)
        if buffer.space == "global":
            self.tally.mark(site, kind, buffer, addresses, active)

    def _alike(self, site, buffer, kind, index, mask):
        """What names all accesses of a site that cost a block the same, in this launch and in others; None where
        blocks or lanes differ, or where warps are packed for one loop alone."""
        if mask is not True or self.space.packed is not None:
            return None
        period = max(1, (8192 if buffer.space == "global" else 4) // site.size)
        if type(index) is int:
            return self.space.lanes_shape, buffer.space, kind, None, index % period
        if type(index) is Pattern and index.only_threads():
            return self.space.lanes_shape, buffer.space, kind, index.table, index.c % period
        return None

    def addresses(self, site, index, mask):
        """(byte addresses, active lanes, times): rows of 32, and how many blocks each row stands for."""
        values = (
            np.full((1,) * 6, index, np.int64)
            if type(index) is int
            else index.lanes()
            if type(index) is Pattern
            else index
        )
        packed = self.space.full_shape[:3] if self.space.packed is not None else (1, 1, 1)
        blocks = np.broadcast_shapes(values.shape[:3], np.shape(mask)[:3] or (1, 1, 1), packed)
        values = np.broadcast_to(values, (*blocks, *values.shape[3:]))
        rows = self.space.by_warp(values).astype(np.int64) * site.size
        return rows, self.space.active_by_warp(mask, blocks), self._repeats(blocks)

    # Memory.

    def shared(self, name, nbytes):
        """A pointer to the block's __shared__ array `name`, filled at first with bytes that read as NaN."""
        buffer = self.shared_buffers.get(name)
        if buffer is None:
            buffer = self.shared_buffers[name] = SharedBuffer(
                name[0], nbytes, np.full(nbytes, 0xFF, np.uint8)
            )
        return Pointer(buffer)

    def dynamic(self, name):
        """A pointer to the block's dynamic shared memory: all such arrays of a text are one."""
        found = self.shared((name, "dynamic"), self.launch.shared_bytes)
        found.buffer.dynamic = True
        return found

    def variable(self, name):
        """A pointer to a __constant__ or __device__ variable."""
        return self.launch.variable(name)

    def load(self, site, pointer, index, mask):
        """What the lanes of `mask` read; a list of components for vector types."""
        buffer = target(site, pointer)
        if buffer.space == "local":
            return self._load_local(site, pointer, index, mask)
        asked = mask
        at, mask = self.inside(site, buffer, element(site, pointer, index), mask)
        if mask is False:
            return self._components(site, site.dtype.type(0))
        if self.tally is not None:
            self._count_access(site, buffer, "load", at, mask)
        if self.checks is not None:
            self.checks.access(self, site, buffer, "load", at, mask)
        if self.dataless:
            return self._components(site, Unknown(site))
        view = buffer.view(site.dtype, site.width)
        gather = read_shared if buffer.space == "shared" else read
        value = gather(self.space, view, at, mask)
        if mask is not asked:  # lanes that missed the array read 0
            value = np.where(mask[..., None] if site.width > 1 else mask, value, np.zeros((), view.dtype))
        return self._components(site, value)

    def _components(self, site, value):
        if site.width > 1:
            return [scalar(value[..., part]) if np.ndim(value) else value for part in range(site.width)]
        return scalar(value)

    def store(self, site, pointer, index, value, mask):
        """Write for the lanes of `mask`; value is a list for vector types."""
        buffer = target(site, pointer)
        if buffer.space == "local":
            return self._store_local(site, pointer, index, value, mask)
        at = element(site, pointer, index)
        at, mask = self.inside(site, buffer, at, mask)
        if mask is False:
            return
        if self.tally is not None and buffer.space != "constant":
            self._count_access(site, buffer, "store", at, mask)
        if self.dataless:
            return
        value = self._row(site, value)
        if self.checks is not None:
            self.checks.access(self, site, buffer, "store", at, mask, value)
        if buffer.space != "shared":
            write(self.space, buffer.view(site.dtype, site.width), at, value, mask)
        else:
            write_shared(self.space, buffer, site.dtype, site.width, at, value, mask)

    def _row(self, site, value):
        if site.width == 1:
            return lanes(value, site.dtype)
        parts = [np.asarray(lanes(part, site.dtype), site.dtype) for part in value]
        parts = [part if part.ndim else part.reshape((1,) * 6) for part in parts]
        return np.stack(np.broadcast_arrays(*parts), axis=-1)

    # Bounds.

    def inside(self, site, buffer, at, mask):
        """An index and its mask, without the lanes that miss the array: those raise, or are reported and
        dropped."""
        count = buffer.nbytes // site.size
        self.spend(self.space.block_count * self.space.thread_count)
        if type(at) is int:
            if 0 <= at < count:
                return at, mask
            values = np.full((1,) * 6, at, np.int64)
        elif type(at) is Pattern:
            if at.lo >= 0 and at.hi < count:
                return at, mask
            values = at.lanes()
        elif type(at) is Unknown:
            raise self.launch.not_countable(site, at)
        else:
            values = at
        outside = settle(((values < 0) | (values >= count)) & mask)
        if outside is False:
            return at, mask
        if self.launch.bounds == "raise":
            self._refuse(site, buffer, values, outside, count)
        self.launch.report_outside(self, site, buffer, values, outside, count)
        inside = self.without(mask, outside)
        return (np.where(outside, 0, values) if outside is not True else 0), inside

    def _refuse(self, site, buffer, values, outside, count):
        name = buffer.name
        block, thread, index = self.first(outside, values)
        index, count = index * site.scale, count * site.scale
        total = int(np.broadcast_to(outside, self.space.full_shape).sum())
        others = "" if total == 1 else f"; {total} threads in all"
        raise OutOfBounds(
            f"index {index} is outside {name}, which has {count} element{'s' * (count != 1)} "
            f"(0 to {count - 1}){others}"
            if count
            else f"index {index} is outside {name}, which is empty",
            line=site.line,
            column=site.column,
            block=block,
            thread=thread,
            **more_shared(buffer),
        )

    def first(self, mask, values=None):
        """(block, thread, value) of the first lane of `mask` in block order; block and thread as (x, y,
        z)."""
        where = np.broadcast_to(mask, self.space.full_shape)
        at = np.unravel_index(int(np.argmax(where)), where.shape)
        block, thread = self.space.identity(at)
        value = None if values is None else np.broadcast_to(values, self.space.full_shape)[at].item()
        return block, thread, value


def scalar(value):
    """A NumPy integer as a Python int, a NumPy bool as a bool; arrays and floats as they are."""
    if isinstance(value, np.ndarray) and value.ndim:
        return value
    if isinstance(value, np.integer):
        return int(value)
    return bool(value) if isinstance(value, np.bool_) else value
