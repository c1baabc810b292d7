"""Latency hiding: the lecture's figures, the page's prose, and what an H200 took."""

import pytest
from figures import agrees

import gpusim as gs
from gpusim.models.warps import best_utilisation, loading_warps, needed_warps, schedule


def test_warps_that_hide_a_load_of_400_cycles():
    agrees("s2-036", needed_warps(4, 400))
    agrees("s2-037", needed_warps(100, 400))
    agrees("s2-038", [needed_warps(k, 400) for k in (1, 4, 10, 20, 50, 100)])


def test_eight_warps_under_both_policies():
    agrees("s2-039", [schedule(8, 100, 400, policy).utilisation for policy in ("round robin", "greedy")])


# s2-040: the notes have lost this table; round robin and greedy at each number of warps.
@pytest.mark.parametrize(
    ("k", "warps", "in_turn", "greedy"),
    [
        (4, 5, 0.060, 0.062),
        (4, 16, 0.172, 0.200),
        (4, 64, 0.494, 0.792),
        (4, 81, 0.567, 1.0),
        (100, 4, 0.505, 0.808),
        (100, 5, 0.564, 1.0),
        (100, 8, 0.686, 1.0),
        (100, 16, 0.808, 1.0),
    ],
)
def test_a_convoy_wastes_what_greedy_uses(k, warps, in_turn, greedy):
    found = [schedule(warps, k, 400, policy).utilisation for policy in ("round robin", "greedy")]
    assert found == pytest.approx([in_turn, greedy], abs=0.001)
    assert found[1] == pytest.approx(best_utilisation(warps, k, 400), abs=0.003)  # greedy reaches the limit


def test_sixteen_warps_on_each_of_four_schedulers():
    agrees("s2-041", gs.H100.warps_per_sm // gs.H100.schedulers_per_sm)


def test_the_lecture_s_exercise_on_a_load_of_600_cycles():
    agrees("s2-061", [needed_warps(30, 600), 4 * needed_warps(30, 600), best_utilisation(16, 30, 600)])


def test_four_loads_of_eight_warps_are_one_load_of_thirty_two():
    assert [loading_warps(320e9, 500e-9, 40, loads=m) for m in (1, 4)] == [32, 8]


def test_an_h200_hides_64_warps_behind_one_if_they_compute_little():
    def time(ops, warps):
        kernel = gs.load("load_compute", OPS=ops)
        return gs.hardware.recorded(kernel, gs.H200, OPS=ops, warps=warps, rounds=100).seconds

    assert time(4, 64) < 1.15 * time(4, 1)
    assert time(100, 16) < 1.05 * time(100, 1) and time(100, 64) > 1.7 * time(100, 32)


def test_more_loads_make_up_for_fewer_warps_on_an_h200():
    def time(loads, shared):
        kernel = gs.load("copy_loads", LOADS=loads)
        return gs.hardware.recorded(kernel, gs.H200, LOADS=loads, n=1 << 26, shared=shared).seconds

    assert time(8, 111) < 0.75 * time(1, 0)  # 16 warps with eight loads, 64 warps with one
