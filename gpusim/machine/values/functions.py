"""The mathematical functions of CUDA by operation, on values of any kind.

Floats keep their width; results may differ from the hardware's in the last bits.  A table, not twins: `expf`,
`exp` and `__expf` are one operation.
"""

from __future__ import annotations

import numpy as np

from . import floating, rounding
from .arithmetic import lanes, truth
from .value import bounds, by_thread, is_by_thread, is_formula, space_of, unknown_of


def _ffs(x):
    return np.where(x == 0, 0, _trailing(x) + 1)


def _trailing(x):
    unsigned = np.asarray(x).astype(f"u{np.asarray(x).dtype.itemsize}")
    lowest = unsigned & (~unsigned + np.array(1, unsigned.dtype))
    return np.log2(np.maximum(lowest, 1).astype(np.float64)).astype(np.int64)


def _clz(x):
    bits = 8 * x.dtype.itemsize
    unsigned = x.astype(f"u{x.dtype.itemsize}").astype(np.uint64)
    length = np.zeros(np.shape(x), np.int64)
    for step in (32, 16, 8, 4, 2, 1):
        high = unsigned >> np.uint64(step) != 0
        length += np.where(high, step, 0)
        unsigned = np.where(high, unsigned >> np.uint64(step), unsigned)
    return bits - length - (unsigned != 0)


def _brev(x):
    bits = 8 * x.dtype.itemsize
    result = np.zeros_like(x)
    one = np.array(1, x.dtype)
    for i in range(bits):
        result |= ((x >> np.array(i, x.dtype)) & one) << np.array(bits - 1 - i, x.dtype)
    return result


def _mulhi(a, b):
    bits = 8 * a.dtype.itemsize
    product = a.astype(object) * b.astype(object)
    return (
        np.asarray(product >> bits).astype(a.dtype)
        if np.ndim(product)
        else a.dtype.type(int(product) >> bits)
    )


def _mul24(a, b):
    """The product of the low 24 bits, with their sign for signed arguments."""
    sign = 0x800000 if a.dtype.kind == "i" else 0
    a, b, dtype = *(((x.astype(np.int64) & 0xFFFFFF) ^ sign) - sign for x in (a, b)), a.dtype
    return (a * b).astype(dtype)


def _byte_perm(x, y, selector):
    both = x.astype(np.uint64) | (y.astype(np.uint64) << np.uint64(32))
    result = np.zeros(np.broadcast_shapes(np.shape(both), np.shape(selector)), np.uint64)
    for i in range(4):
        pick = (selector.astype(np.uint64) >> np.uint64(4 * i)) & np.uint64(7)
        result |= ((both >> (pick * np.uint64(8))) & np.uint64(0xFF)) << np.uint64(8 * i)
    return result.astype(np.uint32)


def _funnel(left):
    def shift(low, high, count):
        both = low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))
        count = count.astype(np.uint64) & np.uint64(31)
        moved = (both << count) >> np.uint64(32) if left else both >> count
        return (moved & np.uint64(0xFFFFFFFF)).astype(np.uint32)

    return shift


def _dp4a(a, b, c):
    signed = [((x.astype(np.int64) >> (8 * i) & 0xFF) ^ 0x80) - 0x80 for x in (a, b) for i in range(4)]
    return (c.astype(np.int64) + sum(signed[i] * signed[i + 4] for i in range(4))).astype(np.int32)


