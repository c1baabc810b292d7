"""bfloat16 from #include <cuda_bf16.h>: bits of 16, arithmetic rounded to nearest even."""

import numpy as np
import pytest

import gpusim as gs

X = np.random.default_rng(3).standard_normal(32).astype(np.float32)
Y = np.float32(0.37) - X


def rounded(x):
    """The bits of floats as bfloat16."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def floats(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


A, B = (floats(rounded(x)) for x in (X, Y))


@pytest.mark.parametrize(
    "result, want",
    [
        ("x + y", A + B),
        ("x - y", A - B),
        ("x * y", A * B),
        ("x / y", A / B),
        ("-x", -A),
        ("__hfma(x, y, x)", (A.astype(float) * B + A).astype(np.float32)),
        ("__hmax(x, y)", np.maximum(A, B)),
        ("T((float)x * 3 + float(y))", A * 3 + B),
        ("__float2bfloat16(__bfloat162float(x) / 3)", A / np.float32(3)),
        ("x < y ? x : y", np.minimum(A, B)),
        ("x * y + x", floats(rounded(A * B)) + A),
        ("__low2bfloat16(__hadd2(__halves2bfloat162(x, y), __bfloat162bfloat162(y)))", A + B),
    ],
)
def test_bfloat16_computes_as_floats_that_are_rounded(result, want):
    text = f"""#include <cuda_bf16.h>
    template <typename T> __global__ void k(T *o, const T *a, const T *b) {{
        T x = a[threadIdx.x], y = b[threadIdx.x]; o[threadIdx.x] = {result}; }}"""
    out = gs.zeros(32, np.uint16)
    run = gs.cuda(text, T="__nv_bfloat16").k[1, 32](out, gs.asarray(rounded(A)), gs.asarray(rounded(B)))
    assert gs.asnumpy(out).tolist() == rounded(want).tolist()
    assert run.counts.global_load_bytes == 128 and not run.reports


def test_bfloat16_accumulates_and_loads_in_pairs():
    text = """#include <cuda_bf16.h>
    __global__ void k(float *o, const nv_bfloat162 *a, __nv_bfloat16 *s) { int i = threadIdx.x;
        float2 f = __bfloat1622float2(a[i]); o[i] = f.x + f.y; __nv_bfloat16 t = 0.0f; t += a[i].x; t *= a[i].y; s[i] = t; }"""
    out, s = gs.zeros(16, np.float32), gs.zeros(16, np.uint16)
    gs.cuda(text).k[1, 16](out, gs.asarray(rounded(A).view(np.uint8)), s)
    assert gs.asnumpy(out).tolist() == (A[::2] + A[1::2]).tolist()
    assert gs.asnumpy(s).tolist() == rounded(A[::2] * A[1::2]).tolist()


def test_numbers_that_are_none_stay_so():
    text = "#include <cuda_bf16.h>\n__global__ void k(unsigned short *o, const float *a) { o[threadIdx.x] = __bfloat16_as_ushort(__float2bfloat16(a[threadIdx.x])); }"
    given = np.array([np.nan, np.inf, -np.inf, 3.4e38, -0.0, 1e-45], np.float32)
    gs.cuda(text).k[1, 6](out := gs.zeros(6, np.uint16), gs.asarray(given))
    assert gs.asnumpy(out).tolist() == [0x7FFF, 0x7F80, 0xFF80, 0x7F80, 0x8000, 0]


def test_without_its_header_bfloat16_is_undefined_and_the_hint_says_so():
    with pytest.raises(gs.CudaSyntaxError, match="cuda_bf16.h"):
        gs.cuda("__global__ void k(__nv_bfloat16 *o) { }")
