"""The transpose through shared memory: the lectures' figures recounted, and the numbers of the page."""

from math import gcd

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

VERSIONS = {
    "copy": gs.load("transpose_copy"),
    "naive": gs.load("transpose_naive"),
    "tile": gs.load("transpose_tile"),
    "padded": gs.load("transpose_tile", PAD=1),
    "written": gs.load("transpose_tile_store"),
    "written, padded": gs.load("transpose_tile_store", PAD=1),
    "swizzled": gs.load("transpose_swizzle"),
}


def counted(version, n=64, tile=32):
    kernel = VERSIONS[version] if isinstance(version, str) else version
    return gs.count(kernel, (n // tile, n // tile), (tile, tile), gs.spec((n, n)), gs.spec((n, n)), n, n)


def global_sectors(version, n=64):
    c = counted(version, n).counts
    return c.global_load_sectors + c.global_store_sectors


def shared(version, what, n=64):
    c = counted(version, n).counts
    return getattr(c, f"shared_load_{what}") + getattr(c, f"shared_store_{what}")


@pytest.mark.parametrize("version", [name for name in VERSIONS if name != "copy"])
def test_it_transposes(version):
    matrix = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    x, y = gs.asarray(matrix), gs.zeros((64, 64), np.float32)
    VERSIONS[version][(2, 2), (32, 32)](x, y, 64, 64)
    assert (gs.asnumpy(y) == matrix.T).all()


def test_sectors_of_three_versions():
    agrees("s4-033", [global_sectors(version) for version in ("naive", "tile", "padded")])
    assert global_sectors("naive", 4096) == 18874368 and global_sectors("padded", 4096) == 4194304


def test_requests_and_wavefronts_of_the_tile():
    agrees(
        "s4-034",
        [
            shared("written", "requests"),
            shared("written", "wavefronts"),
            shared("written, padded", "wavefronts"),
        ],
    )
    assert shared("tile", "wavefronts") == shared("written", "wavefronts")
    assert shared("padded", "wavefronts") == shared("swizzled", "wavefronts") == 256


ONE_WARP = {"naive": [4, 32, 0], "tile": [4, 4, 32], "padded": [4, 4, 1]}  # the lost table of s0-051


@pytest.mark.parametrize("version, expected", ONE_WARP.items())
def test_one_warp_of_each_version(version, expected):
    c = counted(version).counts
    reads = c.shared_load_wavefronts_per_request if c.shared_load_requests else 0
    assert [c.global_load_sectors_per_request, c.global_store_sectors_per_request, reads] == expected


def test_stores_of_the_padded_transpose_at_full_size():
    source, target = gs.spec((8192, 4096)), gs.spec((4096, 8192))
    run = gs.count(VERSIONS["padded"], (128, 256), (32, 32), source, target, 8192, 4096)
    agrees("s1-015", run.counts.global_store_sectors)


@pytest.mark.parametrize("width", range(32, 65))
def test_a_column_costs_the_common_factor_with_32(width):
    lane = np.arange(32)[None]
    assert int(gs.wavefronts(4 * width * lane, lane >= 0, 4)[0]) == gcd(width, 32)


def test_a_warp_of_a_small_tile_queues_less_and_fills_its_sectors():
    def column(tile, pad):
        events = counted(gs.load("transpose_tile", TILE=tile, PAD=pad), tile=tile).trace(0, 0)
        load, _, fetch, store = [event for event in events if event.addresses is not None]
        assert (load.sectors, store.sectors) == (4, 4)
        return fetch.wavefronts

    assert [column(32, pad) for pad in (0, 1, 2)] == [32, 1, 2]
    assert column(8, 0) < column(16, 0) < column(32, 0)
    assert [column(16, pad) for pad in (0, 1)] == [8, 2]


def test_what_binds_by_the_lectures_bound():
    def bounds(version, gpu):
        return gs.lecture_bound(counted(version, 4096), gpu)

    order = [bounds(version, gs.H100) for version in ("naive", "tile", "padded")]
    assert [bound.bound for bound in order] == ["hbm", "shared", "hbm"]
    assert [round(1e6 * bound.seconds, 1) for bound in order] == [180.3, 66.2, 40.1]
    assert bounds("tile", gs.T4).seconds == bounds("padded", gs.T4).seconds  # there HBM binds in both


def recorded(version):
    return gs.compare(counted(version, 4096), gs.H200).record


def test_an_h200_counts_the_same_sectors():
    for version in ("copy", "naive", "tile", "written", "padded"):
        c = recorded(version).counts
        assert c.global_load_sectors + c.global_store_sectors == global_sectors(version, 4096)
    assert gs.compare(counted("tile"), gs.H200).differences == []


def test_what_the_page_says_about_the_times():
    naive, tile, written, padded, copy = (
        recorded(version).seconds for version in ("naive", "tile", "written", "padded", "copy")
    )
    assert naive > tile > written > padded > copy and padded < 1.06 * copy
