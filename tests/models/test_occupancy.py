"""Occupancy: the textbook's floors and the hardware's rounding, each against what it has to reproduce."""

import pytest
from figures import agrees, measured

from gpusim.errors import GpusimError, LaunchError
from gpusim.gpus import A100, GTX_980, H100, H200, T4, V100, Gpu
from gpusim.models.occupancy import occupancy

KB = 1024


def test_blocks_on_an_sm_equal_the_h200_s_answer_for_every_recorded_kernel():
    kernels = measured("h200_occupancy")
    assert len(kernels) >= 40
    for threads, registers, shared, blocks in kernels:
        assert occupancy(H200, threads, registers, shared).blocks == blocks, (threads, registers, shared)


def test_the_same_code_fills_two_gpus_differently():
    lecture = [occupancy(gpu, 256, 32, 32 * KB, "lecture").fraction for gpu in (GTX_980, H100)]
    agrees("s2-034", lecture)
    assert occupancy(H100, 256, 32, 32 * KB).fraction == 0.75  # 1 KB a block goes to the system
    assert [occupancy(gpu, 128, 32, 520).fraction for gpu in (GTX_980, H100)] == [1, 1]  # s2-035


def test_the_v100_example_runs_out_of_registers():
    found = occupancy(V100, 128, 64, 8 * KB, "lecture")
    order = [found.limits[name] for name in ("registers", "shared", "warps", "blocks")]
    agrees("s1-009", [order, found.blocks])
    assert found.limiters == ("registers",) and found.fraction == 0.5


def test_two_limits_may_tie():
    found = occupancy(H100, 256, 64, 48 * KB)
    agrees(
        "s2-060",
        [
            [found.limits[name] for name in ("warps", "registers", "shared", "blocks")],
            found.blocks,
            found.warps,
            found.fraction,
        ],
    )
    assert found.limiters == ("registers", "shared")


def test_the_fastest_matmul_runs_at_a_quarter():
    tile, strip, each = 128, 16, 8
    threads, shared = (tile // each) ** 2, 2 * tile * strip * 4
    found = occupancy(H100, threads, 96, shared, "lecture")
    agrees(
        "s0-055",
        [
            threads,
            shared // KB,
            found.limits["registers"],
            found.limits["shared"],
            found.limits["warps"],
            found.blocks,
            found.fraction,
        ],
    )
    assert occupancy(H100, threads, 96, shared).limits["shared"] == 13
    agrees("s0-028", occupancy(H100, 256, 96, 8 * KB).fraction)


def test_registers_are_given_out_by_warp_and_warps_by_four():
    sizes = (96, 128, 160, 192, 224, 256)
    found = [occupancy(A100, threads, 92) for threads in sizes]
    assert [f.blocks for f in found] == [6, 5, 4, 3, 2, 2]
    assert [f.warps for f in found] == [18, 20, 20, 18, 14, 16]
    assert found[4].fraction == 14 / 64 and occupancy(T4, 224, 92).fraction == 14 / 32
    assert occupancy(T4, 128, 92).fraction == 0.625
    assert occupancy(A100, 256, 41) == occupancy(A100, 256, 43)


def test_a_larger_block_may_fill_less():
    card = Gpu("RTX 2050", "8.6", 16, 1.475e9, 112e9, 2 << 20)
    full, less = occupancy(card, 768), occupancy(card, 1024)
    assert (full.blocks, full.fraction, less.blocks, round(less.fraction, 3)) == (2, 1, 1, 0.667)


def test_a_block_whose_registers_do_not_fit_gets_no_place():
    assert occupancy(H100, 1024, 96).blocks == 0
    assert occupancy(H100, 1024, 96).limiters == ("registers",)


def test_without_registers_or_shared_memory_those_do_not_limit():
    limits = occupancy(T4, 64, 0, 0).limits
    assert limits["registers"] is None and limits["shared"] is None


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((0, 32, 0), "block x is 0; the H100 allows 1 to 1024"),
        ((1025, 32, 0), "block x is 1025"),
        ((256, 256, 0), "256 registers a thread; the H100 allows 255"),
        ((256, 32, 228 * KB), "233,472 bytes of shared memory; the H100 allows 232,448"),
        ((256, -1, 0), "-1 registers"),
        ((256, 32, -1), "-1 bytes"),
        (("many", 32, 0), "block x is 'many'"),
        ((32.5, 32, 0), "block x is 32.5"),
        ((256, 32, float("nan")), "nan bytes"),
    ],
)
def test_absurd_blocks_are_refused_by_the_name_of_the_limit(arguments, message):
    with pytest.raises(LaunchError, match=message):
        occupancy(H100, *arguments)


def test_unknown_cards_and_rules_are_refused():
    with pytest.raises(GpusimError, match="H101"):
        occupancy("H101", 256)
    with pytest.raises(LaunchError, match="textbook"):
        occupancy(H100, 256, rules="textbook")
