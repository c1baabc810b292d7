"""Launches of the matrix multiplications."""

from __future__ import annotations

import launch_inputs as data
import numpy as np
from launch_inputs import nan, uniform
from launches import row, sweep, up


def matrices(p):
    return [uniform(p.N * p.N, 11), uniform(p.N * p.N, 12), nan(p.N * p.N), p.N]


def multiplied(p, a):
    return {2: data.product(a[0], a[1], p.N)}


def multiplied_t(p, a):
    return {2: data.product(a[0], a[1], p.N, transposed=True)}


NAIVE = [
    *sweep(N=4096, block=[(32, 32), (16, 16)]),
    *sweep(N=256, block=[(32, 32), (16, 16), (8, 32), (32, 8)]),
    *sweep(N=32, block=[(16, 16), (32, 8)]),
    *sweep(N=1024, block=[(16, 16), (32, 32)]),
]
row(
    "matmul_naive",
    NAIVE,
    lambda p: p.block,
    lambda p: (up(p.N, p.bx), up(p.N, p.by)),
    matrices,
    multiplied,
    tolerance=1e-4,
)
row(
    "matmul_naive_xrow",
    NAIVE,
    lambda p: p.block,
    lambda p: (up(p.N, p.bx), up(p.N, p.by)),
    matrices,
    multiplied,
    tolerance=1e-4,
)

