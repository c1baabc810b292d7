"""The arithmetic of C on values of any kind: Python ints and NumPy scalars (uniform), patterns, and arrays of
lanes.

Integers wrap to their type, division truncates, shifts by too much give what the hardware gives, floats round
after each operation.  These functions are what generated code calls.
"""

from __future__ import annotations

import numpy as np

from .conditions import Condition, Logic, negate
from .pattern import Pattern
from .unknown import Unknown
from .value import bounds, by_thread, is_by_thread, space_of, unknown_of

SYMBOLIC = (Condition, Logic)


def _integer(dtype):
    """The conversion to an integer type: wraps, truncates floats."""
    dtype = np.dtype(dtype)
    bits, signed = 8 * dtype.itemsize, dtype.kind == "i"
    lowest, highest = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    held = min(highest, (1 << 63) - 1)  # tables and offsets of patterns are signed

    def wrap(x):
        kind = type(x)
        if kind is int:
            if lowest <= x <= highest:
                return x
            x &= (1 << bits) - 1
            return x - (1 << bits) if x > highest else x
        if kind is Pattern:
            return x if x.lo >= lowest and x.hi <= held else _wrap_pattern(x, dtype)
        if kind is Unknown:
            return x
        if isinstance(x, SYMBOLIC):
            return flag(x, dtype)
        if kind is bool or isinstance(x, np.generic):
            return wrap(_whole(x, lowest, highest))
        return x if x.dtype == dtype else _truncate(x, dtype, lowest, highest)

    wrap.dtype = dtype
    return wrap


def _wrap_pattern(x, dtype):
    if x.only_threads() and dtype != np.uint64:  # tables hold signed numbers
        return x.space.thread_value(x.thread_array().astype(dtype))
    x.space.require_lanes("an index that overflows its type")
    return x.wrapped().astype(dtype)


def _whole(x, lowest, highest):
    """A NumPy scalar as a Python int; floats saturate and NaN is 0, as the hardware converts."""
    if isinstance(x, np.floating):
        return 0 if x != x else int(max(lowest, min(highest, float(x))))
    return int(x)


def _truncate(x, dtype, lowest, highest):
    if x.dtype.kind == "f":
        x = np.where(x == x, np.clip(x.astype(np.float64), lowest, highest), 0.0)
        if highest > 1 << 53:  # the nearest double of 2^63 - 1 is 2^63
            return np.where(x >= float(highest), dtype.type(highest), x.astype(dtype))
    return x.astype(dtype)


i8, u8, i16, u16 = (_integer(name) for name in ("i1", "u1", "i2", "u2"))
i32, u32, i64, u64 = (_integer(name) for name in ("i4", "u4", "i8", "u8"))


def _floating(dtype):
    """The conversion to a floating type."""
    dtype = np.dtype(dtype)
    scalar = dtype.type

    def convert(x):
        kind = type(x)
        if kind is np.ndarray:
            return x.astype(dtype, copy=False)
        if kind is Pattern:
            if x.space.symbolic:
                return Unknown(None)
            return x.lanes().astype(dtype)
        if kind is Unknown:
            return x
        if isinstance(x, SYMBOLIC):
            return flag(x, dtype)
        return scalar(x)

    return convert


f16, f32, f64 = (_floating(name) for name in ("f2", "f4", "f8"))


def flag(condition, dtype):
    """A condition as 0 or 1 of `dtype`."""
    space = condition.space
    if space.symbolic:
        return Unknown(None)
    return spread(space.truth(condition), dtype)


def spread(truth, dtype):
    """True, False or a boolean array as 0 or 1 of `dtype`."""
    if isinstance(truth, np.ndarray):
        return truth.astype(dtype)
    return int(truth) if np.dtype(dtype).kind in "iu" else np.dtype(dtype).type(truth)


def to_bool(x):
    """x != 0, as C converts to bool."""
    if x is True or x is False or isinstance(x, SYMBOLIC) or type(x) is Unknown:
        return x
    if isinstance(x, np.ndarray):
        return x if x.dtype == bool else x != 0
    result = x != 0
    return bool(result) if isinstance(result, np.bool_) else result


# Conditions.


def both(a, b):
    """a && b without effects in b."""
    if a is False or b is False:
        return False
    if a is True:
        return b
    if b is True:
        return a
    return _logic("&", a, b)


def either(a, b):
    """a || b without effects in b."""
    if a is True or b is True:
        return True
    if a is False:
        return b
    if b is False:
        return a
    return _logic("|", a, b)


def opposite(a):
    """!a"""
    if type(a) is Unknown:
        return a
    return not a if isinstance(a, np.bool_) else negate(a)


def _logic(op, a, b):
    unknown = unknown_of(a, b)
    if unknown is not None:
        return unknown
    if isinstance(a, SYMBOLIC) and isinstance(b, SYMBOLIC):
        return Logic(op, a, b)
    a, b = truth(a), truth(b)
    return a & b if op == "&" else a | b


