"""Unions: all members share their bytes."""

import numpy as np
import pytest

import gpusim as gs

HEAD = """union Bits { float f; int i; unsigned char b[4]; };
typedef union { float4 v; float x[4]; half2 h[8]; } Pack;
struct Tagged { int tag; Bits bits; };
__device__ int bits_of(Bits u) { return u.i; }
__device__ Bits made(float f) { Bits u; u.f = f; return u; }
__device__ void negate(Bits &u) { u.i ^= 0x80000000; }
"""


def run(body, n=32, parameters="int *o, const float *a"):
    text = HEAD + f"__global__ void k({parameters}) {{ int t = threadIdx.x; {body} }}"
    out, given = gs.zeros(n, np.int32), np.linspace(-3, 7, 128).astype(np.float32)
    done = gs.cuda(text).k[1, 32](out, gs.asarray(given))
    assert not done.reports
    return gs.asnumpy(out), given


@pytest.mark.parametrize(
    "body",
    [
        "Bits u; u.f = a[t]; o[t] = u.i;",
        "Bits u, v; u.f = a[t]; v = u; o[t] = v.i;",
        "Bits u = made(a[t]); o[t] = bits_of(u);",
        "Bits u; u.f = -a[t]; negate(u); o[t] = u.i;",
        "Bits u; u.f = a[t]; o[t] = 0; for (int k = 0; k < 4; k++) o[t] |= u.b[k] << 8 * k;",
        "Tagged s; s.tag = t; s.bits.f = a[s.tag]; Tagged r = s; o[r.tag] = r.bits.i;",
        "__shared__ Bits u[32]; u[t].f = a[t]; __syncthreads(); o[t] = u[t].i;",
        "Bits u = {}; if (t >= 0) u.f = a[t]; o[t] = u.i;",
        "Bits u[2]; u[t & 1].f = a[t]; o[t] = u[t & 1].i;",
        "Bits *u = (Bits*)o; u[t].f = a[t];",
    ],
)
def test_what_one_member_writes_another_reads(body):
    got, given = run(body)
    assert got.tolist() == given[:32].view(np.int32).tolist()


def test_a_vector_and_an_array_share_a_union():
    body = "Pack p; p.v = ((const float4*)a)[t]; float s = 0; for (int k = 0; k < 4; k++) s += p.x[k]; Bits u; u.f = s; o[t] = u.i + sizeof(Pack) - 32;"
    got, given = run(body)
    rows, sums = given.reshape(32, 4), np.zeros(32, np.float32)
    for column in rows.T:
        sums = sums + column
    assert got.tolist() == sums.view(np.int32).tolist()


@pytest.mark.parametrize(
    "body",
    [
        "Bits u = {1.0f};",
        "o[t] = made(1.0f).i;",
        "struct S { union { int a; float b; }; int c; } s; o[t] = s.c;",
    ],
)
def test_what_a_union_cannot_do_here_is_refused_in_words(body):
    with pytest.raises(gs.CudaUnsupported, match="union"):
        run(body)
