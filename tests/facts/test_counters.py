"""The table of counts: every count of the contract, once, with a unit and its name in Nsight Compute."""

import pytest

from gpusim.counters import COUNTERS, DERIVED, SPACES, LaunchCounts, counter

PROFILED = ("_requests", "_sectors", "_wavefronts", "_excess")


def test_the_table_holds_every_count_of_the_contract():
    names = {
        "warp_instructions",
        "thread_instructions",
        "branches",
        "divergent_branches",
        "barriers",
        "shuffles",
        "flops",
    }
    for space in SPACES:
        own = ("_sectors", "_distinct_sectors") if space.startswith("global") else ("_wavefronts", "_excess")
        names |= {space + ending for ending in ("_requests", "_bytes", *own)}
    assert names <= set(COUNTERS) and len(names) == 31
    assert "simd_efficiency" in DERIVED and "global_load_sectors_per_request" in DERIVED


def test_every_count_has_a_unit_a_meaning_and_what_hardware_counts_has_a_profiler_s_name():
    for entry in [*COUNTERS.values(), *DERIVED.values()]:
        assert entry.unit and entry.meaning
        if entry.name in COUNTERS and entry.name.endswith(PROFILED) and "distinct" not in entry.name:
            assert entry.ncu.startswith(("l1tex__", "smsp__")), entry.name


def test_no_two_counts_share_a_profiler_s_name():
    named = [entry.ncu for entry in COUNTERS.values() if entry.ncu]
    assert len(set(named)) == len(named)


def test_an_unknown_count_is_refused_with_the_known_ones():
    with pytest.raises(KeyError, match="global_load_sectors"):
        counter("global_loads")


def test_launch_counts_know_their_warps():
    launch = LaunchCounts(blocks=3, threads=48)
    assert (launch.warps_per_block, launch.warps) == (2, 6)
