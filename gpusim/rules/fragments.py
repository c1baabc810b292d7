"""Fragments: which elements of a 16 x 16 matrix each lane of a warp holds, and how a warp moves them.

The layout is that of the tensor instruction mma.m16n8k16, of which a warp needs two for a product of
16 x 16 x 16; that loads and stores move the elements in this way was read on an H200 (tests/machine/test_matrices.py).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..units import LANES

SIZE = 16  # rows and columns of a matrix
HELD = 8  # different elements of a matrix in each lane
LANE = np.arange(LANES, dtype=np.int64)


def owned(use):
    """(rows, columns), each (8, 32): where in the matrix the element x[i] of each lane lies.

    use : "matrix_a", "matrix_b" or "accumulator"

    >>> rows, columns = owned("accumulator")
    >>> [(int(rows[i, 5]), int(columns[i, 5])) for i in range(4)]  # lane 5: row 1 and 9, columns 2 and 3
    [(1, 2), (1, 3), (9, 2), (9, 3)]
    """
    i = np.arange(HELD, dtype=np.int64)[:, None]
    group, pair = LANE // 4 + 0 * i, LANE % 4 * 2 + i % 2
    if use == "matrix_b":
        return pair + i // 2 % 2 * 8, group + i // 4 * 8
    return group + i // 2 % 2 * 8, pair + i // 4 * 8


def accesses(use, size, row_major, shared=False):
    """How a warp loads or stores a matrix: (elements that a lane moves at once, first place, shifts).

    size : bytes of an element; row_major : its rows lie one after the other in memory, else its columns do
    shared : a load of half-precision factors from shared memory
    return : the width; (lines, places), both (32,): the line of memory (a row or a column) and the place in it of a
        lane's first element in the first access; and (lines, places) by which each access is further on

    >>> [len(accesses("matrix_a", 2, True, shared)[2]) for shared in (False, True)]  # LDG, four; LDSM, one
    [4, 1]
    """
    if size == 2 and shared and use != "accumulator":
        return 8, (LANE % 16, LANE // 16 * 8), [(0, 0)]
    if size == 2 or row_major:
        return 2, (LANE // 4, LANE % 4 * 2), [(8 * low, 8 * right) for right in (0, 1) for low in (0, 1)]
    rows, columns = owned(use)
    return (
        1,
        (columns[0], rows[0]),
        [(int(columns[i, 0]), int(rows[i, 0])) for i in range(HELD)],
    )


@lru_cache
def exchange(use, size, row_major, shared=False):
    """Which lane moves what another one holds: (8, 32) int, slot * 32 + lane.

    Lane l holds in x[i] what lane `exchange[i, l] % 32` moves as its element number `exchange[i, l] // 32`,
    counted over its accesses.
    """
    width, (lines, places), shifts = accesses(use, size, row_major, shared)
    slots = [(lines + down, places + along + j) for down, along in shifts for j in range(width)]
    mover = np.empty((SIZE, SIZE), np.int64)
    for slot, (line, place) in enumerate(slots):
        mover[(line, place) if row_major else (place, line)] = slot * LANES + LANE
    return mover[owned(use)]
