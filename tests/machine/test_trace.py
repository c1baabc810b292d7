"""Traces: read off what counting wrote down, they tell what running the block lane by lane tells."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_launches import launches

import gpusim as gs
from gpusim.machine import trace as tracing

PLAIN = "kind line column text space array size sectors wavefronts operations".split()
ARRAYS = "mask taken addresses".split()


def both(run, block, warp):
    """The trace that is read off, and the one of the lanes."""
    told, run.launch.told = run.launch.told, None
    try:
        ran = list(run.trace(block, warp))
    finally:
        run.launch.told = told
    return list(run.trace(block, warp)), ran


def assert_same(run, block, warp):
    for read, ran in itertools.zip_longest(*both(run, block, warp)):
        assert [getattr(read, name) for name in PLAIN] == [getattr(ran, name) for name in PLAIN]
        for name in ARRAYS:
            one, other = getattr(read, name), getattr(ran, name)
            assert (one is None) == (other is None) and (one is None or np.array_equal(one, other)), name


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(launches(), st.integers(0, 99), st.integers(0, 99))
def test_a_trace_read_off_is_that_of_the_lanes(case, block, warp):
    text, size, grid, shape = case
    arrays = [gs.spec(1 << 19, {1: "u1", 2: "i2", 4: "f4", 8: "f8", 16: "f4"}[size]) for _ in range(2)]
    run = gs.count(gs.cuda(text).k, grid, shape, *arrays)
    if run.launch.told is not None:
        assert_same(run, block % int(np.prod(grid)), warp % -(-int(np.prod(shape)) // 32))


KERNELS = {
    "matmul_naive": ((4, 4), (16, 16), [(50, 50)] * 3, [50]),
    "matmul_tiled": ((4, 4), (16, 16), [(64, 64)] * 3, [64]),
    "transpose_tile": ((2, 2), (32, 32), [(64, 64)] * 2, [64, 64]),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("warp", [0, 5])
def test_a_kernel_of_the_book_is_traced_in_both_ways(name, warp):
    grid, block, shapes, numbers = KERNELS[name]
    run = gs.count(gs.load(name), grid, block, *map(gs.spec, shapes), *numbers)
    assert run.launch.told is not None
    assert_same(run, 1, warp)


def test_a_trace_goes_no_further_than_its_reader(monkeypatch):
    n = 4096
    run = gs.count(gs.load("matmul_naive"), (128, 128), (32, 32), *[gs.spec((n, n))] * 3, n)
    made = []
    event = tracing.Event
    monkeypatch.setattr(tracing, "Event", lambda *a, **k: made.append(1) or event(*a, **k))
    assert next(e for e in run.trace((5, 7, 0), 3) if e.array == "A").sectors == 1
    assert len(made) < 5


def test_a_trace_is_a_sequence():
    run = gs.count(gs.load("matmul_naive"), (4, 4), (16, 16), *[gs.spec((64, 64))] * 3, 64)
    trace = run.trace()
    assert trace[1].kind == "loop" and len(trace) == 259 and trace[-1].kind == "store"
    assert [e.array for e in trace[2:4]] == ["A", "B"]
