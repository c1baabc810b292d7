"""Coalescing: how many 32-byte sectors one warp access to global memory touches."""

from __future__ import annotations

import numpy as np

from ..units import LANES, SECTOR
from .warps import as_warps, numbered


def sectors(addresses, active, size, kind="load"):
    """Count the distinct sectors of each warp access.

    addresses : (warps, 32) int, byte address of each lane
    active : (warps, 32) bool, lanes that take part
    size : bytes a lane asks for: 1, 2, 4, 8 or 16
    kind : "load" and "store" count alike; for "atomic" and "atomic_inc", lanes on one address take turns,
        and every turn pays its own sectors (measured on an H200 for results that are not used)
    return : (warps,) int, 0 where no lane is active

    >>> lane = np.arange(32)
    >>> [int(sectors(lane * 4 * stride, True, 4)[0]) for stride in (0, 1, 2, 8)]
    [1, 4, 8, 32]
    """
    pieces, _ = _pieces(addresses, active, size)
    if kind in ("atomic", "atomic_inc"):
        pieces = _by_turn(addresses, active, pieces)
    elif kind not in ("load", "store"):
        raise ValueError(f"kind is load, store, atomic or atomic_inc, not {kind!r}")
    pieces.sort(axis=1)
    fresh = pieces[:, 1:] != pieces[:, :-1]  # idle lanes (-1) come first
    return fresh.sum(axis=1) + (pieces[:, 0] >= 0)


def sector_ids(addresses, active, size):
    """Name the sectors of each warp access: byte address // 32, every sector once, in order.

    return : (warps, 32) int, -1 where a lane is idle or repeats another lane's sector

    >>> ids = sector_ids(np.arange(32) * 4, True, 4)
    >>> ids[ids >= 0].tolist()
    [0, 1, 2, 3]
    """
    pieces, start = _pieces(addresses, active, size)
    pieces = np.sort(pieces.astype(np.int64), axis=1)
    fresh = np.diff(pieces, axis=1, prepend=-1) != 0
    return np.where(fresh, pieces + start, -1)


def _pieces(addresses, active, size):
    """The sector of each lane, counted from the lowest; -1 where a lane is idle.  And that lowest one."""
    if size not in (1, 2, 4, 8, 16):
        raise ValueError(f"a lane loads or stores 1, 2, 4, 8 or 16 bytes at once, not {size}")
    addresses, active = as_warps(addresses, active)
    pieces, start = numbered(addresses, active, SECTOR)
    split = active & (addresses % SECTOR > SECTOR - size)  # only if not a multiple of its size
    if split.any():
        pieces = np.hstack([pieces, np.where(split, pieces + 1, -1)])
    return pieces, start


def _by_turn(addresses, active, pieces):
    """Tell sectors of different turns apart: a lane's turn is the number of lower lanes on its address."""
    addresses, active = as_warps(addresses, active)
    own = np.where(active, addresses, -1 - np.arange(LANES, dtype=np.int64))
    order = np.argsort(own, axis=1, kind="stable")
    ordered = np.take_along_axis(own, order, axis=1)
    place = np.arange(LANES, dtype=np.int64)
    fresh = np.diff(ordered, axis=1, prepend=ordered[:, :1] - 1) != 0
    run = np.maximum.accumulate(np.where(fresh, place, 0), axis=1)
    turn = np.empty_like(order)
    np.put_along_axis(turn, order, place - run, axis=1)
    turn = np.tile(turn, pieces.shape[1] // LANES)
    return np.where(pieces >= 0, pieces.astype(np.int64) * LANES + turn, -1)
