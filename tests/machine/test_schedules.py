"""Schedules: who runs first between two barriers; the lectures' experiment, thread by thread."""

import numpy as np
import pytest

import gpusim as gs

N, TILE = 32, 8
A, B = (np.random.default_rng(seed).random((N, N), np.float32) for seed in (1, 2))
ORDERS = ["lockstep", "forward", "reverse", "random:1", "random:2", "threads"]


def tiled(first, second, order):
    """(right, NaN, otherwise wrong) elements of the lectures' matmul with or without its barriers."""
    kernel = gs.load("matmul_tiled_switches", TILE=TILE, FIRST_BARRIER=first, SECOND_BARRIER=second)
    C = gs.zeros((N, N), np.float32)
    kernel[(4, 4), (8, 8)](gs.asarray(A), gs.asarray(B), C, N, order=order)
    got = gs.asnumpy(C)
    right, nan = np.isclose(got, A @ B), np.isnan(got)
    return int(right.sum()), int(nan.sum()), int((~right & ~nan).sum())


@pytest.mark.parametrize(
    "first, second, wanted",
    [(1, 1, (1024, 0, 0)), (0, 1, (16, 1008, 0)), (1, 0, (16, 0, 1008)), (0, 0, (0, 1008, 16))],
)
def test_the_lectures_experiment_thread_by_thread(first, second, wanted):
    assert tiled(first, second, "threads") == wanted


def test_the_sixteen_right_elements_belong_to_the_last_thread_of_each_block():
    kernel = gs.load("matmul_tiled_switches", TILE=TILE, FIRST_BARRIER=0)
    C = gs.zeros((N, N), np.float32)
    kernel[(4, 4), (8, 8)](gs.asarray(A), gs.asarray(B), C, N, order="threads")
    assert np.argwhere(np.isclose(gs.asnumpy(C), A @ B)).tolist() == [
        [8 * j + 7, 8 * i + 7] for j in range(4) for i in range(4)
    ]


def test_lockstep_hides_every_missing_barrier_and_other_orders_show_it():
    assert tiled(0, 0, "lockstep") == (1024, 0, 0)
    for first, second in ((0, 1), (1, 0)):
        assert any(tiled(first, second, order)[0] < 1024 for order in ("forward", "reverse"))


@pytest.mark.parametrize("order", ORDERS)
def test_a_right_kernel_gives_the_same_in_every_order(order):
    assert tiled(1, 1, order) == (1024, 0, 0)
    x = np.random.default_rng(0).random(8 * 256, np.float32)
    out = gs.zeros(8, np.float32)
    run = gs.load("reduce_v3")[8, 256](gs.asarray(x), out, order=order)
    assert np.allclose(gs.asnumpy(out), x.reshape(8, 256).sum(axis=1)) and run.reports == []


@pytest.mark.parametrize("order", ORDERS)
def test_counts_do_not_depend_on_the_order(order):
    in_step = gs.load("reduce_v3")[4, 256](gs.zeros(1024, np.float32), gs.zeros(4, np.float32))
    other = gs.load("reduce_v3")[4, 256](gs.zeros(1024, np.float32), gs.zeros(4, np.float32), order=order)
    assert other.counts == in_step.counts


@pytest.mark.parametrize("order", ["sideways", "random:x", "random", "", None, 3])
def test_an_order_that_does_not_exist(order):
    kernel, arguments = gs.load("saxpy"), (2.0, gs.zeros(64, np.float32), gs.zeros(64, np.float32), 64)
    if order == "random":
        assert kernel[1, 64](*arguments, order=order).order == "random"
    else:
        with pytest.raises(gs.LaunchError, match="no order is called"):
            kernel[1, 64](*arguments, order=order)


def test_warp_functions_do_not_run_thread_by_thread():
    with pytest.raises(gs.LaunchError, match="cannot run one after the other"):
        gs.load("reduce_v4")[1, 256](gs.zeros(512, np.float32), gs.zeros(1, np.float32), order="threads")


def test_matrix_add_without_its_guard_leaves_the_array_at_thread_8_of_block_0_1():
    """The lecture's first failing thread, 8 of block (0,1), at A[55] of 55; 13 threads leave the array in all."""
    arrays = [gs.zeros(55, np.float32) for _ in range(3)]
    unguarded = gs.load("matrix_add_unguarded")
    with pytest.raises(
        gs.OutOfBounds, match=r"index 55 is outside A, which has 55 elements \(0 to 54\); 13 threads in all"
    ) as found:
        unguarded[(3, 2), (4, 3)](*arrays, 11, 5)
    x, y, z = found.value.thread
    assert (found.value.block, y * 4 + x) == ((0, 1, 0), 8)
    run = unguarded[(3, 2), (4, 3)](*arrays, 11, 5, bounds="report")
    assert [(r.kind, r.array, r.index, r.count) for r in run.reports] == [
        ("out of bounds", name, 55, 13) for name in "ABC"
    ]
    # Four more threads stay in the array but leave their row.
    matrices = [gs.zeros((5, 11), np.float32) for _ in range(3)]
    rows = [
        r
        for r in unguarded[(3, 2), (4, 3)](*matrices, 11, 5, bounds="report", rows=True).reports
        if r.kind == "row overrun"
    ]
    assert {r.index for r in rows} == {11} and all(r.count >= 4 for r in rows)


@pytest.mark.parametrize(
    "settings, grid, wanted",
    [
        (dict(GUARD=0, ROUND_UP=0), (2, 2), (0, 36, 0)),
        (dict(ROUND_UP=0), (3, 3), (0, 0, 0)),
        (dict(GUARD=0), (3, 3), (86, 0, 182)),
        ({}, (3, 3), (100, 0, 0)),
    ],
)
def test_edges_of_a_tiled_matmul(settings, grid, wanted):
    """(right outputs, untouched outputs, accesses out of bounds) of the lectures' variants, N = 10, tiles of 4."""
    n = 10
    a, b = A[:n, :n].copy() + 1, B[:n, :n].copy() + 1
    C = gs.full((n, n), -1.0, np.float32)
    run = gs.load("matmul_tiled_switches", TILE=4, **settings)[grid, (4, 4)](
        gs.asarray(a), gs.asarray(b), C, n, bounds="report"
    )
    got = gs.asnumpy(C)
    assert (
        int(np.isclose(got, a @ b).sum()),
        int((got == -1).sum()),
        run.reports.total("out of bounds"),
    ) == wanted
