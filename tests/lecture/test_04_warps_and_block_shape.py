"""Warps and block shape: the lecture's figures recomputed, and the page's prose."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs
from gpusim.rules.warps import layout, warps_of

IDS = gs.load("warp_ids")
SHAPES = [(4, 3), (8, 4), (8, 8), (10, 10), (16, 16), (17, 17), (33, 1), (48, 1), (100, 1), (32, 4)]
USED = [0.375, 1, 1, 0.78125, 1, 289 / 320, 33 / 64, 0.75, 0.78125, 1]  # s2-044, lost in the notes


def ids(block, blocks=1):
    """The warp and the lane that each thread of a launch writes, and the counts."""
    threads = blocks * int(np.prod(block))
    warp, lane = gs.full(threads, -1, np.int32), gs.full(threads, -1, np.int32)
    run = IDS[blocks, block](warp, lane)
    return gs.asnumpy(warp), gs.asnumpy(lane), run.counts


@pytest.mark.parametrize("block, used", list(zip(SHAPES, USED, strict=True)))
def test_a_block_uses_its_threads_out_of_whole_warps(block, used):
    counts = ids(block)[2]
    assert counts.thread_instructions / (32 * counts.warp_instructions) == used
    assert counts.global_store_requests == 2 * warps_of(np.prod(block))


@pytest.mark.parametrize("block", [(16, 8), (5, 7, 3), (33,), (8, 8, 2)])
def test_the_kernel_s_warps_are_those_of_the_rules(block):
    warp, lane, _ = ids(block, blocks=2)
    rows = layout(block)
    at = (rows.z * (*block, 1, 1)[1] + rows.y) * block[0] + rows.x
    for number, (threads, on) in enumerate(zip(at, rows.active, strict=True)):
        assert (warp[threads[on]] == number).all() and (lane[threads[on]] == np.flatnonzero(on)).all()


def test_512_threads_are_16_warps():
    agrees("s1-004", int(ids(512)[0].max()) + 1)


def test_warp_0_has_threads_0_to_31_and_warp_1_the_next():
    warp, _, _ = ids((4, 8, 2))
    agrees("s3-023", [*np.flatnonzero(warp == 0)[[0, -1]], *np.flatnonzero(warp == 1)[[0, -1]]])


def test_the_lecture_s_thread_5_7_sits_in_warp_3():
    warp, lane, _ = ids((16, 8))
    t = 7 * 16 + 5
    agrees("s2-056", [2 * 16 + 5, 3 * 8 + 7, t, int(warp[t])])
    assert lane[t] == 21


@pytest.mark.parametrize("width, rows, sectors", [(2, 16, 16), (4, 8, 8), (8, 4, 4), (32, 1, 4), (64, 1, 4)])
def test_a_narrow_block_asks_for_bits_of_many_rows(width, rows, sectors):
    matrix = [gs.spec(64 * 64)] * 3
    run = gs.count(gs.load("matrix_add"), (64 // width, width // 2), (width, 128 // width), *matrix, 64, 64)
    load = next(event for event in run.trace(0, 0) if event.kind == "load")
    assert (len(set((load.addresses // 256).tolist())), load.sectors) == (rows, sectors)
