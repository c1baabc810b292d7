"""Loops that are not regular in one step: gone through one by one, or by turns; no lanes are needed at full size."""

import pytest
from lanes import by_lanes

import gpusim as gs
from gpusim.machine import launch as launching


def two_level(N, L, S, V):
    kernel = gs.load("matmul_two_level", L=L, S=S, V=V)
    return kernel, (N // L, N // L), (L // V, L // V), (*(gs.spec((N, N)) for _ in range(3)), N)


def test_the_counts_are_those_of_all_lanes():
    for shape in ((128, 8, 16), (32, 4, 8)):  # fewer threads than a row of the strip
        kernel, grid, block, arguments = two_level(128, *shape)
        counted = gs.count(kernel, grid, block, *arguments)
        assert counted.counts == by_lanes(kernel, grid, block, arguments).counts


def test_a_full_size_needs_no_lanes(monkeypatch):
    monkeypatch.setattr(launching, "run_lanes", None)
    kernel, grid, block, arguments = two_level(4096, 128, 8, 16)
    counts = gs.count(kernel, grid, block, *arguments).counts
    assert counts.flops == 2 * 4096**3 and counts.global_store_sectors >= 4096 * 4096 // 8


TURNS = """
__global__ void turns(const float *x, float *y, int n) {
    __shared__ float buffer[3][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        buffer[i % 3][t] = x[blockIdx.x * 64 + i / 3 * 32 + t];
        __syncthreads();
        if (i + 1 < n) sum += buffer[i % 3][(t * (i % 3 + 1)) % 64];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}
"""


@pytest.mark.parametrize("iterations", [2, 5, 6, 7, 12, 100])
def test_buffers_that_take_turns_count_as_in_lanes(iterations):
    kernel = gs.cuda(TURNS).turns
    arguments = gs.spec(64 * 9 + 32 * 40), gs.spec(64 * 9), iterations
    counted = gs.count(kernel, 9, 64, *arguments)
    assert counted.counts == by_lanes(kernel, 9, 64, arguments).counts


def test_two_buffers_at_full_size_need_no_lanes(monkeypatch):
    monkeypatch.setattr(launching, "run_lanes", None)
    matrices = [gs.spec((4096, 4096)) for _ in range(3)]
    counts = gs.count(
        gs.load("matmul_double_buffer", L=64, S=8, V=4), (64, 64), (16, 16), *matrices, 4096
    ).counts
    assert counts.flops == 2 * 4096**3
    assert counts.barriers == 64 * 64 * 8 * (4096 // 8 + 1)


def test_a_row_of_equal_warps_costs_what_all_its_warps_cost():
    kernel, arguments = gs.load("matmul_naive"), (*(gs.spec((128, 128)) for _ in range(3)), 128)
    assert (
        gs.count(kernel, (4, 4), (32, 32), *arguments).counts
        == by_lanes(kernel, (4, 4), (32, 32), arguments).counts
    )
