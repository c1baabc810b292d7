"""Limits of TILE and thread coarsening: the lecture's figures, and the numbers of the page."""

from functools import cache

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

TILES = [1, 2, 4, 8, 16, 32, 64]


@cache
def coarse(n, tile, many):
    arrays = [gs.spec((n, n)) for _ in range(3)]
    kernel = gs.load("matmul_coarse", TILE=tile, COARSE=many)
    return gs.count(kernel, (n // tile // many, n // tile), (tile, tile), *arrays, n)


def sectors(n, tile, many):
    return coarse(n, tile, many).counts.global_load_sectors


def floats(run):
    loads = [a for a in run.accesses if (a.space, a.kind) == ("global", "load")]
    return [a.counts.global_load_bytes // 4 for a in sorted(loads, key=lambda a: a.array)]


def test_bytes_of_two_tiles():
    declared = [gs.load("matmul_tiled", TILE=tile).static_shared for tile in TILES[:6]]
    agrees("s4-025", [*declared, 2 * 64 * 64 * 4])
    agrees("s4-059", [2 * 32 * 32 * size // 1024 for size in (4, 2)])


def test_threads_end_it_before_bytes():
    kilobytes = [gpu.shared_per_block_optin // 1024 for gpu in (gs.A100, gs.H100)]
    largest = max(tile for tile in TILES if tile * tile <= gs.H100.threads_per_block)
    agrees("s4-026", [*kilobytes, gs.H100.threads_per_block, largest])
    agrees("s4-069", gs.H100.threads_per_block)
    for gpu in (gs.H100, gs.A100, gs.T4):
        with pytest.raises(gs.LaunchError, match="allows 1 to 1024"):
            gs.occupancy(gpu, 64 * 64, 32, 8 * 64 * 64)


def test_memories_and_registers_of_an_sm():
    agrees("s4-027", [gs.H100.l1_bytes // 1024, gs.A100.l1_bytes // 1024, gs.H100.registers_per_sm])
    agrees("s4-028", [gs.H100.registers_per_sm // threads for threads in (1024, 2048)])
    assert gs.occupancy(gs.H100, 1024, 64, 8192).blocks == 1
    assert gs.occupancy(gs.H100, 1024, 128, 8192).blocks == 0
    assert gs.occupancy(gs.H100, 256, 96, 2048).blocks == 2


@pytest.mark.parametrize("gpu", [gs.H100, gs.A100, gs.T4])
def test_small_tiles_leave_lanes_empty(gpu):
    assert gs.occupancy(gpu, 16, 32, 128).fraction <= 0.5
    assert gs.occupancy(gpu, 1024, 32, 8192).fraction == 1


def test_coarsening_at_the_lectures_size():
    rows = []
    for many in (1, 2, 4):
        run = coarse(32, 8, many)
        rows.append([*floats(run), run.counts.global_load_sectors, run.grid[0] * run.grid[1]])
    agrees("s4-029", rows)
    assert 1 - rows[2][2] / rows[0][2] == 0.375


@pytest.mark.parametrize("many", [1, 2, 4])
def test_every_bit_stays(many):
    random = np.random.default_rng(1)
    A, B = random.random((32, 32), np.float32), random.random((32, 32), np.float32)
    products = []
    for kernel, grid in ((gs.load("matmul_naive"), (4, 4)),
                         (gs.load("matmul_coarse", TILE=8, COARSE=many), (4 // many, 4))):  # fmt: skip
        C = gs.zeros((32, 32), np.float32)
        assert kernel[grid, (8, 8)](gs.asarray(A), gs.asarray(B), C, 32).reports == []
        products.append(gs.asnumpy(C))
    agrees("s4-030", int((products[0] == products[1]).sum()))


def test_scaled_counts_are_the_counts_at_full_size():
    for many in (1, 2, 4, 8):
        assert sectors(4096, 16, many) == sectors(256, 16, many) * 16**3
        assert sectors(4096, 16, many) / sectors(4096, 16, 1) == (1 / many + 1) / 2


def test_blocks_left_for_132_sms():
    used = [gs.waves(gs.H200, (256 // 16) ** 2 // many, 8) for many in (1, 8)]
    assert [wave.count for wave in used] == [1, 1] and used[1].tail == 32 < gs.H200.sms


def recorded(n, many, unroll=1):
    return gs.hardware.recorded("matmul_coarse", gs.H200, N=n, TILE=16, COARSE=many, UNROLL=unroll)


def test_what_the_page_says_about_the_h200():
    one, eight = recorded(4096, 1), recorded(4096, 8)
    assert round(100 * (1 - sectors(4096, 16, 8) / sectors(4096, 16, 1))) == 44
    assert round(100 * (1 - eight.seconds / one.seconds)) == 2
    for many in (1, 2, 4, 8):
        assert recorded(4096, many).counts.global_load_sectors == sectors(4096, 16, many)
    unrolled = {many: recorded(4096, many, 16) for many in (4, 8)}
    assert (unrolled[8].registers, unrolled[8].blocks_per_sm, unrolled[4].blocks_per_sm) == (40, 6, 8)
    assert unrolled[8].seconds > unrolled[4].seconds
    small = [recorded(256, many).seconds for many in (1, 2, 4)]
    assert 1.7 < small[1] / small[0] < 2 < small[2] / small[0] and round(small[2] / small[0], 1) == 3.5
