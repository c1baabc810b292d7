"""One-dimensional convolution: the lecture's figures, and what an H200 says about them."""

import pytest
from figures import agrees

import gpusim as gs

MILLION = 1024 * 1024
VERSIONS = "conv_global", "conv_shared"


def counted(name, window=3, block=128, n=1024):
    macros = {"BLOCK": block} if name == "conv_shared" else {}
    kernel = gs.load(name, WINDOW=window, **macros)
    return gs.count(kernel, n // block, block, gs.spec(n + window - 1), gs.spec(n))


def elements(name, window=3, block=128):
    return counted(name, window, block, n=block).counts.global_load_bytes // 4


def test_reads_of_a_block():
    agrees("s2-021", [elements(name) for name in VERSIONS])
    wide = [elements(name, 7, 256) for name in VERSIONS]
    agrees("s2-059", [*wide, wide[0] / wide[1]])


@pytest.mark.parametrize("warp", [0, 1, 3])
def test_four_five_five_sectors(warp):
    events = [e for e in counted("conv_global").trace(0, warp) if (e.kind, e.space) == ("load", "global")]
    sectors = [e.sectors for e in events]
    agrees("s2-022", [*sectors, sum(sectors)])


def test_read_sectors_of_a_block():
    plain, shared = (counted(name).counts.global_load_sectors / 8 for name in VERSIONS)
    agrees("s2-023", [plain, shared])
    agrees("s2-024", plain / shared)


def test_totals_of_a_million_outputs():  # the lost table of s2-025
    plain, shared = (counted(name, n=MILLION).counts for name in VERSIONS)
    assert [plain.global_load_sectors, shared.global_load_sectors] == [458752, 139264]
    assert plain.global_store_sectors == shared.global_store_sectors == 131072
    assert plain.global_load_distinct_sectors == shared.global_load_distinct_sectors == 131073
    agrees(
        "s2-027",
        [
            shared.shared_load_requests + shared.shared_store_requests,
            shared.shared_load_wavefronts + shared.shared_store_wavefronts,
        ],
    )


def test_bounds_without_and_with_a_cache():
    plain, shared = (counted(name, n=MILLION) for name in VERSIONS)
    different = plain.counts.global_load_distinct_sectors + plain.counts.global_store_sectors
    without = [1e6 * gs.lecture_bound(run, gs.H100).seconds for run in (plain, shared)]
    agrees("s2-026", [*without, 1e6 * 32 * different / gs.H100.memory_bandwidth])


def test_ends_of_the_sliders():
    def sectors(name, window, block):
        return counted(name, window, block).counts.global_load_sectors

    assert sectors("conv_global", 1, 128) == sectors("conv_shared", 1, 128)
    gain = [sectors("conv_global", 63, block) / sectors("conv_shared", 63, block) for block in (64, 512)]
    assert gain[1] > gain[0] > 10
    runs = (counted(name, 31, n=MILLION) for name in VERSIONS)
    plain, shared = (gs.lecture_bound(run, gs.H100).bounds["hbm"] for run in runs)
    assert plain > 10 * shared


def test_ten_times_fewer_from_a_window_of_eleven():
    def saved(window):
        plain, shared = (elements(name, window) for name in VERSIONS)
        return plain / shared

    assert saved(10) < 10 <= saved(11)


def test_an_h200_finds_the_rest_in_its_cache():
    def record(name, window):
        run = counted(name, window, n=64 << 20)
        found = gs.compare(run, gs.H200).record
        assert found.counters["global_load_sectors"] == run.counts.global_load_sectors
        return found

    for window in (3, 7):
        plain, shared = (record(name, window) for name in VERSIONS)
        assert abs(plain.seconds / shared.seconds - 1) < 0.01
        assert plain.counters["l2_read_sectors"] < 1.01 * shared.counters["l2_read_sectors"]
        assert abs(plain.counters["dram_read_bytes"] / (4 * (64 << 20)) - 1) < 0.01
    plain, shared = (record(name, 31) for name in VERSIONS)
    assert 0.86 < shared.seconds / plain.seconds < 0.89
    times = [gs.estimate(counted(name, 31, n=64 << 20), gs.H200).seconds for name in VERSIONS]
    assert abs(times[0] / times[1] - 1) < 0.05
