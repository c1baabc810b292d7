"""C's arithmetic: random typed expressions give, bit for bit, what the system's C++ compiler gives."""

from __future__ import annotations

import random
import shutil
import subprocess

import numpy as np
import pytest

import gpusim as gs

COMPILER = shutil.which("g++") or shutil.which("clang++")
THREADS, EXPRESSIONS, BATCHES = 64, 130, 16

# name -> (type, how the kernel gets it): thread ids are patterns, parameters are uniform, loaded values are lanes.
VARIABLES = {
    "t": ("int", "threadIdx.x"),
    "w": ("unsigned int", "threadIdx.x * 77u + blockIdx.x"),
    "q": ("long long", "(long long)threadIdx.x * 3 - 90"),
    "p": ("int", None),
    "r": ("unsigned int", None),
    "f": ("float", None),
    "g": ("double", None),
    "l": ("long long", None),
    "a": ("int", "ints[i]"),
    "b": ("unsigned int", "uints[i]"),
    "c": ("float", "floats[i]"),
    "d": ("double", "doubles[i]"),
    "s": ("short", "shorts[i]"),
    "u": ("unsigned char", "bytes[i]"),
    "k": ("long long", "longs[i]"),
    "v": ("unsigned long long", "(unsigned long long)uints[i] * 2654435761u"),
    "o": ("bool", "ints[i] > 0"),
}
INTEGERS = [n for n, (kind, _) in VARIABLES.items() if kind not in ("float", "double")]
FLOATS = [n for n, (kind, _) in VARIABLES.items() if kind in ("float", "double")]
LITERALS = [
    "0",
    "1",
    "7",
    "-3",
    "31u",
    "0x7fffffff",
    "0xffffffffu",
    "1LL",
    "5ull",
    "'a'",
    "-2147483647 - 1",
    "65535",
]
FLOAT_LITERALS = ["0.5f", "3.0", "1e10f", "(-2.25)", "0.1f", "1.f"]


def integer(rng, depth):
    """An expression of integer type without undefined behaviour (signed overflow wraps: -fwrapv)."""
    if depth == 0 or rng.random() < 0.12:
        return rng.choice(INTEGERS) if rng.random() < 0.75 else f"({rng.choice(LITERALS)})"
    x, y = integer(rng, depth - 1), integer(rng, depth - 1)
    form = rng.choice(
        [
            "+",
            "-",
            "*",
            "&",
            "|",
            "^",
            "/",
            "%",
            "<<",
            ">>",
            "<",
            "==",
            ">=",
            "?",
            "~",
            "-u",
            "!",
            "cast",
            "float<",
            "&&",
            "||",
        ]
    )
    if form in ("/", "%"):
        return f"({x} {form} (({y} & 15) + 1))"
    if form in ("<<", ">>"):
        return f"({x} {form} ({y} & 15))"
    if form == "?":
        return f"({integer(rng, depth - 1)} ? {x} : {y})"
    if form in ("~", "!"):
        return f"({form}{x})"
    if form == "-u":
        return f"(- {x})"
    if form == "cast":
        return f"(({rng.choice(['int', 'unsigned int', 'short', 'unsigned char', 'long long', 'char', 'unsigned short'])}){x})"
    if form == "float<":
        return f"({floating(rng, depth - 1)} < {floating(rng, depth - 1)})"
    return f"({x} {form} {y})"


def floating(rng, depth):
    """An expression of floating type."""
    if depth == 0 or rng.random() < 0.12:
        return rng.choice(FLOATS) if rng.random() < 0.75 else rng.choice(FLOAT_LITERALS)
    x, y = floating(rng, depth - 1), floating(rng, depth - 1)
    form = rng.choice(["+", "-", "*", "/", "-u", "int", "cast", "?", "mixed", "fminf"])
    if form == "-u":
        return f"(-{x})"
    if form == "int":
        return f"((float){integer(rng, depth - 1)})"
    if form == "cast":
        return f"(({rng.choice(['float', 'double'])}){x})"
    if form == "?":
        return f"({integer(rng, depth - 1)} ? {x} : {y})"
    if form == "mixed":
        return f"({x} {rng.choice('+-*')} {integer(rng, depth - 1)})"
    if form == "fminf":
        return f"fminf((float){x}, (float){y})"
    return f"({x} {form} {y})"


