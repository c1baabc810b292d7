"""Launches of the reductions, and of kernels with atomics or waiting across blocks."""

from __future__ import annotations

import numpy as np
from launch_inputs import MI, SMS, nan, uniform
from launches import row, sweep, up


def block_sums(items):
    return lambda p, a: {1: a[0].reshape(-1, items(p)).astype(float).sum(axis=1)}


for name in ("reduce_v1", "reduce_v2", "reduce_v3"):
    row(
        name,
        [*sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256), *sweep(n=MI // 4, BLOCK=[128, 512])],
        lambda p: p.BLOCK,
        lambda p: p.n // p.BLOCK,
        lambda p: [uniform(p.n, 5), nan(p.n // p.BLOCK)],
        block_sums(lambda p: p.BLOCK),
        tolerance=1e-4,
    )
row(
    "reduce_v4",
    [*sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256), *sweep(n=MI // 4, BLOCK=[128, 512])],
    lambda p: p.BLOCK,
    lambda p: p.n // (2 * p.BLOCK),
    lambda p: [uniform(p.n, 5), nan(p.n // (2 * p.BLOCK))],
    block_sums(lambda p: 2 * p.BLOCK),
    tolerance=1e-4,
)


def padded_sums(p, a):
    whole = np.concatenate([a[0].astype(float), np.zeros(up(p.n, p.BLOCK) * p.BLOCK - p.n)])
    return {1: whole.reshape(-1, p.BLOCK).sum(axis=1)}


row(
    "reduce_any",
    sweep(n=[1000000, MI // 4, 1000]),
    lambda p: p.BLOCK,
    lambda p: up(p.n, p.BLOCK),
    lambda p: [uniform(p.n, 5), nan(up(p.n, p.BLOCK)), p.n],
    padded_sums,
    tolerance=1e-4,
)


def wrong_sums(p, outputs, arguments):
    right = arguments[0].reshape(-1, p.BLOCK).astype(float).sum(axis=1)
    return {"wrong_elements": int((~np.isclose(outputs[1], right, atol=1e-3)).sum()), "elements": len(right)}


row(
    "reduce_barriers",
    [*sweep(n=MI // 4), *sweep(n=MI // 4, LOAD_BARRIER=0), *sweep(n=MI // 4, ROUND_BARRIER=0)],
    lambda p: p.BLOCK,
    lambda p: p.n // p.BLOCK,
    lambda p: [uniform(p.n, 5), nan(p.n // p.BLOCK)],
    observe=wrong_sums,
)
row(
    "grid_spin",
    sweep(blocks=[SMS, 8]),
    32,
    lambda p: p.blocks,
    lambda p: [np.zeros(1, np.int32), np.zeros(32 * p.blocks, np.int32)],
    lambda p, a: {0: np.array([p.blocks], np.int32), 1: np.full(32 * p.blocks, p.blocks, np.int32)},
    profile=False,
    repeat=False,
)
