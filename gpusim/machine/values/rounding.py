"""Rounding in a direction: __int2float_rz, __fadd_ru and their kin.  The exact result is compared with the nearest
float; where that lies on the wrong side, its neighbour is the answer."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np

TARGETS = {"half": np.float16, "float": np.float32, "double": np.float64}


def _exact(value):
    return Fraction(int(value)) if isinstance(value, (int, np.integer)) else Fraction(float(value))


def _directed(exact, mode, kind):
    """The float of type `kind` that is nearest to a Fraction towards zero (rz), up (ru) or down (rd)."""
    with np.errstate(over="ignore"):
        try:
            near = kind(float(exact))
        except OverflowError:
            near = kind(math.inf if exact > 0 else -math.inf)
        error = (-1 if near < 0 else 1) if np.isinf(near) else Fraction(float(near)) - exact
        down = mode == "rd" or mode == "rz" and exact > 0
        up = mode == "ru" or mode == "rz" and exact < 0
        if down and error > 0:
            return np.nextafter(near, kind(-math.inf))
        if up and error < 0:
            return np.nextafter(near, kind(math.inf))
    return near


def _over(compute, kind):
    """A function of numbers for each lane."""
    each = np.frompyfunc(compute, compute.__code__.co_argcount, 1)
    return lambda *values: np.asarray(each(*values)).astype(kind)


def _conversion(mode, kind):
    def convert(value):
        if not isinstance(value, (int, np.integer)) and not np.isfinite(value):
            return kind(value)
        return _directed(_exact(value), mode, kind) if value else kind(value)

    return _over(convert, kind)


def _plain(op, *values):
    """The result by the hardware's ordinary rounding: right where a value is no number or the result is zero."""
    with np.errstate(all="ignore"):
        return op(*values)


def _root(value, mode, kind):
    near = np.sqrt(kind(value))
    square = Fraction(float(near)) ** 2
    if mode != "ru" and square > Fraction(float(value)):
        return np.nextafter(near, kind(0))
    if mode == "ru" and square < Fraction(float(value)):
        return np.nextafter(near, kind(math.inf))
    return near


def _arithmetic(op, mode, kind):
    def compute(a, b):
        plain = _plain(op, kind(a), kind(b))
        if not (np.isfinite(a) and np.isfinite(b)) or op is np.divide and b == 0:
            return plain
        exact = op(_exact(a), _exact(b)) if op is not np.divide else _exact(a) / _exact(b)
        return _directed(exact, mode, kind) if exact else plain

    return _over(compute, kind)


def _multiply_add(mode, kind):
    def compute(a, b, c):
        if not all(np.isfinite(x) for x in (a, b, c)):
            return kind(a) * kind(b) + kind(c)
        exact = _exact(a) * _exact(b) + _exact(c)
        return _directed(exact, mode, kind) if exact else kind(a) * kind(b) + kind(c)

    return _over(compute, kind)


def _square_root(mode, kind):
    def compute(value):
        finite = np.isfinite(value) and value > 0
        return _root(value, mode, kind) if finite else _plain(np.sqrt, kind(value))

    return _over(compute, kind)


def operations():
    """{operation: function} of all of them."""
    found = {}
    for mode in ("rz", "ru", "rd"):
        for target, kind in TARGETS.items():
            found[f"to_{target}_{mode}"] = _conversion(mode, kind)
        for letter, kind in (("f", np.float32), ("d", np.float64)):
            for name, op in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", np.divide)):
                found[f"{letter}{name}_{mode}"] = _arithmetic(op, mode, kind)
            found[f"{letter}fma_{mode}"] = _multiply_add(mode, kind)
            found[f"{letter}sqrt_{mode}"] = _square_root(mode, kind)
            found[f"{letter}rcp_{mode}"] = partial(_arithmetic(np.divide, mode, kind), kind(1))
    return found
