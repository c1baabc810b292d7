"""Warps and divergence: which threads run together, and what a branch does to them."""

import numpy as np
from figures import agrees

from gpusim.rules.divergence import divergent, passes, simd_efficiency, trips
from gpusim.rules.warps import layout, thread_index, warps_of

THREADS = np.arange(64).reshape(2, 32)
ALL = np.ones((2, 32), bool)


def test_x_runs_fastest_then_y_then_z():
    warps = layout((4, 3, 2))
    linear = warps.x + 4 * (warps.y + 3 * warps.z)
    assert linear[warps.active].tolist() == list(range(24))
    agrees("s2-064", linear[0, :12].reshape(3, 4).tolist())
    agrees("s2-056", [2 * 16 + 5, 3 * 8 + 7, 7 * 16 + 5, (7 * 16 + 5) // 32])
    assert thread_index(117, (16, 8)) == (5, 7, 0)


def test_warps_are_runs_of_32_threads():
    first, last = layout(64).x[:, 0], layout(64).x[:, -1]
    agrees("s3-023", [int(n) for pair in zip(first, last, strict=True) for n in pair])
    agrees("s1-004", warps_of(512))
    agrees("s2-033", warps_of(128))


def test_a_block_shape_that_is_no_multiple_of_32_wastes_lanes():
    shapes = [(4, 3), (8, 4), (8, 8), (10, 10), (16, 16), (17, 17), (33, 1), (48, 1), (100, 1), (32, 4)]
    used = [simd_efficiency(layout(shape).active) for shape in shapes]  # s2-044
    assert used == [0.375, 1, 1, 100 / 128, 1, 289 / 320, 33 / 64, 0.75, 100 / 128, 1]


def test_two_sides_cost_two_passes_only_inside_a_warp():
    few = np.isin(THREADS, (1, 3, 5, 11, 13))
    even, whole = THREADS % 2 == 0, THREADS // 32 == 0
    assert [int(divergent(ALL, side).sum()) for side in (few, even, whole)] == [1, 2, 0]
    assert passes(ALL, few).tolist() == [2, 1]


def test_a_branch_that_idle_lanes_would_take_does_not_diverge():
    assert not divergent(THREADS < 16, THREADS < 16).any()


def test_a_switch_costs_one_pass_for_each_case_in_the_warp():
    assert passes(ALL, THREADS % 4).tolist() == [4, 4] and passes(ALL, THREADS // 32 % 4).tolist() == [1, 1]
    assert passes(THREADS < 1, THREADS % 4).tolist() == [1, 0]


def test_a_loop_costs_its_longest_lane():
    block = np.arange(256).reshape(8, 32)
    assert trips(np.ones((8, 32), bool), block).tolist() == [32 * w + 31 for w in range(8)]
    longest = int(trips(np.ones((8, 32), bool), block).sum())
    assert longest == 1144 and round(block.sum() / (32 * longest), 3) == 0.892
    assert trips(np.ones((1, 32), bool), np.arange(32)[None])[0] * 32 == 2 * np.arange(32).sum()


def test_the_guard_of_a_ragged_matrix_diverges_in_four_blocks():
    warps = layout((4, 3))
    blocks = [(bx, by) for by in range(2) for bx in range(3)]
    guard = [(bx * 4 + warps.x < 11) & (by * 3 + warps.y < 5) for bx, by in blocks]
    agrees("s2-004", sum(int(divergent(warps.active, inside).sum()) for inside in guard))


def test_a_full_mask_works_at_full_efficiency_and_a_quarter_at_a_quarter():
    assert (
        simd_efficiency(ALL) == 1
        and simd_efficiency(THREADS % 4 == 0) == 0.25
        and simd_efficiency(THREADS < 0) == 1
    )
