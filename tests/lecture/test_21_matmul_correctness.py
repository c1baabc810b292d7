"""Barriers and the edge of the tiled multiplication: the lecture's figures, and the numbers of the page."""

from functools import cache

import numpy as np
import pytest
from figures import agrees, figures

import gpusim as gs


@cache
def multiply(n, tile, order="lockstep", blocks=None, **switches):
    """(right, NaN, wrong) of the elements, and {kind: count} of the reports."""
    random = np.random.default_rng(n)
    A, B = (random.standard_normal((n, n)).astype(np.float32) for _ in range(2))
    C, blocks = gs.full((n, n), np.nan, np.float32), blocks or -(-n // tile)
    kernel = gs.load("matmul_tiled_switches", TILE=tile, **switches)
    arrays = gs.asarray(A), gs.asarray(B), C
    run = gs.launch(kernel, (blocks, blocks), (tile, tile), *arrays, n, order=order, bounds="report")
    good, nan = np.isclose(gs.asnumpy(C), A @ B, atol=1e-4), np.isnan(gs.asnumpy(C))
    found = {}
    for report in run.reports:
        found[report.kind] = found.get(report.kind, 0) + report.count
    return [int(good.sum()), int(nan.sum()), int((~good & ~nan).sum())], found


FIRST, SECOND = {"FIRST_BARRIER": 0}, {"SECOND_BARRIER": 0}


def test_thread_by_thread_without_barriers():
    agrees("s4-019", multiply(32, 8, "threads", **FIRST)[0])
    assert figures()["s4-020"]["value"] is None  # the table is lost: 16 are right here, too
    assert multiply(32, 8, "threads", **SECOND)[0] == [16, 0, 1008]
    agrees("s4-021", multiply(32, 8, "threads", **FIRST, **SECOND)[0])
    assert multiply(32, 8, "threads") == ([1024, 0, 0], {})


def test_each_barrier_has_its_hazard():
    hazards = [next(iter(multiply(32, 8, **one)[1])).removesuffix(" race") for one in (FIRST, SECOND)]
    agrees("s4-060", hazards)


@pytest.mark.parametrize("removed", [FIRST, SECOND, FIRST | SECOND], ids=["first", "second", "both"])
def test_in_step_all_is_right_and_the_races_are_counted(removed):
    right, found = multiply(32, 8, **removed)
    assert right == [1024, 0, 0] and sum(found.values()) > 0
    for order in ("threads", "forward", "reverse"):
        assert multiply(32, 8, order, **removed)[0][0] <= 512


def test_the_slides_kernel_leaves_the_array():
    kernel = gs.load("matmul_tiled_switches", TILE=4, GUARD=0, ROUND_UP=0)
    with pytest.raises(gs.OutOfBounds, match="index 100 is outside A, which has 100 elements") as caught:
        kernel[(3, 3), (4, 4)](*(gs.zeros((10, 10), np.float32) for _ in range(3)), 10)
    (x, y, _), (tx, ty, _) = caught.value.block, caught.value.thread
    agrees("s4-022", [10 // 4, -(-10 // 4), ty * 4 + tx, x, y, 100, 100])


def test_four_ways_at_the_edge():
    ways = [multiply(10, 4, blocks=2, GUARD=0, ROUND_UP=0), multiply(10, 4, ROUND_UP=0),
            multiply(10, 4, GUARD=0), multiply(10, 4)]  # fmt: skip
    agrees("s4-023", [[right, nan, found.get("out of bounds", 0)] for (right, nan, _), found in ways])


def test_threads_over_the_edge():
    blocks = (-(-10 // 4)) ** 2
    agrees("s4-024", [blocks, blocks * 16, blocks * 16 - 100])
    agrees("s4-061", [-(-100 // 16), 100 // 16, 100 - 100 // 16 * 16])


def test_an_early_return_leaves_tiles_unset():
    right, found = multiply(10, 4, EARLY_RETURN=1)
    assert right == [64, 36, 0] and set(found) == {"unset read", "partial barrier"}


@pytest.mark.parametrize("n", [8, 12])
def test_whole_tiles_need_no_edge_handling(n):
    assert multiply(n, 4, GUARD=0, ROUND_UP=0, EARLY_RETURN=1) == ([n * n, 0, 0], {})


def test_a_read_over_the_end_gives_0():  # 86 right elements hang on it
    copy = gs.cuda("""__global__ void copy(const float *in, float *out) {
        out[threadIdx.x] = in[threadIdx.x + 28];
    }""")
    out = gs.full(32, 7, np.float32)
    gs.launch(copy.copy, 1, 32, gs.full(32, 5, np.float32), out, bounds="report")
    assert list(gs.asnumpy(out)) == [5] * 4 + [0] * 28


def test_a_barrier_a_step_is_right_and_waits_five_times_as_often():
    text = gs.load("matmul_tiled_switches").program.text
    line = "sum += As[ty][k] * Bs[k][tx];"
    passed = []
    for words in (text, text.replace(line, line + " __syncthreads();")):
        arrays = [gs.spec((32, 32)) for _ in range(3)]
        run = gs.count(gs.cuda(words, TILE=8).matmul_tiled_switches, (4, 4), (8, 8), *arrays, 32)
        passed.append(run.counts.barriers // 32)
    assert passed == [8, 40]


def test_a_tile_fetched_down_columns():
    fetch = gs.cuda("""
        __global__ void fetch(const float *d_A, float *out, int N) {
            __shared__ float Mds[32][32];
            int tx = threadIdx.x, ty = threadIdx.y;
            Mds[tx][ty] = d_A[(blockIdx.y * 32 + tx) * N + ty];
            __syncthreads();
            out[ty * 32 + tx] = Mds[ty][tx];
        }""").fetch
    c = fetch[1, (32, 32)](gs.zeros((64, 64), np.float32), gs.zeros(1024, np.float32), 64).counts
    agrees("s1-018", [c.global_load_sectors_per_request, c.shared_store_wavefronts_per_request])


def measured(**switches):
    return gs.hardware.recorded("matmul_tiled_switches", gs.H200, N=1024, **switches)


def test_what_the_page_says_about_the_h200():
    wrong = {(name, tile): measured(TILE=tile, **{name: 0}).observed for tile in (8, 32)
             for name in ("FIRST_BARRIER", "SECOND_BARRIER")}  # fmt: skip
    shares = {key: round(100 * seen["wrong_elements"] / seen["elements"]) for key, seen in wrong.items()}
    assert sorted(shares.values())[:2] == [13, 13] and max(shares.values()) == 100
    for tile, complete in ((8, 0.523), (32, 0.346)):
        whole = gs.hardware.recorded("matmul_tiled", gs.H200, N=1024, TILE=tile)
        assert round(1e3 * whole.seconds, 3) == complete
        for switches in (FIRST, SECOND):
            assert abs(measured(TILE=tile, **switches).seconds / whole.seconds - 1) < 0.03
