"""Arithmetic on constants as C does it: integers wrap, division truncates, floats round to their width."""

from __future__ import annotations

import math
import operator

import numpy as np

from .types import is_float

COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_PLAIN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def convert_value(value, to):
    """`value` as the scalar type `to` holds it: wrapped, truncated or rounded.

    >>> from .types import UCHAR, FLOAT
    >>> convert_value(300, UCHAR), convert_value(0.1, FLOAT)
    (44, 0.10000000149011612)
    """
    if to.kind == "bool":
        return bool(value)
    if to.kind == "float":
        return _round(float(value), to.size)
    bits = 8 * to.size
    if isinstance(value, float):
        value = _truncate(value, max(bits, 32), to.kind == "int")
    value = int(value) & (1 << bits) - 1
    return value - (1 << bits) if to.kind == "int" and value >> bits - 1 else value


def _round(value, size):
    if size == 8 or not math.isfinite(value):
        return value
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(value) if size == 4 else np.float16(value))


def _truncate(value, bits, signed):
    """As the GPU converts: towards zero, values out of range to the nearest in range, NaN to 0."""
    if math.isnan(value):
        return 0
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return low if value <= low else high if value >= high else int(value)


def operate(op, left, right, kind):
    """left op right for two values of type `kind` (shifts: of the left one); None where C has no result.

    >>> from .types import INT
    >>> operate("/", -7, 2, INT), operate("+", 2**31 - 1, 1, INT), operate("%", 1, 0, INT)
    (-3, -2147483648, None)
    """
    if op in COMPARE:
        return COMPARE[op](left, right)
    if is_float(kind):
        return _operate_floats(op, left, right, kind)
    if op in _PLAIN:
        return convert_value(_PLAIN[op](left, right), kind)
    if op in ("<<", ">>"):
        if not 0 <= right < 8 * kind.size:
            return None
        return convert_value(left << right if op == "<<" else left >> right, kind)
    if right == 0:
        return None
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return convert_value(quotient if op == "/" else left - right * quotient, kind)


def _operate_floats(op, left, right, kind):
    if op == "/" and right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, math.copysign(1, left) * math.copysign(1, right))
    return convert_value(left / right if op == "/" else _PLAIN[op](left, right), kind)
