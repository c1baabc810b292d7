"""Loops gone through one by one: their quotients mix with the threads, and need no lanes at full size."""

import gpusim as gs
from gpusim.machine.launch import Launch, run_lanes
from gpusim.machine.run import Run
from gpusim.machine.tally import Tally


def two_level(N, L, S, V):
    kernel = gs.load("matmul_two_level", L=L, S=S, V=V)
    matrix = gs.spec((N, N))
    return kernel, (N // L, N // L), (L // V, L // V), (matrix, matrix, matrix, N)


def by_lanes(kernel, grid, block, arguments):
    started, tally = Launch(kernel, grid, block, 0, gs.H100, dataless=True), Tally()
    run_lanes(started, kernel.bind(arguments), tally)
    return Run(started, arguments, tally, "lockstep")


def test_the_counts_are_those_of_all_lanes():
    for shape in ((128, 8, 16), (32, 4, 8)):  # fewer threads than a row of the strip
        kernel, grid, block, arguments = two_level(128, *shape)
        counted = gs.count(kernel, grid, block, *arguments)
        assert counted.counts == by_lanes(kernel, grid, block, arguments).counts


def test_a_full_size_needs_no_lanes(monkeypatch):
    monkeypatch.setattr("gpusim.machine.launch.run_lanes", None)
    kernel, grid, block, arguments = two_level(4096, 128, 8, 16)
    counts = gs.count(kernel, grid, block, *arguments).counts
    assert counts.flops == 2 * 4096**3 and counts.global_store_sectors >= 4096 * 4096 // 8
