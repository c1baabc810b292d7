"""The two-level matrix multiplication, counted once for all lectures' figures, and the lecture's own model of it."""

from functools import cache

import numpy as np

import gpusim as gs


@cache
def two(name, n, L, S, V):  # noqa: N803, the kernel's own names
    """The run of matmul_NAME on n x n matrices."""
    arrays = [gs.spec((n, n)) for _ in range(3)]
    kernel = gs.load(f"matmul_{name}", L=L, S=S, V=V)
    return gs.count(kernel, (n // L,) * 2, (L // V,) * 2, *arrays, n)


def step_wavefronts(L, V):  # noqa: N803
    """The lecture's wavefronts of one warp for a and b in a step: one load of V floats each."""
    lane = np.arange(32)
    words = [np.unique(t[:, None] * V + np.arange(V)) for t in (lane // (L // V), lane % (L // V))]
    return int(sum(np.bincount(w % 32).max() for w in words))
