"""Tensor cores: where a factor of 215 comes from, and why sums are kept in FP32."""

import numpy as np
import pytest
from figures import agrees, figures
from numpy.testing import assert_allclose

from gpusim.errors import GpusimError
from gpusim.gpus import GPUS
from gpusim.models.tensor import INSTRUCTIONS, accumulator_owner, dot, dot_error, instruction_count, peak

NAMES = ("ffma", "mma.m16n8k16", "wgmma.m64n64k16")


def test_one_instruction_does_more_and_more():
    counts = [instruction_count(64, 64, 64, name) for name in NAMES]
    agrees("s2-052", [64**3, *counts])
    agrees("s2-053", counts[0] / counts[1])
    agrees(
        "s2-063",
        [
            128 * 64 * 256,
            instruction_count(128, 256, 64, "mma.m16n8k16"),
            instruction_count(128, 256, 64, "ffma"),
        ],
    )
    assert INSTRUCTIONS["mma.m16n8k16"].multiply_adds == 2048 and INSTRUCTIONS["wgmma.m64n64k16"].warps == 4


def test_a_ragged_edge_costs_whole_tiles():
    assert instruction_count(17, 8, 16, "mma.m16n8k16") == 2
    assert instruction_count(1, 1, 1, "wgmma.m64n64k16") == 1


def test_the_peaks_of_2014_and_2022_differ_by_sms_width_and_clock():
    factors = peak("H100", "fp16").over(peak("GTX 980"))
    agrees("s2-047", factors.values())
    agrees("s2-048", peak("H100").over(peak("GTX 980"))["ratio"])
    agrees("s2-049", [peak("H100").flops / 1e12, peak("H100", "fp16").flops / 1e12])
    assert_allclose(np.prod(list(factors.values())[1:]), factors["ratio"])


def test_every_datasheet_peak_is_a_product_of_plausible_factors():
    for name in ("V100", "T4", "A100", "H100", "H200"):
        for precision in ("fp32", "fp16"):
            implied = peak(name, precision).clock / GPUS[name].clock
            assert 0.9 < implied < 1.01, (name, precision, implied)


def test_every_element_of_the_accumulator_has_one_owner():
    owners = {accumulator_owner(row, column) for row in range(16) for column in range(8)}
    assert owners == {(lane, register) for lane in range(32) for register in range(4)}


def test_fp16_cannot_count_beyond_2048():
    agrees("s2-055", np.finfo(np.float16).nmant)
    assert np.float16(2048) + np.float16(1) == 2048
    ones = np.ones(5000, np.float16)
    assert dot(ones, ones, np.float16) == 2048 and dot(ones, ones) == 5000


def test_the_error_of_an_fp16_sum_grows_with_its_length_and_that_of_fp32_hardly():
    half, single = ([dot_error(k, kind) for k in (64, 256, 1024, 4096)] for kind in (np.float16, np.float32))
    printed = figures()["s2-054"]
    assert_allclose([half, single], printed["value"], rtol=printed["tolerance"])
    assert half == sorted(half) and half[-1] > 0.05 and max(single) < 2e-6


def test_a_short_dot_product_in_fp32_is_exact():
    a = np.arange(8, dtype=np.float16)
    assert dot(a, a) == 140


def test_unknown_instructions_sizes_and_peaks_are_refused():
    with pytest.raises(GpusimError, match="mma.m16n8k16"):
        instruction_count(16, 16, 16, "mma")
    with pytest.raises(GpusimError, match="at least 1"):
        instruction_count(0, 16, 16, "ffma")
    with pytest.raises(GpusimError, match="GTX 980"):
        peak("GTX 980", "fp16")
    with pytest.raises(GpusimError, match="fp8"):
        peak("H100", "fp8")
