"""Sectors: what one warp instruction moves between the SM and the rest."""

import numpy as np
import patterns
import pytest
from figures import agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from gpusim.rules.coalesce import sector_ids, sectors

LANE = np.arange(32)


def cost(index, active=True, size=4, kind="load"):
    return int(sectors(np.asarray(index) * size, active, size, kind)[0])


@pytest.mark.parametrize("kind", ["load", "store", "atomic"])
def test_every_measured_pattern_costs_the_sectors_that_the_h200_counted(kind):
    assert patterns.misses(f"global_{kind}", lambda *warp: sectors(*warp, kind), "sectors") == {}


def test_a_warp_of_neighbours_touches_one_sector_for_each_byte_of_the_element():
    assert [cost(LANE, size=size) for size in (1, 2, 4, 8, 16)] == [1, 2, 4, 8, 16]


def test_sectors_grow_with_the_stride_up_to_one_a_lane():
    assert [cost(stride * LANE) for stride in (0, 1, 2, 4, 8, 16, 32)] == [1, 4, 8, 16, 32, 32, 32]  # s0-049
    agrees("s3-002", [cost(LANE), 128 / (32 * cost(LANE))])
    agrees("s3-003", [cost(32 * LANE), 32 * cost(32 * LANE), 128, 128 / (32 * cost(32 * LANE))])
    agrees("s3-022", [cost(8 * LANE) / 4, 1 - 4 / cost(8 * LANE)])


def test_an_offset_costs_one_more_sector_unless_it_is_a_whole_sector():
    agrees("s4-031", [cost(LANE + offset) for offset in (0, 1, 2, 4, 8)])
    agrees("s0-050", [cost(LANE + 1), cost(LANE + 1) / cost(LANE) - 1])
    agrees("s4-062", [cost(2 * LANE), cost(LANE + 3)])


def test_the_naive_matmul_pays_on_one_side_or_the_other():
    n, k, row, col = 256, 7, LANE, np.full(32, 5)
    agrees("s0-005", [cost(row * n + k), cost(k * n + col), cost(row * n + col)])
    agrees("s0-006", [cost(col * n + k), cost(k * n + row), cost(col * n + row)])
    x, y = LANE % 16, LANE // 16
    agrees("s0-053", [cost(x * n + k), cost(k * n + y)])


def test_the_naive_transpose_stores_by_the_shape_of_its_block():
    def store(width):
        return cost(LANE % width * 4096 + LANE // width)

    agrees("s3-005", [store(16), store(32), store(8)])
    agrees("s3-006", [128 / (32 * store(width)) for width in (16, 32, 8)])


def test_the_strip_of_a_tile_is_fetched_row_by_row_or_column_by_column():
    n, length, strip = 256, 64, 8
    agrees("s0-020", [cost(LANE // length * n + LANE % length), cost(LANE % strip * n + LANE // strip)])


def test_six_float_records_touch_the_same_24_sectors_whichever_field_is_read():
    record = 24 * LANE
    touched = [set(sector_ids(record + field, True, 4)[0].tolist()) - {-1} for field in (0, 4, 8)]
    assert [len(ids) for ids in touched] == [24, 24, 24] and len(set.union(*touched)) == 24


def test_two_16_byte_stores_a_lane_are_cheaper_interleaved():
    assert cost(2 * LANE, size=16) + cost(2 * LANE + 1, size=16) == 64
    assert cost(LANE, size=16) + cost(32 + LANE, size=16) == 32


def test_an_idle_lane_asks_for_nothing():
    assert cost(LANE, LANE < 8) == 1 and cost(LANE, LANE < 0) == 0
    wild = np.where(LANE < 8, LANE, -(2**55))
    assert cost(wild, LANE < 8) == 1


def test_lanes_of_an_atomic_that_share_an_address_take_turns():
    assert cost(0 * LANE, kind="atomic") == 32 and cost(LANE // 2, kind="atomic") == 2 * 2
    assert cost(LANE, kind="atomic_inc") == 4


def test_an_unaligned_access_pays_both_sectors_that_it_straddles():
    assert int(sectors(np.full(32, 30), LANE == 0, 4)[0]) == 2


def test_wrong_sizes_kinds_and_shapes_are_refused():
    with pytest.raises(ValueError, match="1, 2, 4, 8 or 16 bytes"):
        sectors(LANE, True, 12)
    with pytest.raises(ValueError, match="not 'read'"):
        sectors(LANE, True, 4, "read")
    with pytest.raises(ValueError, match=r"\(warps, 32\)"):
        sectors(np.arange(31), True, 4)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 2, 4, 8, 16]), st.sampled_from([40, 600, 2**28, 2**50]))
def test_sectors_are_the_distinct_sectors_of_each_warp(seed, size, span):
    rng = np.random.default_rng(seed)
    addresses = rng.integers(0, span, (5, 32)) * size
    active = rng.random((5, 32)) < rng.random()
    expected = [len({int(a) // 32 for a in row[on]}) for row, on in zip(addresses, active, strict=True)]
    assert sectors(addresses, active, size).tolist() == expected
    ids = sector_ids(addresses, active, size)
    assert [sorted(set(row) - {-1}) for row in ids.tolist()] == [
        sorted({int(a) // 32 for a in row[on]}) for row, on in zip(addresses, active, strict=True)
    ]
    assert (ids >= 0).sum(axis=1).tolist() == expected