def truth(condition):
    """A condition as True, False or a boolean array."""
    if isinstance(condition, SYMBOLIC):
        return condition.space.truth(condition)
    return bool(condition) if isinstance(condition, np.bool_) else condition


def lanes(x, dtype):
    """Any value as something NumPy computes with."""
    if type(x) is Pattern:
        return x.lanes(dtype)
    return flag(x, dtype) if isinstance(x, SYMBOLIC) else x


# Integer division and shifts.  Operands have one type; `wrap` is its conversion.


def divide(a, b, wrap):
    """a / b, truncating; x / 0 is all ones, as on the hardware (C leaves it undefined)."""
    if type(a) is int and type(b) is int:
        if b == 0:
            return wrap(-1)
        quotient = abs(a) // abs(b)
        return wrap(quotient if (a < 0) == (b < 0) else -quotient)
    if _floor_is_truncation(a, b):
        return a // b
    return _by_lanes(a, b, _divide_lanes, wrap)


def remainder(a, b, wrap):
    """a % b with the sign of a; x % 0 is all ones."""
    if type(a) is int and type(b) is int:
        if b == 0:
            return wrap(-1)
        rest = abs(a) % abs(b)
        return -rest if a < 0 else rest
    if _floor_is_truncation(a, b):
        return a % b
    return _by_lanes(a, b, _remainder_lanes, wrap)


def _floor_is_truncation(a, b):
    (low_a, _), (low_b, _) = bounds(a), bounds(b)
    return low_a is not None and low_b is not None and low_a >= 0 and low_b > 0


def _by_lanes(a, b, op, wrap):
    unknown = unknown_of(a, b)
    if unknown is not None:
        return unknown
    space = space_of(a, b)
    if space is not None and is_by_thread(a) and is_by_thread(b):
        return wrap(space.thread_value(op(by_thread(a), by_thread(b))))
    if space is not None:
        space.require_lanes("a division that mixes block and thread numbers")
    dtype = wrap.dtype
    arrays = [
        x.lanes(dtype) if type(x) is Pattern else dtype.type(x) if type(x) is int else x for x in (a, b)
    ]
    return wrap(op(*arrays))


def _divide_lanes(a, b):
    zero = b == 0
    safe = np.where(zero, 1, b)
    rest = np.fmod(a, safe)
    return np.where(zero, np.array(-1).astype(np.result_type(a, b)), (a - rest) // safe)


def _remainder_lanes(a, b):
    zero = b == 0
    return np.where(zero, np.array(-1).astype(np.result_type(a, b)), np.fmod(a, np.where(zero, 1, b)))


def shift_left(a, count, bits, wrap):
    """a << count; a count of the type's width or more gives 0."""
    if type(count) is int:
        return wrap(a << count) if 0 <= count < bits else wrap(a * 0)
    if type(a) is int and type(count) is Pattern and 0 <= count.lo and count.hi < bits:
        return wrap(a << count)
    return _shift(a, count, bits, np.left_shift, wrap)


def shift_right(a, count, bits, wrap):
    """a >> count; a count of the type's width or more gives 0, or -1 for negative signed a."""
    if type(count) is int:
        return wrap(a >> (count if 0 <= count < bits else bits - 1 if _may_be_negative(a) else bits))
    return _shift(a, count, bits, np.right_shift, wrap)


def _may_be_negative(a):
    low, _ = bounds(a)
    return low < 0 if low is not None else getattr(a, "dtype", np.dtype("u1")).kind == "i"


def _shift(a, count, bits, op, wrap):
    unknown = unknown_of(a, count)
    if unknown is not None:
        return unknown
    space = space_of(a, count)
    if space is not None and space.symbolic:
        if is_by_thread(a) and is_by_thread(count):
            left, right = by_thread(a), by_thread(count)
            gone = np.where(left < 0, -1, 0) if op is np.right_shift else 0
            moved = np.where((right < 0) | (right >= bits), gone, op(left, np.clip(right, 0, 63)))
            return wrap(space.thread_value(moved))
        space.require_lanes("a shift that mixes block and thread numbers")
    dtype = wrap.dtype
    left, right = (np.asarray(lanes(x, dtype)).astype(dtype, copy=False) for x in (a, count))
    outside = (right < 0) | (right >= bits)
    gone = np.where(left < 0, -1, 0).astype(dtype) if op is np.right_shift else dtype.type(0)
    return wrap(np.where(outside, gone, op(left, np.where(outside, dtype.type(0), right))))


def select(condition, a, b, dtype):
    """condition ? a : b for values without effects."""
    if condition is True or condition is False:
        return a if condition else b
    unknown = unknown_of(condition, a, b)
    if unknown is not None:
        return unknown
    if isinstance(condition, SYMBOLIC) and condition.space.symbolic:
        return condition.space.choose(condition, a, b)
    mask = truth(condition)
    if mask is True or mask is False:
        return a if mask else b
    return np.where(mask, lanes(a, dtype), lanes(b, dtype)).astype(dtype, copy=False)
