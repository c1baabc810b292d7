"""`t` of a Python kernel: all threads of a launch at once, which ask the machine's verbs."""

from __future__ import annotations

import contextlib
import math
import sys
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ..cuda.tree.site import Site
from ..errors import LaunchError
from ..inputs import function, shown
from . import python_given as given
from .memory.buffers import Pointer
from .memory.elements import shape_of, type_of


@dataclass(frozen=True)
class Handle:
    """An array as a Python kernel sees it: a pointer with a dtype, and a shape where it has several axes."""

    pointer: Pointer
    dtype: np.dtype
    shape: tuple
    name: str

    def flat(self, index):
        """The linear index of a tuple of indices."""
        if not isinstance(index, tuple):
            return index
        if len(index) != len(self.shape):
            raise LaunchError(f"{self.name} has {len(self.shape)} axes; {len(index)} indices given")
        linear = index[0]
        for extent, part in zip(self.shape[1:], index[1:]):
            linear = linear * extent + part
        return linear


class Threads:
    """All threads of a launch at once: `t` in a Python kernel.

    threadIdx, blockIdx, blockDim, gridDim : with x, y and z, one value a thread
    """

    def __init__(self, kernel, machine):
        self._kernel, self._machine, self._masks = kernel, machine, [True]
        self._otherwise = None
        for group in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
            setattr(
                self, group, SimpleNamespace(**{axis: machine.special(f"{group}.{axis}") for axis in "xyz"})
            )

    @property
    def mask(self):
        return self._masks[-1]

    def _site(self, kind, array=None, width=1):
        if kind in ("load", "store", "atomic"):
            if not isinstance(array, Handle):
                raise LaunchError(f"a {kind} takes an array of the kernel; got {shown(array)}")
            given.width_of(array, width)
        frame = sys._getframe(2)
        key = frame.f_code, frame.f_lasti, kind, width, None if array is None else (array.dtype, array.name)
        site = self._kernel.sites.get(key)
        if site is None:
            details = (
                {}
                if array is None
                else {
                    "name": array.name,
                    "dtype": array.dtype,
                    "width": width,
                    "stride": array.dtype.itemsize,
                }
            )
            site = self._kernel.sites[key] = Site(frame.f_lineno, 1, kind, **details)
        return site

    # Memory.

    def load(self, array, index, vec=1):
        """array[index] for each active thread; a list of `vec` neighbours in one instruction if vec is 2 or
        4."""
        site = self._site("load", array, vec)
        given.index_of(array, index)
        if self.mask is False:
            return array.dtype.type(0) if vec == 1 else [array.dtype.type(0)] * vec
        return self._machine.load(site, array.pointer, array.flat(index), self.mask)

    def store(self, array, index, value, vec=1):
        """array[index] = value for each active thread; value is a list if vec is 2 or 4."""
        if self.mask is not False:
            site = self._site("store", array, vec)
            given.index_of(array, index)
            given.value_of(array, value, vec)
            self._machine.store(site, array.pointer, array.flat(index), value, self.mask)

    def atomic_add(self, array, index, value):
        """Add to array[index], one thread after the other; returns what each thread found there."""
        if self.mask is False:
            return array.dtype.type(0)
        site = self._site("atomic", array)
        given.index_of(array, index)
        given.value_of(array, value, 1)
        return self._machine.atomic(site, "add", array.pointer, array.flat(index), [value], self.mask, True)

    def shared(self, shape, dtype=np.float32):
        """A __shared__ array of the block; the same one at each call from one line."""
        shape, dtype = shape_of(shape), type_of(dtype)
        line = sys._getframe(1).f_lineno
        nbytes = math.prod(shape) * dtype.itemsize
        given.check_shared(self._machine, nbytes)
        pointer = self._machine.shared((f"shared (line {line})", line), nbytes)
        return Handle(pointer, dtype, shape, f"shared (line {line})")

    # Control.

    @contextlib.contextmanager
    def where(self, condition):
        """Only threads for which the condition holds take part in the block."""
        frame = sys._getframe(2)
        key = frame.f_code, frame.f_lasti, "branch"
        site = self._kernel.sites.setdefault(key, Site(frame.f_lineno, 1, "branch"))
        given.condition_of(condition)
        yes, no = (False, False) if self.mask is False else self._machine.split(site, self.mask, condition)
        with self._under(yes):
            yield
        self._otherwise = no

    @contextlib.contextmanager
    def otherwise(self):
        """The other threads of the `where` just before."""
        if self._otherwise is None:
            raise LaunchError("t.otherwise() follows a block of t.where(condition)")
        with self._under(self._otherwise):
            yield

    @contextlib.contextmanager
    def _under(self, mask):
        self._masks.append(mask)
        try:
            yield
        finally:
            self._masks.pop()

    def while_(self, condition):
        """`for _ in t.while_(lambda: k < n):` repeats for the threads for which condition() still holds."""
        function("t.while_'s condition", condition, "t.while_(lambda: k < n)", LaunchError)
        site, going = self._site("loop"), self.mask
        self._machine.begin(site)
        while going is not False:
            with self._under(going):
                going = self._machine.loop(site, going, given.condition_of(condition()))
            if going is False:
                return
            with self._under(going):
                yield

    def set(self, old, new):
        """A variable after an assignment by the active threads: new for them, old for the others."""
        if self.mask is False:
            return old
        dtype = next((x.dtype for x in (new, old) if hasattr(x, "dtype")), np.dtype(np.int64))
        return self._machine.merge(self.mask, new, old, dtype)

    def syncthreads(self):
        """A barrier of the block.  A kernel that should run in other orders than lockstep says `yield
        t.syncthreads()`."""
        return self._machine.barrier(self._site("barrier"), self.mask, False)

    def syncwarp(self):
        """__syncwarp()"""
        self._machine.sync_warp(self._site("sync"), self.mask, 0xFFFFFFFF)

    def shfl_down(self, value, delta, width=32):
        """__shfl_down_sync"""
        return self._shuffle("down", value, delta, width)

    def shfl_xor(self, value, lanes, width=32):
        """__shfl_xor_sync"""
        return self._shuffle("xor", value, lanes, width)

    def _shuffle(self, kind, value, argument, width):
        frame = sys._getframe(2)
        key = frame.f_code, frame.f_lasti, "shuffle"
        site = self._kernel.sites.setdefault(key, Site(frame.f_lineno, 1, "shuffle", operations=1))
        dtype = getattr(value, "dtype", np.dtype(np.int64))
        return self._machine.shuffle(site, kind, value, argument, width, self.mask, dtype, 0xFFFFFFFF)
