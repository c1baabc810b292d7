"""The three-layer roofline: the lecture's sweep recomputed, and where the hardware differs."""

import itertools

import pytest
from figures import agrees, figures
from two_level import step_wavefronts, two

import gpusim as gs

SWEEP = [(32, 1), (32, 2), (32, 4), (64, 2), (64, 4), (64, 8), (128, 4), (128, 8), (128, 16)]


def lecture(n, L, V, gpu=gs.H100, m=None, k=None):  # noqa: N803
    """The lecture's three bounds in seconds for an m x k by k x n product: a load brings V floats at once."""
    m, k = m or n, k or n
    fetched = 2 * m * n * k // L
    wavefronts = m * n * k // V**2 // 32 * step_wavefronts(L, V) + fetched // 32
    return {"hbm": 4 * (fetched + m * n) / gpu.memory_bandwidth, "shared": wavefronts / (gpu.sms * gpu.clock),
            "compute": 2 * m * n * k / gpu.fp32_flops}  # fmt: skip


def registers(V):  # noqa: N803
    return V * V + 2 * V + 16


def occupancy(L, V):  # noqa: N803
    return gs.occupancy(gs.H100, threads=(L // V) ** 2, registers=min(registers(V), 255), shared=64 * L,
                        rules="lecture").fraction  # fmt: skip


def ms(seconds):
    return 1e3 * seconds


def test_constants_of_the_lecture():
    agrees("s0-001", [gs.H100.memory_bandwidth, gs.H100.l1_bytes_per_cycle, gs.H100.fp32_flops])


def test_times_of_the_lecture():
    agrees("s0-023", [ms(lecture(4096, 64, V)["shared"]) for V in (4, 8)])
    best = lecture(4096, 128, 8)
    agrees("s0-024", [*map(ms, best.values()), ms(max(best.values()))])
    large = lecture(8192, 128, 8)
    agrees("s0-056", [round(4 * 2 * 8192**3 / 128 / 1e9, 1), round(4 * 8192**2 / 1e9, 2),
                      round(ms(large["hbm"]), 1), round(ms(large["compute"]), 1)])  # fmt: skip


def test_the_sweep_whose_table_is_lost():
    assert figures()["s0-025"]["value"] is None
    found = [max(lecture(4096, L, V), key=lecture(4096, L, V).get) for L, V in SWEEP]
    assert found == ["shared", "hbm", "hbm", "shared", "hbm", "hbm", "shared", "compute", "compute"]
    shares = [1.0, 1.0, 0.78125, 1.0, 0.75, 0.3125, 0.5, 0.25, 0.125]
    assert [occupancy(L, V) for L, V in SWEEP] == shares
    assert all(ms(max(lecture(4096, L, V).values())) > 2.05 for L, V in SWEEP)


@pytest.mark.parametrize("L", [64, 128])
def test_the_fetch_of_the_model_is_the_kernels(L):  # noqa: N803
    c = two("two_level_vec", 4096, L, 8, 8).counts
    seconds = 32 * (c.global_load_sectors + c.global_store_sectors) / gs.H100.memory_bandwidth
    plain = lecture(4096, L, 8)["hbm"]
    assert 1 <= seconds / plain < 1.02  # stores of two float4 touch each sector of C twice
    assert two("two_level_vec", 4096, L, 16, 8).counts.global_load_sectors == c.global_load_sectors


def test_l_halves_the_reads():
    agrees("s0-026", [two("two_level", 256, L, 8, 4).counts.global_load_sectors for L in (64, 128)])


def test_registers_and_occupancy():
    agrees("s0-027", [registers(V) for V in (4, 8, 16)])
    agrees("s0-028", occupancy(128, 8))


def test_fifty_times_the_naive_kernel():
    arrays = [gs.spec((4096, 4096)) for _ in range(3)]
    naive = gs.count(gs.load("matmul_naive"), (128, 128), (32, 32), *arrays, 4096)
    agrees("s0-029", gs.lecture_bound(naive, gs.H100).seconds / max(lecture(4096, 128, 8).values()))


def test_intensity_barely_depends_on_n():
    at = {n: 2 * n**3 / (4 * (2 * n**3 / 128 + n**2)) for n in (4096, 8192)}
    assert [round(x, 2) for x in at.values()] == [31.51, 31.75]


@pytest.mark.parametrize("gpu", [gs.T4, gs.A100, gs.H100])
def test_both_ends_of_the_three_layers(gpu):
    assert max(lecture(4096, 32, 1, gpu), key=lecture(4096, 32, 1, gpu).get) == "shared"
    assert max(lecture(4096, 128, 8, gpu), key=lecture(4096, 128, 8, gpu).get) == "compute"


def test_a_strip_eight_times_as_high_has_an_eighth_of_the_barriers_and_the_same_traffic():
    low, high = (two("two_level", 4096, 128, S, 8).counts for S in (4, 32))  # noqa: N806
    assert low.barriers == 8 * high.barriers
    assert low.global_load_sectors == high.global_load_sectors
    assert low.shared_load_wavefronts == high.shared_load_wavefronts


def test_at_any_shape_the_block_tile_decides_what_binds():
    for m, n, k in itertools.product((256, 1024, 4096, 8192), (256, 4096, 8192), (128, 1024, 8192)):
        for L, binds in ((32, "hbm"), (64, "hbm"), (128, "compute")):  # noqa: N806
            bounds = lecture(n, L, 8, gs.H100, m=m, k=k)
            assert max(bounds, key=bounds.get) == binds, (m, n, k, L)


def test_a_short_k_lowers_the_intensity():
    intensity = {k: 2 * 4096**2 * k / (4 * (2 * 4096**2 * k / 128 + 4096**2)) for k in (128, 8192)}
    assert [round(x) for x in intensity.values()] == [21, 32]


SMALLEST = [(gs.T4, (128, 4)), (gs.A100, (64, 4)), (gs.H100, (128, 8)), (gs.H200, (64, 4))]


@pytest.mark.parametrize(("gpu", "enough"), SMALLEST)
def test_the_smallest_tile_that_is_enough(gpu, enough):
    cells = {(L, V): lecture(4096, L, V, gpu) for V in (1, 2, 4, 8) for L in (32, 64, 128)
             if (L // V) ** 2 <= 1024}  # fmt: skip
    assert next(cell for cell, bounds in cells.items() if max(bounds, key=bounds.get) == "compute") == enough


def test_by_the_hardwares_rules_shared_memory_binds():
    found = [gs.lecture_bound(two("two_level_vec", 4096, L, 8, 8), gs.H100) for L in (128, 64)]
    assert [one.bound for one in found] == ["shared", "shared"]
    assert [round(ms(one.seconds), 2) for one in found] == [2.70, 2.82]


def recorded(name, L, V, S=8):  # noqa: N803
    return gs.hardware.recorded(f"matmul_{name}", gs.H200, N=4096, L=L, S=S, V=V)


def test_what_the_page_says_about_the_h200():
    plain = {(L, V): recorded("two_level", L, V) for L, V in SWEEP}
    vector = {(L, V): recorded("two_level_vec", L, V) for L, V in SWEEP if V >= 4}
    time = {setting: one.seconds for setting, one in plain.items()}
    assert time[32, 1] > time[32, 2] > time[32, 4] and time[64, 2] > time[64, 4] > time[64, 8]
    assert time[128, 4] > time[128, 8] > time[64, 8] and time[32, 1] == max(time.values())
    assert plain[128, 16].local_bytes == 184 and round(ms(time[128, 16])) == 14
    more = [one.registers - registers(V) for (_, V), one in [*plain.items(), *vector.items()] if V < 16]
    assert max(more) == 24
    fastest = min(one.seconds for one in [*plain.values(), *vector.values()])
    assert fastest == vector[128, 8].seconds and round(ms(fastest), 2) == 4.91
    assert 0.5 < gs.hardware.library("cupy.matmul", gs.H200, N=4096, dtype="float32") / fastest < 0.57
    assert plain[32, 1].blocks_per_sm * 32 == 32  # warps: half of the slots
    assert vector[64, 8].seconds > vector[64, 4].seconds  # the exception to "more V, less time"


ERRORS = [(64, 4, -0.15, 0.15), (64, 8, -0.37, -0.25), (128, 8, -0.37, -0.25)]


@pytest.mark.parametrize(("L", "V", "low", "high"), ERRORS)
def test_how_good_the_estimate_is(L, V, low, high):  # noqa: N803
    run = two("two_level_vec", 4096, L, 8, V)
    h200 = gs.compare(run, gs.H200).record
    assert low < gs.estimate(run, gs.H200, registers=h200.registers).seconds / h200.seconds - 1 < high


@pytest.mark.parametrize("name", ["two_level", "two_level_vec"])
def test_all_layers_at_both_ends(name):
    shared = {}
    for L in (64, 128):  # noqa: N806
        for V in (4, 8):  # noqa: N806
            run = two(name, 4096, L, 8, V)
            guess = gs.estimate(run, gs.H200, registers=gs.compare(run, gs.H200).record.registers)
            assert guess.bound == ("life" if (L, V) == (128, 4) else "l1")
            shared[L, V] = run.counts.shared_load_excess
            assert max([*guess.bounds.values(), *guess.shown.values()]) < 14e-3
    if name == "two_level":
        assert max(shared, key=shared.get) == (128, 4)
