"""The naive transpose and the shape of a block: the lectures' figures and the page's prose."""

import numpy as np
import pytest
from figures import agrees, figures

import gpusim as gs

SHAPES = [(64, 4), (32, 8), (16, 16), (8, 32), (4, 64)]


def counted(name, block, rows=64, cols=64):
    wide, high = (rows, cols) if name == "transpose_swapped" else (cols, rows)
    grid = -(-wide // block[0]), -(-high // block[1])
    return gs.count(gs.load(name), grid, block, gs.spec((rows, cols)), gs.spec((cols, rows)), rows, cols)


def each(name, block, **size):
    c = counted(name, block, **size).counts
    return c.global_load_sectors_per_request, c.global_store_sectors_per_request


def test_stores_of_three_shapes():
    blocks = (16, 16), (32, 8), (8, 32)
    loads, stores = zip(*(each("transpose_naive", block) for block in blocks), strict=True)
    assert loads == (4, 4, 4)
    agrees("s3-005", stores)
    agrees("s3-006", [128 / (32 * s) for s in stores])


def test_stores_at_full_size():
    c = counted("transpose_naive", (32, 8), 8192, 4096).counts
    ideal = 8192 * 4096 * 4 // 32
    agrees("s1-014", [c.global_store_sectors, ideal, c.global_store_sectors // ideal, 4 / 32])
    assert c.global_store_requests == 1048576


def test_neighbours_store_a_row_apart():
    events = counted("transpose_naive", (32, 8), 1024, 1024).trace(0, 0)
    _, store = [event for event in events if event.addresses is not None]
    agrees("s3-021", int(store.addresses[1] - store.addresses[0]))


def test_published_fractions_of_the_copy():
    fractions = figures()["s3-014"]["value"]
    agrees("s3-024", [min(fractions[1:4]), max(fractions[1:4])])


@pytest.mark.parametrize("block", SHAPES)
def test_the_formula_of_the_page(block):
    w = min(block[0], 32)
    load, store = 32 / w * max(w / 8, 1), w * max(32 / (8 * w), 1)
    assert each("transpose_naive", block) == (load, store)
    assert each("transpose_swapped", block) == (store, load)
    assert each("transpose_copy", block) == (load, load)


def test_rows_that_are_no_multiple_of_eight():
    assert each("transpose_naive", (4, 64), rows=72) == (8, 4)
    assert 7 < each("transpose_naive", (4, 64), rows=65)[1] < 7.5
    assert each("transpose_naive", (32, 8), rows=65)[1] == 32


def test_two_by_128_and_doubles():
    assert sum(each("transpose_naive", (2, 128), rows=128)) == 20


@pytest.mark.parametrize("name", ["transpose_copy", "transpose_naive", "transpose_swapped"])
def test_an_h200_counts_the_same_sectors(name):
    for block in ((32, 8), (16, 16), (8, 32)):
        run = counted(name, block, 4096, 4096)
        measured = gs.compare(run, gs.H200).record.counts
        assert measured.global_load_sectors == run.counts.global_load_sectors
        assert measured.global_store_sectors == run.counts.global_store_sectors


def test_what_the_page_says_about_times_and_caches():
    def record(name, block=(32, 8)):
        return gs.compare(counted(name, block, 4096, 4096), gs.H200).record

    naive = [record("transpose_naive", block).seconds for block in SHAPES]
    assert np.argsort(naive).tolist() == [4, 3, 2, 1, 0] and 3.5 < naive[0] / naive[4] < 4
    assert max(naive[3:]) < 1.3 * record("transpose_copy").seconds
    copy, plain, swapped = (record(f"transpose_{name}") for name in ("copy", "naive", "swapped"))
    assert 3 < plain.seconds / swapped.seconds < 3.5
    hit = swapped.counters["global_load_sectors_l1_hit"]
    assert hit == 7 / 8 * swapped.counters["global_load_sectors"]
    assert plain.counters["l2_write_sectors"] == 16777216
    assert plain.counters["dram_write_bytes"] < 1.1 * copy.counters["dram_write_bytes"]
