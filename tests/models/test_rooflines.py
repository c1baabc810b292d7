"""Bytes, FLOPs and bandwidths by hand: the figures of the lectures that need no kernel."""

import numpy as np
from figures import agrees, figures

from gpusim.gpus import A100, H100, T4
from gpusim.models.bounds import intensity_bound
from gpusim.models.occupancy import occupancy
from gpusim.rules.coalesce import sectors

LANE = np.arange(32)
GB = 1e9


def test_one_multiply_add_for_two_loaded_numbers_is_a_quarter_flop_a_byte():
    for figure in ("s0-003", "s4-001"):
        agrees(figure, 2 / (2 * 4))
    agrees("s4-056", [1 / (3 * 4), 2 / (3 * 4)])
    agrees("s4-018", [0.25 * tile for tile in (1, 2, 4, 8, 16, 32)])


def test_an_ideal_cache_makes_a_matmul_n_sixths():
    def ideal(n):
        return 2 * n**3 / (3 * n**2 * 4)

    agrees("s0-013", ideal(4096))
    agrees("s4-010", ideal(32))
    agrees("s0-014", 4096**2 * 4 / 2**20)
    assert 4096**2 * 4 > H100.l2_bytes


def test_the_transpose_of_8192_by_4096():
    side = 8192 * 4096 * 4
    agrees("s1-011", [side / 2**20, side / 2**20, 2 * side / 2**20])
    agrees("s1-012", 1e6 * 2 * side / (600 * GB))
    naive = int(sectors(4 * 4096 * LANE, True, 4)[0])
    agrees("s1-014", [8192 * 4096 // 32 * naive, side // 32, naive / 4, 4 / naive])
    agrees("s1-015", 8192 * 4096 // 32 * int(sectors(4 * LANE, True, 4)[0]))


def test_the_transpose_of_8192_squared_on_an_a100():
    n, bandwidth = 8192, A100.memory_bandwidth
    store = int(sectors(4 * n * LANE, True, 4)[0])
    ideal, naive = (32 * (4 + each) * n * n // 32 for each in (4, store))
    agrees(
        "s4-035",
        [ideal / 1e6, naive / 1e6, 1e3 * ideal / bandwidth, 1e3 * naive / bandwidth, round(ideal / naive, 2)],
    )


def test_the_t4_s_times_bandwidths_and_fractions_are_consistent():
    moved = 2 * 4096**2 * 4
    copy, square, wide, tall, shared, padded = times = figures()["s3-012"]["value"]
    bandwidth = [moved / (1e-3 * time) / GB for time in times]
    agrees("s3-013", [round(b, 1) for b in bandwidth])
    agrees("s3-014", [round(copy / time, 3) for time in times])
    agrees("s3-015", shared / padded)
    naive = {"16x16": square, "32x8": wide, "8x32": tall}
    agrees("s3-016", ", ".join(sorted(naive, key=naive.get)))
    agrees("s3-019", [copy / tall, copy / shared])
    assert tall < shared and 0.68 < bandwidth[0] * GB / T4.memory_bandwidth < 0.7
    agrees("s3-024", [round(copy / wide, 2), round(copy / tall, 2)])


def naive_store(width):
    """Sectors of a naive transpose's store, for blocks `width` threads wide."""
    return int(sectors(4 * (LANE % width * 4096 + LANE // width), True, 4)[0])


def test_counting_both_directions_explains_more_of_the_t4_than_stores_alone():
    widths = {"16x16": 16, "32x8": 32, "8x32": 8}
    agrees("s3-007", [(4 + 4) / (4 + naive_store(width)) for width in widths.values()])
    copy, *measured = figures()["s3-012"]["value"][:4]
    fractions = zip(measured, widths.values(), strict=True)
    stores = [copy / time / (4 / naive_store(width)) for time, width in fractions]
    agrees("s3-017", [stores[2], stores[0], stores[1]])
    runs = {shape: int(shape.split("x")[1]) * 4 for shape in widths}  # bytes of a row of the output: s3-018
    assert runs == {"16x16": 64, "32x8": 32, "8x32": 128}
    agrees("s3-021", 4 * 1024)


def test_a_tile_needs_two_squares_of_shared_memory():
    agrees("s4-025", [2 * tile**2 * 4 for tile in (1, 2, 4, 8, 16, 32, 64)])
    agrees("s4-059", [2 * 32**2 * size // 1024 for size in (4, 2)])


def test_the_sweep_of_block_and_register_tiles_ends_bound_by_arithmetic():
    """s0-025: HBM and FP32 seconds, registers and occupancy of each configuration at N = 4096."""
    n = 4096
    compute = 2 * n**3 / H100.fp32_flops
    for length, each in ((32, 1), (32, 2), (32, 4), (64, 2), (64, 4), (64, 8), (128, 4), (128, 8), (128, 16)):
        threads, registers = (length // each) ** 2, each**2 + 2 * each + 16
        hbm = 32 * (2 * n**3 // length // 8 + n * n // 8) / H100.memory_bandwidth
        assert (hbm < compute) == (length == 128)
        if registers <= 255:
            fits = occupancy(H100, threads, registers, 2 * 8 * length * 4, "lecture")
            assert fits.blocks >= 1 and (registers < 96 or fits.limiters == ("registers",))
        else:
            assert each == 16  # 304 registers spill
    swapped = 32 * (n**3 // 32 * 5 + n * n // 8) / H100.memory_bandwidth
    agrees("s0-029", swapped / compute)


def test_a_tree_over_blocks_takes_as_many_kernels_as_levels():
    def launches(items, a_block):
        counts = []
        while items > 1:
            items = -(-items // a_block)
            counts.append(items)
        return counts

    agrees("s0-031", [launches(2**18, 256), launches(2**18, 512)])
    agrees("s0-058", launches(10**8, 1024))


def test_a_rare_branch_is_met_by_most_warps():
    agrees("s2-012", 1 - 0.95**32)


def test_the_prefill_matmul_of_a_language_model():
    agrees("s1-017", [10 * 2048, 4096, 4096])
    intensity = 2 * 20480 * 4096 / (2 * (20480 + 4096))  # FP16, each operand moved once
    assert intensity_bound(intensity, A100, A100.fp16_flops) == A100.fp16_flops
