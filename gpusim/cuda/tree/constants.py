"""Constants of CUDA's and C's headers: their types and values."""

from __future__ import annotations

import math

from ...units import LANES
from .types import BOOL, DOUBLE, FLOAT, INT, LONGLONG, UINT, ULONGLONG, VOID, Pointer

_C = {
    "warpSize": (INT, LANES),
    "true": (BOOL, True),
    "false": (BOOL, False),
    "NULL": (LONGLONG, 0),  # C++ lets it be a number as well
    "nullptr": (Pointer(VOID), 0),
    "CHAR_BIT": (INT, 8),
    "SCHAR_MAX": (INT, 127),
    "UCHAR_MAX": (INT, 255),
    "SHRT_MAX": (INT, 2**15 - 1),
    "SHRT_MIN": (INT, -(2**15)),
    "USHRT_MAX": (INT, 2**16 - 1),
    "INT_MAX": (INT, 2**31 - 1),
    "INT_MIN": (INT, -(2**31)),
    "UINT_MAX": (UINT, 2**32 - 1),
    "LLONG_MAX": (LONGLONG, 2**63 - 1),
    "LLONG_MIN": (LONGLONG, -(2**63)),
    "ULLONG_MAX": (ULONGLONG, 2**64 - 1),
    "LONG_MAX": (LONGLONG, 2**63 - 1),
    "LONG_MIN": (LONGLONG, -(2**63)),
    "ULONG_MAX": (ULONGLONG, 2**64 - 1),
    "INT32_MAX": (INT, 2**31 - 1),
    "INT32_MIN": (INT, -(2**31)),
    "UINT32_MAX": (UINT, 2**32 - 1),
    "UINT8_MAX": (INT, 255),
    "INT64_MAX": (LONGLONG, 2**63 - 1),
    "UINT64_MAX": (ULONGLONG, 2**64 - 1),
    "SIZE_MAX": (ULONGLONG, 2**64 - 1),
    "FLT_MAX": (FLOAT, (2 - 2**-23) * 2.0**127),
    "FLT_MIN": (FLOAT, 2.0**-126),
    "FLT_EPSILON": (FLOAT, 2.0**-23),
    "DBL_MAX": (DOUBLE, (2 - 2**-52) * 2.0**1023),
    "DBL_MIN": (DOUBLE, 2.0**-1022),
    "DBL_EPSILON": (DOUBLE, 2.0**-52),
    "INFINITY": (FLOAT, math.inf),
    "HUGE_VALF": (FLOAT, math.inf),
    "HUGE_VAL": (DOUBLE, math.inf),
    "NAN": (FLOAT, math.nan),
    "CUDART_INF_F": (FLOAT, math.inf),
    "CUDART_INF": (DOUBLE, math.inf),
    "CUDART_NAN_F": (FLOAT, math.nan),
    "CUDART_NAN": (DOUBLE, math.nan),
    "CUDART_PI_F": (FLOAT, 3.1415927410125732),
    "CUDART_PI": (DOUBLE, math.pi),
    "M_PI": (DOUBLE, math.pi),
    "M_PI_2": (DOUBLE, math.pi / 2),
    "M_PI_4": (DOUBLE, math.pi / 4),
    "M_1_PI": (DOUBLE, 1 / math.pi),
    "M_2_PI": (DOUBLE, 2 / math.pi),
    "M_E": (DOUBLE, math.e),
    "M_LN2": (DOUBLE, math.log(2)),
    "M_LN10": (DOUBLE, math.log(10)),
    "M_LOG2E": (DOUBLE, 1 / math.log(2)),
    "M_LOG10E": (DOUBLE, 1 / math.log(10)),
    "M_SQRT2": (DOUBLE, math.sqrt(2)),
    "M_SQRT1_2": (DOUBLE, math.sqrt(0.5)),
    "M_2_SQRTPI": (DOUBLE, 2 / math.sqrt(math.pi)),
}

# What compilers define by themselves under names of their own: __FLT_MAX__ and its kin.
_OWN = "INT_MAX LONG_MAX SCHAR_MAX SHRT_MAX CHAR_BIT FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON SIZE_MAX"
CONSTANTS = _C | {f"__{name}__": _C[name] for name in _OWN.split()} | {"__LONG_LONG_MAX__": _C["LLONG_MAX"]}
