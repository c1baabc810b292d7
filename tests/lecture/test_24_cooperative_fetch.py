"""Cooperative loading: the lecture's figures recounted, and the numbers of the page."""

from functools import cache

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

ORDERS = (0, 1)  # along rows, along columns: REVERSED


@cache
def fetch(length, rows, reverse, cols=None, threads=128):
    cols = cols or 64 * length
    arrays = gs.spec((rows, cols)), gs.spec((rows, cols))
    kernel = gs.load("fetch_strip", L=length, S=rows, REVERSED=reverse)
    return gs.count(kernel, cols // length, threads, *arrays, cols)


@cache
def two_level(n, reverse):
    arrays = [gs.spec((n, n)) for _ in range(3)]
    kernel = gs.load("matmul_two_level", L=64, S=8, V=4, REVERSED=reverse)
    return gs.count(kernel, (n // 64, n // 64), (16, 16), *arrays, n)


def load(*args, **kwargs):
    return fetch(*args, **kwargs).counts.global_load_sectors_per_request


def store(*args, **kwargs):
    return fetch(*args, **kwargs).counts.shared_store_wavefronts_per_request


def test_sectors_of_a_load():
    agrees("s0-020", [load(64, 8, reverse) for reverse in ORDERS])
    assert [store(64, 8, reverse) for reverse in ORDERS] == [1, 8]


def test_the_whole_multiplication():
    counts = [two_level(256, reverse).counts for reverse in ORDERS]
    agrees("s0-021", [c.global_load_sectors for c in counts])
    agrees("s0-022", [c.shared_store_wavefronts for c in counts])


def test_scaled_counts_are_the_counts_at_full_size():
    for reverse in ORDERS:
        small = two_level(256, reverse).counts.global_load_sectors
        for n in (4096, 8192):
            assert two_level(n, reverse).counts.global_load_sectors == small * (n // 256) ** 3


@pytest.mark.parametrize("rows", [4, 8, 16, 32])
@pytest.mark.parametrize("length", [32, 64])
def test_along_columns_a_load_touches_as_many_sectors_as_rows(length, rows):
    assert load(length, rows, 1) == max(4, rows) and store(length, rows, 1) == rows
    assert load(length, rows, 0) == 4 and store(length, rows, 0) == 1


def test_a_row_should_begin_at_a_sector():
    assert load(48, 8, 0) == 4 and load(20, 8, 0) > 4
    assert (load(64, 16, 1), store(64, 16, 1)) == (16, 16) and (load(64, 4, 1), store(64, 4, 1)) == (4, 4)


@pytest.mark.parametrize("reverse", ORDERS)
@pytest.mark.parametrize("length, rows, threads", [(64, 8, 128), (20, 8, 64), (48, 16, 256), (32, 4, 128)])
def test_the_map_shows_the_sectors_of_the_run(length, rows, threads, reverse):
    y, x = np.mgrid[:rows, :length]
    e = x * rows + y if reverse else y * length + x
    ax = gs.plot.fetch_map(e % threads, e // threads, leading=64 * length)
    blocks, c = 64, fetch(length, rows, reverse, threads=threads).counts
    if length % 8 == 0:
        assert f"{c.global_load_sectors // blocks} sectors" in gs.plot.alt_text(ax)
    assert f"{c.global_load_requests // blocks} requests" in gs.plot.alt_text(ax)


def test_padding_by_4_frees_the_banks_and_by_1_does_not():
    e = np.arange(32)
    ways = [int(gs.wavefronts(4 * (e % 8 * (64 + pad) + e // 8), True, 4, "store")[0]) for pad in (0, 1, 4)]
    assert ways == [8, 4, 1]


def test_the_number_of_threads_changes_nothing_about_a_load():
    for reverse in ORDERS:
        assert len({load(64, 8, reverse, threads=threads) for threads in (64, 128, 256)}) == 1


@pytest.mark.parametrize("reverse", ORDERS)
@pytest.mark.parametrize("length, rows, cols", [(64, 8, 65536), (64, 16, 4096), (48, 8, 4800)])
def test_an_h200_counts_the_same(length, rows, cols, reverse):
    assert gs.compare(fetch(length, rows, reverse, cols), gs.H200).differences == []


def test_what_the_page_says_about_the_h200():
    def slower(count, *args):
        rows, columns = (gs.compare(count(*args[:2], reverse, *args[2:]), gs.H200).record.seconds
                         for reverse in ORDERS)  # fmt: skip
        return round(100 * (columns / rows - 1))

    assert slower(fetch, 64, 8, 65536) == 12 and slower(fetch, 64, 16, 4096) == 9
    whole = [gs.compare(two_level(4096, reverse), gs.H200).record.seconds for reverse in ORDERS]
    assert [round(1e3 * seconds, 2) for seconds in whole] == [7.95, 11.48]
    assert round(100 * (whole[1] / whole[0] - 1)) == 44
