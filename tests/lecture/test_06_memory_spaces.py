"""Memory spaces: what declarations and reads cost; the lecture's figures, and the page's prose."""

import json

import numpy as np
import pytest
from figures import agrees, figures
from places import ROOT

import gpusim as gs

PAGE = ROOT / "book" / "01-machine-and-model" / "06-memory-spaces.ipynb"
LANE, ON = np.arange(32), np.ones((1, 32), bool)


def local_sectors(index):
    """Sectors of accesses to local arrays: word s of 32 lanes lies side by side."""
    addresses = 128 * index.reshape(-1, 32) + 4 * LANE
    return int(gs.sectors(addresses, np.broadcast_to(ON, addresses.shape), 4).sum())


def test_an_addition_is_two_loads_an_addition_and_a_store():
    run = gs.count(gs.load("vector_add"), 1, 32, gs.spec(32), gs.spec(32), gs.spec(32), 32)
    kinds = [event.kind for event in run.trace(0, 0)]
    agrees("s4-005", [kinds.count(kind) for kind in ("load", "arith", "store")])


def test_the_page_shows_the_slide_s_ladder_and_says_that_it_is_old():
    source = "".join("".join(cell["source"]) for cell in json.loads(PAGE.read_text())["cells"])
    register, shared, far = figures()["s4-006"]["value"]
    assert f'{{"register": {register}, "shared, L1": {shared}, "device memory": {far}}}' in source
    assert "an old slide" in source and "orders of magnitude" in source


def test_measured_latencies_are_tens_of_cycles_on_the_chip_and_hundreds_beyond():
    one, tens, hundreds = figures()["s3-020"]["value"]
    card = gs.H200
    assert one < tens <= card.shared_latency < card.l1_latency < 10 * tens
    assert hundreds <= card.l2_latency < card.dram_latency < 10 * hundreds
    ratios = [card.dram_latency, card.l2_latency, card.l1_latency]
    assert [round(latency / card.shared_latency, 1) for latency in ratios] == [23.4, 10.0, 1.4]


def test_a_chain_of_loads_measures_the_latencies_of_the_card():
    for words, latency in (
        (4096, gs.H200.l1_latency),
        (1 << 21, gs.H200.l2_latency),
        (1 << 26, gs.H200.dram_latency),
    ):
        record = gs.hardware.recorded("pointer_chase", gs.H200, words=words)
        cycles = record.seconds / record.params["steps"] * gs.H200.clock
        assert abs(cycles - latency) < 0.05 * latency


def test_local_memory_carries_seven_times_the_traffic_that_the_text_shows():
    n, slots, items = 4096, 16, 32
    values = np.random.default_rng(1).integers(0, slots, items * n, dtype=np.int32)
    ours = local_sectors(values) + slots * (n // 32) * 4
    record = gs.hardware.recorded("local_array", gs.H200, n=n)
    assert ours == record.counters["local_load_sectors"] == record.counters["local_store_sectors"]
    run = gs.load("local_array")[n // 256, 256](gs.asarray(values), gs.zeros(n, np.int32), n)
    assert round(ours / run.counts.global_load_sectors) == 7
    assert local_sectors(np.full(32, 3)) == 4


@pytest.mark.parametrize("name, weights, requests", [("stencil_constant", 0, 5), ("stencil_global", 1, 10)])
def test_constant_memory_halves_the_load_requests(name, weights, requests):
    arrays = [gs.spec(4100), *[gs.spec(5)] * weights, gs.spec(4096)]
    counts = gs.count(gs.load(name), 16, 256, *arrays, 4096).counts
    assert counts.global_load_requests == requests * 128


def test_32_different_words_are_one_wavefront_and_four_sectors():
    assert [int(rule(4 * LANE[None], ON, 4)[0]) for rule in (gs.wavefronts, gs.sectors)] == [1, 4]
