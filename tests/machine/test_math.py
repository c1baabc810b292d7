"""Every mathematical function over special values and random ones, against the C library (by g++), and those that C
has not against their definition in CUDA's manual, in extended precision."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

import gpusim as gs
from gpusim.cuda.typing.builtins import BUILTINS

COMPILER = shutil.which("g++") or shutil.which("clang++")
SIGNATURES = (
    "r:r",
    "f:f",
    "r:rr",
    "f:ff",
    "r:rrr",
    "f:fff",
    "r:rrrr",
    "f:ffff",
    "i:r",
    "i:f",
    "l:r",
    "l:f",
    "b:r",
)
NAMES = [n for n, b in BUILTINS.items() if b.kind == "math" and b.signature in SIGNATURES and n[0] != "_"]
EXACT = set(
    "sqrt ceil floor trunc round rint nearbyint fabs logb fmod copysign fdim fmax fmin remainder nextafter fma isnan "
    "isinf isfinite signbit ilogb lrint llrint lround llround".split()
)
# In the tails of normcdf and near the zeros of lgamma these are many: hardware errs there as well.
ULPS = {
    "tgamma": 16,
    "lgamma": 64,
    "normcdf": 2000,
    "erfc": 8,
    "pow": 4,
    "exp10": 16,
    "sinpi": 4,
    "tanpi": 8,
    "cbrt": 8,
    "rcbrt": 8,
}

# What CUDA has and C has not.
DEFINITIONS = r"""
#include <cmath>
#include <cstdio>
#include <vector>
typedef long double L;
static L sinpi_(L x) { if (!std::isfinite(x)) return NAN; L t = fmodl(x, 2); if (t == 0 || fabsl(t) == 1) return copysignl(0, x);
  if (t > 1) t -= 2; if (t < -1) t += 2; if (t > .5L) t = 1 - t; if (t < -.5L) t = -1 - t; return sinl(M_PIl * t); }
static L cospi_(L x) { if (!std::isfinite(x)) return NAN; L t = fabsl(fmodl(x, 2)); if (t > 1) t = 2 - t; return t == .5L ? 0 : sinl(M_PIl * (.5L - t)); }
static L norm_(L a, L b, L c, L d) { return std::isinf(a) || std::isinf(b) || std::isinf(c) || std::isinf(d) ? INFINITY : sqrtl(a * a + b * b + c * c + d * d); }
#define ONE(name, e) double name(double x) { return e; } float name##f(float x) { return e; }
ONE(rsqrt, 1 / sqrtl(x)) ONE(rcbrt, 1 / cbrtl(x)) ONE(sinpi, sinpi_(x)) ONE(cospi, cospi_(x))
ONE(tanpi, sinpi_(x) / cospi_(x)) ONE(normcdf, .5L * erfcl(-(L)x / sqrtl(2)))
#define LENGTH(T, f) T rhypot##f(T a, T b) { return 1 / norm_(a, b, 0, 0); } T norm3d##f(T a, T b, T c) { return norm_(a, b, c, 0); } \
  T rnorm3d##f(T a, T b, T c) { return 1 / norm_(a, b, c, 0); } T norm4d##f(T a, T b, T c, T d) { return norm_(a, b, c, d); }
