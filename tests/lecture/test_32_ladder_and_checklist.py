"""The ladder from naive to library: the lecture's ratios recomputed, and the page's measured factors."""

from functools import cache

import pytest
from figures import agrees, figures

import gpusim as gs
from gpusim.models.bounds import balance_point, intensity_bound

TILES = [(16, 16), (32, 32), (64, 64), (128, 128), (128, 256)]


@cache
def two(name, n, L=64, S=8, V=4):  # noqa: N803, the kernel's own names
    arrays = [gs.spec((n, n)) for _ in range(3)]
    kernel = gs.load(f"matmul_{name}", L=L, S=S, V=V)
    return gs.count(kernel, (n // L,) * 2, (L // V,) * 2, *arrays, n).counts


def ratio(rows, cols):
    return 2 * rows * cols / ((rows + cols) * 4)


def allowed(rows, cols, flops):
    return min(1.0, intensity_bound(ratio(rows, cols), gs.A100, flops) / flops)


def test_ratio_of_block_tiles():
    agrees("s4-054", [ratio(*tile) for tile in TILES])
    c = [two("two_level_vec", 256, S=S) for S in (8, 16)]
    assert c[0].global_load_bytes == c[1].global_load_bytes  # independent of BK
    assert c[0].flops / c[0].global_load_bytes == ratio(64, 64)


def test_the_ladder_whose_table_is_lost():
    assert figures()["s4-055"]["value"] is None
    fp32, tf32 = ([round(100 * allowed(*tile, flops), 2) for tile in [(1, 1), *TILES]]
                  for flops in (gs.A100.fp32_flops, gs.A100.tf32_flops))  # fmt: skip
    assert fp32 == [2.48, 39.69, 79.38, 100, 100, 100]
    assert tf32 == [0.31, 4.96, 9.92, 19.85, 39.69, 52.92]
    assert round(100 * allowed(256, 256, gs.A100.tf32_flops)) == 79
    assert 256 * 256 == gs.A100.registers_per_sm


def test_shape_of_the_language_model():
    agrees("s1-017", [10 * 2048, 4096, 4096])


def test_budget_of_the_lecture():
    assert figures()["s0-060"]["value"] == 15  # seconds a notebook: a promise, not a result


def test_the_smallest_tile_for_tf32():
    smallest = next(side for side in range(16, 1024, 16)
                    if ratio(side, side) >= balance_point(gs.A100, gs.A100.tf32_flops))  # fmt: skip
    assert smallest == 336 and smallest**2 == 112896 > gs.A100.registers_per_sm


def test_double_buffering_saves_barriers_and_nothing_else():
    one, both = two("two_level_vec", 256), two("double_buffer", 256)
    assert round(one.barriers / both.barriers) == 2
    for name in ("global_load_sectors", "shared_load_requests", "shared_load_wavefronts"):
        assert getattr(one, name) == getattr(both, name)


def useful(rows, tile):
    blocks = -(-rows // tile) * -(-4096 // tile)
    return rows * 4096 / (blocks * tile**2) * gs.waves(gs.H100, blocks=blocks, per_sm=1).utilisation


def test_the_shape_decides_the_tile():
    assert round(100 * useful(20480, 128)) == 99 and round(100 * useful(10, 128)) == 2
    assert max([16, 32, 64, 128, 256], key=lambda tile: useful(10, tile)) == 16


def seconds(name, **macros):
    return gs.hardware.recorded(f"matmul_{name}", gs.H200, N=4096, **macros).seconds


@pytest.fixture
def steps():
    return [seconds("naive_xrow", block=(16, 16)), seconds("naive", block=(32, 32)),
            seconds("tiled", TILE=32, UNROLL=1), seconds("coarse", COARSE=4, UNROLL=16),
            seconds("two_level", L=64, S=8, V=8),
            seconds("two_level_vec", L=128, S=8, V=8), seconds("double_buffer", L=128, S=8, V=8),
            gs.hardware.library("cupy.matmul", gs.H200, N=4096, dtype="float32")]  # fmt: skip


def test_what_the_page_says_about_the_h200(steps):
    assert steps == sorted(steps, reverse=True)
    assert round(steps[0] / steps[-2]) == 35
    assert [round(steps[k] / steps[k + 1], 1) for k in (-3, -2)] == [1.2, 1.5]
    assert round(steps[2] / steps[-1]) == 8  # the tiled kernel reaches an eighth of cuBLAS
    record = gs.hardware.recorded("matmul_double_buffer", gs.H200, N=4096, L=128, S=8, V=8)
    assert record.blocks_per_sm == 1


def test_tensor_cores_need_to_be_fed(steps):
    half, wmma = gs.hardware.library("cupy.matmul", gs.H200, N=4096, dtype="float16"), seconds("wmma")
    assert round(wmma / half) == 24 and wmma > steps[-3] and round(steps[-1] / half) == 13


def test_the_naive_kernel_is_over_the_slope():
    c = gs.hardware.recorded("matmul_naive", gs.H200, N=4096, block=(32, 32))
    at = 2 * 4096**3 / (32 * (c.counts.global_load_sectors + c.counts.global_store_sectors))
    assert 2 * 4096**3 / c.seconds > intensity_bound(at, gs.H200)


def layer(K, epilogue):  # noqa: N803, the kernel's own name
    return gs.hardware.recorded("matmul_epilogue", gs.H200, N=4096, K=K, EPILOGUE=epilogue)


def test_an_epilogue_pays_where_the_product_is_short():
    after = gs.hardware.recorded("bias_relu", gs.H200, N=4096).seconds
    factors = [(layer(K, 0).seconds + after) / layer(K, 1).seconds for K in (64, 256, 1024, 4096)]
    assert factors == sorted(factors, reverse=True)
    assert round(factors[0], 2) == 1.56 and 0.98 < factors[-1] < 1
    assert 95 < layer(4096, 0).seconds / after < 105


def test_the_epilogue_spares_a_pass_over_c():
    plain, fused = (layer(64, epilogue).counts for epilogue in (0, 1))
    after = gs.hardware.recorded("bias_relu", gs.H200, N=4096).counts
    assert plain.global_store_sectors == fused.global_store_sectors == 4096**2 * 4 // 32
    read_again = after.global_load_sectors - after.global_load_requests // 2 * 4  # less those of the bias
    assert read_again == after.global_store_sectors == plain.global_store_sectors


def test_a_tile_in_shared_memory_helps_tensor_cores_and_the_library_goes_on():
    plain, tiled = (
        gs.hardware.recorded(f"matmul_wmma{form}", gs.H200, N=4096).seconds for form in ("", "_tiled")
    )
    library = gs.hardware.library("cupy.matmul", gs.H200, N=4096, dtype="float16")
    assert round(plain / tiled, 1) == 4.2 and round(tiled / library, 1) == 5.6


def test_padding_frees_the_loads_of_fragments_and_costs_stores():
    bare, padded = (
        gs.hardware.recorded("matmul_wmma_tiled", gs.H200, N=256, **macros).counts
        for macros in ({"PAD": 0}, {})
    )
    assert bare.shared_load_wavefronts == 5 * padded.shared_load_wavefronts
    assert 2 * padded.shared_store_wavefronts == 3 * bare.shared_store_wavefronts
