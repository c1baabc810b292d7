"""The roofline: ratios, balance points and accountings that the lectures print, and what the page says."""

from functools import cache

import pytest
from figures import agrees, figures
from places import ROOT

import gpusim as gs
from gpusim.models.bounds import balance_point, intensity_bound

VECTOR = 1 << 26


@cache
def naive(n):
    arrays = [gs.spec((n, n)) for _ in range(3)]
    return gs.count(gs.load("matmul_naive"), (n // 16,) * 2, (16, 16), *arrays, n)


@cache
def vector(name):
    arrays = [gs.spec(VECTOR) for _ in range(2 if name == "saxpy" else 3)]
    scalars = [2.0] if name == "saxpy" else []
    return gs.count(gs.load(name), VECTOR // 256, 256, *scalars, *arrays, VECTOR)


def requested(c):
    return c.global_load_bytes + c.global_store_bytes


def sectors(c):
    return 32 * (c.global_load_sectors + c.global_store_sectors)


def distinct(c):
    return 32 * (c.global_load_distinct_sectors + c.global_store_distinct_sectors)


def test_intensity_and_what_memory_allows():
    c = naive(32).counts
    ratio = c.flops / c.global_load_bytes
    agrees("s0-003", ratio)
    agrees("s4-001", ratio)
    agrees("s4-002", intensity_bound(ratio, gs.A100) / 1e9)
    agrees("s4-003", intensity_bound(ratio, gs.A100) / gs.A100.fp32_flops)
    bound = intensity_bound(ratio, gs.H100, 67e12)
    agrees("s4-057", [bound / 1e9, bound / 67e12])


def test_balance_points():
    agrees("s4-004", [balance_point(gs.A100), balance_point(gs.A100, gs.A100.tf32_flops)])
    # "three orders of magnitude" holds for the tensor cores only
    agrees("s0-004", [balance_point(gs.H100) / 0.25, balance_point(gs.H100, gs.H100.fp16_flops) / 0.25])


def test_three_accountings_at_32():
    c = naive(32).counts
    assert figures()["s4-007"]["value"] is None  # the table is lost: these are its numbers
    assert [requested(c), sectors(c), distinct(c)] == [266240, 135168, 12288]
    agrees("s4-008", requested(c) / distinct(c))
    agrees("s4-009", c.global_load_bytes / 2 / 4 / 32**2)
    agrees("s4-010", c.flops / distinct(c))


def test_ideal_cache_at_4096():
    c = naive(4096).counts
    agrees("s0-013", c.flops / distinct(c))
    agrees("s0-014", 4 * 4096**2 / 2**20)
    assert 4 * 4096**2 > gs.H100.l2_bytes
    assert 1000 < requested(c) / distinct(c) < 10000  # "more than three powers of ten"


def test_bytes_for_a_flop():  # often printed as bytes for a multiply-add
    arrays = [gs.spec((4096, 4096)) for _ in range(3)]
    c = gs.count(gs.load("matmul_naive"), (128, 128), (32, 32), *arrays, 4096).counts
    assert round(sectors(c) / c.flops, 2) == 2.5


def test_vector_kernels():
    found = [vector(name).counts for name in ("vector_add", "saxpy")]
    agrees("s4-056", [c.flops / requested(c) for c in found])
    assert all(requested(c) == sectors(c) == distinct(c) for c in found)


def test_a_share_of_flops_without_a_source_is_not_taught():
    page = ROOT / "book" / "05-matmul" / "18-roofline.ipynb"
    assert figures()["s0-061"]["value"] == 0.9997 and "99.97" not in page.read_text()


@pytest.mark.parametrize("gpu", [gs.T4, gs.A100, gs.H100])
def test_memory_is_the_longest_bar_everywhere(gpu):
    for run in (naive(4096), vector("vector_add"), vector("saxpy")):
        assert gs.lecture_bound(run, gpu).bound == "hbm"


def test_both_ends_of_the_roof():
    for n in (32, 1024, 4096, 8192):
        c = naive(n).counts
        assert 0.024 < intensity_bound(c.flops / requested(c), gs.A100) / gs.A100.fp32_flops < 0.025
    ideal = {n: naive(n).counts.flops / distinct(naive(n).counts) for n in (32, 1024)}
    assert ideal[32] < balance_point(gs.A100) and ideal[1024] > balance_point(gs.A100, gs.A100.fp16_flops)


def test_an_h200_is_above_the_wrong_roof():
    run = naive(4096)
    h200, c = gs.compare(run, gs.H200).record, run.counts
    speed = c.flops / h200.seconds
    assert round(speed / intensity_bound(c.flops / sectors(c), gs.H200)) == 2
    assert round(100 * speed / gs.H200.fp32_flops) == 8
    dram = h200.counters["dram_read_bytes"] + h200.counters["dram_write_bytes"]
    allowed = intensity_bound(c.flops / dram, gs.H200)
    assert round(allowed / 1e12) == 39 and 7 < allowed / speed < 8


@pytest.mark.parametrize("name", ["vector_add", "saxpy"])
def test_vector_kernels_reach_most_of_the_bandwidth(name):
    run = vector(name)
    speed = sectors(run.counts) / gs.compare(run, gs.H200).record.seconds
    assert 0.685 < speed / gs.H200.memory_bandwidth < 0.705


def test_the_roofs_of_an_h200():
    copy = gs.hardware.recorded("copy_elements", gs.H200, ELEMENT="float4", n=1 << 24)
    fma = gs.hardware.recorded("fma_peak", gs.H200, CHAINS=8)
    bandwidth = 32 * copy.params["n"] / copy.seconds
    peak = 16 * fma.params["steps"] * fma.params["blocks"] * 256 / fma.seconds
    assert 0.83 < bandwidth / gs.H200.memory_bandwidth < 0.91  # "a tenth to a sixth below"
    assert 0.83 < peak / gs.H200.fp32_flops < 0.91
