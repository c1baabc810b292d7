"""Launches of the kernels on warps, divergence and kinds of memory."""

from __future__ import annotations

import launch_inputs as data
import numpy as np
from launch_inputs import MI, F, nan, uniform
from launches import row, sweep, up


def threads(p):
    """Number of threads in a block of this setting."""
    return int(np.prod(p.block))


SHAPES = sweep(block=[(16, 8), (4, 3), (8, 4), (10, 10), (8, 8, 2)])
row(
    "warp_ids",
    SHAPES,
    lambda p: p.block,
    2,
    lambda p: [np.full(2 * threads(p), -1, np.int32) for _ in range(2)],
    lambda p, a: {
        0: np.tile(np.arange(threads(p)) // 32, 2).astype(np.int32),
        1: np.tile(np.arange(threads(p)) % 32, 2).astype(np.int32),
    },
)
row(
    "warp_ids_ptx",
    SHAPES,
    lambda p: p.block,
    2,
    lambda p: [np.full(2 * threads(p), -1, np.int32) for _ in range(2)],
    lambda p, a: {
        0: np.tile(np.arange(threads(p)) // 32 * 32, 2).astype(np.int32),
        1: np.tile(np.arange(threads(p)) % 32, 2).astype(np.int32),
    },
)

row(
    "diverge",
    [
        *sweep(n=4096, data=["random", "positive", "negative", "sorted", "rare", "alternating", "by_warp"]),
        *sweep(n=16 * MI, data=["random", "positive", "negative", "sorted", "rare"], ELSE_OPS=[16, 256]),
    ],
    256,
    lambda p: up(p.n, 256),
    lambda p: [data.signed(p.data, p.n), nan(p.n), p.n],
    lambda p, a: {1: data.diverged(a[0], p.THEN_OPS, p.ELSE_OPS)},
)
row(
    "diverge_select",
    sweep(n=[4096, 16 * MI], data="random"),
    256,
    lambda p: up(p.n, 256),
    lambda p: [data.signed(p.data, p.n), nan(p.n), p.n],
    lambda p, a: {1: data.diverged(a[0], 1, 1)},
)
row(
    "diverge_switch",
    [*sweep(n=4096, run=[1, 32]), *sweep(n=16 * MI, run=[1, 32], OPS=[8, 128])],
    256,
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1) * F(0.5), nan(p.n), p.n, p.run],  # squares of larger ones would overflow
    lambda p, a: {1: data.switched(a[0], p.run, p.OPS)},
)


def most_frequent(values, slots, items, n):
    """For each of n columns of values: how often its most frequent value occurs."""
    counts = np.zeros((slots, n), np.int32)
    for line in values.reshape(items, n):
        np.add.at(counts, (line, np.arange(n)), 1)
    return counts.max(axis=0)


row(
    "local_array",
    sweep(n=[4096, MI]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [
        np.random.default_rng(1).integers(0, p.SLOTS, p.ITEMS * p.n, dtype=np.int32),
        np.zeros(p.n, np.int32),
        p.n,
    ],
    lambda p, a: {1: most_frequent(a[0], p.SLOTS, p.ITEMS, p.n)},
)


def weights(p):
    return np.array([1.0 / (1 + abs(k - p.R)) for k in range(2 * p.R + 1)], F)


def weighted(x, weight, n):
    return sum(w * x[k : k + n] for k, w in enumerate(weight)).astype(F)


row(
    "stencil_constant",
    sweep(n=[4096, MI, 64 * MI]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n + 2 * p.R, 1), nan(p.n), p.n],
    lambda p, a: {1: weighted(a[0], weights(p), p.n)},
    constants=lambda p: {"weight": weights(p)},
)
row(
    "stencil_global",
    sweep(n=[4096, MI, 64 * MI]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n + 2 * p.R, 1), weights(p), nan(p.n), p.n],
    lambda p, a: {2: weighted(a[0], a[1], p.n)},
)

# 33 words on: each load needs another 128-byte line.  16 KB stay in L1, 8 MB in L2, 256 MB fit neither.
row(
    "pointer_chase",
    [*sweep(words=[4096, 2 * MI], steps=65536), *sweep(words=64 * MI, steps=2 * MI)],
    1,
    1,
    lambda p: [data.ring(p.words, 33), np.full(1, -1, np.int32), p.steps],
    lambda p, a: {1: np.array([33 * p.steps % p.words], np.int32)},
    profile=lambda p: p.steps <= 65536,
)


def stepped(threads):
    """What `trips` computes: thread t takes t steps of a congruential generator."""
    x = np.arange(threads, dtype=np.uint32)
    for k in range(threads):
        x = np.where(np.arange(threads) > k, x * np.uint32(1664525) + np.uint32(1013904223), x)
    return x


row(
    "trips",
    sweep(block=[32, 64, 128, 256]),
    lambda p: p.block,
    1,
    lambda p: [np.zeros(threads(p), np.uint32)],
    lambda p, a: {0: stepped(threads(p))},
)


def sines(mode):
    """What `split` computes: a sine on one side, a cosine on the other."""
    t = np.arange(64)
    first = np.isin(t, (1, 3, 5, 11, 13)) if mode == 0 else t % 2 == 0 if mode == 1 else t // 32 % 2 == 0
    return np.where(first, np.sin(t), np.cos(t)).astype(F)


row(
    "split",
    sweep(mode=[0, 1, 2]),
    64,
    1,
    lambda p: [nan(64), p.mode],
    lambda p, a: {0: sines(p.mode)},
)

row(
    "precedence",
    [{}],
    32,
    1,
    lambda p: [uniform(288, 1), nan(32)],
    lambda p, a: {1: a[0][: 8 * 32 : 8]},
)
