"""Units: the sizes that the whole package counts in, and the shapes of launches."""

from __future__ import annotations

import numbers

import numpy as np

from .errors import LaunchError

LANES = 32  # threads of a warp, on every NVIDIA GPU so far
SECTOR = 32  # bytes: the piece in which L1, L2 and device memory exchange data
LINE = 128  # bytes that one tag of L1 describes
BANKS = 32  # of shared memory; each serves one word a round
WORD = 4  # bytes of a bank's word
KB, MB = 1024, 1024 * 1024  # bytes


def warps_of(threads) -> int:
    """Warps that a block of so many threads fills: the last one may be partly idle.

    >>> warps_of(256), warps_of(33)
    (8, 2)
    """
    return -(-threads // LANES)


def dim3(shape, what="grid or block") -> tuple[int, int, int]:
    """CUDA's dim3: a grid or block size as (x, y, z), sizes that are missing are 1.

    >>> dim3(256), dim3((8, 4))
    ((256, 1, 1), (8, 4, 1))
    >>> dim3((8, 0), "block")
    Traceback (most recent call last):
    gpusim.errors.LaunchError: the block (8, 0) has a size below 1: every dimension needs at least 1
    """
    sizes = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    if not 1 <= len(sizes) <= 3 or not all(
        isinstance(n, numbers.Integral) and not isinstance(n, bool) for n in sizes
    ):
        raise LaunchError(f"the {what} is one to three whole numbers (x, y, z); got {shape!r}")
    if any(n < 1 for n in sizes):
        raise LaunchError(f"the {what} {shape!r} has a size below 1: every dimension needs at least 1")
    return (*(int(n) for n in sizes), 1, 1)[:3]
