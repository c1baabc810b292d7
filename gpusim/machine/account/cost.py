"""What one access costs a group of warps: all the numbers that the rules give, as one vector."""

from __future__ import annotations

import numpy as np

from ...rules.banks import ideal_wavefronts, wavefronts
from ...rules.coalesce import sectors
from ...rules.l1 import l1_load_wavefronts, l1_store_wavefronts
from ...units import LANES, SECTOR

FIELDS = ("requests", "lanes", "sectors", "wavefronts", "ideal", "l1_data", "l1_tag", "partial_sectors")
TAG_PERIOD = 8192  # bytes after which the hash of L1's tag banks repeats
ZERO = np.zeros(len(FIELDS), np.int64)


def costs(space, kind, size, addresses, active, l1=True):
    """The cost of one access, warp by warp.

    space : "global" or "shared"; kind : "load", "store", "atomic", "atomic_inc"; size : bytes a lane
    addresses, active : (warps, 32)
    l1 : whether to count the rounds of loads in L1 too, which takes the longest
    return : (warps, 8) int, in the order of FIELDS

    >>> lane = np.arange(32)[None]
    >>> dict(zip(FIELDS, costs("global", "load", 4, lane * 8, lane >= 0)[0].tolist()))["sectors"]
    8
    """
    table = np.zeros((len(addresses), len(FIELDS)), np.int64)
    table[:, 1] = active.sum(axis=1)
    table[:, 0] = table[:, 1] > 0
    if space == "shared":
        table[:, 3] = table[:, 5] = wavefronts(addresses, active, size, kind)
        table[:, 4] = ideal_wavefronts(addresses, active, size, kind)
        return table
    table[:, 2] = sectors(addresses, active, size, kind)
    if kind == "load":
        if l1:
            table[:, 6], table[:, 5] = l1_load_wavefronts(addresses, active, size)
    else:
        table[:, 5] = l1_store_wavefronts(addresses, active, size)
        table[:, 7] = partial_sectors(addresses, active, size)
    return table


def cost(space, kind, size, addresses, active):
    """The cost of one access, summed over its warps; (8,) int."""
    some = active.any(axis=1)
    if not some.all():
        addresses, active = addresses[some], active[some]
    return costs(space, kind, size, addresses, active).sum(axis=0) if len(addresses) else ZERO


def partial_sectors(addresses, active, size):
    """Count the sectors that a store touches without filling all their 32 bytes; (warps,) int.

    >>> partial_sectors(np.arange(32)[None] * 8, np.ones((1, 32), bool), 4)
    array([8])
    """
    element = np.where(active, addresses // size, -1)
    element.sort(axis=1)
    fresh = (element >= 0) & (np.diff(element, axis=1, prepend=-2) != 0)
    per_sector = SECTOR // size
    row = np.arange(len(element), dtype=np.int64)[:, None]
    opens = fresh & (np.diff(sector_of(element, size), axis=1, prepend=-2) != 0)
    turn = np.cumsum(opens, axis=1, dtype=np.int64) - 1  # which of the warp's sectors an element is in
    filled = np.bincount((row * LANES + turn)[fresh], minlength=LANES * len(element)).reshape(-1, LANES)
    return ((filled > 0) & (filled < per_sector)).sum(axis=1)


def sector_of(element, size):
    """The sector of an element number; idle lanes (-1) keep -1."""
    return np.where(element >= 0, element * size // SECTOR, -1)


def l1_costs(size, addresses, active):
    """The rounds of a global load in L1 alone, in the order of FIELDS."""
    table = np.zeros((len(addresses), len(FIELDS)), np.int64)
    table[:, 6], table[:, 5] = l1_load_wavefronts(addresses, active, size)
    return table
