"""Divergence: the lecture's figures recounted from the page's kernels, and its prose."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

DIVERGE = gs.load("diverge")
N, WARPS = 4096, 128
COIN = np.random.default_rng(42).standard_normal(N)
RARE = np.random.default_rng(42).random(N) < 0.05
THREAD = np.arange(N)
SIGNS = {
    "positive": np.ones(N),
    "negative": -np.ones(N),
    "random": COIN,
    "sorted": np.sort(COIN),
    "rare": np.where(RARE, -1, 1),
    "alternating": 1 - 2 * (THREAD % 2),
    "by warp": 1 - 2 * (THREAD // 32 % 2),
}


def counts(signs, kernel=DIVERGE):
    x = SIGNS[signs].astype(np.float32)
    return kernel[N // 256, 256](gs.asarray(x), gs.zeros(N, np.float32), N).counts


def instructions(signs):
    return counts(signs).warp_instructions / WARPS


# signs -> warp instructions, divergent warps, SIMD efficiency: the table that the notes have lost (s2-015)
TABLE = {
    "positive": (640, 0, 1.0),
    "negative": (2560, 0, 1.0),
    "random": (2688, 128, 0.596),
    "sorted": (1616, 1, 0.991),
    "rare": (2256, 101, 0.325),
    "alternating": (2688, 128, 0.595),
    "by warp": (1600, 0, 1.0),
}


@pytest.mark.parametrize("signs", TABLE)
def test_seven_ways_to_choose_the_signs(signs):
    c = counts(signs)
    assert (c.warp_instructions, c.divergent_branches, round(c.simd_efficiency, 3)) == TABLE[signs]


def test_a_mixed_warp_pays_for_both_sides():
    agrees("s2-007", [instructions("positive"), instructions("negative"), instructions("random")])
    agrees("s2-008", instructions("negative") / instructions("positive"))
    agrees("s2-009", instructions("random") / instructions("positive"))


def test_sorting_the_same_numbers_saves_two_fifths():
    gain = counts("random").warp_instructions / counts("sorted").warp_instructions
    agrees("s2-010", [gain, counts("random").divergent_branches, counts("sorted").divergent_branches])
    assert round(gain, 2) == 1.66


def test_a_rare_branch_splits_four_warps_in_five():
    agrees("s2-011", [counts("rare").divergent_branches, WARPS])
    agrees("s2-012", 1 - 0.95**32)
    agrees("s2-013", instructions("rare") / instructions("positive"))
    agrees("s2-014", 1 * (1 - RARE.mean()) + 16 * RARE.mean())
    assert 1 - 0.99**32 < 0.28 and 1 - 0.9**32 > 0.96 and 1 - 0.999**32 < 0.04


def test_half_of_the_warps_diverge_at_one_in_47():
    p = 1 - 0.5 ** (1 / 32)
    assert round(1 / p) == 47 and round(100 * p, 2) == 2.14


@pytest.mark.parametrize("figure, run", [("s2-016", 1), ("s2-017", 32)])
def test_a_switch_of_four_cases(figure, run):
    kernel = gs.load("diverge_switch", OPS=6)
    c = kernel[N // 256, 256](gs.asarray(np.ones(N, np.float32)), gs.zeros(N, np.float32), N, run).counts
    agrees(figure, c.simd_efficiency)


def test_two_halves_of_10_and_30_instructions_use_half_of_the_lanes():
    kernel = gs.load("diverge", THEN_OPS=10, ELSE_OPS=30)
    x = SIGNS["alternating"][:32].astype(np.float32)
    run = kernel[1, 32](gs.asarray(x), gs.zeros(32, np.float32), 32)
    lanes = [event.lanes for event in run.trace(0, 0) if event.kind == "arith"]
    agrees("s2-058", [len(lanes), sum(lanes), sum(lanes) / (32 * len(lanes))])
    assert run.counts.warp_instructions == len(lanes) + 4


@pytest.mark.parametrize("mode, divergent, passes", [(0, 1, 3), (1, 2, 4), (2, 0, 2)])
def test_five_lanes_that_leave_make_one_pass_more(mode, divergent, passes):
    run = gs.load("split")[1, 64](gs.zeros(64, np.float32), mode)
    sides = [event.lanes for warp in range(2) for event in run.trace(0, warp) if event.kind == "store"]
    assert (run.counts.divergent_branches, len(sides)) == (divergent, passes)
    assert mode != 0 or sides == [5, 27, 32]


@pytest.mark.parametrize("block, rounds, lanes", [(32, 31, 496), (256, 1144, 32640)])
def test_a_loop_costs_its_longest_lane(block, rounds, lanes):
    run = gs.load("trips")[1, block](gs.zeros(block, np.uint32))
    taken = [
        event.taken
        for warp in range(block // 32)
        for event in run.trace(0, warp)
        if event.kind == "loop" and event.taken.any()
    ]
    assert (len(taken), int(np.sum(taken))) == (rounds, lanes)


def test_selecting_costs_one_instruction_more_than_two_short_sides():
    select = counts("random", gs.load("diverge_select"))
    short = counts("random", gs.load("diverge", THEN_OPS=1, ELSE_OPS=1))
    assert (select.warp_instructions, short.warp_instructions) == (7 * WARPS, 6 * WARPS)
    assert (select.divergent_branches, short.divergent_branches) == (0, WARPS)


def test_an_h200_counts_the_same_divergent_warps_and_its_times_follow_the_instructions():
    names = dict(zip(SIGNS, (*list(SIGNS)[:6], "by_warp"), strict=True))
    for signs, data in names.items():
        record = gs.hardware.recorded(DIVERGE, gs.H200, n=N, data=data)
        assert record.counts.divergent_branches == TABLE[signs][1]
    times = [
        gs.hardware.recorded("diverge", gs.H200, n=1 << 24, data=data, ELSE_OPS=256).seconds
        for data in ("positive", "sorted", "rare", "negative")
    ]
    assert times == sorted(times) and times[-1] > 2 * times[0]


def test_an_h200_counts_the_divergent_branches_of_the_exercises():
    measured = [gs.hardware.recorded("split", gs.H200, mode=mode).counts for mode in range(3)]
    assert [counts.divergent_branches for counts in measured] == [1, 2, 0]
    assert gs.hardware.recorded("trips", gs.H200, block=32).counts.divergent_branches == 7
    apart, together = (
        gs.hardware.recorded("diverge_switch", gs.H200, n=1 << 24, run=run, OPS=128) for run in (1, 32)
    )
    assert (apart.counts.divergent_branches, together.counts.divergent_branches) == (3 * 2**19, 0)
    assert 2.5 < apart.seconds / together.seconds < 3.5