def kernel_text(expressions):
    """One kernel that evaluates all expressions for each thread, into integer and floating results."""
    lines = [f"    {kind} {name} = {how};" for name, (kind, how) in VARIABLES.items() if how is not None]
    for number, (kind, text) in enumerate(expressions):
        lines.append(f"    {'whole' if kind == 'i' else 'real'}[{number} * n + i] = {text};")
    parameters = ", ".join(f"{kind} {name}" for name, (kind, how) in VARIABLES.items() if how is None)
    return (
        "__global__ void k(const int *ints, const unsigned int *uints, const float *floats, const double *doubles, "
        "const short *shorts, const unsigned char *bytes, const long long *longs, long long *whole, double *real, int n, "
        f"{parameters}) {{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + "\n".join(lines) + "\n}\n"
    )


def inputs(seed):
    rng = np.random.default_rng(seed)
    edge = np.array([0, 1, -1, 2**31 - 1, -(2**31), 5], np.int64)
    ints = np.where(
        rng.random(THREADS) < 0.3, rng.choice(edge, THREADS), rng.integers(-1000, 1000, THREADS)
    ).astype(np.int32)
    return [
        ints,
        rng.integers(0, 2**32, THREADS).astype(np.uint32),
        rng.normal(0, 100, THREADS).astype(np.float32),
        rng.normal(0, 1e6, THREADS),
        rng.integers(-(2**15), 2**15, THREADS).astype(np.int16),
        rng.integers(0, 256, THREADS).astype(np.uint8),
        rng.integers(-(2**62), 2**62, THREADS),
    ]


SCALARS = [-7, 4000000000, np.float32(1.75), -0.3, 123456789012]


def run_compiled(text, arrays, expressions, folder):
    """The same text as C++: a loop over the threads around the kernel's body."""
    main = (
        """#include <cstdio>
#include <cmath>
#include <vector>
#define __global__
struct Id { unsigned int x; } threadIdx, blockIdx, blockDim;
"""
        + text
        + f"""
template <class T> std::vector<T> get(FILE *f, int n) {{ std::vector<T> v(n); if (fread(v.data(), sizeof(T), n, f) != (size_t)n) throw 1; return v; }}
int main(int, char **argv) {{
    FILE *f = fopen(argv[1], "rb"); const int n = {THREADS};
    auto a = get<int>(f, n); auto b = get<unsigned int>(f, n); auto c = get<float>(f, n); auto d = get<double>(f, n);
    auto e = get<short>(f, n); auto g = get<unsigned char>(f, n); auto h = get<long long>(f, n);
    std::vector<long long> whole({len(expressions)} * n); std::vector<double> real({len(expressions)} * n);
    blockDim.x = 32;
    for (int t = 0; t < n; t++) {{ threadIdx.x = t % 32; blockIdx.x = t / 32;
        k(a.data(), b.data(), c.data(), d.data(), e.data(), g.data(), h.data(), whole.data(), real.data(), n, -7, 4000000000u, 1.75f, -0.3, 123456789012LL); }}
    FILE *o = fopen(argv[2], "wb"); fwrite(whole.data(), 8, whole.size(), o); fwrite(real.data(), 8, real.size(), o); fclose(o);
}}"""
    )
    (folder / "k.cpp").write_text(main)
    (folder / "in").write_bytes(b"".join(x.tobytes() for x in arrays))
    subprocess.run(
        [COMPILER, "-w", "-O0", "-fwrapv", "-ffp-contract=off", "-o", folder / "k", folder / "k.cpp"],
        check=True,
        timeout=120,
    )
    subprocess.run([folder / "k", folder / "in", folder / "out"], check=True, timeout=60)
    raw = (folder / "out").read_bytes()
    half = len(raw) // 2
    return np.frombuffer(raw[:half], np.int64).reshape(-1, THREADS), np.frombuffer(
        raw[half:], np.float64
    ).reshape(-1, THREADS)


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on this machine")
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, BATCHES))])
def test_random_expressions_agree_with_the_compiler(seed, tmp_path):
    rng = random.Random(seed)
    expressions = [
        ("i", integer(rng, 4)) if rng.random() < 0.6 else ("f", floating(rng, 3)) for _ in range(EXPRESSIONS)
    ]
    text = kernel_text(expressions)
    arrays = inputs(seed)
    whole, real = gs.zeros(EXPRESSIONS * THREADS, np.int64), gs.zeros(EXPRESSIONS * THREADS, np.float64)
    gs.cuda(text).k[2, 32](*map(gs.asarray, arrays), whole, real, THREADS, *SCALARS)
    expected_whole, expected_real = run_compiled(text, arrays, expressions, tmp_path)
    whole, real = gs.asnumpy(whole).reshape(-1, THREADS), gs.asnumpy(real).reshape(-1, THREADS)
    for number, (kind, expression) in enumerate(expressions):
        got, wanted = (whole, expected_whole) if kind == "i" else (real, expected_real)
        np.testing.assert_array_equal(got[number], wanted[number], err_msg=expression)
