"""CSR: the lecture's figures and the page's prose."""

import numpy as np
from figures import agrees

import gpusim as gs
from gpusim.models.sparse import break_even_density, csr, matvec_seconds, random_csr

SMALL = np.array([[3, 0, 1, 0], [0, 0, 0, 0], [0, 2, 4, 1], [1, 0, 0, 1]], np.float32)


def product(a, x):
    y = gs.zeros(a.rows, np.float32)
    arrays = map(gs.asarray, (a.data.astype(np.float32), a.col_index, a.row_ptr, np.asarray(x, np.float32)))
    run = gs.load("spmv_thread")[-(-a.rows // 128), 128](*arrays, y, a.rows)
    return gs.asnumpy(y), run


def test_three_arrays_of_a_small_matrix():
    a = csr(SMALL)
    agrees("s4-036", [a.data.astype(int).tolist(), a.col_index.tolist(), a.row_ptr.tolist()])
    b = csr([[0, 5, 0], [7, 0, 0], [0, 0, 0], [1, 2, 3]])
    agrees("s4-065", [b.data.tolist(), b.col_index.tolist(), b.row_ptr.tolist()])


def test_its_product_with_a_vector():
    agrees("s4-037", product(csr(SMALL), [1, 2, 3, 4])[0].astype(int).tolist())


def test_break_even_densities():
    agrees("s4-038", break_even_density(4, 4))
    agrees("s4-039", [break_even_density(4, 4), break_even_density(4, 4, 32)])
    agrees("s4-066", break_even_density(8, 4))


def test_time_of_the_bytes_on_an_a100():
    densities = (1, 0.5, 0.25, 0.1, 0.05, 0.01, 0.001)
    hit, miss = (
        [matvec_seconds(4096, d, gs.A100.memory_bandwidth, cached) for d in densities]
        for cached in (True, False)
    )
    agrees("s4-040", [[1e6 * t[0] for t in hit], [1e6 * t[1] for t in hit], [1e6 * t[1] for t in miss]])


def test_a_thread_a_row_touches_a_sector_for_each_number():
    a = random_csr(np.full(256, 64), 1024, seed=1)
    _, run = product(a, np.ones(1024))
    sectors = {x.array: x.counts.global_load_sectors for x in run.accesses if x.array in ("data", "col")}
    assert sectors == {"data": 256 * 64, "col": 256 * 64}
