"""What one access costs a group of warps: all the numbers that the rules give, as one vector."""
from __future__ import annotations

import numpy as np

from ..rules.banks import ideal_wavefronts, wavefronts
from ..rules.coalesce import sectors
from ..rules.l1 import l1_load_wavefronts, l1_store_wavefronts

FIELDS = ("requests", "lanes", "sectors", "wavefronts", "ideal", "l1_data", "l1_tag", "partial_sectors")
ZERO = np.zeros(len(FIELDS), np.int64)
SECTOR = 32


def cost(space, kind, size, addresses, active):
    """The cost of one access, summed over its warps.

    space : "global" or "shared"; kind : "load", "store", "atomic", "atomic_inc"; size : bytes a lane
    addresses, active : (warps, 32)
    return : (8,) int, in the order of FIELDS

    >>> lane = np.arange(32)[None]
    >>> dict(zip(FIELDS, cost("global", "load", 4, lane * 8, lane >= 0).tolist()))["sectors"]
    8
    """
    some = active.any(axis=1)
    if not some.all():
        addresses, active = addresses[some], active[some]
    if not len(addresses):
        return ZERO
    total = ZERO.copy()
    total[:2] = len(addresses), active.sum()
    if space == "shared":
        total[3] = wavefronts(addresses, active, size, kind).sum()
        total[4] = ideal_wavefronts(addresses, active, size, kind).sum()
        total[5] = total[3]
        return total
    total[2] = sectors(addresses, active, size, kind).sum()
    if kind == "load":
        tag, data = l1_load_wavefronts(addresses, active, size)
        total[5], total[6] = data.sum(), tag.sum()
    else:
        total[5] = l1_store_wavefronts(addresses, active, size).sum()
        total[7] = partial_sectors(addresses, active, size).sum()
    return total


def partial_sectors(addresses, active, size):
    """Count the sectors that a store touches without filling all their 32 bytes; (warps,) int.

    >>> partial_sectors(np.arange(32)[None] * 8, np.ones((1, 32), bool), 4)
    array([8])
    """
    element = np.where(active, addresses // size, -1)
    element.sort(axis=1)
    fresh = (element >= 0) & (np.diff(element, axis=1, prepend=-2) != 0)
    sector = np.where(fresh, element * size // SECTOR, -1)
    per_sector = SECTOR // size
    row = np.arange(len(element))[:, None]
    names, filled = np.unique(np.stack([np.broadcast_to(row, sector.shape)[fresh], sector[fresh]]), axis=1, return_counts=True)
    return np.bincount(names[0][filled < per_sector], minlength=len(element))
