"""Sparse matrices: what they store, when they pay, and how lanes share the rows."""

import numpy as np
import pytest
from figures import agrees, figures
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from gpusim.errors import GpusimError
from gpusim.gpus import A100
from gpusim.models.sparse import (
    bits24,
    break_even_density,
    compress24,
    csr,
    matvec_seconds,
    multiply24,
    prune24,
    random_csr,
    spmv_counts,
)

EXAMPLE = [[3, 0, 1, 0], [0, 0, 0, 0], [0, 2, 4, 1], [1, 0, 0, 1]]
SEED_8, SEED_64 = (random_csr([length] * 256, 1024) for length in (8, 64))


def reads(matrix, lanes):
    return sum(spmv_counts(matrix, lanes).sectors.values())


def test_the_lecture_s_examples():
    matrix = csr(EXAMPLE)
    agrees("s4-036", [matrix.data.tolist(), matrix.col_index.tolist(), matrix.row_ptr.tolist()])
    agrees("s4-037", matrix.dot([1, 2, 3, 4]).tolist())
    other = csr([[0, 5, 0], [7, 0, 0], [0, 0, 0], [1, 2, 3]])
    agrees("s4-065", [other.data.tolist(), other.col_index.tolist(), other.row_ptr.tolist()])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32))
def test_csr_equals_scipy_s(seed):
    rng = np.random.default_rng(seed)
    dense = rng.random(rng.integers(1, 20, 2)) * (rng.random() > rng.random((1, 1)))
    dense = np.where(rng.random(dense.shape) < rng.random(), dense, 0)
    ours, theirs = csr(dense), csr_matrix(dense)
    assert ours.row_ptr.tolist() == theirs.indptr.tolist()
    assert ours.col_index.tolist() == theirs.indices.tolist()
    assert_allclose(ours.data, theirs.data)
    assert_allclose(ours.dense(), dense)
    x = rng.random(dense.shape[1])
    assert_allclose(ours.dot(x), theirs @ x)


def test_csr_pays_below_half_full_and_below_a_tenth_if_every_gather_misses():
    agrees("s4-038", break_even_density())
    agrees("s4-039", [break_even_density(), break_even_density(gather_bytes=32)])
    agrees("s4-066", break_even_density(value_bytes=8))


def test_the_time_table_of_a_4096_matrix():
    densities = (1, 0.5, 0.25, 0.1, 0.05, 0.01, 0.001)
    hit = [matvec_seconds(4096, d, A100.memory_bandwidth) for d in densities]
    miss = [matvec_seconds(4096, d, A100.memory_bandwidth, x_cached=False)[1] for d in densities]
    agrees("s4-040", [[1e6 * t for t in row] for row in ([t[0] for t in hit], [t[1] for t in hit], miss)])


def test_a_warp_a_row_reads_the_matrix_in_an_eighth_of_the_sectors():
    matrix = [spmv_counts(SEED_64, lanes).sectors for lanes in (1, 32)]
    agrees("s4-041", [count["data"] + count["col_index"] for count in matrix])
    agrees("s4-042", [reads(rows, 1) / reads(rows, 32) for rows in (SEED_64, SEED_8)])


def test_a_warp_a_row_pays_in_instructions_most_of_all_for_short_rows():
    counts = [(spmv_counts(rows, 1), spmv_counts(rows, 32)) for rows in (SEED_8, SEED_64)]
    ratios = [warp.instructions / thread.instructions for thread, warp in counts]
    agrees("s4-043", ratios)
    agrees("s4-045", spmv_counts(SEED_8, 32).simd_efficiency * 32)


def test_uneven_rows_idle_a_thread_a_row():
    lengths = np.full(256, 32)
    lengths[::32] = 512  # the lecture does not say which rows; one long row in every warp gives its figure
    agrees("s4-044", spmv_counts(random_csr(lengths, 1024), 1).simd_efficiency)


def test_eight_lanes_suit_rows_of_eight():
    counts = {lanes: spmv_counts(SEED_8, lanes) for lanes in (1, 8, 32)}
    assert counts[8].simd_efficiency == 1
    assert counts[8].instructions < counts[32].instructions / 3
    assert counts[8].sectors["data"] < counts[1].sectors["data"] / 3


def test_every_mapping_reads_every_element_at_least_once():
    for lanes in (1, 2, 4, 8, 16, 32):
        counts = spmv_counts(SEED_64, lanes).sectors
        assert counts["data"] >= 256 * 64 * 4 / 32 and counts["x"] <= 256 * 64


def test_two_of_four_keep_the_largest_and_cost_nine_bits_a_weight():
    agrees("s4-046", [bits24(), bits24() / 16])
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((64, 128)).astype(np.float32)
    x = rng.standard_normal(128).astype(np.float32)
    pruned = prune24(weights)
    assert (np.count_nonzero(pruned.reshape(64, -1, 4), axis=-1) == 2).all()
    kept = np.abs(pruned).reshape(-1, 4).sum(axis=1)
    assert_allclose(kept, np.sort(np.abs(weights).reshape(-1, 4), axis=1)[:, 2:].sum(axis=1), rtol=1e-6)
    values, positions = compress24(pruned)
    assert values.shape == positions.shape == (64, 64) and positions.max() == 3
    difference = np.abs(multiply24(values, positions, x) - pruned @ x).max()
    assert difference < 100 * figures()["s4-047"]["value"]


def test_what_does_not_fit_is_refused():
    with pytest.raises(GpusimError, match="two dimensions"):
        csr([1, 2])
    with pytest.raises(GpusimError, match="more than two of four"):
        compress24(np.ones((1, 4)))
    with pytest.raises(GpusimError, match="multiple of 4"):
        prune24(np.ones((4, 6)))
    with pytest.raises(GpusimError, match="lanes share a row, not 3"):
        spmv_counts(SEED_8, 3)
    with pytest.raises(GpusimError, match="rows of 0 to 4"):
        random_csr([5], 4)