def _dp4a_u(a, b, c):
    parts = [x.astype(np.uint64) >> np.uint64(8 * i) & np.uint64(0xFF) for x in (a, b) for i in range(4)]
    total = c.astype(np.uint64) + sum(parts[i] * parts[i + 4] for i in range(4))
    return (total & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _bits(dtype):
    return lambda x: np.asarray(x).view(dtype)[()]


OPERATIONS = {
    **{
        name: getattr(np, name)
        for name in (
            "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan ceil floor trunc rint fabs sinh cosh tanh "
            "fmod hypot copysign fmax fmin isnan isinf isfinite signbit ldexp nextafter"
        ).split()
    },
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "pow": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rcbrt": lambda x: 1 / np.cbrt(x),
    "exp10": lambda x: np.power(np.asarray(x).dtype.type(10), x),
    "nearbyint": np.rint,
    "round": floating.rounded,
    "remainder": floating.remainder,
    "fdim": floating.fdim,
    "fma": floating.fma,
    "norm3d": floating.norm,
    "rnorm3d": floating.rnorm,
    "norm4d": floating.norm,
    "rhypot": floating.rnorm,
    "erf": floating.erf,
    "erfc": floating.erfc,
    "tgamma": floating.tgamma,
    "lgamma": floating.lgamma,
    "normcdf": floating.normcdf,
    "logb": floating.logb,
    "ilogb": floating.ilogb,
    "sinpi": floating.sinpi,
    "cospi": floating.cospi,
    "tanpi": floating.tanpi,
    "saturate": lambda x: np.fmin(np.fmax(x, 0), 1),
    "min": np.fmin,  # of floats, min is fminf: a number wins over NaN
    "max": np.fmax,
    "abs": np.abs,
    "lrint": np.rint,
    "lround": floating.rounded,
    "to_integer_rn": np.rint,
    "to_integer_ru": np.ceil,
    "to_integer_rd": np.floor,
    "as_float": _bits(np.float32),
    "as_int": _bits(np.int32),
    "as_uint": _bits(np.uint32),
    "as_longlong": _bits(np.int64),
    "as_double": _bits(np.float64),
    "popc": np.bitwise_count,
    "clz": _clz,
    "ffs": _ffs,
    "brev": _brev,
    "mulhi": _mulhi,
    "mul24": _mul24,
    "byte_perm": _byte_perm,
    "funnelshift_l": _funnel(True),
    "funnelshift_r": _funnel(False),
    "dp4a": _dp4a,
    "dp4a_u": _dp4a_u,
    **rounding.operations(),
    "as_half": _bits(np.float16),
    "as_short": _bits(np.int16),
    "as_ushort": _bits(np.uint16),
    "sincos": lambda x: (np.sin(x), np.cos(x)),
    "modf": lambda x: np.modf(x)[::-1],
    "frexp": lambda x: np.frexp(x)[::-1],
}


def function(name, dtypes):
    """The operation `name` for arguments of these dtypes (None: as they come), on values of any kind.

    >>> function("fmax", (None, None))(np.float32(1), np.float32(2))
    np.float32(2.0)
    """
    operation = OPERATIONS[name]
    extreme = {"min": min, "max": max, "abs": abs}.get(name)

    def call(*arguments):
        unknown = unknown_of(*arguments)
        if unknown is not None:
            return unknown.computed(*arguments)
        if extreme and all(type(x) is int for x in arguments):
            return extreme(*arguments)
        space = space_of(*arguments)
        if space is not None:
            decided = _by_bounds(name, arguments)
            if decided is not None:
                return decided
            if all(map(is_by_thread, arguments)):
                pairs = zip(arguments, dtypes)
                arrays = [np.asarray(by_thread(x), dtype or np.int64) for x, dtype in pairs]
                return space.thread_value(operation(*arrays))
            space.require_lanes(f"{name}() of an index that mixes block and thread numbers")
        values = [_typed(lanes(truth(x), dtype or np.int64), dtype) for x, dtype in zip(arguments, dtypes)]
        result = operation(*values)
        return result[()] if isinstance(result, np.ndarray) and not result.ndim else result

    return call


def _typed(value, dtype):
    return dtype(value) if dtype is not None and isinstance(value, (int, bool)) else value


def _by_bounds(name, arguments):
    """The result of min, max and abs where the bounds of patterns decide it."""
    if name == "abs" and arguments[0].lo >= 0:
        return arguments[0]
    if name not in ("min", "max") or not all(map(is_formula, arguments)):
        return None
    for a, b in (arguments, reversed(arguments)):
        if bounds(a)[1] <= bounds(b)[0]:
            return a if name == "min" else b
    return None
