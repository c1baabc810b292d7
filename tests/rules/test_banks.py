"""Shared-memory banks: when lanes queue, and when they do not."""

from collections import Counter
from math import gcd

import numpy as np
import patterns
import pytest
from figures import agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from gpusim.rules.banks import BANKS, WORD, excess, ideal_wavefronts, schedule, wavefronts

LANE = np.arange(32, dtype=np.int64)
KINDS = ["load", "store", "atomic", "atomic_inc"]


def ways(index, active=True, size=4, kind="load"):
    return int(wavefronts(np.asarray(index) * size, active, size, kind)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_every_measured_pattern_takes_the_wavefronts_that_the_h200_counted(kind):
    assert patterns.misses(f"shared_{kind}", lambda *warp: wavefronts(*warp, kind), "shared_wavefronts") == {}


@pytest.mark.parametrize("kind", KINDS)
def test_every_measured_pattern_has_the_conflicts_that_the_h200_counted(kind):
    assert patterns.misses(f"shared_{kind}", lambda *warp: excess(*warp, kind), "shared_conflicts") == {}


def test_a_stride_queues_as_many_lanes_as_it_shares_factors_with_32():
    assert all(ways(stride * LANE) == gcd(stride, 32) for stride in range(1, 100))
    agrees("s0-059", [ways(width * LANE) for width in (33, 34, 64)])
    agrees("s4-064", ways(2 * LANE))
    agrees("s0-062", [BANKS, WORD])


def test_one_padding_word_a_row_turns_the_column_of_a_tile_from_32_ways_into_1():
    ty = 5
    agrees("s4-063", [ways(32 * LANE), ways(LANE), ways(33 * LANE)])
    agrees("s3-008", ["ty" if set((LANE * 32 + ty) % 32) == {ty} else "?", ways(LANE * 32 + ty)])
    agrees(
        "s3-009",
        ["(ty+tx)%32" if ((LANE * 33 + ty) % 32 == (ty + LANE) % 32).all() else "?", ways(LANE * 33 + ty)],
    )
    for figure in ("s0-052", "s3-010"):
        agrees(figure, 32 * 33 * 4 - 32 * 32 * 4)


def test_the_strided_reduction_queues_most_in_its_third_to_fifth_round():
    threads = np.arange(256).reshape(8, 32)
    rounds = [2 * s * threads for s in (1, 2, 4, 8, 16, 32, 64, 128)]
    agrees("s0-035", [int(wavefronts(4 * index, index < 256, 4).max()) for index in rounds])
    third = 8 * LANE
    agrees("s0-057", [len(set(third % 32)), ways(third)])


def test_loading_a_strip_column_by_column_queues_eight_ways():
    length, strip = 64, 8
    assert ways(LANE // length * length + LANE % length) == 1
    assert ways(LANE % strip * length + LANE // strip) == 8


def test_lanes_on_one_word_share_it():
    assert [ways(0 * LANE, size=size) for size in (1, 2, 4, 8, 16)] == [1, 1, 1, 1, 2]
    assert ways(0 * LANE, size=16, kind="store") == 4


def test_bytes_and_halves_of_one_word_come_together():
    assert ways(LANE, size=1) == 1 and ways(LANE, size=2) == 1 and ways(32 * 4 * LANE, size=1) == 32


def test_16_bytes_a_lane_ideally_take_four_rounds():
    def quad(step):
        return ways(step * LANE, size=16), int(excess(16 * step * LANE, True, 16)[0])

    assert [quad(step) for step in (1, 8, 9)] == [(4, 0), (32, 28), (4, 0)]


def test_8_bytes_a_lane_ideally_take_two_rounds():
    def column(step):
        return ways(step * LANE, size=8), int(excess(8 * step * LANE, True, 8)[0])

    assert [column(step) for step in (1, 2, 32, 33, 34)] == [(2, 0), (4, 2), (32, 30), (2, 0), (4, 2)]


def test_atomics_on_one_word_queue_unless_they_add_one():
    assert ways(0 * LANE, kind="atomic") == 32 and ways(0 * LANE, kind="atomic_inc") == 1
    assert ways(0 * LANE, size=8, kind="atomic_inc") == 32


def test_idle_warps_take_no_round_and_wild_addresses_of_idle_lanes_do_no_harm():
    assert ways(LANE, LANE < 0) == 0
    assert ways(np.where(LANE < 4, LANE, 2**50), LANE < 4) == 1


def test_a_shared_window_high_in_the_address_space_counts_alike():
    assert int(wavefronts(2**47 + 4 * 32 * LANE, True, 4)[0]) == 32


def test_wrong_sizes_and_kinds_are_refused():
    with pytest.raises(ValueError, match="not 3"):
        wavefronts(LANE, True, 3)
    with pytest.raises(ValueError, match="not 'read'"):
        wavefronts(LANE, True, 4, "read")


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.sampled_from([40, 600, 12_000]))
def test_four_byte_wavefronts_are_the_longest_queue(seed, kind, span):
    rng = np.random.default_rng(seed)
    word = rng.integers(0, span, (5, 32))
    active = rng.random((5, 32)) < rng.random()
    for row, on, found in zip(word, active, wavefronts(4 * word, active, 4, kind), strict=True):
        asked = row[on] if kind == "atomic" else set(row[on].tolist())
        queue = Counter(int(w) % 32 for w in asked)
        assert found == max(queue.values(), default=0)
    assert (ideal_wavefronts(4 * word, active, 4, kind) == active.any(axis=1)).all()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 60), min_size=32, max_size=32),
    st.lists(st.booleans(), min_size=32, max_size=32),
    st.sampled_from([1, 2, 4, 8, 16]),
    st.sampled_from(KINDS),
)
def test_the_schedule_serves_every_lane_in_as_many_rounds_as_are_counted(index, active, size, kind):
    addresses, active = np.array(index) * size, np.array(active)
    served, ends = schedule(addresses, active, size, kind)
    assert ends[-1] == wavefronts(addresses, active, size, kind)[0]
    assert len(ends) - 1 == ideal_wavefronts(addresses, active, size, kind)[0]
    assert Counter(lane for lane, _, _ in served) == dict.fromkeys(
        np.flatnonzero(active), max(1, size // WORD)
    )
    for lane, bank, turn in served:
        words = addresses[lane] // WORD + np.arange(max(1, size // WORD))
        assert bank in words % BANKS and 0 <= turn < ends[-1]
