"""One warp's memory request: its addresses, its lanes, and the row of 32 lanes drawn above a map."""

import numpy as np

from ...units import LANES
from .paper import write
from .shapes import cells
from .theme import KINDS


def one_request(addresses, active=None, size=4, kind="load"):
    """Return (addresses, active, size, kind) of one warp, from arrays or from an event of `run.trace`.

    addresses : (32,) or (1, 32) int, byte address of each lane; or an event
    active : (32,) bool, None for all

    >>> bool(one_request(np.arange(32) * 4)[1].all()), one_request(np.arange(32) * 4)[2:]
    (True, (4, 'load'))
    """
    if hasattr(addresses, "addresses"):
        event = addresses
        addresses, active, size, kind = event.addresses, event.mask, event.size, event.kind
    if addresses is None:
        raise ValueError("this event has no addresses: pick a load, a store or an atomic from the trace")
    addresses = np.asarray(addresses).reshape(-1)
    active = np.ones(LANES, bool) if active is None else np.asarray(active, bool).reshape(-1)
    if addresses.shape != (LANES,) or active.shape != (LANES,):
        raise ValueError(
            f"one warp has {LANES} lanes; got {addresses.size} addresses, {active.size} mask bits"
        )
    return addresses.astype(np.int64), active, int(size), kind


def request_words(kind, size, active):
    """Describe a request in words: the muted line of a map.

    >>> request_words("load", 4, np.arange(32) < 16)
    'one load by one warp, 4 bytes a lane, 16 of 32 lanes active'
    """
    name = {"atomic_inc": "atomic increment"}.get(kind, kind)
    some = "" if active.all() else f", {int(active.sum())} of {LANES} lanes active"
    return f"one {name} by one warp, {size} byte{'' if size == 1 else 's'} a lane{some}"


def lane_places(left, right, gap=1.0, wide=1.6):
    """Return (x of each of 32 lanes, width of a lane): a gap between lanes, a wider one after each 8."""
    extra = wide - gap
    width = (right - left - (LANES - 1) * gap - 3 * extra) / LANES
    lane = np.arange(LANES)
    return left + lane * (width + gap) + lane // 8 * extra, width


def lane_row(ax, left, right, top, active, kind="load", height=8.0):
    """Draw a warp: 32 lanes, active ones solid, masked ones hollow, with numbers under them."""
    x, width = lane_places(left, right)
    boxes = np.stack([x, np.full(LANES, top), np.full(LANES, width), np.full(LANES, height)], 1)
    cells(ax, boxes[active], KINDS.get(kind, "load"))
    hollow = boxes[~active] + (0.35, 0.35, -0.7, -0.7)
    cells(ax, hollow, None, "idle", 0.7, 0.75)
    for lane in (0, 8, 16, 24, 31):
        write(ax, x[lane] + width / 2, top + height + 9.5, str(lane), 8.5, "muted", "center")
