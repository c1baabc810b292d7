"""Inputs of the measured launches, from seeds, and NumPy versions of what the kernels compute."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

F = np.float32
MI = 1 << 20
SMS = 132  # of the H200; settings that fill a card exactly are made for it
PERIOD = 1_000_003  # a prime: repeats of the random numbers never line up with a power of two


@lru_cache(maxsize=32)
def _stretch(seed):
    return np.random.default_rng(seed).random(PERIOD, F) * F(2) - F(1)


@lru_cache(maxsize=24)
def uniform(n, seed=0):
    """n floats in [-1, 1), read-only; they repeat after PERIOD, which makes a gigabyte in no time."""
    numbers = np.resize(_stretch(seed), n)
    numbers.flags.writeable = False
    return numbers


def nan(n):
    """n floats to be overwritten: what nobody writes stays visible."""
    return np.full(n, np.nan, F)


def signed(data, n):
    """Input of the divergence kernels: which side each number takes."""
    rng = np.random.default_rng(42)
    size = np.resize(np.random.default_rng(7).random(min(n, PERIOD), F) * F(0.9) + F(0.1), n)
    lane = np.arange(n)
    negative = {
        "positive": lambda: np.zeros(n, bool),
        "negative": lambda: np.ones(n, bool),
        "random": lambda: rng.standard_normal(n) <= 0,
        "sorted": lambda: lane < (rng.standard_normal(n) <= 0).sum(),
        "rare": lambda: rng.random(n) < 0.05,
        "alternating": lambda: lane % 2 == 1,
        "by_warp": lambda: lane // 32 % 2 == 1,
    }
    return np.where(negative[data](), -size, size)


def diverged(x, then_ops, else_ops):
    """What `diverge` computes, worked out once for each size that occurs (see `signed`)."""
    size = np.abs(x[:PERIOD])
    once, other = size.copy(), -size
    for _ in range(then_ops):
        once = F(2) * once
    for _ in range(else_ops):
        other = F(0.9) * other + F(0.1)
    return np.where(x > 0, np.resize(once, len(x)), np.resize(other, len(x)))


def switched(x, run, ops):
    """What `diverge_switch` computes, all four cases worked out once for each number of `uniform`."""
    steps = [
        lambda v: F(0.9) * v + F(0.1),
        lambda v: v * v + F(0.2),
        lambda v: F(0.3) - F(0.8) * v,
        lambda v: v * F(0.5) + F(0.4),
    ]
    case = np.arange(len(x)) // run % 4
    out = x.copy()
    for number, step in enumerate(steps):
        values = x[:PERIOD]
        for _ in range(ops):
            values = step(values)
        out = np.where(case == number, np.resize(values, len(x)), out)
    return out


def order(kind, n):
    """Indices for `gather`: in order, shuffled inside each warp, or shuffled over everything."""
    index = np.arange(n, dtype=np.int32)
    rng = np.random.default_rng(3)
    if kind == "warp":
        return rng.permuted(index.reshape(-1, 32), axis=1).reshape(-1)
    return rng.permutation(index) if kind == "random" else index


def values_256(data, n):
    """Values 0 .. 255 for the histograms: all equal, of eight kinds, or of all kinds."""
    kinds = {"same": 1, "eight": 8, "random": 256}[data]
    return np.random.default_rng(5).integers(0, kinds, n, dtype=np.int32)


def csr(lengths, cols, seed=0):
    """A sparse matrix with sorted random columns: (data, col, row_ptr).  lengths : entries of each row."""
    rng = np.random.default_rng(seed)
    row_ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    if len(lengths) * cols <= 1 << 20:
        rows = [np.sort(rng.permutation(cols)[:n]) for n in lengths]
        col = np.concatenate(rows).astype(np.int32)
    else:  # one column in each of n equal strata
        width = np.repeat(cols // np.maximum(lengths, 1), lengths)
        place = np.arange(row_ptr[-1]) - np.repeat(row_ptr[:-1], lengths)
        col = (place * width + rng.integers(0, 1 << 30, row_ptr[-1]) % width).astype(np.int32)
    return uniform(row_ptr[-1], seed + 1), col, row_ptr


def row_lengths(data, rows):
    """Entries of each row.  "8", "64": the same in all; "uneven": one row in 32 has 256, others 1 to 8."""
    if data == "uneven":
        return np.where(np.arange(rows) % 32 == 0, 256, 1 + np.random.default_rng(9).integers(0, 8, rows))
    return np.full(rows, int(data))


def sparse_product(values, col, row_ptr, x, y):
    """y += A x in double precision."""
    product = values.astype(np.float64) * x[col]
    sums = np.concatenate([[0.0], np.cumsum(product)])
    return y + (sums[row_ptr[1:]] - sums[row_ptr[:-1]])


def product(A, B, N, transposed=False):
    """A B or A^T B of flat N x N matrices, double precision up to N = 1024."""
    kind = np.float64 if N <= 1024 else F
    a, b = A.reshape(N, N).astype(kind), B.reshape(N, N).astype(kind)
    return ((a.T if transposed else a) @ b).reshape(-1)


def compressed(W):
    """The 2:4 form of flat W: (pairs kept, places), the two largest of each four, the first of equals."""
    groups = W.reshape(-1, 4)
    best = np.sort(np.argsort(-np.abs(groups), axis=1, kind="stable")[:, :2], axis=1)
    return np.take_along_axis(groups, best, axis=1).reshape(-1), (best[:, 0] + 4 * best[:, 1]).astype(
        np.uint8
    )


def pruned(W):
    """W with all but the two largest of each four set to zero."""
    groups = W.reshape(-1, 4)
    best = np.argsort(-np.abs(groups), axis=1, kind="stable")[:, :2]
    kept = np.zeros_like(groups)
    np.put_along_axis(kept, best, np.take_along_axis(groups, best, axis=1), axis=1)
    return kept.reshape(-1)


def half_dots(a, b, accumulator):
    """What `half_dot` computes: one number after the other, rounded to the accumulator each time."""
    kind = np.float16 if accumulator == "half" else F
    total = np.zeros(len(a), kind)
    for j in range(a.shape[1]):
        total = (total.astype(F) + a[:, j].astype(F) * b[:, j].astype(F)).astype(kind)
    return total.astype(F)


def ring(words, step):
    """next[j] = j + step around a ring: a chain of dependent loads."""
    return ((np.arange(words, dtype=np.int64) + step) % words).astype(np.int32)
