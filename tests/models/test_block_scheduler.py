"""The block scheduler: who ends first is given the next block."""

import pytest
from figures import agrees

from gpusim.errors import LaunchError
from gpusim.gpus import H100, TOY
from gpusim.models.blocks import schedule
from gpusim.models.waves import waves

DURATIONS = [0.8, 1.1, 0.9, 1.0] + 996 * [0.7]


def conv(shared=520, durations=DURATIONS):
    return schedule(TOY, durations, threads=128, registers=16, shared=shared, rules="lecture")


def test_a_convolution_block_needs_128_threads_and_520_bytes():
    agrees("s2-029", [128, 2 * 4, 4 * (128 + 2)])
    assert conv().per_sm == 2


def test_the_first_blocks_alternate_between_the_cores():
    first = conv().placements[:4]
    assert [(p.start, p.sm) for p in first] == [(0, 0), (0, 1), (0, 0), (0, 1)]
    assert [p.contexts for p in first] == [(0, 127), (0, 127), (128, 255), (128, 255)]


def test_the_next_block_takes_over_the_contexts_of_the_one_that_ended():
    starts = [p for p in conv().placements if p.block in (4, 5)]
    agrees("s2-031", [[p.start, p.block, p.sm, list(p.contexts)] for p in starts])


def test_twenty_bytes_less_let_a_third_block_in():
    assert conv(500).per_sm == 3


def test_a_core_never_holds_more_than_fits_and_a_context_only_one_block():
    for shared in (500, 520):
        trace = conv(shared)
        for moment in {p.start for p in trace.placements}:
            here = [p for p in trace.placements if p.start <= moment < p.end]
            assert len({(p.sm, p.contexts) for p in here}) == len(here) <= 2 * trace.per_sm
        assert sorted(p.block for p in trace.placements) == list(range(1000))


def test_a_long_block_is_best_first():
    four = TOY.with_(sms=4)
    assert schedule(four, [4] + 8 * [1], per_sm=1).end == 4
    assert schedule(four, 8 * [1] + [4], per_sm=1).end == 6


def test_equal_blocks_run_in_waves():
    for blocks in (131, 132, 133, 265, 1000):
        trace = schedule(H100, blocks * [1], per_sm=2)
        wave = waves(H100, blocks, 2)
        assert trace.end == wave.count and abs(trace.utilisation - wave.utilisation) < 1e-12


def test_events_come_in_order_and_ends_before_starts():
    events = conv().events()
    assert len(events) == 2000 and events == sorted(events, key=lambda e: (e[0], e[1] == "start", e[2]))


def test_no_blocks_bad_durations_and_blocks_that_do_not_fit_are_refused():
    with pytest.raises(LaunchError, match="at least one block"):
        schedule(H100, [])
    with pytest.raises(LaunchError, match="above 0"):
        schedule(H100, [1, -1])
    with pytest.raises(LaunchError, match="fits an SM"):
        schedule(H100, [1], threads=1024, registers=128)
