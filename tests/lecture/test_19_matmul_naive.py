"""The naive multiplication: the lectures' figures recounted, and the numbers of the page."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

KERNELS = {"column": gs.load("matmul_naive"), "row": gs.load("matmul_naive_xrow")}


def counted(x_is, n, block=(32, 32)):
    arrays = [gs.spec((n, n)) for _ in range(3)]
    grid = -(-n // block[0]), -(-n // block[1])
    return gs.count(KERNELS[x_is], grid, block, *arrays, n)


def each(x_is, block=(32, 32), n=256):
    """Sectors a request of the load of A, the load of B and the store to C."""
    found = {}
    for access in counted(x_is, n, block).accesses:
        found[access.array] = getattr(access.counts, f"global_{access.kind}_sectors_per_request")
    return [found[name] for name in "ABC"]


def read(x_is, n=256):
    return counted(x_is, n).counts.global_load_sectors


def written(x_is, n=256):
    return counted(x_is, n).counts.global_store_sectors


@pytest.mark.parametrize("x_is", KERNELS)
@pytest.mark.parametrize("n", [33, 100, 256])
def test_it_multiplies(x_is, n):
    random = np.random.default_rng(n)
    A, B = random.random((n, n), np.float32), random.random((n, n), np.float32)
    C, blocks = gs.zeros((n, n), np.float32), -(-n // 32)
    run = KERNELS[x_is][(blocks, blocks), (32, 32)](gs.asarray(A), gs.asarray(B), C, n)
    assert np.allclose(gs.asnumpy(C), A @ B, rtol=1e-4) and run.reports == []


def test_both_load_two_n_cubed_floats():
    for x_is in KERNELS:
        assert counted(x_is, 256).counts.global_load_bytes == 4 * 2 * 256**3 == 4 * 33554432
    agrees("s0-002", "2*N^3")


def test_sectors_of_one_step():
    agrees("s0-005", each("row"))
    agrees("s0-006", each("column"))
    agrees("s0-053", each("row", (16, 16))[:2])


def test_sectors_of_all_steps():  # the lost table of s0-007
    assert (read("row"), written("row")) == (17301504, 65536)
    assert (read("column"), written("column")) == (2621440, 8192)
    agrees("s0-008", (read("row") + written("row")) / (read("column") + written("column")))
    assert read("row") / read("column") == 6.6


def test_scaled_counts_are_the_counts_at_full_size():
    for x_is in KERNELS:
        assert read(x_is, 4096) == read(x_is) * 16**3 and written(x_is, 4096) == written(x_is) * 16**2


def test_times_by_the_lectures_bound():
    bounds = {x_is: gs.lecture_bound(counted(x_is, 4096), gs.H100) for x_is in KERNELS}
    agrees("s0-009", [1e3 * bounds[x_is].seconds for x_is in ("row", "column")])
    assert {bound.bound for bound in bounds.values()} == {"hbm"}
    assert [round(1e3 * bounds[x_is].seconds) for x_is in ("row", "column")] == [677, 103]
    agrees("s0-010", 1e3 * bounds["column"].bounds["compute"])


def test_bytes_of_a_flop_and_of_a_multiply_add():
    moved, flops = 32 * read("column"), counted("column", 256).counts.flops
    agrees("s0-011", flops / moved)
    agrees("s0-012", [moved / flops, 2 * moved / flops])  # the notes call the first one a multiply-add's


def test_an_ideal_cache_gives_n_over_6():
    n = 256
    c = counted("column", n).counts
    once = c.global_load_distinct_sectors + c.global_store_distinct_sectors
    assert c.flops / (32 * once) == n / 6


def test_memory_binds_at_every_size_on_every_card():
    for gpu in (gs.H100, gs.A100, gs.T4):
        for n in (256, 1024, 4096, 8192):
            row, column = (gs.lecture_bound(counted(x_is, n), gpu) for x_is in ("row", "column"))
            assert row.bound == column.bound == "hbm" and 6.6 <= row.seconds / column.seconds < 6.7


def test_other_block_shapes():
    assert each("row", (8, 32), 64) == [8, 1, 8]
    assert each("column", (8, 32)) == [4, 1, 4]
    assert sum(each("row", (16, 16))[:2]) == 17


def test_b_stored_transposed_is_read_across_the_grain():
    program = gs.cuda("""
        __global__ void multiply(const float *A, const float *B, float *C, int N) {
            int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
            float sum = 0.0f;
            for (int k = 0; k < N; k++) sum += A[row * N + k] * B[col * N + k];
            C[row * N + col] = sum;
        }""")
    arrays = [gs.spec((256, 256)) for _ in range(3)]
    c = gs.count(program.multiply, (8, 8), (32, 32), *arrays, 256).counts
    assert 2 * c.global_load_sectors_per_request == 33


def recorded(x_is):
    return gs.compare(counted(x_is, 4096), gs.H200).record


def test_an_h200_counts_the_same_sectors():
    for x_is in KERNELS:
        assert recorded(x_is).counts.global_load_sectors == read(x_is, 4096)
        assert gs.compare(counted(x_is, 256), gs.H200).differences == []


def test_what_the_page_says_about_the_h200():
    row, column = recorded("row"), recorded("column")
    assert round(row.seconds / column.seconds) == 12
    for record, x_is in ((row, "row"), (column, "column")):
        run = counted(x_is, 4096)
        assert record.seconds < gs.lecture_bound(run, gs.H200).seconds
        assert abs(gs.estimate(run, gs.H200).seconds / record.seconds - 1) < 0.2
        assert round(record.counters["dram_read_bytes"] / 1e9, 1) in (8.3, 8.4)
    hit = [
        one.counters["global_load_sectors_l1_hit"] / read(x_is, 4096)
        for one, x_is in ((row, "row"), (column, "column"))
    ]
    assert [round(100 * share) for share in hit] == [99, 95]


def test_a_column_of_a_lies_in_one_bank_of_l1():
    loads = counted("row", 4096).counts.global_load_requests  # of A and of B, equally many
    rounds = {x_is: recorded(x_is).counters["l1_data_wavefronts"] / loads for x_is in KERNELS}
    assert round(rounds["row"], 1) == (32 + 1) / 2 and round(rounds["column"], 1) == 1
