"""Pattern values: integers that follow a formula in block, loop step and thread, kept as that formula.

    value = c + sum over block and loop axes (stride * index) + table[thread]

Thread ids, global indices and addresses of most kernels are patterns.  Adding and multiplying by a number
costs nothing per thread, the bounds are known, and sectors can be counted for a whole launch at once.  What
does not fit raises `Irregular`.
"""

from __future__ import annotations

import operator
from math import gcd

import numpy as np

from ...errors import GpusimError
from .conditions import decided, negate
from .tables import add_strides, combine, swapped, with_number


class Irregular(GpusimError):
    """A value that no pattern describes: the counting machine gives up and lanes are counted one by one.

    cycles : {axis: n}, where the value is regular again if every n-th step of that axis is taken as one
    """

    def __init__(self, message, cycles=None):
        super().__init__(message)
        self.cycles = cycles or {}


WHOLE, FAR = (1 << 64) - 1, 1 << 62  # all bits of a 64-bit number; what a product may reach


class Pattern:
    """c + sum(stride * axis index) + table[thread]; immutable.  `lo` and `hi` are bounds that are reached or
    safe."""

    __slots__ = ("space", "c", "strides", "table", "lo", "hi")
    __array_ufunc__ = None  # so that array + pattern comes to our __radd__

    def __init__(self, space, c, strides, table, lo=None, hi=None):
        self.space, self.c, self.strides, self.table = space, c, strides, table
        if lo is None:
            lo = hi = c
            for stride, extent in zip(strides, space.extents):
                if stride > 0:
                    hi += stride * (extent - 1)
                elif stride:
                    lo += stride * (extent - 1)
            if table is not None:
                lo, hi = lo + table.lo, hi + table.hi
        self.lo, self.hi = lo, hi

    # Sums and multiples stay patterns.

    def __add__(self, other):
        if type(other) is int:
            bounds = self.lo + other, self.hi + other
            return Pattern(self.space, self.c + other, self.strides, self.table, *bounds)
        if type(other) is Pattern:
            table = combine(self.space, operator.add, self.table, other.table)
            return make(self.space, self.c + other.c, add_strides(self.strides, other.strides), table)
        if isinstance(other, np.ndarray):
            return self.lanes(other.dtype) + other
        return NotImplemented

    __radd__ = __add__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        if type(other) is int:
            return self + -other
        if type(other) is Pattern:
            strides = add_strides(self.strides, tuple(-s for s in other.strides))
            table = combine(self.space, operator.sub, self.table, other.table)
            return make(self.space, self.c - other.c, strides, table)
        return self._with_lanes(operator.sub, other)

    def __rsub__(self, other):
        if type(other) is int:
            return self * -1 + other
        return self._with_lanes(lambda a, b: b - a, other)

    def __mul__(self, other):
        if type(other) is int:
            if other == 1:
                return self
            if max(abs(self.lo), abs(self.hi)) * abs(other) > FAR:
                self.space.require_lanes("a product that no 64-bit number holds")
                return self.wrapped() * np.uint64(other & WHOLE)
            table = None if self.table is None else with_number(self.space, operator.mul, self.table, other)
            return make(self.space, self.c * other, tuple(s * other for s in self.strides), table)
        if type(other) is Pattern:
            if self.only_threads() and other.only_threads():
                return self._by_thread(operator.mul, other)
            return self._by_lane(operator.mul, other)
        return self._with_lanes(operator.mul, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self.lanes(np.float64) / (other.lanes() if type(other) is Pattern else other)

    def __rtruediv__(self, other):
        return other / self.lanes(np.float64)

    # Division, remainder and bits stay patterns where blocks and threads do not mix.

    def __floordiv__(self, other):
        if type(other) is int and other > 0:
            outer, inner = self._divide(other)
            if outer is not None:
                return outer + _divide_threads(inner, operator.floordiv, other)
            if not self.only_threads():
                return self._by_lane(operator.floordiv, other, self._cycles(other))
        return self._by_lane_or_thread(operator.floordiv, other)

    def __mod__(self, other):
        if type(other) is int and other > 0:
            outer, inner = self._divide(other)
            if outer is not None:
                return _divide_threads(inner, operator.mod, other)
            if not self.only_threads():
                return self._by_lane(operator.mod, other, self._cycles(other))
        return self._by_lane_or_thread(operator.mod, other)

    def _cycles(self, divisor):
        """{axis: steps after which its part of the value is a multiple of `divisor` again}"""
        return {axis: divisor // gcd(s, divisor) for axis, s in enumerate(self.strides) if s % divisor}

    def _divide(self, divisor):
        """(outer, inner): self = outer * divisor + inner, and inner either lies in [0, divisor) or depends on
        threads only.

        (None, None) where blocks and threads mix.  Both may be ints.
        """
        whole = tuple(0 if s % divisor else s // divisor for s in self.strides)
        rest = tuple(s if s % divisor else 0 for s in self.strides)
        quotient, remainder = divmod(self.c, divisor)
        inner = make(self.space, remainder, rest, self.table)
        if any(rest) and not (0 <= inner.lo and inner.hi < divisor):
            return None, None
        return make(self.space, quotient, whole, None), inner

    def __lshift__(self, other):
        return self * (1 << other) if type(other) is int else self._by_lane_or_thread(operator.lshift, other)

    def __rlshift__(self, other):
        return self._thread_function(swapped(operator.lshift), other)

    def __rshift__(self, other):
        return self // (1 << other) if type(other) is int else self._by_lane_or_thread(operator.rshift, other)

    def __rrshift__(self, other):
        return self._thread_function(swapped(operator.rshift), other)

    def __rfloordiv__(self, other):
        return self._thread_function(swapped(operator.floordiv), other)

    def __rmod__(self, other):
        return self._thread_function(swapped(operator.mod), other)

    def __and__(self, other):
        if type(other) is int and other >= 0 and other & (other + 1) == 0:
            return self % (other + 1)
        return self._bits(operator.and_, other)

    def __or__(self, other):
        return self._bits(operator.or_, other)

    def __xor__(self, other):
        return self._bits(operator.xor, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self):
        return self * -1 + -1

    def _bits(self, op, other):
        """Bits above those of `other` belong to the blocks and pass through; the rest is a matter of threads."""
        small = type(other) is int or (type(other) is Pattern and other.only_threads())
        if small and not self.only_threads() and (other if type(other) is int else other.lo) >= 0:
            top = max(other if type(other) is int else other.hi, self.table.hi if self.table else 0)
            unit = 1 << int(top).bit_length()
            outer, inner = self._divide(unit)
            if outer is not None and (type(inner) is int or inner.only_threads()):
                low = op(inner, other)
                return low if op is operator.and_ else outer * unit + low
        return self._by_lane_or_thread(op, other)

    # Comparisons are conditions, decided at once where the bounds decide.

    def __lt__(self, other):
        return decided(self - other, "<") if _is_formula(other) else self._with_lanes(operator.lt, other)

    def __gt__(self, other):
        return decided(other - self, "<") if _is_formula(other) else self._with_lanes(operator.gt, other)

    def __eq__(self, other):
        return decided(self - other, "==") if _is_formula(other) else self._with_lanes(operator.eq, other)

    def __ge__(self, other):
        return negate(self < other)

    def __le__(self, other):
        return negate(self > other)

    def __ne__(self, other):
        return negate(self == other)

    __hash__ = None

    # Where a pattern ends.

    def only_threads(self):
        """True if the value is the same in every block and loop step."""
        return not any(self.strides)

    def thread_array(self):
        """c + table as a three-axis array; for patterns of threads only."""
        return np.reshape(self.c, (1, 1, 1)) if self.table is None else self.table.array + self.c

    def lanes(self, dtype=np.int64):
        """The values as a six-axis array of `dtype` (wrapping as C conversions do)."""
        return (self.space.offsets(self) + self.lo).astype(dtype, copy=False)

    def wrapped(self):
        """The values modulo 2 ** 64, as a six-axis array of unsigned numbers, whatever the bounds."""
        array = np.full((1,) * 6, self.c & WHOLE, np.uint64)
        if self.table is not None:
            array = array + self.table.array.astype(np.int64).view(np.uint64)
        for axis, stride in enumerate(self.strides):
            if stride:
                shape = [1] * 6
                shape[axis] = -1
                steps = np.arange(self.space.extents[axis], dtype=np.uint64) * np.uint64(stride & WHOLE)
                array = array + steps.reshape(shape)
        return array

    def _thread_function(self, op, other):
        if type(other) is int and other >> 63 > 0:  # no signed number holds it: the type is unsigned
            self.space.require_lanes("a constant of 64 bits")
            return op(self.lanes(np.uint64), np.uint64(other))
        if not self.only_threads() or (type(other) is Pattern and not other.only_threads()):
            return self._by_lane(op, other)
        return self._by_thread(op, other)

    def _by_thread(self, op, other):
        if type(other) is int and self.table is not None:
            key = (op, self.c, other)
            table = self.table.memo.get(key)
            if table is None:
                table = self.table.memo[key] = self.space.intern(op(self.thread_array(), other))
            return make(self.space, 0, (), table)
        right = other.thread_array() if type(other) is Pattern else other
        return self.space.thread_value(op(self.thread_array(), right))

    def _by_lane_or_thread(self, op, other):
        if isinstance(other, np.ndarray):
            return op(self.lanes(other.dtype), other)
        return self._thread_function(op, other) if _is_formula(other) else NotImplemented

    def _by_lane(self, op, other, cycles=None):
        if type(other) is int and other >> 63 > 0:
            return self._thread_function(op, other)
        self.space.require_lanes("an index that mixes block and thread numbers", cycles)
        return op(self.lanes(), other.lanes() if type(other) is Pattern else other)

    def _with_lanes(self, op, other):
        if isinstance(other, float):  # a Python kernel's; CUDA text converts first
            return op(self.lanes(np.float64), other)
        if isinstance(other, (np.ndarray, np.generic)):
            return op(self.lanes(other.dtype), other)
        return NotImplemented


def make(space, c, strides, table):
    """A pattern, or an int where nothing varies."""
    if table is not None and table.lo == table.hi:
        c, table = c + table.lo, None
    if table is None and not any(strides):
        return c
    return Pattern(space, c, strides, table)


def _divide_threads(inner, op, divisor):
    """op(inner, divisor) for an inner part as `Pattern._divide` gives it."""
    if type(inner) is int:
        return op(inner, divisor)
    if 0 <= inner.lo and inner.hi < divisor:
        return 0 if op is operator.floordiv else inner
    return inner._by_thread(op, divisor)


def _is_formula(other):
    return type(other) is int or type(other) is Pattern
