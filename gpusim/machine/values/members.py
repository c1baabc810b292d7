"""Who takes part: the lanes of a warp that a vote, a reduction, a shuffle or a __syncwarp brings together.

A lane names lanes in the mask that it passes; of those, the ones that are at the instruction take part with it.  So
several groups of one warp may vote at once, each by itself.  Masks are numbers, bit l for lane l.
"""

from __future__ import annotations

import numpy as np

from ...units import LANES
from .arithmetic import lanes

ALL = 0xFFFFFFFF
BITS = np.int64(1) << np.arange(32, dtype=np.int64)


def as_bits(rows):
    """Rows of 32 truths as numbers, (rows, 1).

    >>> as_bits(np.arange(32)[None] < 3).tolist()
    [[7]]
    """
    return (rows * BITS).sum(axis=1, keepdims=True)


def has_bits(numbers):
    """Numbers (rows, 1) as rows of 32 truths, the way back from `as_bits`."""
    return numbers & BITS != 0


def named(space, members, blocks):
    """The mask that each lane passes, (rows, 32), or (1, 1) where it is one number; None names all lanes."""
    if members is None or type(members) is int:
        return np.full((1, 1), ALL if members is None else members & ALL, np.int64)
    values = np.asarray(lanes(members, np.int64))
    if values.size == 1:
        return values.reshape(1, 1) & ALL
    return space.by_warp(np.broadcast_to(values, (*blocks, *space.lanes_shape))) & ALL


def spread_rows(rows, had, blocks):
    """Rows of the block axes `had`, repeated to the block axes `blocks`."""
    if tuple(had) == tuple(blocks):
        return rows
    rows = rows.reshape(*had, -1)
    return np.broadcast_to(rows, (*blocks, rows.shape[-1])).reshape(-1, LANES)


def taking_part(space, active, members, blocks):
    """For each lane the lanes that take part with it: (rows, 32) numbers, or (rows, 1) where all lanes of a warp name
    the same.

    active : (rows, 32), the lanes at the instruction;  members : the masks that they pass, or None for all lanes
    """
    return named(space, members, blocks) & as_bits(active)
