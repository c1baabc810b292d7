"""Bank conflicts: the lectures' figures, the page's prose, and public questions."""

import math

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

LANE = np.arange(32)
X = gs.asarray(np.arange(1024, dtype=np.float32))


def ways(words, size=4):
    return int(gs.wavefronts(np.asarray(words) * size, True, size)[0])


def column(width):
    return gs.load("shared_column", WIDTH=width)[1, (32, 32)](X, gs.zeros(1024, np.float32)).counts


def test_the_column_of_a_square_tile_lies_in_one_bank():
    agrees("s3-008", ["ty", ways(LANE * 32 + 5)])
    assert set((LANE * 32 + 5) % 32) == {5}
    agrees("s4-063", [ways(LANE * 32), ways(LANE), ways(LANE * 33)])


def test_padding_spreads_the_column_over_all_banks():
    agrees("s3-009", ["(ty+tx)%32", ways(LANE * 33 + 5)])
    assert list((LANE * 33 + 5) % 32) == list((5 + LANE) % 32)
    agrees("s0-059", [ways(LANE * w) for w in (33, 34, 64)])


def test_padding_costs_128_bytes():
    extra = (
        gs.load("shared_column", WIDTH=33).static_shared - gs.load("shared_column", WIDTH=32).static_shared
    )
    agrees("s0-052", extra)
    agrees("s3-010", extra)
    agrees("s1-016", [32, 33])


def test_every_second_word_takes_two_turns():
    agrees("s4-064", ways(2 * LANE))


def test_word_and_bank_of_a_tile():  # s4-068: the notes have lost the formula
    tx, ty = np.meshgrid(LANE, LANE)
    assert ((tx * 32 + ty) % 32 == ty).all() and ((tx * 33 + ty) % 32 == (tx + ty) % 32).all()


def test_32_banks_of_4_bytes():
    from gpusim.rules.banks import BANKS, WORD

    agrees("s0-062", [BANKS, WORD])


@pytest.mark.parametrize("width", [32, 33, 34, 35, 36, 40, 48, 64])
def test_wavefronts_of_a_column_are_the_common_factor(width):
    assert column(width).shared_load_wavefronts_per_request == math.gcd(width, 32)


def test_992_excess_wavefronts_and_none_on_the_store():  # public question A13
    c = column(32)
    assert (c.shared_load_wavefronts, c.shared_load_excess, c.shared_store_excess) == (1024, 992, 0)


def test_doubles_and_float4s_by_halves_and_quarters():  # public questions A10 and A12
    assert [ways(LANE * step, 16) for step in (1, 8, 9)] == [4, 32, 4]
    assert [ways(LANE * step, 8) for step in (1, 2, 32, 33, 34)] == [2, 4, 32, 2, 4]


def test_a_swizzle_needs_no_padding():
    m = gs.zeros((64, 64), np.float32)
    k = gs.load("transpose_swizzle")
    c = k[(2, 2), (32, 32)](m, gs.zeros((64, 64), np.float32), 64, 64).counts
    assert (c.shared_load_excess, c.shared_store_excess, k.static_shared) == (0, 0, 4096)
