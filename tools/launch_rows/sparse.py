"""Launches of the kernels in half precision and on sparse matrices."""

from __future__ import annotations

import launch_inputs as data
import numpy as np
from launch_inputs import F, nan, uniform
from launches import row, sweep, up


def halves(p):
    a, b = (np.random.default_rng(s).random((p.n, p.k)).astype(np.float16) for s in (0, 1))
    return [a.reshape(-1), b.reshape(-1), nan(p.n), p.n, p.k]


row(
    "half_dot",
    sweep(n=256, k=[64, 256, 1024, 4096], ACCUMULATOR=["float", "half"]),
    128,
    lambda p: up(p.n, 128),
    halves,
    lambda p, a: {2: data.half_dots(a[0].reshape(p.n, p.k), a[1].reshape(p.n, p.k), p.ACCUMULATOR)},
    tolerance=1e-2,
)


def sparse(p):
    values, col, row_ptr = data.csr(data.row_lengths(p.data, p.rows), p.cols)
    return [values, col, row_ptr, uniform(p.cols, 42), np.zeros(p.rows, F), p.rows]


def entries(p):
    return int(data.row_lengths(p.data, p.rows).sum())


def multiplied_sparse(p, a):
    return {4: data.sparse_product(*a[:5])}


SPARSE = [
    *sweep(rows=256, cols=1024, data=["64", "8", "uneven"]),
    *sweep(rows=65536, cols=65536, data=["64", "8", "uneven"]),
]
row("spmv_serial", sweep(rows=256, cols=1024, data=["8"]), 1, 1, sparse, multiplied_sparse, tolerance=1e-4)
row("spmv_thread", SPARSE, 128, lambda p: up(p.rows, 128), sparse, multiplied_sparse, tolerance=1e-4)
row(
    "spmv_warp",
    SPARSE,
    lambda p: p.BLOCK,
    lambda p: up(32 * p.rows, p.BLOCK),
    sparse,
    multiplied_sparse,
    tolerance=1e-4,
)
row(
    "spmv_group",
    [
        {**s, "LANES": n}
        for s in SPARSE
        for n in (8, 1, 2, 4, 16, 32)
        if s["data"] != "uneven" or n in (1, 8, 32)
    ],
    128,
    lambda p: up(p.LANES * p.rows, 128),
    sparse,
    multiplied_sparse,
    tolerance=1e-4,
)

row(
    "spmv_merge",
    [
        *({**s, "ITEMS": 8} for s in SPARSE),
        *sweep(rows=65536, cols=65536, data=["64", "uneven"], ITEMS=[4, 16]),
    ],
    128,
    lambda p: up(p.rows + entries(p), 128 * p.ITEMS),
    sparse,
    multiplied_sparse,
    tolerance=1e-4,
)

WEIGHTS = [*sweep(rows=4096, cols=4096), *sweep(rows=64, cols=256), *sweep(rows=16384, cols=16384)]
row(
    "matvec_dense",
    WEIGHTS,
    128,
    lambda p: up(p.rows, 4),
    lambda p: [uniform(p.rows * p.cols, 1), uniform(p.cols, 2), nan(p.rows), p.rows, p.cols],
    lambda p, a: {2: a[0].reshape(p.rows, p.cols).astype(F) @ a[1]},
    tolerance=1e-4,
)
row(
    "compress_24",
    WEIGHTS,
    256,
    lambda p: up(p.rows * p.cols // 4, 256),
    lambda p: [
        uniform(p.rows * p.cols, 1),
        nan(p.rows * p.cols // 2),
        np.zeros(p.rows * p.cols // 4, np.uint8),
        p.rows * p.cols // 4,
    ],
    lambda p, a: dict(enumerate(data.compressed(a[0]), 1)),
)
row(
    "matvec_24",
    WEIGHTS,
    128,
    lambda p: up(p.rows, 4),
    lambda p: [
        *data.compressed(uniform(p.rows * p.cols, 1)),
        uniform(p.cols, 2),
        nan(p.rows),
        p.rows,
        p.cols,
    ],
    lambda p, a: {3: data.pruned(uniform(p.rows * p.cols, 1)).reshape(p.rows, p.cols) @ a[2]},
    tolerance=1e-4,
)
