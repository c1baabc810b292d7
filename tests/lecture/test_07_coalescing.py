"""Coalescing: the lectures' figures recounted, and every number that the page says in words."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs
from gpusim.show.exercises import load_exercise

LANE = np.arange(32)
STRIDE, OFFSET = gs.load("copy_stride"), gs.load("copy_offset")


def sectors(element, size=4, active=LANE >= 0):
    """Sectors of one load: lane i reads element[i], of `size` bytes."""
    return int(gs.sectors(size * np.asarray(element)[None], active[None], size)[0])


def loads(kernel, step):
    """Sectors of the only load of one warp that runs a copy kernel of the book."""
    run = gs.count(kernel, 1, 32, gs.spec(32 * max(step, 1) + step), gs.spec(32), 32, step)
    assert run.counts.global_load_requests == 1
    return run.counts.global_load_sectors


@pytest.mark.parametrize("stride, expected", [(0, 1), (1, 4), (2, 8), (4, 16), (8, 32), (16, 32), (32, 32)])
def test_strides(stride, expected):  # the lost table of s0-049
    assert loads(STRIDE, stride) == sectors(stride * LANE) == expected


def test_offsets():
    agrees("s4-031", [loads(OFFSET, offset) for offset in (0, 1, 2, 4, 8)])
    agrees("s0-050", [loads(OFFSET, 1), loads(OFFSET, 1) / loads(OFFSET, 0) - 1])
    agrees("s4-062", [loads(STRIDE, 2), loads(OFFSET, 3)])


def test_a_sector_is_the_grain_and_arrays_are_aligned():
    grain = next(n for n in range(1, 200) if int(gs.sectors(n * (LANE[None] > 0), LANE[None] < 2, 1)[0]) == 2)
    agrees("s3-001", grain)
    starts = 4 * (256 // 4) * LANE  # at any multiple of 256 bytes the first warp touches as few as at 0
    assert {int(gs.sectors(start + 4 * LANE[None], LANE[None] >= 0, 4)[0]) for start in starts} == {4}
    agrees("s4-032", 256)


def test_the_best_and_the_worst_case():
    agrees("s3-002", [sectors(LANE), 128 / (32 * sectors(LANE))])
    worst = loads(STRIDE, 32)
    agrees("s3-003", [worst, 32 * worst, 4 * 32, 4 * 32 / (32 * worst)])
    for stride in (8, 9, 100):
        touched = sectors(stride * LANE)
        agrees("s3-022", [touched / sectors(LANE), 1 - 4 * 32 / (32 * touched)])


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_side_by_side_every_byte_is_used(size):
    assert sectors(LANE, size) == size


def test_offsets_of_wide_elements_cost_at_most_one_sector():
    for size in (4, 8, 16):
        for offset in range(9):
            assert sectors(LANE + offset, size) - sectors(LANE, size) == bool(offset * size % 32)


def test_idle_lanes_save_whole_sectors_only():
    half = LANE % 2 == 0
    assert sectors(LANE, active=half) == 4 and sectors(LANE, active=LANE < 16) == 2


def test_order_costs_nothing_and_scattering_does():
    random = np.random.default_rng(7)
    shuffled, scattered = random.permutation(32), random.permutation(128)[:32]
    assert sectors(shuffled) == sectors(LANE[::-1]) == 4
    assert sectors(scattered) == 14


def test_eight_floats_a_thread_are_eight_strided_loads_of_the_same_sectors():
    assert sum(sectors(8 * LANE + k) for k in range(8)) == 256
    exercise = load_exercise("contiguous_runs")
    counts = exercise.counted_run(exercise.kernel_of(exercise.starter)).counts
    assert counts.global_load_sectors == 8 * counts.global_load_distinct_sectors


def test_odd_strides_and_records():
    assert [sectors(s * LANE) for s in (3, 5, 7)] == [12, 20, 28]
    assert sectors(3 * LANE, 8) == 24
    assert sectors(6 * LANE) == sectors(6 * LANE + 1) == 24  # struct of six floats: x, then y


def test_the_run_of_the_page():
    run = gs.count(STRIDE, 16, 256, gs.spec(4096 * 8), gs.spec(4096), 4096, 8)
    line = run.lines[5]
    assert (line.global_load_sectors_per_request, line.global_store_sectors_per_request) == (32, 4)
    assert (line.global_load_requests, line.global_store_requests) == (128, 128)


def recorded(stride):
    return gs.hardware.recorded("copy_stride", gs.H200, n=4 << 20, stride=stride)


def test_an_h200_counts_the_same_sectors():
    for stride in (1, 2, 4, 8, 16, 32):
        run = gs.count(STRIDE, 16384, 256, gs.spec((4 << 20) * stride), gs.spec(4 << 20), 4 << 20, stride)
        measured = recorded(stride).counts.global_load_sectors
        assert measured in (None, run.counts.global_load_sectors)  # None: timed only
    assert recorded(32).counts.global_load_sectors == 4 << 20


def test_a_gather_costs_what_its_indices_say():
    rng = np.random.default_rng
    index, gather = np.arange(4096, dtype=np.int32), gs.load("gather")
    orders = {
        "inorder": index,
        "random": rng(3).permutation(index),
        "warp": rng(3).permuted(index.reshape(-1, 32), axis=1).reshape(-1),
    }
    found = {}
    for order, indices in orders.items():
        arrays = gs.zeros(4096, np.float32), gs.asarray(indices), gs.zeros(4096, np.float32)
        run = gather[16, 256](*arrays, 4096)
        assert gs.compare(run, gs.H200, order=order).differences == []
        found[order] = run.counts.global_load_sectors
    assert found["inorder"] == found["warp"] == 1024 < found["random"]


def test_what_the_page_says_about_the_gather():
    order = {
        name: gs.hardware.recorded("gather", gs.H200, n=1 << 24, order=name).seconds
        for name in ("inorder", "warp", "random")
    }
    assert [round(1e6 * order[name]) for name in ("inorder", "warp", "random")] == [78, 78, 285]


def test_what_the_page_says_about_the_times():
    time = {stride: recorded(stride).seconds for stride in (2, 8, 32)}
    assert 2.4 < time[8] / time[2] < 2.6 and 1.9 < time[32] / time[8] < 2.2
    chips = {stride: recorded(stride).counters["dram_read_bytes"] for stride in (8, 16)}
    assert [round(chips[stride] / 1e6) for stride in (8, 16)] == [134, 268]
