"""The cards: their numbers, where those come from, and what a launch may not exceed."""

import pytest
from figures import agrees

from gpusim.errors import GpusimError, LaunchError
from gpusim.gpus import A100, GPUS, GTX_980, H100, H200, T4, TOY, V100, Gpu, as_gpu
from gpusim.limits import check_launch

KB = 1024


def test_the_lecture_s_constants_of_the_h100():
    wavefront = 4 * H100.fp32_lanes / 4
    agrees("s0-001", [H100.memory_bandwidth, wavefront, H100.fp32_flops])
    agrees("s2-049", [2 * H100.sms * H100.fp32_lanes * H100.clock / 1e12, 4096 * H100.sms * 1.83e9 / 1e12])
    agrees(
        "s0-004",
        [H100.fp32_flops / H100.memory_bandwidth / 0.25, H100.fp16_flops / H100.memory_bandwidth / 0.25],
    )
    agrees("s2-050", [H100.l1_bytes / KB, H100.shared_per_sm / KB])


def test_the_gtx_980_of_2014_and_what_has_not_changed_since():
    agrees("s2-045", GTX_980.fp32_flops / 1e12)
    agrees(
        "s2-032",
        [
            GTX_980.warps_per_sm,
            GTX_980.threads_per_sm,
            GTX_980.shared_per_sm / KB,
            GTX_980.schedulers_per_sm,
            2,
        ],
    )
    agrees("s2-046", [GTX_980.sms * GTX_980.warps_per_sm, GTX_980.sms * GTX_980.threads_per_sm])
    for gpu in (GTX_980, H100):
        agrees("s2-051", [32, gpu.warps_per_sm, 2 * gpu.fp32_lanes])
    assert V100.fp32_lanes == A100.fp32_lanes == 64 and T4.warps_per_sm == 32  # but it did change in between


