"""L1: rounds of the tag and data stages for global accesses, against one H200."""

import numpy as np
import patterns

from gpusim.rules.l1 import l1_load_wavefronts, l1_store_wavefronts

LANE = np.arange(32)


def test_tag_rounds_of_every_measured_load_are_those_of_the_h200():
    assert (
        patterns.misses("global_load", lambda *warp: l1_load_wavefronts(*warp)[0], "l1_tag_wavefronts") == {}
    )


def test_data_rounds_of_every_measured_load_but_one_are_those_of_the_h200():
    # Stride 34 x 16 bytes: the hardware needs one more data round than the queues explain.
    assert patterns.misses(
        "global_load", lambda *warp: l1_load_wavefronts(*warp)[1], "l1_data_wavefronts"
    ) == {"stride34 x16": (14, 15)}


def test_data_rounds_of_every_measured_store_but_three_are_those_of_the_h200():
    # The hardware shows one more round here; other strides with the same queues do not, so no rule is known.
    assert patterns.misses("global_store", l1_store_wavefronts, "l1_data_wavefronts") == {
        "stride34 x4": (2, 3),
        "stride9 x16": (4, 5),
        "stride34 x16": (8, 9),
    }


def test_a_column_of_32_words_is_a_bank_conflict_in_l1_too_and_padding_cures_most_of_it():
    assert [int(l1_load_wavefronts(4 * step * LANE, True, 4)[1][0]) for step in (32, 33)] == [32, 8]


def test_a_warp_of_neighbours_takes_one_data_round_for_each_four_bytes_a_lane():
    for size, rounds in ((1, 1), (2, 1), (4, 1), (8, 2), (16, 4)):
        assert (
            l1_load_wavefronts(size * LANE, True, size)[1][0]
            == l1_store_wavefronts(size * LANE, True, size)[0]
            == rounds
        )


def test_many_warps_at_once_count_as_one_by_one():
    rng = np.random.default_rng(3)
    for size in (2, 4, 8, 16):
        addresses, active = rng.integers(0, 3000, (50, 32)) * size, rng.random((50, 32)) < 0.7
        together = l1_load_wavefronts(addresses, active, size)
        alone = [l1_load_wavefronts(a, on, size) for a, on in zip(addresses, active, strict=True)]
        assert [together[0].tolist(), together[1].tolist()] == [[int(n[i][0]) for n in alone] for i in (0, 1)]
        stores = l1_store_wavefronts(addresses, active, size)
        assert stores.tolist() == [
            int(l1_store_wavefronts(a, on, size)[0]) for a, on in zip(addresses, active, strict=True)
        ]


def test_idle_warps_cost_nothing():
    tag, data = l1_load_wavefronts(4 * LANE, LANE < 0, 4)
    assert (tag[0], data[0], l1_store_wavefronts(4 * LANE, LANE < 0, 4)[0]) == (0, 0, 0)
