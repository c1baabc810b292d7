"""Latency hiding: how many warps it takes, and what the policy changes."""

import numpy as np
import pytest
from figures import agrees

from gpusim.errors import GpusimError
from gpusim.gpus import H100, T4
from gpusim.models.warps import (
    ARITHMETIC,
    LOAD,
    READY,
    WAITING,
    best_utilisation,
    loading_warps,
    needed_bytes,
    needed_warps,
    schedule,
)


def share(warps, arithmetic, policy, **more):
    return schedule(warps, arithmetic, 400, policy, **more).utilisation


def test_the_needed_warps_of_the_lecture():
    agrees("s2-036", needed_warps(4, 400))
    agrees("s2-037", needed_warps(100, 400))
    agrees("s2-038", [needed_warps(k, 400) for k in (1, 4, 10, 20, 50, 100)])
    per_scheduler = H100.warps_per_sm // H100.schedulers_per_sm
    agrees("s2-041", per_scheduler)
    agrees("s2-061", [needed_warps(30, 600), 4 * needed_warps(30, 600), best_utilisation(16, 30, 600)])


def test_round_robin_marches_in_convoy_and_greedy_does_not():
    agrees("s2-039", [share(8, 100, policy) for policy in ("round robin", "greedy")])
    for cycles in (5_000, 10_000):
        agrees("s2-039", [share(8, 100, policy, cycles=cycles) for policy in ("round robin", "greedy")])


def test_more_warps_help_until_they_are_enough():  # s2-040
    greedy = [share(warps, 4, "greedy") for warps in (5, 16, 64, 81)]
    assert np.allclose(greedy, [best_utilisation(warps, 4, 400) for warps in (5, 16, 64, 81)], rtol=0.02)
    robin = [share(warps, 100, "round robin") for warps in (4, 5, 8, 16)]
    assert robin == sorted(robin) and robin[-1] < 1
    assert [round(share(warps, 100, "greedy"), 2) for warps in (5, 8, 16)] == [1, 1, 1]


def test_no_policy_beats_the_bound_and_every_issued_instruction_had_a_ready_warp():
    for policy in ("round robin", "greedy"):
        for warps, arithmetic, loads in ((3, 7, 1), (10, 0, 4), (1, 5, 2)):
            run = schedule(warps, arithmetic, 60, policy, loads, cycles=2_000)
            cycle = np.flatnonzero(run.issued >= 0)
            assert run.ready_at[run.issued[cycle], cycle].all()
            assert run.utilisation <= best_utilisation(warps, arithmetic, 60, loads) + 0.03
            idle = run.issued < 0
            assert not run.ready_at[:, idle].any()


def test_a_warp_waits_as_long_as_its_load_takes():
    line = schedule(1, 2, 5, cycles=20).timeline[0].tolist()
    program = [ARITHMETIC, ARITHMETIC, LOAD] + 5 * [WAITING]
    assert line == (program * 3)[:20]
    assert READY in schedule(2, 2, 5, cycles=20).timeline


def test_independent_loads_of_one_warp_are_worth_more_warps():
    few, many = share(8, 0, "greedy", loads=4), share(32, 0, "greedy", loads=1)
    assert abs(few - many) < 0.01
    assert loading_warps(320e9, 500e-9, T4.sms, loads=4) * 4 == loading_warps(320e9, 500e-9, T4.sms)
    assert round(needed_bytes(320e9, 500e-9) / T4.sms) == 4000


def test_nonsense_is_refused():
    with pytest.raises(GpusimError, match="'lottery'"):
        schedule(2, 2, 5, "lottery")
    for bad in ((0, 1, 1), (1, -1, 1), (1.5, 1, 1)):
        with pytest.raises(GpusimError, match="whole number"):
            schedule(*bad)