def test_the_limits_of_v100_t4_and_a100():
    agrees(
        "s1-007",
        [
            V100.threads_per_sm,
            V100.blocks_per_sm,
            V100.registers_per_sm * 4 / KB,
            V100.shared_per_sm / KB,
            V100.registers_per_sm,
        ],
    )
    registers, shared = V100.registers_per_sm // V100.threads_per_sm, V100.shared_per_sm / V100.blocks_per_sm
    agrees("s1-008", [registers, shared / KB])
    agrees("s3-011", [T4.sms, T4.memory_bandwidth / 1e9])
    largest = int(A100.threads_per_block**0.5)
    agrees(
        "s4-026",
        [A100.shared_per_block_optin / KB, H100.shared_per_block_optin / KB, A100.threads_per_block, largest],
    )
    agrees("s4-028", [A100.registers_per_sm // 1024, A100.registers_per_sm // A100.threads_per_sm])
    agrees("s4-069", A100.threads_per_block)
    agrees("s4-027", [H100.l1_bytes / KB, A100.l1_bytes / KB, A100.registers_per_sm])
    assert A100.sms == 108  # a slide says 104


def test_balance_points_and_bandwidth_bounds():
    agrees("s4-002", 0.25 * A100.memory_bandwidth / 1e9)
    agrees("s4-003", 0.25 * A100.memory_bandwidth / A100.fp32_flops)
    agrees("s4-004", [A100.fp32_flops / A100.memory_bandwidth, A100.tf32_flops / A100.memory_bandwidth])
    bound = 0.25 * H100.memory_bandwidth
    agrees("s4-057", [bound / 1e9, round(bound / H100.fp32_flops, 4)])


@pytest.mark.parametrize("gpu", GPUS.values(), ids=str)
def test_every_number_of_every_card_has_a_unit_and_a_source(gpu):
    origins = ("datasheet", "guide", "measured", "fitted", "published", "lecture", "derived", "borrowed")
    for name, _, _, meaning, source in gpu.table():
        assert meaning and source.split(":")[0] in origins, (name, source)
    if gpu is not H200:
        assert not any(source.startswith("fitted") for source in gpu.sources.values())


def test_the_h200_is_the_card_that_was_measured():
    assert H200.sources["dram_latency"].startswith("measured")
    assert T4.sources["issue_gap"].startswith("borrowed")
    assert not any(source.startswith("borrowed") for source in H200.sources.values())


def test_a_card_of_one_s_own_takes_five_lines_and_says_what_was_given():
    mine = Gpu("RTX 2050", "8.6", sms=16, clock=1.475e9, memory_bandwidth=112e9, l2_bytes=2 * 1024 * KB)
    assert (mine.warps_per_sm, mine.blocks_per_sm, mine.shared_per_block_optin) == (48, 16, 101376)
    assert mine.sources["sms"] == "given" and mine.sources["l2_latency"].startswith("borrowed")
    assert mine.fp32_flops == 2 * 16 * 128 * 1.475e9


def test_a_changed_card_keeps_its_proportions():
    half = H100.with_(sms=66)
    assert half.fp32_flops == H100.fp32_flops / 2 and half.memory_bandwidth == H100.memory_bandwidth
    assert half.l2_bandwidth == H100.l2_bandwidth / 2 and H100.sms == 132
    assert H100.with_(fp32_flops=1.0).sources["fp32_flops"] == "given"
    assert H100.with_(compute_capability="7.5").warps_per_sm == 32


def test_unknown_names_numbers_and_capabilities_are_refused_with_a_hint():
    assert as_gpu("T4") is T4 and as_gpu(T4) is T4
    with pytest.raises(GpusimError, match="did you mean 'H100'"):
        GPUS["H10"]
    with pytest.raises(GpusimError, match="did you mean 'sms'"):
        H100.with_(sm=3)
    with pytest.raises(LaunchError, match="sms must be a positive number of SMs, not 0"):
        H100.with_(sms=0)
    with pytest.raises(LaunchError, match="9.9"):
        H100.with_(compute_capability="9.9")


@pytest.mark.parametrize(
    "launch, message",
    [
        (dict(grid=(0, 1, 1), block=(32, 1, 1)), "grid x is 0; the T4 allows 1 to 2147483647"),
        (dict(grid=(1, 70000, 1), block=(32, 1, 1)), "grid y is 70000; the T4 allows 1 to 65535"),
        (dict(grid=(1, 1, 1), block=(1, 1, 65)), "block z is 65; the T4 allows 1 to 64"),
        (dict(grid=(1, 1, 1), block=(64, 32, 1)), "64 x 32 x 1 = 2048 threads; the T4 allows 1024"),
        (dict(grid=(1, 1, 1), block=(32, 1, 1), registers=256), "256 registers a thread; the T4 allows 255"),
        (
            dict(grid=(1, 1, 1), block=(32, 1, 1), static_shared=49160),
            "49,160 bytes .* of static .* allows 49,152",
        ),
        (
            dict(grid=(1, 1, 1), block=(32, 1, 1), dynamic_shared=65537),
            "65,537 bytes of shared .* allows 65,536",
        ),
        (dict(grid=(1, 1, 1), block=(32, 1, 1), dynamic_shared=-4), "-4 bytes"),
    ],
)
def test_a_launch_beyond_a_limit_is_refused_by_the_name_of_the_limit(launch, message):
    check_launch(T4, (1, 1, 1), (32, 32, 1), 49152, 16384, 255)
    with pytest.raises(LaunchError, match=message):
        check_launch(T4, **launch)


def test_stages_of_a_tile_fit_by_card():
    stage = 49152
    fits = [
        max(n for n in range(5) if n * stage <= gpu.shared_per_block_optin)
        for gpu in (T4, Gpu("RTX 4090", "8.9", 128, 2.5e9, 1e12, 72 << 20), A100, H100)
    ]
    assert fits == [1, 2, 3, 4]


def test_the_toy_gpu_is_small_enough_to_follow():
    agrees("s2-030", TOY.shared_per_sm // 520)
    assert TOY.sms == 2 and TOY.shared_per_sm // 500 == 3
