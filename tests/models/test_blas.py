"""BLAS: column-major matrices, leading dimensions, increments and the swap, against SciPy's BLAS."""

import numpy as np
import pytest
from figures import agrees, figures
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import blas

from gpusim.errors import GpusimError
from gpusim.models.blas import row_major_call, row_major_sgemm, sdot, sgemm, sgemv, vector, view

OPS = ("N", "T")


def floats(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def stored(matrix, ld):
    """A matrix in column-major order with `ld` rows of storage; what lies between is NaN."""
    buffer = np.full(ld * matrix.shape[1], np.nan, np.float32)
    view(buffer, *matrix.shape, ld)[...] = matrix
    return buffer


def test_six_numbers_are_two_matrices():
    six = np.arange(1, 7)
    agrees("s4-048", [six.reshape(2, 3).tolist(), view(six, 3, 2, 3).tolist()])


def test_a_submatrix_is_an_offset_and_the_same_ld():
    whole = np.arange(20)  # 5 x 4
    corner = view(whole, 5, 4, 5)[1, 1]
    agrees("s4-049", [int(corner), 5])
    assert (view(whole[6:], 3, 2, 5) == view(whole, 5, 4, 5)[1:4, 1:3]).all()
    agrees("s4-050", [13 % 6, 13 // 6])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(OPS), st.sampled_from(OPS))
def test_sgemm_is_that_of_blas_for_any_op_and_any_leading_dimension(seed, op_a, op_b):
    rng = np.random.default_rng(seed)
    m, n, k = (int(size) for size in rng.integers(1, 9, 3))
    a = floats(rng, *((m, k) if op_a == "N" else (k, m)))
    b = floats(rng, *((k, n) if op_b == "N" else (n, k)))
    c = floats(rng, m, n)
    lda, ldb, ldc = (len(matrix) + int(rng.integers(0, 3)) for matrix in (a, b, c))
    buffer = stored(c, ldc)
    sgemm(op_a, op_b, m, n, k, 2.0, stored(a, lda), lda, stored(b, ldb), ldb, 0.5, buffer, ldc)
    expected = blas.sgemm(2.0, a, b, 0.5, c, trans_a=op_a == "T", trans_b=op_b == "T")
    assert_allclose(view(buffer, m, n, ldc), expected, rtol=1e-4, atol=1e-5)
    assert np.isnan(buffer).sum() == (ldc - m) * n  # nothing outside C was touched


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(OPS), st.sampled_from([1, 2, -1, -3]))
def test_sgemv_and_sdot_are_those_of_blas_for_any_increment(seed, op, inc):
    rng = np.random.default_rng(seed)
    m, n = (int(size) for size in rng.integers(1, 9, 2))
    a = floats(rng, m, n)
    long, short = (n, m) if op == "N" else (m, n)
    x, y = floats(rng, 3 * long), floats(rng, 2 * short)
    expected = blas.sgemv(1.5, a, x, -1.0, y.copy(), incx=inc, incy=2, trans=op == "T")
    sgemv(op, m, n, 1.5, stored(a, m), m, x, inc, -1.0, y, 2)
    assert_allclose(y, expected, rtol=1e-4, atol=1e-5)
    other = floats(rng, 3 * long)
    product = blas.sdot(x, other, n=long, incx=inc, incy=2)
    assert_allclose(sdot(long, x, inc, other, 2), product, rtol=1e-4, atol=1e-5)


def test_four_ops_a_submatrix_and_increments_agree_to_rounding():
    rng = np.random.default_rng(0)
    limit = 10 * figures()["s4-051"]["value"]
    for op_a in OPS:
        for op_b in OPS:
            a, b = rng.random((2, 6, 6)).astype(np.float32)
            c = np.zeros(9, np.float32)
            sgemm(op_a, op_b, 3, 3, 4, 1.0, np.ravel(a, "F")[7:], 6, np.ravel(b, "F")[7:], 6, 0.0, c, 3)
            left = a[1:4, 1:5] if op_a == "N" else a[1:5, 1:4].T
            right = b[1:5, 1:4] if op_b == "N" else b[1:4, 1:5].T
            assert np.abs(view(c, 3, 3, 3) - left @ right).max() < limit


def test_a_row_major_product_needs_the_swap():
    rng = np.random.default_rng(1)
    m, n, k = 3, 4, 5
    a, b = floats(rng, m, k), floats(rng, k, n)
    agrees("s4-052", bool(np.allclose(row_major_sgemm("N", "N", m, n, k, a, b), a @ b, atol=1e-6)))
    wrong = np.zeros(m * n, np.float32)
    sgemm("N", "N", m, n, k, 1.0, a.ravel(), m, b.ravel(), k, 0.0, wrong, m)
    assert np.abs(wrong.reshape(m, n) - a @ b).max() > 0.1


def test_the_table_of_row_major_calls():
    def row(op_a, op_b):
        sizes = {2: "M", 3: "N", 5: "K"}
        call = row_major_call(op_a, op_b, 2, 3, 5)
        return [op_a, op_b, *call["ops"], sizes[call["ld_first"]], sizes[call["ld_second"]]]

    agrees("s4-053", [row(op_a, op_b) for op_a in OPS for op_b in OPS])
    call = row_major_call("N", "T", "M", "N", "K")
    names = ("m", "n", "k", "ld_first", "ld_second", "ldc")
    agrees("s4-067", [*call["ops"], *(call[name] for name in names)])


@pytest.mark.parametrize("op_a", OPS)
@pytest.mark.parametrize("op_b", OPS)
def test_the_swap_works_for_every_pair_of_ops_on_matrices_that_are_not_square(op_a, op_b):
    rng = np.random.default_rng(2)
    m, n, k = 3, 4, 5
    a = floats(rng, *((m, k) if op_a == "N" else (k, m)))
    b = floats(rng, *((k, n) if op_b == "N" else (n, k)))
    product = (a if op_a == "N" else a.T) @ (b if op_b == "N" else b.T)
    assert_allclose(row_major_sgemm(op_a, op_b, m, n, k, a, b), product, rtol=1e-4, atol=1e-6)


def test_beta_zero_does_not_read_c():
    c = np.full(1, np.nan, np.float32)
    one = np.ones(1, np.float32)
    sgemm("N", "N", 1, 1, 1, 1.0, one, 1, one, 1, 0.0, c, 1)
    assert c[0] == 1


def test_parameter_errors_name_the_parameter():
    a = np.zeros(12, np.float32)
    with pytest.raises(GpusimError, match="ld of A is 2; it must be at least its 3 rows"):
        sgemm("N", "N", 3, 2, 2, 1.0, a, 2, a, 2, 0.0, a, 3)
    with pytest.raises(GpusimError, match="C of 4 x 4 with ld 4 spans 16 elements; the array has 12"):
        sgemm("N", "N", 4, 4, 2, 1.0, a, 4, a, 2, 0.0, a, 4)
    with pytest.raises(GpusimError, match="op is 'N'"):
        sgemm("X", "N", 1, 1, 1, 1.0, a, 1, a, 1, 0.0, a, 1)
    with pytest.raises(GpusimError, match="m is -1"):
        sgemv("N", -1, 1, 1.0, a, 1, a, 1, 0.0, a, 1)
    with pytest.raises(GpusimError, match="inc of x is 0"):
        vector(a, 3, 0)
    with pytest.raises(GpusimError, match="span 13"):
        vector(a, 4, 4)
    with pytest.raises(GpusimError, match="flat array"):
        sdot(2, a.reshape(3, 4), 1, a, 1)
