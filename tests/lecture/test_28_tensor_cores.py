"""Tensor cores: what the page says (the lecture's figures are in test_tensor.py)."""

import numpy as np
from figures import agrees

import gpusim as gs
from gpusim.models.tensor import dot_error, instruction_count, peak


def test_peak_of_a_gtx_980():
    agrees("s2-045", peak("GTX 980").flops / 1e12)
    g = gs.GTX_980
    agrees("s2-046", [g.sms * g.warps_per_sm, 32 * g.sms * g.warps_per_sm])


def test_an_sm_of_both_cards():
    agrees("s2-050", [256, gs.H100.shared_per_sm // 1024])
    agrees("s2-051", [32, gs.H100.warps_per_sm, 2 * gs.H100.fp32_lanes])
    assert gs.GTX_980.fp32_lanes == gs.H100.fp32_lanes == 2 * gs.A100.fp32_lanes and gs.T4.warps_per_sm == 32


def test_the_lecture_s_exercise_counts_1024_mma():
    agrees(
        "s2-063",
        [
            128 * 64 * 256,
            instruction_count(128, 256, 64, "mma.m16n8k16"),
            instruction_count(128, 256, 64, "ffma"),
        ],
    )


def test_the_kernel_errs_as_the_model_does():
    def error(accumulator, k, n=64):
        a, b = np.random.default_rng(0).random((2, n, k)).astype(np.float16)
        out = gs.zeros(n, np.float32)
        gs.load("half_dot", ACCUMULATOR=accumulator)[1, 128](gs.asarray(a), gs.asarray(b), out, n, k)
        exact = (a.astype(np.float64) * b.astype(np.float64)).sum(axis=1)
        return np.mean(np.abs(gs.asnumpy(out) - exact) / exact)

    for k in (64, 1024):
        assert 0.4 < error("half", k) / dot_error(k, np.float16) < 2.5
        assert error("float", k) < 1e-6
    assert np.float16(2048) + np.float16(1) == 2048


def counted_wmma(N):
    half, single = gs.spec((N, N), np.float16), gs.spec((N, N), np.float32)
    return gs.count(gs.load("matmul_wmma"), (N // 16, N // 64), (32, 4), half, half, single, N, gpu=gs.H200)


def test_a_fragment_takes_four_requests_of_eight_sectors_each_half_used():
    run = counted_wmma(64)
    c, products = run.counts, 4**3
    assert c.tensor_instructions == 2 * products == instruction_count(64, 64, 64, "mma.m16n8k16")
    assert c.global_load_requests == 2 * 4 * products == 4 * c.tensor_instructions
    assert c.global_load_sectors == 64 * products and c.global_load_bytes == 32 * c.global_load_sectors // 2


def test_the_kernel_waits_for_l1_as_estimated_and_is_four_times_as_fast_as_the_naive_one():
    for N in (1024, 4096):
        guess, seconds = (
            gs.estimate(counted_wmma(N), gs.H200),
            gs.hardware.recorded("matmul_wmma", gs.H200, N=N).seconds,
        )
        assert guess.bound == "l1" and 0.75 < guess.seconds / seconds < 1.25
        assert guess.bounds["l1"] > 10 * guess.bounds["issue"]
    assert gs.hardware.recorded("matmul_naive", gs.H200, N=4096).seconds > 4 * seconds
