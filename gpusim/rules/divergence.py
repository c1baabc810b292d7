"""Divergence: what a branch does to the lanes of a warp."""

from __future__ import annotations

import numpy as np


def divergent(active, taken):
    """Tell in which warps a branch diverges: both of its sides have active lanes.

    active : (warps, 32) bool, lanes that reach the branch
    taken : (warps, 32) bool, lanes whose condition holds
    return : (warps,) bool

    >>> lane = np.arange(32)
    >>> divergent(np.ones((1, 32), bool), (lane < 5)[None]), divergent(lane[None] < 5, (lane < 5)[None])
    (array([ True]), array([False]))
    """
    active, taken = np.atleast_2d(active).astype(bool), np.atleast_2d(taken).astype(bool)
    return (active & taken).any(axis=1) & (active & ~taken).any(axis=1)


def passes(active, choice):
    """Count the passes of each warp through a branch: one for each different choice of its active lanes.

    active : (warps, 32) bool
    choice : (warps, 32) int or bool, the side (if) or the case (switch) that each lane takes
    return : (warps,) int, 0 where no lane is active

    >>> passes(np.ones((1, 32), bool), np.arange(32)[None] % 4)
    array([4])
    """
    active, choice = np.atleast_2d(active).astype(bool), np.atleast_2d(choice).astype(np.int64)
    lowest = np.min(choice, where=active, initial=np.iinfo(np.int64).max)
    ordered = np.sort(np.where(active, choice, lowest - 1), axis=1)
    return (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1) + active.all(axis=1)


def trips(active, count):
    """Count the trips that each warp makes through a loop: as many as its longest lane.

    active : (warps, 32) bool; count : (warps, 32) int, trips that each lane asks for
    return : (warps,) int

    >>> trips(np.ones((1, 32), bool), np.arange(32)[None])
    array([31])
    """
    active, count = np.atleast_2d(active).astype(bool), np.atleast_2d(count)
    return np.where(active, count, 0).max(axis=1)


def simd_efficiency(active):
    """The share of lane slots that do work, over the warps that run at all: active lanes / (32 x warps).

    >>> simd_efficiency(np.arange(32)[None] < 8)
    0.25
    """
    active = np.atleast_2d(active).astype(bool)
    running = active.any(axis=1).sum()
    return float(active.sum() / (active.shape[1] * running)) if running else 1.0