LENGTH(double, ) LENGTH(float, f)
static int exponent_(double x) { return x == 0 || x != x ? -2147483647 - 1 : std::isinf(x) ? 2147483647 : ilogb(x); }
static double whole_(double x) { return x != x ? 0 : x > 0x1.fffffffffffffp62 ? 0x1p63 : x < -0x1p63 ? -0x1p63 : x; }
"""


def values(dtype):
    """Four columns of arguments: all pairs of special values, then random ones."""
    info, rng = np.finfo(dtype), np.random.default_rng(5)
    special = [
        0,
        0.5,
        1,
        1.5,
        2,
        2.5,
        3,
        7,
        100.25,
        8388609,
        1e20,
        info.max,
        info.tiny,
        info.smallest_subnormal,
    ]
    special += [0.49999997, 7.9999995, 1 - info.epsneg, 1 + info.eps, np.pi, np.inf]
    special = np.array([*special, *(-x for x in special), np.nan], dtype)
    pairs = np.array(np.meshgrid(special, special)).reshape(2, -1)
    pairs = np.concatenate([pairs, rng.permuted(pairs, axis=1)])
    wide = rng.normal(size=(4, 500)) * 10.0 ** rng.integers(-6, 6, (4, 500))
    near = rng.uniform(-3, 3, (4, 500))
    near[2, ::2] = -near[0, ::2] * near[1, ::2]  # a product that cancels
    return np.concatenate([pairs, wide, near], axis=1).astype(dtype)


def expression(name, given, oracle):
    base = BUILTINS[name].function
    call = f"{name}({', '.join('abcd'[:given])})"
    if not oracle:
        return call
    if base == "ilogb":
        return "exponent_(a)"
    if base in ("lrint", "lround"):
        return f"whole_({'rint' if base == 'lrint' else 'round'}((double)a))"
    return f"std::{call}" if base in ("isnan", "isinf", "isfinite", "signbit") else call


def body(names, dtype, oracle=False):
    lines = [
        f"  o[{k} * n + i] = {expression(name, len(BUILTINS[name].signature.partition(':')[2]), oracle)};"
        for k, name in enumerate(names)
    ]
    return f"{dtype} a = x[i], b = x[n + i], c = x[2 * n + i], d = x[3 * n + i];\n" + "\n".join(lines)


def by_compiler(names, dtype, columns, folder):
    n = columns.shape[1]
    text = f"""{DEFINITIONS}
    int main(int, char **name) {{
      const int n = {n}; std::vector<{dtype}> x(4 * n); std::vector<double> o({len(names)} * n);
      FILE *f = fopen(name[1], "rb"); if (fread(x.data(), sizeof({dtype}), 4 * n, f) != 4 * n) return 1;
      for (int i = 0; i < n; i++) {{ {body(names, dtype, oracle=True)} }}
      f = fopen(name[2], "wb"); fwrite(o.data(), 8, o.size(), f); fclose(f); }}"""
    (folder / "m.cpp").write_text(text)
    (folder / "in").write_bytes(columns.tobytes())
    command = [
        COMPILER,
        "-w",
        "-O0",
        "-std=gnu++17",
        "-ffp-contract=off",
        "-o",
        folder / "m",
        folder / "m.cpp",
        "-lm",
    ]
    subprocess.run(command, check=True, timeout=120)
    subprocess.run([folder / "m", folder / "in", folder / "out"], check=True, timeout=60)
    return np.fromfile(folder / "out").reshape(len(names), n)


def by_gpusim(names, dtype, columns):
    n = columns.shape[1]
    out = gs.zeros(len(names) * n, np.float64)
    text = f"""__global__ void k(double *o, const {dtype} *x, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
      {body(names, dtype)} }}"""
    gs.cuda(text).k[-(-n // 128), 128](out, gs.asarray(columns.reshape(-1)), n)
    return gs.asnumpy(out).reshape(len(names), n)


def distance(a, b, dtype):
    """Numbers of `dtype` from a to b; 0 for two NaN."""
    a, b = a.astype(dtype), b.astype(dtype)
    whole = f"i{dtype().itemsize}"
    signed = [np.where(x.view(whole) < 0, np.iinfo(whole).min - x.view(whole), x.view(whole)) for x in (a, b)]
    same = (signed[0] < 0) == (signed[1] < 0)
    far = np.abs(signed[0].astype(np.float64) - signed[1])
    apart = np.where(same, np.abs(signed[0] - signed[1]), far)
    return np.where(
        np.isnan(a) & np.isnan(b) | (a == b), 0, np.where(np.isnan(a) | np.isnan(b), np.inf, apart)
    )


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on this machine")
@pytest.mark.parametrize("dtype", ["float", "double"])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_functions_agree_with_the_c_library(dtype, tmp_path):
    width, single = (np.float32, "f") if dtype == "float" else (np.float64, "d")
    names = [
        n
        for n in NAMES
        if (BUILTINS[n].signature[2] == "f") == (dtype == "float") or BUILTINS[n].signature == "b:r"
    ]
    columns = values(width)
    wrong = []
    for name, got, right in zip(
        names, by_gpusim(names, dtype, columns), by_compiler(names, dtype, columns, tmp_path)
    ):
        base, result = BUILTINS[name].function, np.float64 if BUILTINS[name].signature[0] in "ilb" else width
        apart = distance(got, right, result)
        if base == "lgamma":  # from 1 up, as its zeros lie at 1 and 2
            apart = np.where(np.abs(got - right) < 16 * np.finfo(result).eps, 0, apart)
        worst = int(np.argmax(apart))
        if apart[worst] > (0 if base in EXACT else ULPS.get(base, 3)):
            wrong.append(
                f"{name}{columns[:, worst].tolist()} gives {got[worst]}, not {right[worst]}: {apart[worst]} units"
            )
    assert not wrong


def test_min_and_max_of_floats_prefer_a_number_to_nan():
    text = "__global__ void k(float *o, const float *a) { o[0] = min(a[0], a[1]); o[1] = max(a[1], a[0]); }"
    out = gs.zeros(2, np.float32)
    gs.cuda(text).k[1, 1](out, gs.asarray(np.array([np.nan, 1], np.float32)))
    assert gs.asnumpy(out).tolist() == [1, 1]


def test_mul24_multiplies_numbers_of_24_bits_with_their_sign():
    text = """__global__ void k(int *o, const int *a) {
        int i = threadIdx.x; o[i] = __mul24(a[i], 3); o[4 + i] = __umul24(a[i], 3u); }"""
    out = gs.zeros(8, np.int32)
    gs.cuda(text).k[1, 4](out, gs.asarray(np.array([-1, 5, -7, 1 << 23], np.int32)))
    low = (1 << 24) - 1
    assert gs.asnumpy(out).tolist() == [-3, 15, -21, -3 << 23, 3 * low, 15, 3 * (low - 6), 3 << 23]
