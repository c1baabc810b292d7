"""Counting in closed form equals counting lane by lane with the plain rules, on random kernels and launches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from lanes import by_lanes
from random_launches import launches

import gpusim as gs
from gpusim.machine.launch import Launch, count_symbolically, placed
from gpusim.machine.run import Run
from gpusim.machine.values.pattern import Irregular


def run_in_closed_form(kernel, grid, block, arrays):
    """The run counted in one step, or None where an index is not regular enough for that."""
    launch = Launch(kernel, grid, block, 0, gs.H100, dataless=True)
    try:
        return Run(launch, arrays, count_symbolically(launch, kernel.bind(arrays)), "lockstep")
    except Irregular:
        return None


@pytest.mark.parametrize("examples", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_closed_form_counts_equal_counts_lane_by_lane(examples):
    tried, closed = 0, 0

    @settings(max_examples=examples, deadline=None)
    @given(launches())
    def agree(case):
        nonlocal tried, closed
        text, size, grid, block = case
        kernel = gs.cuda(text).k
        arrays = [gs.spec(1 << 19, {1: "u1", 2: "i2", 4: "f4", 8: "f8", 16: "f4"}[size]) for _ in range(2)]
        with placed(kernel):
            lanes = by_lanes(kernel, grid, block, arrays, chunk=512)
            counted = run_in_closed_form(kernel, grid, block, arrays)
        tried, closed = tried + 1, closed + (counted is not None)
        if counted is None:  # loop by loop, or by lanes in larger spaces
            counted = gs.count(kernel, grid, block, *arrays)
        assert counted.counts == lanes.counts
        for line in {access.line for access in lanes.accesses}:
            assert counted.lines[line] == lanes.lines[line]

    agree()
    assert closed > 0.6 * tried, f"only {closed} of {tried} launches are counted in closed form"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("max(i, -1)", lambda i: i),
        ("max(-1, i)", lambda i: i),
        ("max(i, 63)", lambda i: i * 0 + 63),
        ("max(i, n - i)", lambda i: np.maximum(i, 64 - i)),
        ("max(-i, -3)", lambda i: np.maximum(-i, -3)),
        ("min(i, -1)", lambda i: i * 0 - 1),
        ("min(99, i)", lambda i: i),
        ("max(min(i, 63), 0)", lambda i: i),
    ],
)
@pytest.mark.parametrize("order", ["lockstep", "threads"])
def test_min_and_max_of_thread_numbers_whose_bounds_decide(expression, expected, order):
    kernel = gs.cuda(
        "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = EXPRESSION; }".replace(
            "EXPRESSION", expression
        )
    ).k
    a = gs.zeros(64, np.int32)
    kernel[2, 32](a, 64, order=order)
    assert gs.asnumpy(a).tolist() == expected(np.arange(64)).tolist()


def test_counts_do_not_depend_on_what_was_launched_before():
    kernel = gs.cuda("__global__ void few(float *f) { if (threadIdx.x < 7) f[threadIdx.x] = 1; }").few
    shapes = [(64, 1), (64, 2), (64, 4), (64, 1), (64, 2)]
    found = [gs.count(kernel, 1, block, gs.spec((64,))).counts.divergent_branches for block in shapes]
    assert found == [1, 2, 4, 1, 2]


def test_constant_loads_are_instructions_in_both_ways_of_counting():
    program = gs.cuda("""
        __constant__ float C[64];
        __global__ void given(float *f) { int i = threadIdx.x; f[i] = C[i]; }
        __global__ void loaded(const int *p, float *f) { int i = p[threadIdx.x]; f[i] = C[i]; }
    """)
    places = gs.asarray(np.arange(64, dtype=np.int32))
    given = program.given[1, 64](gs.zeros(64, np.float32)).counts
    loaded = program.loaded[1, 64](places, gs.zeros(64, np.float32)).counts
    assert loaded.warp_instructions == given.warp_instructions + 2
