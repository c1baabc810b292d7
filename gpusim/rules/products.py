"""What tensor cores compute: products of half-precision matrices added up as an H200 adds them, to the last bit.

The rule was found by comparing with 307,200 numbers that an H200 computed; other cards keep other numbers of bits.
"""

from __future__ import annotations

import numpy as np

KEPT = 25  # bits behind the leading one of the largest term; what lies below is cut off each term
TOGETHER = 128  # matrices at a time: the arrays that the sum needs stay in a core's L2


def multiply_add(a, b, c, kind=np.float32):
    """a b + c of matrices (16, 16, n), as one instruction adds it: 16 products and c for each number of the result.

    a : half-precision numbers [row, step, matrix]; b : [step, column, matrix]; c : [row, column, matrix]
    kind : of the result: float32, rounded towards zero, or float16, rounded to the nearest
    return : (16, 16, n) of that kind

    >>> one, c = np.ones((16, 16, 1)), np.full((16, 16, 1), 2.0**25)
    >>> [float(multiply_add(one, one / size, c)[0, 0, 0] - 2.0**25) for size in (1, 2)]  # 16 times 1, 16 times 1/2
    [16.0, 0.0]
    """
    a, b, c = (np.ascontiguousarray(x, np.float32) for x in (a, b, c))
    parts = [
        _sums(*(x[..., first : first + TOGETHER] for x in (a, b, c)))
        for first in range(0, c.shape[-1], TOGETHER)
    ]
    total = np.concatenate(parts, axis=-1)
    return total.astype(np.float16) if kind == np.float16 else towards_zero(total)


def _sums(a, b, c):
    """The sums before they are rounded, as doubles, which hold them exactly."""
    of_a, of_b, largest = exponents(a), exponents(b), exponents(c)
    for k in range(len(b)):
        np.maximum(largest, of_a[:, k, None] + of_b[None, k], out=largest)
    scale = np.ldexp(1.0, KEPT - largest.astype(np.int64))
    total, term = np.trunc(c * scale), np.empty_like(scale)
    for k in range(len(b)):
        np.multiply(a[:, k, None], b[None, k], out=term)
        term *= scale
        total += np.trunc(term, out=term)
    return total / scale


def exponents(x):
    """The exponents of floats, 0 for 1.5; -127 for zero and below what a float holds in full.

    >>> exponents(np.array([1.5, -4, 0.3, 0], np.float32)).tolist()
    [0, 2, -2, -127]
    """
    return (np.ascontiguousarray(x).view(np.int32) >> 23 & 255).astype(np.int16) - np.int16(127)


def towards_zero(x):
    """Doubles as floats, what does not fit cut off.

    >>> towards_zero(np.array([1 + 2.0**-24 * 1.5])) == 1
    array([ True])
    """
    near = x.astype(np.float32)
    return np.where(np.abs(near) > np.abs(x), np.nextafter(near, np.float32(0)), near)
