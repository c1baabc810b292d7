"""Host and device: the lecture's bill for copies, recomputed from counts, and its prose."""

from figures import agrees

import gpusim as gs

N, PCIE = 1 << 20, 64e9


def kernel(elements, card=gs.H100):
    """Seconds of one vector addition: counted sectors at the card's bandwidth."""
    arrays = [gs.spec(elements)] * 3
    counted = gs.count(gs.load("vector_add"), -(-elements // 256), 256, *arrays, elements)
    return gs.lecture_bound(counted, card).seconds


def test_a_copy_over_the_bus_costs_52_kernels():
    moved = 3 * 4 * N
    agrees("s2-018", [moved / 1e6, 1e6 * moved / PCIE])
    agrees("s2-019", 1e6 * kernel(N))
    agrees("s2-020", moved / PCIE / kernel(N))


def test_472_kernels_pay_for_one_copy():
    ratio = gs.H100.memory_bandwidth / PCIE
    fits = [k for k in range(1, 1000) if ratio / (ratio + k) < 0.1]
    assert fits[0] == 472


def test_a_launch_of_4_us_is_all_one_pays_up_to_some_227000_elements():
    bandwidth = 8e6 / 17.8e-6
    assert round(bandwidth / 1e9) == 449
    crossing = 4.03e-6 * bandwidth / 8
    assert abs(crossing - 227_000) / 227_000 < 0.01
    assert max(4.03e-6, 8 * 5000 / bandwidth) == 4.03e-6 and round(1e6 * 8 * 5000 / bandwidth, 2) == 0.09
    assert round(1.37 / 4.03, 2) == 0.34 and round(483 / 17.8) == 27  # CPU over GPU, at both sizes


def test_locked_memory_reaches_most_of_the_cable_and_ordinary_memory_a_sixth_of_it():
    locked, pageable = (
        4 * 2**26 / gs.hardware.library("copy.to_device", gs.H200, n=1 << 26, memory=memory)
        for memory in ("locked", "pageable")
    )
    assert 50e9 < locked < PCIE and 5 < locked / pageable < 8


def test_a_host_cannot_read_an_element_of_a_device_array():
    try:
        gs.zeros(4)[3]
    except gs.HostAccessError as error:
        assert "happens on the host" in str(error)
    else:
        raise AssertionError("the host read device memory")
