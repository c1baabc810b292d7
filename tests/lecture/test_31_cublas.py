"""cuBLAS: what the page says (the lecture's figures are in test_blas.py)."""

import json

import numpy as np
from figures import agrees

import gpusim as gs
from gpusim.library import folder
from gpusim.models.blas import row_major_call, row_major_sgemm, sgemm, sgemv, view


def test_a_column_major_kernel_agrees_with_numpy():
    m, n, k = 40, 50, 24
    a, b = (
        np.random.default_rng(0).random((m, k), np.float32),
        np.random.default_rng(1).random((k, n), np.float32),
    )
    c = gs.zeros(m * n, np.float32)
    flat = [gs.asarray(np.ravel(x, order="F")) for x in (a, b)]
    gs.load("gemm_column")[(3, 4), (16, 16)](m, n, k, flat[0], m, flat[1], k, c, m)
    np.testing.assert_allclose(gs.asnumpy(c).reshape(n, m).T, a @ b, rtol=1e-5)


def test_a_row_major_array_handed_over_as_it_is_gives_something_else():
    a, b = (
        np.random.default_rng(0).random((2, 4), np.float32),
        np.random.default_rng(1).random((4, 3), np.float32),
    )
    c = np.zeros(6, np.float32)
    sgemm("N", "N", 2, 3, 4, 1.0, a.ravel(), 2, b.ravel(), 4, 0.0, c, 2)
    assert not np.allclose(c.reshape(2, 3), a @ b)
    np.testing.assert_allclose(row_major_sgemm("N", "N", 2, 3, 4, a, b), a @ b, rtol=1e-5)


def test_the_call_for_a_times_b_transposed():
    sizes = {7: "M", 8: "N", 9: "K"}
    w = row_major_call("N", "T", 7, 8, 9)
    agrees(
        "s4-067", [*w["ops"], *(sizes[w[name]] for name in ("m", "n", "k", "ld_first", "ld_second", "ldc"))]
    )


def test_a_block_inside_a_matrix_and_every_second_element():
    matrix, y = np.arange(20, dtype=np.float32), np.zeros(6, np.float32)
    assert view(matrix[6:], 3, 2, 5).tolist() == [[6, 11], [7, 12], [8, 13]]
    sgemv("N", 3, 2, 1.0, matrix[6:], 5, np.float32([1, 9, 2, 9]), 2, 0.0, y, 2)
    assert y[::2].tolist() == [28, 31, 34]


def test_the_library_is_timed_as_a_call_and_the_small_naive_kernel_in_a_graph():
    naive = gs.hardware.recorded("matmul_naive", gs.H200, N=256)
    assert "50 launches in a CUDA graph" in naive.method and round(1e6 * naive.seconds) == 12
    calls = json.loads((folder("measured") / "h200-library.json").read_text())["records"]
    assert {r["method"] for r in calls if r["name"] == "cupy.matmul"} == {"one call between two events"}
