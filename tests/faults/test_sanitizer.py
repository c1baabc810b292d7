"""The twenty small kernels that compute-sanitizer judged on the H200: what its tools reported is reported here, and what they missed too."""

import json

import numpy as np
import pytest
from places import DATA

import gpusim as gs

RECORDED = json.loads((DATA / "sanitizer.json").read_text())["kernels"]

COPY = "__global__ void k(const float *a, float *b, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {} }}"
SHARED = "__global__ void k(float *b{}) {{ __shared__ float s[{}]; int t = threadIdx.x; {} }}"
TILED = """
#define T 16
__global__ void k(const float *A, const float *B, float *C, int N) {{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int p = 0; p < N / T; p++) {{
        As[y][x] = A[(blockIdx.y * T + y) * N + p * T + x];
        Bs[y][x] = B[(p * T + y) * N + blockIdx.x * T + x];
        {first}
        for (int k = 0; k < T; k++) {{ sum += As[y][k] * Bs[k][x]; }}
        {second}
    }}
    C[(blockIdx.y * T + y) * N + blockIdx.x * T + x] = sum;
}}"""
SYNC = "__syncthreads();"
N = 64


def a(n=1000):
    return gs.asarray(np.arange(n, dtype=np.float32))


def b(n=1024):
    return gs.zeros(n, np.float32)


def square():
    return gs.asarray(np.arange(N * N, dtype=np.float32) % 11)


# name -> (text, grid, block, arguments, words of the report's kind, or None where the kernel is right)
KERNELS = {
    "oob_global_dead_read": (
        COPY.format("float x = a[i]; if (i < n) b[i] = x;"),
        4,
        256,
        [a(), b(), 1000],
        "out of bounds",
    ),
    # Seen only because the array has rows: the index leaves its row, not the array.
    "oob_global_neighbour": (
        "__global__ void k(const float *a, float *b, int cols) { b[threadIdx.x] = a[1 * cols + threadIdx.x + 64]; }",
        1,
        256,
        [gs.asarray(np.zeros((4, 250), np.float32)), b(), 250],
        "row overrun",
    ),
    "oob_global_read": (COPY.format("b[i] = a[i];"), 4, 256, [a(), b(), 1000], "out of bounds"),
    "oob_global_guarded": (COPY.format("if (i < n) b[i] = a[i];"), 4, 256, [a(), b(), 1000], None),
    "oob_shared_write_1": (
        SHARED.format("", 64, "s[t] = t; s[t + 1] = t; __syncthreads(); b[t] = s[t];"),
        1,
        64,
        [b()],
        "out of bounds",
    ),
    "oob_shared_write_far": (
        SHARED.format("", 64, "s[t + 20000] = t; __syncthreads(); b[t] = s[t];"),
        1,
        64,
        [b()],
        "out of bounds",
    ),
    "oob_shared_neighbour": (
        SHARED.format(
            "",
            64,
            "__shared__ float next[64]; next[t] = 0.0f; __syncthreads(); s[t + 32] = t; __syncthreads();"
            " b[t] = s[t] + next[t];",
        ),
        1,
        64,
        [b()],
        "out of bounds",
    ),
    "tiled_correct": (
        TILED.format(first=SYNC, second=SYNC),
        (4, 4),
        (16, 16),
        [square(), square(), b(N * N), N],
        None,
    ),
    "tiled_no_first_barrier": (
        TILED.format(first="", second=SYNC),
        (4, 4),
        (16, 16),
        [square(), square(), b(N * N), N],
        "read-after-write race",
    ),
    "tiled_no_second_barrier": (
        TILED.format(first=SYNC, second=""),
        (4, 4),
        (16, 16),
        [square(), square(), b(N * N), N],
        "write-after-read race",
    ),
    "barrier_divergent": (
        SHARED.format("", 64, "s[t] = t; if (t % 32 < 16) __syncthreads(); b[t] = s[63 - t];"),
        1,
        64,
        [b()],
        "partial barrier",
    ),
    "barrier_some_warps": (
        SHARED.format("", 64, "s[t] = t; if (t < 32) __syncthreads(); b[t] = s[63 - t];"),
        1,
        64,
        [b()],
        "partial barrier",
    ),
    "uninit_shared": (
        SHARED.format("", 64, "if (t < 32) s[t] = 1.0f; __syncthreads(); b[t] = s[t];"),
        1,
        64,
        [b()],
        "unset read",
    ),
    "uninit_global": (
        "__global__ void k(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }",
        1,
        64,
        [gs.empty(64, np.float32), b()],
        "unset read",
    ),
    "warp_exchange": (
        SHARED.format("", 32, "s[t] = t; b[t] = s[31 - t];"),
        1,
        32,
        [b()],
        "read-after-write race",
    ),
    "warp_exchange_ok": (
        SHARED.format("", 32, "s[t] = t; __syncwarp(); b[t] = s[31 - t];"),
        1,
        32,
        [b()],
        None,
    ),
    "reduce_v1_no_first": (
        SHARED.format(
            ", const float *in",
            256,
            "s[t] = in[t]; for (int k = 1; k < blockDim.x; k *= 2) {"
            " if (t % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); } if (t == 0) b[0] = s[0];",
        ),
        1,
        256,
        [b(), a()],
        "read-after-write race",
    ),
    "racing_global": (
        "__global__ void k(int *c) { c[0] = c[0] + 1; }",
        64,
        256,
        [gs.zeros(1, np.int32)],
        "race",
    ),
    "atomic_global": (
        "__global__ void k(int *c) { atomicAdd(c, 1); }",
        64,
        256,
        [gs.zeros(1, np.int32)],
        None,
    ),
    "racing_shared": (
        "__global__ void k(int *c) { __shared__ int s; if (threadIdx.x == 0) s = 0; __syncthreads(); s = s + 1; __syncthreads();"
        " if (threadIdx.x == 0) c[0] = s; }",
        1,
        256,
        [gs.zeros(1, np.int32)],
        "race",
    ),
}
WRONG = {name for name, case in KERNELS.items() if case[-1]}


def reports(name):
    text, grid, block, arguments, _ = KERNELS[name]
    return gs.launch(gs.cuda(text).k, grid, block, *arguments, bounds="report", rows=True).reports


@pytest.mark.parametrize("name", KERNELS)
def test_wrong_kernels_are_reported_and_right_ones_are_not(name):
    wanted = KERNELS[name][-1]
    found = reports(name)
    assert (found == []) if wanted is None else any(wanted in report.kind for report in found), str(found)


def test_all_that_compute_sanitizer_reported_is_reported():
    assert set(RECORDED) == set(KERNELS)
    assert {name for name, said in RECORDED.items() if said["found_by"]} <= WRONG


def test_the_bugs_that_all_four_tools_missed():
    missed = {name for name in WRONG if not RECORDED[name]["found_by"]}
    assert missed == {
        "oob_global_dead_read",
        "oob_global_neighbour",
        "oob_shared_neighbour",
        "uninit_shared",
        "racing_global",
    }


def test_the_interleaved_reduction_races_inside_its_warps_only():
    assert {r.scope for r in reports("reduce_v1_no_first")} == {"inside a warp"}
