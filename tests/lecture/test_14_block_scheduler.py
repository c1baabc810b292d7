"""Scheduling blocks: the lecture's figures, the page's prose, and what an H200 did."""

import numpy as np
from figures import agrees

import gpusim as gs

CONV = gs.load("conv_shared")


def test_what_the_convolution_takes_up():
    agrees("s2-029", [128, 8, CONV.static_shared])  # 8: bytes of local variables, as the notes count
    agrees("s2-033", 128 // 32)


def test_two_blocks_of_520_bytes_fit_in_1536():
    agrees("s2-030", gs.occupancy(gs.TOY, threads=128, registers=8, shared=520, rules="lecture").blocks)
    assert gs.occupancy(gs.TOY, threads=128, registers=8, shared=500, rules="lecture").blocks == 3


def test_the_fifth_block_takes_the_place_of_the_first_that_ends():
    plan = gs.models.blocks.schedule(
        gs.TOY, [0.8, 1.1, 0.9, 1.0] + 996 * [1.0], threads=128, shared=520, rules="lecture"
    )
    starts = [(t, block, sm, list(c)) for t, what, block, sm, c in plan.events() if what == "start"]
    assert [list(s) for s in starts[4:6]] == [[0.8, 4, 0, [0, 127]], [0.9, 5, 0, [128, 255]]]  # s2-031
    assert [sm for _, _, sm, _ in starts[:4]] == [0, 1, 0, 1]


def test_an_sm_of_a_gtx_980():
    g = gs.GTX_980
    agrees("s2-032", [g.warps_per_sm, 32 * g.warps_per_sm, g.shared_per_sm // 1024, g.schedulers_per_sm, 2])


def test_an_h200_fills_every_sm_with_two_blocks_and_starts_elsewhere_than_sm_0():
    sm = np.array(gs.hardware.recorded("block_trace", gs.H200, blocks=400).observed["sm"])
    assert sm[0] != 0
    assert set(np.bincount(sm[:264], minlength=132)) == {2}
