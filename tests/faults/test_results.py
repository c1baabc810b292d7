"""Results that were once silently wrong, or ended in a traceback of ours: each kind with its right value."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import gpusim as gs

I32, I64, U64, F16, F32, F64 = np.int32, np.int64, np.uint64, np.float16, np.float32, np.float64


def results(text, out, *arguments, grid=1, block=32):
    """What a kernel k leaves in its first argument; out : (elements, dtype)."""
    out = gs.zeros(*out)
    arrays = [gs.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
    gs.cuda(text).k[grid, block](out, *arrays)
    return gs.asnumpy(out)


def by_thread(body, before="", count=32, **launch):
    """int results of `body`, which computes o[i] from i and a[i] == i."""
    text = before + "\n__global__ void k(int *o, const int *a) {\n  int i = threadIdx.x;\n" + body + "\n}"
    return results(text, (count, I32), np.arange(32, dtype=I32), **launch)


I = np.arange(32)  # noqa: E741

# name: (what stands before the kernel, its body, the right values)
ORDER = {
    "a function called inside its own arguments": (
        "__device__ int sub(int a, int b) { return a - b; }",
        "o[i] = sub(100, sub(50, i));",
        50 + I,
    ),
    "a chain of methods that return *this changes the object": (
        "struct A { int x; __device__ A &add(int y) { x += y; return *this; } };",
        "A z; z.x = 3; z.add(i).add(2); o[i] = z.x;",
        5 + I,
    ),
    "a chain on an element evaluates its index once": (
        "struct A { int x; __device__ A &add(int y) { x += y; return *this; } };",
        "A z[3] = {{1}, {2}, {3}}; int j = 0; z[j++].add(i).add(2); o[i] = z[0].x * 100 + z[1].x * 10 + j;",
        100 * (3 + I) + 21,
    ),
    "a reference written after an early return": (
        "__device__ void f(int &x, int v) { if (v < 5) return; x = v; }",
        "int x = 3; f(x, a[i]); o[i] = x;",
        np.where(I < 5, 3, I),
    ),
    "a member written after an early return": (
        "struct A { int x; __device__ void f(int v) { if (v < 5) return; x = v; } };",
        "A z; z.x = 3; z.f(a[i]); o[i] = z.x;",
        np.where(I < 5, 3, I),
    ),
    "a captured variable written after an early return": (
        "",
        "int x = 3; auto f = [&](int v) { if (v < 5) return; x = v; }; f(a[i]); o[i] = x;",
        np.where(I < 5, 3, I),
    ),
    "the loop variable written after a continue": (
        "",
        """int s = 0;
        for (int z = 0; z < 10; z++) { if (a[i] & 1) { s += 3; continue; } z += 2; s++; }
        o[i] = s;""",
        np.where(I % 2, 30, 4),
    ),
    "a variable of the loop's outside written after a break of a switch": (
        "",
        """int s = 1;
        switch (i & 3) { case 0: if (a[i] > 8) break; s = 2; case 1: s += 10; }
        o[i] = s;""",
        np.where(I % 4 == 0, np.where(I > 8, 1, 12), np.where(I % 4 == 1, 11, 1)),
    ),
    "a reference to an element stays when the index changes": (
        "",
        """int v[4] = {1, 2, 3, 4}; int j = i & 3; int &e = v[j]; j = 0; e = 7;
        o[i] = v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];""",
        np.array([7234, 1734, 1274, 1237] * 8),
    ),
    "a reference stays when the pointer moves on": (
        "",
        "int v[4] = {1, 2, 3, 4}; int *p = v; int &r = *p; p++; r = 50; o[i] = v[0] * 100 + v[1];",
        np.full(32, 5002),
    ),
    "a lambda captures by value": ("", "int x = a[i]; auto f = [x] { return x; }; x = 99; o[i] = f();", I),
    "a lambda captures everything by value": (
        "",
        "int x = a[i], y = 2; auto f = [=](int z) { return x * y + z; }; x = 99; y = 98; o[i] = f(1);",
        2 * I + 1,
    ),
    "a lambda captures one by reference among values": (
        "",
        "int x = a[i], y = 2; auto f = [=, &y] { return x + y; }; x = 99; y = 5; o[i] = f();",
        I + 5,
    ),
    "braces are evaluated from left to right": (
        "",
        "int x = i; int v[3] = {x, x++, x}; o[i] = v[0] * 10000 + v[1] * 100 + v[2];",
        10000 * I + 100 * I + I + 1,
    ),
    "a condition changed in its own branches": (
        "",
        """bool b = a[i] & 1; int n = 0, m = 0;
        int r = b ? (b = false, n++) : (m++, 9);
        o[i] = r * 100 + n * 10 + m;""",
        np.where(I % 2, 10, 901),
    ),
    "the value of a switch changed in its own cases": (
        "",
        "int x = i & 3, s = 0; switch (x) { case 0: x = 1; s++; break; case 1: s += 10; x = 2; break; case 2: s += 100; } o[i] = s;",
        np.array([1, 10, 100, 0] * 8),
    ),
    "the right side of an assignment comes first": (
        "",
        "int v[4] = {0, 0, 0, 0}; int j = 0; v[j] = j++ + 5; o[i] = v[0] * 10 + v[1];",
        np.full(32, 5),
    ),
    "the value of an assignment does not evaluate its place again": (
        "",
        "int v[4] = {1, 2, 3, 4}; int j = 0; int s = (v[j++] = 9); o[i] = s * 10 + j;",
        np.full(32, 91),
    ),
    "an operand keeps its value when a later one changes the variable": (
        "__device__ int bump(int &x) { x += 10; return x; }",
        "int x = i; int s = (x + 0) * 100 + bump(x); int t = x; o[i] = s + (t - x);",
        100 * I + I + 10,
    ),
    "a switch whose first label takes all lanes": (
        "",
        """int s, mode = 0; switch (mode) { case 0: s = 1; break; case 1: s = 2; break; default: s = 3; }
        if (a[i] > 5) s++;
        o[i] = s;""",
        np.where(I > 5, 2, 1),
    ),
    "a pointer moved by numbers of every type": (
        "",
        """int v[4] = {1, 2, 3, 4}; unsigned long long n = a[i] & 1; unsigned m = i & 1; int *p = v + n;
        int *q = v + 3; q -= m; o[i] = p[i & 1] * 100 + *(v + 3 - n) * 10 + *q;""",
        np.where(I % 2, 333, 144),
    ),
    "the address of a reference is that of its variable": (
        "__device__ void f(int &x) { int *p = &x; *p += 5; }",
        "int x = i; f(x); int &r = x; *&r += 1; o[i] = x;",
        I + 6,
    ),
    "a hundred early returns": (
        "__device__ int f(int c) {"
        + "".join(f" if (c == {n}) return {n * n};" for n in range(100))
        + " return -1; }",
        "o[i] = f(i);",
        I * I,
    ),
    "a chain of ninety else if": (
        "",
        "int s = 0; " + " else ".join(f"if (i == {n}) s = {n * n};" for n in range(90)) + " o[i] = s;",
        I * I,
    ),
}


@pytest.mark.parametrize("name", ORDER)
def test_when_a_value_is_fixed_and_who_writes(name):
    before, body, right = ORDER[name]
    np.testing.assert_array_equal(by_thread(body, before), right)


def test_a_switch_on_a_parameter_whose_first_label_takes_all_lanes():
    text = """__global__ void k(int *o, int mode) {
        int s; switch (mode) { case 0: s = 1; break; case 1: s = 2; break; default: s = 3; } o[threadIdx.x] = s; }"""
    assert [results(text, (1, I32), mode, block=1)[0] for mode in (0, 1, 7)] == [1, 2, 3]


UNEVEN = {
    "a pointer into a local array": (
        """int L[4] = {1, 2, 3, 4}; int *p = L + 1;
        int n = blockIdx.x < 2 ? a[i] + 20 : 1;
        for (int j = 0; j < n; j++) { L[j & 3] += j; p[j & 1] ^= 5; }
        o[blockIdx.x * 32 + i] = L[0] + 10 * L[1] + 1000 * L[2] + 100000 * L[3];""",
        [5961531, 5961581, 5956791, 5978821, 8275821, 8275815],
    ),
    "a reference to an element": (
        """int L[4] = {1, 2, 3, 4}, k = i & 3; int &r = L[k], &n = k;
        int m = blockIdx.x < 2 ? a[i] + 20 : 1;
        for (int j = 0; j < m; j++) { r += j; n = (n + a[i]) & 3; L[n] ^= j; }
        o[blockIdx.x * 32 + i] = L[0] + 10 * L[1] + 1000 * L[2] + 100000 * L[3] + k;""",
        None,
    ),
    "a pointer that moves": (
        """int L[4] = {1, 2, 3, 4}, *p = L, s = 0;
        int n = blockIdx.x < 2 && i >= 16 ? a[i] : 1;
        for (int j = 0; j < n; j++) { *p = j; p = L + (j & 3); s += L[j & 1]; }
        o[blockIdx.x * 32 + i] = s;""",
        None,
    ),
}


@pytest.mark.parametrize("name", UNEVEN)
def test_in_a_loop_of_uneven_length(name):
    body, first = UNEVEN[name]
    found = by_thread(body, count=384, grid=12)
    few = by_thread(body, count=64, grid=2)  # too few warps to be packed
    np.testing.assert_array_equal(found[:64], few)
    assert first is None or found[:6].tolist() == first


def test_constants_of_64_bits():
    text = """__global__ void k(unsigned long long *o) {
        unsigned long long x = threadIdx.x;
        o[threadIdx.x] = (x ^ 0x9E3779B97F4A7C15ull) * 0xBF58476D1CE4E5B9ull + (0xFFFFFFFFFFFFFFFFull - x) / 3 % 0x8000000000000001ull;
    }"""
    low = (1 << 64) - 1
    right = [
        ((x ^ 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 + (low - x) // 3 % 0x8000000000000001) & low
        for x in range(32)
    ]
    assert results(text, (32, U64)).tolist() == right


def test_an_atomic_on_half2_adds_both_halves():
    text = """#include <cuda_fp16.h>
    __global__ void k(half2 *o, const half2 *a) { atomicAdd(&o[threadIdx.x & 3], a[threadIdx.x]); }"""
    found = results(text, ((4, 2), F16), np.arange(64, dtype=F16).reshape(32, 2))
    np.testing.assert_array_equal(found, np.arange(64).reshape(8, 4, 2).sum(axis=0))


def lines_of(text, threads):
    return gs.launch(gs.cuda(text).k, 1, threads, gs.zeros(4, I32)).printed


def test_printf_has_fields_and_a_buffer_of_a_bounded_size():
    wide = lines_of(
        r'__global__ void k(int *o) { printf("%99999999d|%*d|%.2f 100%%", 1, 2000000000, 7, 0.5); }', 2
    )
    assert wide == [f"{1:999d}|{7:999d}|0.50 100%"] * 2
    many = lines_of(r'__global__ void k(int *o) { for (int i = 0; i < 900; i++) printf("%900d", i); }', 64)
    assert sum(map(len, many[:-1])) == 1 << 20 and many[-1].startswith("(printf ends here")


def test_fewer_lanes_run_together_where_each_holds_much(monkeypatch):
    text = """__global__ void k(int *o, const int *a) {
        int i = blockIdx.x * 32 + threadIdx.x, v[4000] = {0}; v[a[i]] = i; o[i] = v[a[i]]; }"""
    sizes = []
    launch = importlib.import_module("gpusim.machine.launch")
    run = launch.run_in_order
    monkeypatch.setattr(
        launch,
        "run_in_order",
        lambda order, state, space, *more: (sizes.append(space.block_count), run(order, state, space, *more)),
    )
    monkeypatch.setattr(launch, "MOST_LOCAL", 1 << 21)
    found = results(text, (256, I32), np.arange(256, dtype=I32), grid=8)
    np.testing.assert_array_equal(found, np.arange(256))
    assert max(sizes) == 4


def test_a_pointer_that_is_null_in_some_threads_is_refused():
    body = "int v[2] = {7, 8}; int *p = nullptr; if (i > 5) p = v; o[i] = p ? p[0] : 1;"
    with pytest.raises(gs.CudaUnsupported, match="null in some threads"):
        by_thread(body)
    no_value_yet = "int v[2] = {7, 8}; int *p; if (i > 5) p = v; else p = v + 1; o[i] = *p;"
    np.testing.assert_array_equal(by_thread(no_value_yet), np.where(I > 5, 7, 8))
    everywhere = (
        "int v[2] = {7, 8}; int *p = nullptr; bool none = p == nullptr; p = v + (i & 1); o[i] = *p + none;"
    )
    np.testing.assert_array_equal(by_thread(everywhere), 8 + I % 2)
