"""Launches of the elementwise kernels."""

from __future__ import annotations

import numpy as np
from launch_inputs import MI, F, nan, uniform
from launches import row, sweep, up

row(
    "vector_add",
    sweep(n=[MI, 1000, 64 * MI]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n],
    lambda p, a: {2: a[0] + a[1]},
)
row(
    "saxpy",
    sweep(n=[MI, 64 * MI]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [F(2.5), uniform(p.n, 1), uniform(p.n, 2), p.n],
    lambda p, a: {2: a[0] * a[1] + a[2]},
)
row(
    "multiply_serial",
    sweep(n=[1024]),
    1,
    1,
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n],
    lambda p, a: {2: a[0] * a[1]},
)
row(
    "multiply_vec4",
    sweep(n=[1024, MI, 64 * MI]),
    256,
    lambda p: up(p.n // 4, 256),
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n // 4],
    lambda p, a: {2: a[0] * a[1]},
)
row(
    "multiply",
    sweep(n=[1024, MI, 64 * MI]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n],
    lambda p, a: {2: a[0] * a[1]},
)
row(
    "multiply_double",
    sweep(n=[8191, MI]),
    512,
    lambda p: up(p.n, 512),
    lambda p: [p.n, np.full(p.n, np.nan), uniform(p.n, 1).astype(float), uniform(p.n, 2).astype(float)],
    lambda p, a: {1: a[2] * a[3]},
)

for name, value in (
    ("index_global", lambda i: i),
    ("index_block", lambda i: i // 4),
    ("index_thread", lambda i: i % 4),
):
    row(
        name,
        [{}],
        4,
        3,
        lambda p: [np.full(12, -1, np.int32)],
        lambda p, a, value=value: {0: value(np.arange(12, dtype=np.int32))},
    )

row(
    "matrix_add",
    [
        *sweep(Nx=11, Ny=5, block=[(4, 3)]),
        *sweep(Nx=12, Ny=6, block=[(4, 3)]),
        *sweep(Nx=4096, Ny=4096, block=[(32, 8), (8, 32)]),
    ],
    lambda p: p.block,
    lambda p: (up(p.Nx, p.bx), up(p.Ny, p.by)),
    lambda p: [uniform(p.Nx * p.Ny, 1), uniform(p.Nx * p.Ny, 2), nan(p.Nx * p.Ny), p.Nx, p.Ny],
    lambda p, a: {2: a[0] + a[1]},
)
row(
    "matrix_add_unguarded",
    sweep(Nx=12, Ny=6, block=[(4, 3)]),
    lambda p: p.block,
    lambda p: (up(p.Nx, p.bx), up(p.Ny, p.by)),
    lambda p: [uniform(p.Nx * p.Ny, 1), uniform(p.Nx * p.Ny, 2), nan(p.Nx * p.Ny), p.Nx, p.Ny],
    lambda p, a: {2: a[0] + a[1]},
)

SHEETS = [*sweep(rows=256, cols=63), *sweep(rows=4096, cols=4096)]
row(
    "bias_tile",
    SHEETS,
    (16, 8),
    lambda p: (up(p.cols, 16 * p.COLS), up(p.rows, 8 * p.ROWS)),
    lambda p: [uniform(p.rows * p.cols, 1), uniform(p.cols, 2), p.rows, p.cols],
    lambda p, a: {0: (a[0].reshape(p.rows, p.cols) + a[1]).reshape(-1)},
)
row(
    "bias_column",
    SHEETS,
    128,
    lambda p: (up(p.cols, 128), up(p.rows, p.ROWS)),
    lambda p: [uniform(p.rows * p.cols, 1), uniform(p.cols, 2), p.rows, p.cols],
    lambda p, a: {0: (a[0].reshape(p.rows, p.cols) + a[1]).reshape(-1)},
)

row(
    "scale_square",
    sweep(n=1000),
    (32, 32),
    lambda p: (up(p.n, 32), up(p.n, 32)),
    lambda p: [uniform(p.n * p.n, 1), p.n],
    lambda p, a: {0: 2 * a[0]},
)
