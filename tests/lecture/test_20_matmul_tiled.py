"""The tiled multiplication: the lecture's sweep recounted, and the numbers of the page."""

from functools import cache

import numpy as np
import pytest
from figures import agrees, figures

import gpusim as gs

TILES = [1, 2, 4, 8, 16, 32]


@cache
def tiled(n, tile):
    arrays = [gs.spec((n, n)) for _ in range(3)]
    return gs.count(gs.load("matmul_tiled", TILE=tile), (n // tile,) * 2, (tile, tile), *arrays, n)


@cache
def naive(n, side=16):
    arrays = [gs.spec((n, n)) for _ in range(3)]
    return gs.count(gs.load("matmul_naive"), (n // side,) * 2, (side, side), *arrays, n)


def sweep(count):
    return [count(tiled(32, tile).counts) for tile in TILES]


def product(kernel, n, side):
    random = np.random.default_rng(n)
    A, B = random.random((n, n), np.float32), random.random((n, n), np.float32)
    C = gs.zeros((n, n), np.float32)
    run = kernel[(n // side,) * 2, (side, side)](gs.asarray(A), gs.asarray(B), C, n)
    assert run.reports == [] and np.allclose(gs.asnumpy(C), A @ B, rtol=1e-4)
    return gs.asnumpy(C)


def test_loads_fall_to_2_n_cubed_over_tile():
    agrees("s4-011", sweep(lambda c: c.global_load_bytes // 4))
    agrees("s4-058", [2 * 1024**3, tiled(1024, 16).counts.global_load_bytes // 4])
    assert naive(1024).counts.global_load_bytes // 4 == 2 * 1024**3


def test_sectors_of_the_sweep():  # s4-012, whose table is lost; s4-013 is what the prose keeps of it
    assert figures()["s4-012"]["value"] is None
    assert sweep(lambda c: c.global_load_sectors) == [65536, 16384, 4096, 1024, 512, 256]
    agrees("s4-013", tiled(32, 2).counts.global_load_sectors / naive(32).counts.global_load_sectors)


def test_shared_traffic_of_the_sweep():
    c = tiled(32, 16).counts
    agrees("s4-014", [c.shared_load_bytes // 4, c.shared_store_bytes // 4])
    agrees("s4-015", sweep(lambda c: c.shared_load_wavefronts + c.shared_store_wavefronts))


@pytest.mark.parametrize("tile", TILES)
def test_every_bit_is_the_naive_kernels(tile):
    same = product(gs.load("matmul_tiled", TILE=tile), 32, tile) == product(gs.load("matmul_naive"), 32, 16)
    agrees("s4-016", int(same.sum()))


def test_ratio_and_what_memory_allows():
    ratio = [tiled(32, tile).counts.flops / tiled(32, tile).counts.global_load_bytes for tile in TILES]
    agrees("s4-018", ratio)
    agrees("s4-017", [r * gs.A100.memory_bandwidth / gs.A100.fp32_flops for r in ratio])


def share(tile, gpu, n=4096):
    found = gs.lecture_bound(tiled(n, tile), gpu)
    return found.bound, round(100 * found.bounds["compute"] / found.seconds)


def test_shared_memory_allows_less():
    shares = [share(32, gpu) for gpu in (gs.H100, gs.A100, gs.T4)]
    assert shares == [("shared", 12), ("shared", 24), ("shared", 24)]
    assert [share(tile, gs.H100)[0] for tile in TILES] == ["hbm"] * 4 + ["shared"] * 2
    bounds = gs.lecture_bound(tiled(4096, 32), gs.A100).bounds
    assert round(100 * bounds["compute"] / bounds["shared"]) == 24


@pytest.mark.parametrize("gpu", [gs.H100, gs.A100, gs.T4])
@pytest.mark.parametrize("n", [1024, 4096, 8192])
def test_a_tile_of_2_is_slower_than_none(n, gpu):
    assert gs.lecture_bound(tiled(n, 2), gpu).seconds > gs.lecture_bound(naive(n), gpu).seconds
    assert gs.lecture_bound(tiled(n, 32), gpu).bound == "shared"


def test_scaled_counts_are_the_counts_at_full_size():
    small = tiled(256, 16).counts
    for n in (4096, 8192):
        for name in ("global_load_sectors", "shared_load_wavefronts", "shared_store_wavefronts"):
            assert getattr(tiled(n, 16).counts, name) == getattr(small, name) * (n // 256) ** 3


def test_a_4_by_4_tile_fills_half_of_its_sectors():
    c = tiled(32, 4).counts
    assert c.global_load_sectors_per_request == 4
    assert c.global_load_sectors == naive(32).counts.global_load_sectors


def test_barriers_of_a_thread():
    assert tiled(4096, 32).counts.barriers == 2 * 4096 // 32 * 128**2 * 32


def recorded(run):
    return gs.compare(run, gs.H200).record


@pytest.mark.parametrize("tile", [8, 16, 32])
def test_an_h200_counts_the_same(tile):
    ours, theirs = tiled(4096, tile).counts, recorded(tiled(4096, tile)).counts
    for name in ("global_load_sectors", "shared_load_requests"):
        assert getattr(ours, name) == getattr(theirs, name)


def test_what_the_page_says_about_the_h200():
    plain, tile = recorded(naive(4096, 32)), recorded(tiled(4096, 32))
    assert round(100 * (1 - tile.seconds / plain.seconds)) == 9
    assert plain.counts.global_load_sectors == 20 * tile.counts.global_load_sectors
    assert round(100 * plain.counters["global_load_sectors_l1_hit"] / plain.counts.global_load_sectors) == 95
    assert [round(one.counters["l1_data_wavefronts"] / 1e9, 1) for one in (plain, tile)] == [4.3, 4.6]


def test_unrolling_merges_loads_of_four_neighbours():
    once, merged = (gs.hardware.recorded("matmul_tiled", gs.H200, N=4096, TILE=32, UNROLL=u) for u in (1, 32))
    ratio = merged.counts.shared_load_requests / once.counts.shared_load_requests
    assert ratio == 5 / 8  # A by fours, B as before
    assert merged.seconds < once.seconds
