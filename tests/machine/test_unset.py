"""Memory that nobody has written: shared, local and from gs.empty; the report names array and index."""

import numpy as np
import pytest

import gpusim as gs


def launch(text, grid, block, *arguments, **options):
    return gs.launch(gs.cuda(text).k, grid, block, *arguments, **options)


def local(body, n=64):
    return launch(
        f"__global__ void k(float *out) {{ float a[4]; int t = threadIdx.x; {body} }}",
        1,
        n,
        gs.zeros(n, np.float32),
    ).reports


def test_shared_memory_does_not_keep_its_value_between_launches():
    y = gs.zeros(1, np.float32)
    carry = "__global__ void k(float *y, float x) { __shared__ float a[4]; if (threadIdx.x == 0) { a[0] += x; y[0] = a[0]; } }"
    for x in (10, 900, 5000):
        (report,) = launch(carry, 1, 1, y, x).reports
        assert (report.kind, report.array, report.index) == ("unset read", "a", 0)
        assert np.isnan(gs.asnumpy(y)).all()


@pytest.mark.parametrize("order", ["lockstep", "forward", "threads"])
def test_words_that_the_tile_does_not_cover(order):
    text = """__global__ void k(float *out) {
    __shared__ float s[66];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[64 * blockIdx.x + t] = s[t + 1] + s[t + 2];
}"""
    first, second = sorted(
        launch(text, 3, 64, gs.zeros(192, np.float32), order=order).reports, key=lambda r: r.count
    )
    assert (first.index, first.count, first.line, first.thread) == (64, 3, 6, (63, 0, 0))
    assert (second.index, second.count, second.array) == (64, 6, "s")


def test_an_atomic_on_a_bin_that_nobody_cleared():
    text = "__global__ void k(const int *v, int *h) { __shared__ int n[8]; atomicAdd(&n[v[threadIdx.x]], 1); __syncthreads(); if (threadIdx.x < 8) h[threadIdx.x] = n[threadIdx.x]; }"
    found = launch(text, 1, 32, gs.asarray(np.arange(32, dtype=np.int32) % 4), gs.zeros(8, np.int32)).reports
    assert [(r.kind, r.array, r.index) for r in found] == [("unset read", "n", 0), ("unset read", "n", 4)]


def test_an_array_from_empty_is_unset_until_a_kernel_or_only_part_of_it_is_written():
    a, out = gs.empty(100, np.float32), gs.zeros(100, np.float32)
    copy = gs.cuda(
        "__global__ void k(const float *a, float *b, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) b[i] = a[i]; }"
    ).k
    assert copy[4, 32](a, out, 100).reports[0].count == 100
    assert copy[4, 32](out, a, 90).reports == []
    (report,) = copy[4, 32](a, out, 100).reports
    assert (report.index, report.count, report.array) == (90, 10, "a")
    copy[4, 32](out, a, 100)
    assert copy[4, 32](a, out, 100).reports == [] and a.buffer.memory.unset is None


def test_atomics_on_an_array_from_empty():
    a = gs.empty(4, np.int32)
    add = gs.cuda("__global__ void k(int *a) { atomicAdd(&a[threadIdx.x % 4], 1); }").k
    assert add[1, 32](a).reports[0].kind == "unset read"
    assert add[1, 32](a).reports == []


@pytest.mark.parametrize(
    "body, index, count",
    [
        ("a[0] = 1; out[t] = a[0] + a[2];", 2, 64),
        ("if (t < 10) a[1] = 1; out[t] = a[1];", 1, 54),
        (
            "for (int i = 0; i < 3; i++) a[i] = i; float s = 0; for (int i = 0; i < 4; i++) s += a[i]; out[t] = s;",
            3,
            64,
        ),
        ("a[t % 4] = 1; out[t] = a[(t + 1) % 4];", 1, 64),
        ("if (t % 2) { a[0] = 2; out[t] = a[0]; } else { out[t] = a[0]; }", 0, 32),
    ],
)
def test_local_elements_that_a_thread_has_not_written(body, index, count):
    (report,) = local(body)
    assert (report.kind, report.array, report.index, report.count) == ("unset read", "a", index, count)
    assert "which it has not written" in report.message


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 4; i++) a[i] = i; out[t] = a[t % 4];",
        "a[t % 4] = 1; out[t] = a[t % 4];",
        "if (t < 10) { a[1] = 1; if (t < 5) out[t] = a[1]; }",
        "float b[4] = {1}; out[t] = b[3];",
        "for (int k = 0; k < t % 7; k++) { a[0] = k; a[3] = a[0]; } out[t] = 0;",
        "*(float4 *)a = make_float4(1, 2, 3, 4); out[t] = a[2];",
    ],
)
def test_local_arrays_that_are_written_before_they_are_read(body):
    assert local(body) == []


# Variables.


@pytest.mark.parametrize(
    "body, name",
    [
        ("float s; for (int i = 0; i < 3; i++) s += i; out[t] = s;", "s"),
        ("for (int i; i < 3; i++) out[t] = i;", "i"),
        ("int i; out[i] = 1;", "i"),
        ("float x; if (t > 3) { out[t] = x; } x = 1; out[t] = x;", "x"),
        ("float x, y = x + 1; out[t] = y;", "x"),
        ("int n; for (int i = 0; i < 4; i++) if (i > 1 && n < 2) n++; out[t] = n;", "n"),
        ("float *p; out[t] = *p;", "p"),
        ("int k; do { k++; } while (k < 3); out[t] = k;", "k"),
    ],
)
def test_variables_that_are_read_before_they_have_a_value(body, name):
    text = f"__global__ void k(float *out) {{ int t = threadIdx.x; if (t < 0) {{ {body} }} }}"
    (report,) = launch(text, 1, 32, gs.zeros(32, np.float32)).reports
    assert (report.kind, report.array) == (
        "unset read",
        name,
    ) and f"{name} is read before it has a value" in report.message


@pytest.mark.parametrize(
    "body",
    [
        "float x; if (t > 3) x = 1; else x = 2; out[t] = x;",
        "float x; if (t > 3) x = 1; out[t] = x;",  # on some paths only: not certain
        "float x; for (int i = 0; i < 3; i++) { if (i > 0) out[t] = x; x = i; }",
        "float x; for (int i = 0; i < 3; i++) { if (i == 0) { x = 1; continue; } out[t] = x; }",
        "int a, b; a = b = 3; out[t] = a + b;",
        "float x; set(x); out[t] = x;",
        "float s, c; sincosf(1.0f, &s, &c); out[t] = s;",
        "int n; switch (t) { case 0: n = 1; break; default: n = 2; } out[t] = n;",
        "float x; while (true) { x = 1; break; } out[t] = x;",
    ],
)
def test_variables_that_may_have_a_value(body):
    text = f"__device__ void set(float &x) {{ x = 2; }} __global__ void k(float *out) {{ int t = threadIdx.x; {body} }}"
    assert launch(text, 1, 32, gs.zeros(32, np.float32)).reports == []
