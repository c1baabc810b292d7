"""Barriers, races and atomics: the lectures' figure, the page's prose, and public questions."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

ORDERS = ["lockstep", "forward", "reverse", "random:7", "threads"]
X = np.random.default_rng(3).random(514, dtype=np.float32)
WANT = (X[:-2] + X[1:-1] + X[2:]) / 3


def launched(name, order="lockstep", blocks=4, **macros):
    out = gs.zeros(128 * blocks, np.float32)
    source = gs.asarray(np.resize(X, 128 * blocks + 40))
    run = gs.launch(gs.load(name, **macros), blocks, 128, source, out, order=order)
    return run, gs.asnumpy(out)


def races(run):
    return sum(report.count for report in run.reports if "race" in report.kind)


def right(name, order):
    return int(np.isclose(launched(name, order)[1], WANT, rtol=1e-4).sum())


def test_twelve_races_a_block():
    one, four = races(launched("conv_no_barrier", blocks=1)[0]), races(launched("conv_no_barrier")[0])
    assert four == 4 * one
    agrees("s2-028", [one, 8192 * one])


@pytest.mark.parametrize("order", ORDERS)
def test_reports_do_not_depend_on_luck(order):
    assert races(launched("conv_no_barrier", order)[0]) == 48
    assert launched("conv_shared", order)[0].reports == [] and right("conv_shared", order) == 512


def test_results_do_depend_on_luck():
    found = [right("conv_no_barrier", order) for order in ORDERS]
    assert found[0] == 512 and found[4] == 4 and all(480 < n < 512 for n in found[1:4])


@pytest.mark.parametrize("window", [1, 2, 3, 5, 9, 17])
def test_races_of_a_window(window):
    run, _ = launched("conv_no_barrier", blocks=1, WINDOW=window)
    assert races(run) == 4 * window * (window - 1) // 2


def test_a_block_of_one_warp_races_inside():
    run = gs.load("conv_no_barrier", BLOCK=32)[1, 32](gs.zeros(34, np.float32), gs.zeros(32, np.float32))
    assert run.reports.total("race", "between warps") == 0 < run.reports.total("race", "inside a warp")


def test_half_a_block_at_a_barrier():
    run = gs.load("barrier_in_if")[1, 64](gs.zeros(64, np.float32), gs.zeros(32, np.float32))
    assert [(report.kind, report.count) for report in run.reports] == [("partial barrier", 32)]


def counted_up(name, order):
    counter = gs.zeros(1, np.int32)
    gs.launch(gs.load(name), 64, 256, counter, order=order)
    return int(gs.asnumpy(counter)[0])


def test_additions_are_lost_without_an_atomic():
    orders = "lockstep", "forward", "threads"
    assert [counted_up("counter_race", order) for order in orders] == [1, 8, 256]
    assert {counted_up("counter_atomic", order) for order in orders} == {64 * 256}


NEAREST = """__global__ void nearest(const float *ref, const float *pt, float *best, int nref) {
    __shared__ float tile[64];
    float x = pt[threadIdx.x], d = 1e30f;
    for (int m = 0; m < nref; m += 64) {
        tile[threadIdx.x] = ref[m + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
    }
    best[threadIdx.x] = d;
}"""


def test_one_tile_hides_what_two_tiles_show():  # public question B03
    def reports(nref, text=NEAREST):
        arrays = gs.zeros(nref, np.float32), gs.zeros(64, np.float32), gs.zeros(64, np.float32)
        return [(r.kind, r.count) for r in gs.cuda(text).nearest[1, 64](*arrays, nref).reports]

    assert reports(64) == [] and reports(128) == [("write-after-read race", 64)]
    assert reports(128, NEAREST.replace("tile[k]));\n", "tile[k]));\n        __syncthreads();\n")) == []


def histogram(name, values):
    data = np.random.default_rng(0).integers(0, values, 65536, dtype=np.int32)
    bins = gs.zeros(256, np.int32)
    run = gs.load(name)[256, 256](gs.asarray(data), bins, 65536)
    assert (gs.asnumpy(bins) == np.bincount(data, minlength=256)).all()
    return run.counts


def test_a_histogram_of_one_value_queues_at_one_word():
    sectors = [histogram("histogram_global", values).global_atomic_sectors for values in (1, 2, 8, 32, 256)]
    assert sectors[0] == 65536 and sectors[0] > sectors[4]
    assert {histogram("histogram_shared", values).global_atomic_sectors for values in (1, 8, 256)} == {8192}


def test_what_an_h200_did():
    wrong = gs.hardware.recorded(gs.load("conv_no_barrier"), gs.H200, n=1 << 20).observed
    assert wrong == {"wrong_elements": 1048570, "elements": 1048576}
    counter = gs.hardware.recorded("counter_race", gs.H200, blocks=64).observed
    assert counter == {"counter": 1, "threads": 16384}

    def seconds(name, data):
        return gs.hardware.recorded(name, gs.H200, n=65536, data=data).seconds

    data = "random", "eight", "same"
    gain = [seconds("histogram_global", d) / seconds("histogram_shared", d) for d in data]
    assert all(3 < g < 15 for g in gain)
    assert 5 < seconds("histogram_global", "same") / seconds("histogram_global", "random") < 6
