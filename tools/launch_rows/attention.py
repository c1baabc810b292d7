"""Launches of attention: three kernels through memory, and one that never writes the scores."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from launch_inputs import nan, uniform
from launches import row, sweep

SIZES = [8192, 2048, 128]


def heads(p, *seeds):
    return [uniform(p.N * 64, seed) for seed in seeds]


def scores(p, a):
    q, k = (x.reshape(p.N, 64).astype(float) for x in a[:2])
    return q @ k.T / 8


def weights(s):
    """Softmax of each row."""
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


row(
    "attention_scores",
    sweep(N=SIZES),
    (16, 16),
    lambda p: (p.N // 64, p.N // 64),
    lambda p: [*heads(p, 21, 22), nan(p.N * p.N), p.N],
    lambda p, a: {2: scores(p, a).reshape(-1)},
    tolerance=1e-4,
)
for name in ("attention_softmax", "attention_online"):
    row(
        name,
        [*sweep(N=[8192, 2048], BLOCK=256), *sweep(N=128, BLOCK=64)],
        lambda p: p.BLOCK,
        lambda p: p.N,
        lambda p: [uniform(p.N * p.N, 24), p.N],
        lambda p, a: {0: weights(a[0].reshape(p.N, p.N).astype(float)).reshape(-1)},
        tolerance=1e-4,
    )
row(
    "attention_values",
    sweep(N=SIZES),
    (16, 16),
    lambda p: p.N // 64,
    lambda p: [uniform(p.N * p.N, 24), *heads(p, 23), nan(p.N * 64), p.N],
    lambda p, a: {2: (a[0].reshape(p.N, p.N).astype(float) @ a[1].reshape(p.N, 64)).reshape(-1)},
    tolerance=1e-4,
)


@lru_cache(maxsize=4)
def attended(N):
    """What attention gives in double precision, some rows at a time."""
    q, k, v = (uniform(N * 64, seed).reshape(N, 64).astype(float) for seed in (21, 22, 23))
    rows = [weights(q[start : start + 1024] @ k.T / 8) @ v for start in range(0, N, 1024)]
    return np.concatenate(rows).reshape(-1)


row(
    "attention_tiled",
    [*sweep(N=SIZES, ROWS=64), *sweep(N=8192, ROWS=[32, 16]), *sweep(N=128, ROWS=32)],
    (16, 16),
    lambda p: p.N // p.ROWS,
    lambda p: [*heads(p, 21, 22, 23), nan(p.N * 64), p.N],
    lambda p, a: {3: attended(p.N)},
    tolerance=1e-4,
)
