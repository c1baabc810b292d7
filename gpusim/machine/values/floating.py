"""Floating-point functions that NumPy has not, or not as CUDA and C define them, for arrays and scalars of one width.

Exact functions (fma, remainder, logb, round) are exact; the others are computed in double precision at least.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

SPLITTER = 134217729.0  # 2 ** 27 + 1: halves a double's 53 bits
SAFE = 2.0**-900, 2.0**900  # products in between lose nothing when they are split


def by_element(function, otherwise):
    """A function of Python's math for arrays; `otherwise` : its value where Python raises an error."""

    def safe(x):
        try:
            return function(x)
        except (ValueError, OverflowError):
            return otherwise(x)

    return np.vectorize(safe, otypes=[np.float64])


def _gamma_at_a_pole(x):
    """tgamma where Python has no value: a pole is NaN, but at 0 and beyond the largest number it is infinite."""
    return math.nan if x == -math.inf or x < 0 and x == math.floor(x) else math.copysign(math.inf, x)


tgamma = by_element(math.gamma, _gamma_at_a_pole)
lgamma = by_element(math.lgamma, lambda x: math.inf)
erf = by_element(math.erf, lambda x: math.nan)
erfc = by_element(math.erfc, lambda x: math.nan)


def normcdf(x):
    """The standard normal distribution function."""
    return 0.5 * erfc(-np.asarray(x, np.float64) / np.sqrt(2.0))


# Rounding and remainders.


def rounded(x):
    """x to a whole number, halves away from zero.  The number added is just below a half: x + 0.5 may round up."""
    below_half = np.nextafter(np.asarray(x).dtype.type(0.5), 0, dtype=np.asarray(x).dtype)
    return np.trunc(x + np.copysign(below_half, x))


def remainder(a, b):
    """a - n * b exactly, n the whole number nearest to a / b, even where two are as near."""
    size, rest = np.abs(b), np.fmod(np.abs(a), 2 * np.abs(b))
    over = rest > size - rest  # rest > size / 2, where a half might be lost
    once = np.where(over, rest - size, rest)
    again = over & (once >= size - once)
    rest = np.where(again, once - size, once)
    return np.where(np.isinf(size) & np.isfinite(a), a, np.where(np.signbit(a), -rest, rest))


def fdim(a, b):
    """a - b where positive, else 0; NaN with NaN."""
    return np.where(np.isnan(a) | np.isnan(b), a + b, np.where(a > b, a - b, np.asarray(a).dtype.type(0)))


def logb(x):
    """The exponent of x as a number."""
    exponent = np.frexp(x)[1] - 1.0
    return np.where(x == 0, -np.inf, np.where(np.isfinite(x), exponent, np.abs(x)))


def ilogb(x):
    """The exponent of x as an int; of 0 and NaN the smallest, of infinity the largest."""
    exponent = np.frexp(x)[1].astype(np.int64) - 1
    whole = np.where((x == 0) | np.isnan(x), -(2**31), np.where(np.isinf(x), 2**31 - 1, exponent))
    return whole.astype(np.int64)


# Multiples of pi.


def sinpi(x):
    """sin(pi x), exactly 0 for whole x, with its sign."""
    x = np.asarray(x, np.float64)
    turn = x - 2 * np.rint(x / 2)  # exact, -1 to 1
    turn = np.where(np.abs(turn) > 0.5, np.copysign(1, turn) - turn, turn)
    return np.where(turn == 0, np.copysign(0.0, x), np.sin(np.pi * turn))


def cospi(x):
    """cos(pi x), exactly 0 halfway between whole x."""
    turn = np.abs(np.fmod(np.asarray(x, np.float64), 2))
    turn = np.where(turn > 1, 2 - turn, turn)
    return np.sin(np.pi * (0.5 - turn))


def tanpi(x):
    """tan(pi x)."""
    return sinpi(x) / cospi(x)


# Lengths.


def norm(*parts):
    """The length of a vector; infinite with any infinite part, and without overflow on the way."""
    scale, length = _scaled(parts)
    return scale * length


def rnorm(*parts):
    """1 / the length of a vector."""
    scale, length = _scaled(parts)
    return 1 / length / scale


def _scaled(parts):
    """(largest part, length of the vector in units of it)"""
    wide = [np.abs(np.asarray(p, np.float64)) for p in parts]
    largest = np.fmax.reduce(np.broadcast_arrays(*wide))
    scale = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    return scale, np.where(np.isinf(largest), np.inf, np.sqrt(sum((part / scale) ** 2 for part in wide)))


# Multiply and add with one rounding.


def fma(a, b, c):
    """a * b + c, rounded once to the arguments' width."""
    if np.asarray(a).dtype.itemsize < 8:  # the product is exact in double precision
        a, b, c = (np.asarray(x, np.float64) for x in (a, b, c))
        return _odd_sum(a * b, c)
    return _fma_double(*(np.asarray(x, np.float64) for x in (a, b, c)))


def _fma_double(a, b, c):
    high, low = _two_product(a, b)
    upper, lower = _two_sum(c, low)
    total, rest = _two_sum(high, upper)
    result = total + _odd_sum(lower, rest)
    plain = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & (a != 0) & (b != 0)
    near = [(SAFE[0] < np.abs(x)) & (np.abs(x) < SAFE[1]) for x in (a * b, a, b, np.where(c == 0, 1, c))]
    risky = plain & ~np.logical_and.reduce(np.broadcast_arrays(*near))
    result = np.where(plain & (result != 0), result, a * b + c)
    return np.where(risky, _fma_by_element(a, b, c, risky), result) if np.any(risky) else result


def _fma_by_element(a, b, c, where):
    def exact(x, y, z, wanted):
        if not wanted:
            return 0.0
        total = Fraction(x) * Fraction(y) + Fraction(z)
        try:
            return float(total) if total else x * y + z
        except OverflowError:
            return math.inf if total > 0 else -math.inf

    return np.vectorize(exact, otypes=[np.float64])(a, b, c, where)


def _two_sum(a, b):
    """(a + b, what its rounding lost)"""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a, b):
    """(a * b, what its rounding lost)"""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a):
    scaled = SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def _odd_sum(a, b):
    """a + b in double precision, to odd where it is not exact: a second rounding then errs in nothing."""
    total, lost = _two_sum(a, b)
    bits = np.asarray(total).view(np.int64)
    towards = np.where((lost > 0) == (total > 0), 1, -1)
    odd = np.where((lost != 0) & np.isfinite(lost) & (bits & 1 == 0), bits + towards, bits)
    return np.where(np.isfinite(total), odd.view(np.float64), total)