row(
    "matmul_tiled",
    [
        *sweep(N=4096, TILE=[16, 32, 8]),
        *sweep(N=4096, TILE=16, UNROLL=16),
        *sweep(N=4096, TILE=32, UNROLL=32),
        *sweep(N=256, TILE=[4, 8, 16, 32]),
        *sweep(N=256, TILE=16, UNROLL=16),
        *sweep(N=32, TILE=[1, 2, 4, 8, 16, 32]),
        *sweep(N=1024, TILE=[4, 8, 16, 32]),
    ],
    lambda p: (p.TILE, p.TILE),
    lambda p: (p.N // p.TILE, p.N // p.TILE),
    matrices,
    multiplied,
    tolerance=1e-4,
)
row(
    "matmul_tiled_guarded",
    [*sweep(N=10, TILE=4), *sweep(N=100, TILE=16), *sweep(N=1000, TILE=16), *sweep(N=4096, TILE=16)],
    lambda p: (p.TILE, p.TILE),
    lambda p: (up(p.N, p.TILE), up(p.N, p.TILE)),
    matrices,
    multiplied,
    tolerance=1e-4,
)


def wrong_product(p, outputs, arguments):
    right = data.product(arguments[0], arguments[1], p.N)
    return {"wrong_elements": int((~np.isclose(outputs[2], right, atol=1e-4)).sum()), "elements": p.N * p.N}


row(
    "matmul_tiled_switches",
    [
        *sweep(N=32, TILE=8),
        *sweep(N=10, TILE=4),
        *sweep(N=1024, TILE=[8, 32], FIRST_BARRIER=0),
        *sweep(N=1024, TILE=[8, 32], SECOND_BARRIER=0),
    ],
    lambda p: (p.TILE, p.TILE),
    lambda p: (up(p.N, p.TILE), up(p.N, p.TILE)),
    matrices,
    lambda p, a: multiplied(p, a) if p.FIRST_BARRIER and p.SECOND_BARRIER else {},
    observe=wrong_product,
    tolerance=1e-4,
)
row(
    "matmul_coarse",
    [
        *sweep(N=4096, TILE=16, COARSE=[1, 2, 4, 8], UNROLL=[1, 16]),
        *sweep(N=32, TILE=8, COARSE=[1, 2, 4]),
        *sweep(N=256, TILE=16, COARSE=[1, 2, 4]),
    ],
    lambda p: (p.TILE, p.TILE),
    lambda p: (p.N // (p.TILE * p.COARSE), p.N // p.TILE),
    matrices,
    multiplied,
    tolerance=1e-4,
)
row(
    "matmul_register",
    [*sweep(N=4096, V=[4, 2, 8, 1]), *sweep(N=256, V=[1, 2, 4, 8])],
    (16, 16),
    lambda p: (p.N // (16 * p.V), p.N // (16 * p.V)),
    matrices,
    multiplied_t,
    tolerance=1e-4,
)
row(
    "matmul_register_vec",
    [*sweep(N=4096, V=[4, 8]), *sweep(N=256, V=[4, 8])],
    (16, 16),
    lambda p: (p.N // (16 * p.V), p.N // (16 * p.V)),
    matrices,
    multiplied_t,
    tolerance=1e-4,
)


def configurations(*triples, **others):
    return [{**s, "L": L, "S": S, "V": V} for L, S, V in triples for s in sweep(**others)]


ALL = (
    (64, 8, 4),
    (32, 8, 1),
    (32, 8, 2),
    (32, 8, 4),
    (64, 8, 2),
    (64, 8, 8),
    (128, 8, 4),
    (128, 8, 8),
    (128, 8, 16),
    (128, 16, 8),
)
WIDE = [c for c in ALL if c[2] % 4 == 0]
for name, triples in (("matmul_two_level", ALL), ("matmul_two_level_vec", WIDE)):
    row(
        name,
        [
            *configurations(*triples, N=4096),
            *configurations(*triples, N=256),
            *configurations((64, 8, 4), N=[256, 4096], REVERSED=1),
            *configurations((64, 16, 4), N=256, REVERSED=[0, 1]),
        ],
        lambda p: (p.L // p.V, p.L // p.V),
        lambda p: (p.N // p.L, p.N // p.L),
        matrices,
        multiplied_t,
        tolerance=1e-4,
    )
row(
    "matmul_double_buffer",
    [
        *configurations((128, 8, 8), (128, 16, 8), (64, 8, 4), N=4096),
        *configurations((64, 8, 4), (128, 8, 8), N=256),
    ],
    lambda p: (p.L // p.V, p.L // p.V),
    lambda p: (p.N // p.L, p.N // p.L),
    matrices,
    multiplied_t,
    tolerance=1e-4,
)


def layer(p):
    return [uniform(p.K * p.N, 11), uniform(p.K * p.N, 12), uniform(p.N, 13), nan(p.N * p.N), p.N, p.K]


def layered(p, a):
    A, B = (one.reshape(p.K, p.N).astype(np.float64) for one in a[:2])
    product = A.T @ B
    return {3: (np.maximum(product + a[2], 0) if p.EPILOGUE else product).astype(np.float32).reshape(-1)}


row(
    "matmul_epilogue",
    [
        *configurations((64, 8, 4), N=4096, K=[64, 256, 1024, 4096], EPILOGUE=[0, 1]),
        *configurations((64, 8, 4), N=256, K=64, EPILOGUE=[0, 1]),
    ],
    lambda p: (p.L // p.V, p.L // p.V),
    lambda p: (p.N // p.L, p.N // p.L),
    layer,
    layered,
    tolerance=1e-4,
)
row(
    "bias_relu",
    sweep(N=[4096, 256]),
    (32, 8),
    lambda p: (up(p.N, 32), up(p.N, 8)),
    lambda p: [uniform(p.N * p.N, 1), uniform(p.N, 13), p.N],
    lambda p, a: {0: np.maximum(a[0].reshape(p.N, p.N) + a[1], 0).reshape(-1)},
)
row(
    "fetch_strip",
    [
        *sweep(L=64, S=8, REVERSED=[0, 1], cols=[65536, 4096]),
        *sweep(L=64, S=16, REVERSED=[0, 1], cols=4096),
        *sweep(L=48, S=8, REVERSED=[0, 1], cols=4800),
    ],
    128,
    lambda p: p.cols // p.L,
    lambda p: [uniform(p.S * p.cols, 1), nan(p.S * p.cols), p.cols],
    lambda p, a: {1: a[0]},
)


def half_matrices(p):
    halves = [uniform(p.N * p.N, seed).astype(np.float16) for seed in (11, 12)]
    return [*halves, nan(p.N * p.N), p.N]


row(
    "matmul_wmma",
    sweep(N=[4096, 1024, 256]),
    (32, 4),
    lambda p: (p.N // 16, p.N // 64),
    half_matrices,
    multiplied,
    tolerance=1e-4,
)
row(
    "matmul_wmma_tiled",
    [*sweep(N=[4096, 1024, 256]), *sweep(N=[256, 1024], PAD=0)],
    128,
    lambda p: (p.N // 64, p.N // 64),
    half_matrices,
    multiplied,
    tolerance=1e-4,
)


def column_major(p):
    n = p.N
    return [n, n, n, uniform(n * n, 11), n, uniform(n * n, 12), n, nan(n * n), n]


def column_product(p, a):
    left, right = (x.reshape(p.N, p.N).T for x in (a[3], a[5]))
    return {7: (left.astype(np.float64) @ right).T.reshape(-1)}


row(
    "gemm_column",
    sweep(N=[256, 1024], block=[(16, 16)]),
    lambda p: p.block,
    lambda p: (up(p.N, p.bx), up(p.N, p.by)),
    column_major,
    column_product,
    tolerance=1e-4,
)


row(
    "matmul_strips",
    [
        *configurations((128, 8, 8), (128, 16, 8), (64, 8, 4), (64, 16, 4), N=4096, SPLIT=[0, 1]),
        *configurations((128, 8, 8), (64, 8, 4), N=256, SPLIT=[0, 1]),
    ],
    lambda p: (p.L // p.V, p.L // p.V),
    lambda p: (p.N // p.L, p.N // p.L),
    matrices,
    multiplied,
    tolerance=1e-4,
)


def big_tiles(*pairs, **others):
    return [{**s, "S": S, "W": W} for S, W in pairs for s in sweep(**others)]


for name, settings in (
    (
        "matmul_warps",
        [
            *big_tiles((8, 8), (16, 16), N=4096, GROUP=1),
            *big_tiles((16, 16), N=4096, GROUP=[4, 8]),
            *big_tiles((8, 8), (16, 16), N=256, GROUP=1),
        ],
    ),
    (
        "matmul_ahead",
        [
            *big_tiles((16, 16), N=4096, GROUP=[8, 4, 1]),
            *big_tiles((16, 8), (8, 8), N=4096, GROUP=8),
            *big_tiles((16, 16), N=1024, GROUP=8),
            *big_tiles((16, 16), (8, 8), N=256, GROUP=2),
        ],
    ),
    (
        "matmul_async",
        [
            *big_tiles((16, 16), N=4096, GROUP=8, STAGES=2),
            *big_tiles((8, 16), N=4096, GROUP=8, STAGES=[4, 2]),
            *big_tiles((8, 8), N=4096, GROUP=8, STAGES=[4, 3]),
            *big_tiles((16, 16), N=1024, GROUP=8, STAGES=2),
            *big_tiles((16, 16), N=256, GROUP=2, STAGES=2),
            *big_tiles((8, 8), N=256, GROUP=2, STAGES=4),
        ],
    ),
):
    row(
        name,
        settings,
        lambda p: 128 * 128 // (8 * p.W),
        lambda p: (p.N // 128, p.N // 128),
        matrices,
        multiplied,
        tolerance=1e-4,
    )


def long_matrices(p):
    return [uniform(p.N * p.K, 11), uniform(p.K * p.N, 12), np.zeros(p.N * p.N, np.float32), p.N, p.K]


row(
    "matmul_split_k",
    [*sweep(N=256, K=8192, SPLITS=[1, 4, 16, 32]), *sweep(N=64, K=128, SPLITS=[1, 4])],
    (16, 16),
    lambda p: (p.N // 64, p.N // 64, p.SPLITS),
    long_matrices,
    lambda p, a: {2: (a[0].reshape(p.N, p.K).astype(float) @ a[1].reshape(p.K, p.N)).reshape(-1)},
    clear=(2,),
    tolerance=1e-4,
)
