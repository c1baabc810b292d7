"""SpMV mappings and 2:4: the lecture's figures and the page's prose."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs
from gpusim.models.sparse import bits24, compress24, multiply24, prune24, random_csr, spmv_counts


def rows_of(length):
    return random_csr(np.full(256, length), 1024, seed=1)


def spmv(matrix, name, **defines):
    x = np.random.default_rng(2).random(matrix.columns, dtype=np.float32)
    lanes = {"spmv_thread": 1, "spmv_warp": 32}.get(name, defines.get("LANES"))
    y = gs.zeros(matrix.rows, np.float32)
    arrays = [gs.asarray(a) for a in (matrix.data, matrix.col_index, matrix.row_ptr, x)]
    run = gs.load(name, **defines)[-(-matrix.rows * lanes // 128), 128](*arrays, y, matrix.rows)
    np.testing.assert_allclose(gs.asnumpy(y), matrix.dot(x), rtol=1e-4)
    return run


def matrix_sectors(run):
    return sum(a.counts.global_load_sectors for a in run.accesses if a.array in ("data", "col"))


def test_a_warp_a_row_reads_the_matrix_in_an_eighth_of_the_sectors():
    agrees("s4-041", [matrix_sectors(spmv(rows_of(64), name)) for name in ("spmv_thread", "spmv_warp")])


def test_all_sectors_of_both_mappings():
    ratio = [
        np.divide(
            *(spmv(rows_of(n), name).counts.global_load_sectors for name in ("spmv_thread", "spmv_warp"))
        )
        for n in (64, 8)
    ]
    agrees("s4-042", ratio)


def test_instructions_of_both_mappings():
    ratio = [np.divide(*(spmv_counts(rows_of(n), lanes).instructions for lanes in (32, 1))) for n in (8, 64)]
    agrees("s4-043", ratio)


def test_uneven_rows_leave_most_lanes_idle():  # the notes do not give the lengths: one of 128 among 31 of 9
    uneven = random_csr(np.where(np.arange(256) % 32 == 0, 128, 9), 1024, seed=3)
    agrees("s4-044", spmv(uneven, "spmv_group", LANES=1).counts.simd_efficiency)


def test_eight_lanes_load_a_row_of_eight():
    load = next(
        e for e in spmv(rows_of(8), "spmv_warp").trace(0, 0) if e.kind == "load" and e.array == "data"
    )
    agrees("s4-045", load.lanes)


def test_two_in_four_takes_nine_bits_a_weight():
    agrees("s4-046", [bits24(), bits24() / 16])


def test_the_compressed_product_is_that_of_the_pruned_matrix():  # s4-047: about 2e-7
    w = prune24(np.random.default_rng(0).standard_normal((64, 256)).astype(np.float32))
    x = np.random.default_rng(1).random(256, dtype=np.float32)
    assert abs(multiply24(*compress24(w), x) - w @ x).max() < 1e-4


@pytest.mark.parametrize(("data", "best", "worse"), [("8", 1, 32), ("64", 32, 1), ("uneven", 8, 1)])
def test_an_h200_prefers_as_the_counts_say(data, best, worse):
    time = {
        g: gs.hardware.recorded(gs.load("spmv_group", LANES=g), gs.H200, rows=65536, data=data).seconds
        for g in (best, worse)
    }
    assert time[best] < 0.7 * time[worse]
