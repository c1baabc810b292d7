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
    "reduce_last_block",
    [
        *sweep(n=64 * MI, BLOCK=256, ITEMS=[16, 8, 4]),
        *sweep(n=64 * MI, BLOCK=512, ITEMS=8),
        *sweep(n=[MI // 4, 1 << 15], BLOCK=256, ITEMS=8),
    ],
    lambda p: p.BLOCK,
    lambda p: p.n // (4 * p.BLOCK * p.ITEMS),
    lambda p: [uniform(p.n, 5), nan(1), nan(p.n // (4 * p.BLOCK * p.ITEMS)), np.zeros(1, np.uint32)],
    lambda p, a: {1: np.array([a[0].sum(dtype=float)])},
    tolerance=1e-3,
)
row(
    "scan_steps",
    sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256),
    lambda p: p.BLOCK,
    lambda p: p.n // p.BLOCK,
    lambda p: [uniform(p.n, 5), nan(p.n)],
    lambda p, a: {1: running(a[0].reshape(-1, p.BLOCK))},
    tolerance=1e-4,
)


def running(stretches):
    """Running sums along each stretch, in double precision."""
    return np.cumsum(stretches, axis=-1, dtype=float).reshape(-1)


row(
    "scan_blocks",
    [*sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256), *sweep(n=64 * MI, BLOCK=1024)],
    lambda p: p.BLOCK,
    lambda p: p.n // (4 * p.BLOCK),
    lambda p: [uniform(p.n, 5), nan(p.n), nan(p.n // (4 * p.BLOCK))],
    lambda p, a: {
        1: running(a[0].reshape(-1, 4 * p.BLOCK)),
        2: a[0].reshape(-1, 4 * p.BLOCK).sum(axis=1, dtype=float),
    },
    tolerance=1e-4,
)
row(
    "scan_add",
    sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256),
    lambda p: p.BLOCK,
    lambda p: p.n // (4 * p.BLOCK) - 1,
    lambda p: [uniform(p.n, 5), uniform(p.n // (4 * p.BLOCK), 6)],
    lambda p, a: {0: added(p, *a)},
    tolerance=1e-4,
)


def added(p, numbers, sums):
    """The numbers of each block, but the first, and the sum before it."""
    blocks = numbers.reshape(-1, 4 * p.BLOCK).astype(float)
    return np.concatenate([blocks[:1], blocks[1:] + sums[:-1, None]]).reshape(-1)


row(
    "scan_lookback",
    [
        *sweep(n=64 * MI, BLOCK=256, ITEMS=[8, 4, 16]),
        *sweep(n=64 * MI, BLOCK=512, ITEMS=[4, 8]),
        *sweep(n=[MI // 4, 1 << 15], BLOCK=256, ITEMS=8),
    ],
    lambda p: p.BLOCK,
    lambda p: p.n // (4 * p.BLOCK * p.ITEMS),
    lambda p: [
        uniform(p.n, 5),
        nan(p.n),
        np.zeros(p.n // (4 * p.BLOCK * p.ITEMS), np.uint64),
        np.zeros(1, np.uint32),
    ],
    lambda p, a: {1: running(a[0])},
    clear=(2, 3),
    tolerance=1e-3,
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
