"""Warps: which threads of a block run together, and as which lane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..units import LANES, dim3, warps_of


class Layout(NamedTuple):
    """The threads of one block, a row a warp: arrays (warps, 32)."""

    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    active: np.ndarray  # False for the lanes of the last warp that have no thread


def layout(block) -> Layout:
    """Lay the threads of a block out as warps: x runs fastest, then y, then z; 32 neighbours share a warp.

    block : int or up to 3 ints, blockDim
    return : Layout of arrays (warps, 32); the last warp is padded with idle lanes that repeat the last thread

    >>> warps = layout((16, 3))
    >>> warps.x.shape, warps.y[0, [0, 15, 16]].tolist(), int(warps.active.sum())
    ((2, 32), [0, 0, 1], 48)
    """
    bx, by, bz = dim3(block)
    threads = bx * by * bz
    linear = np.arange(warps_of(threads) * LANES, dtype=np.int64).reshape(-1, LANES)
    inside = np.minimum(linear, threads - 1)
    return Layout(inside % bx, inside // bx % by, inside // (bx * by), linear < threads)


def thread_index(linear, block) -> tuple[int, int, int]:
    """The (x, y, z) of the thread with this linear number: the way back from warp and lane.

    >>> thread_index(37, (16, 4))
    (5, 2, 0)
    """
    bx, by, _ = dim3(block)
    return linear % bx, linear // bx % by, linear // (bx * by)


def as_warps(addresses, active):
    """Read addresses and mask as arrays (warps, 32); 32 values are one warp, one mask may serve all warps."""
    addresses, active = np.atleast_2d(np.asarray(addresses)), np.asarray(active, dtype=bool)
    if addresses.shape[-1] != LANES or addresses.ndim != 2:
        raise ValueError(f"addresses have shape (warps, {LANES}), one a lane; got {addresses.shape}")
    if addresses.dtype.kind not in "iu" and not (addresses == addresses // 1).all():
        raise ValueError("addresses are whole numbers of bytes")
    if active.shape not in ((), (LANES,), (1, LANES), addresses.shape):
        raise ValueError(f"active has the shape of the addresses, {addresses.shape}; got {active.shape}")
    active = np.broadcast_to(active, addresses.shape)
    return addresses.astype(np.int64, copy=False), active


def numbered(addresses, active, piece, group=1):
    """Number the pieces of memory that hold the addresses, (warps, 32), -1 for idle lanes; and the first.

    The numbers start at 0 for the lowest group of `group` pieces in use, so that they fit into 32 bits,
    which NumPy sorts twice as fast.
    """
    span = piece * group
    start = int(np.min(addresses, where=active, initial=2**62)) // span * group
    number = np.where(active, addresses // piece - start, -1)
    return (number.astype(np.int32) if number.size and number.max() < 2**31 - LANES else number), start
