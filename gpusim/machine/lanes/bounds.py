"""Bounds: lanes that miss an array stop the run, or are reported and dropped."""

from __future__ import annotations

import numpy as np

from ...errors import OutOfBounds
from ..check.report import more_shared
from ..values.space import settle
from ..values.value import bounds, six_axes, unknown_of
from .masks import without


def inside(m, site, buffer, at, mask):
    """An index and its mask, without the lanes that miss the array: those raise, or are reported and dropped."""
    count = buffer.nbytes // site.size
    m.progress.spend(m.space.block_count * m.space.thread_count)
    low, high = bounds(at)
    if low is not None and 0 <= low and high < count:
        return at, mask
    if unknown_of(at) is not None:
        raise m.launch.not_countable(site, at)
    values = six_axes(at)
    outside = settle(((values < 0) | (values >= count)) & mask)
    if outside is False:
        return at, mask
    tell_outside(m, site, buffer, values, outside, count)
    return (np.where(outside, 0, values) if outside is not True else 0), without(mask, outside)


def tell_outside(m, site, buffer, values, outside, count):
    """Raise, or report, that the lanes `outside` reach elements beyond the `count` of an array."""
    if m.launch.bounds == "raise":
        raise _error(m.space, site, buffer, values, outside, count)
    m.launch.findings.outside(m, site, buffer, values, outside, count)


def _error(space, site, buffer, values, outside, count):
    name = buffer.name
    block, thread, index = space.first(outside, values)
    index, count, total = index * site.scale, count * site.scale, space.lanes_of(outside)
    others = "" if total == 1 else f"; {total} threads in all"
    message = f"index {index} is outside {name}, which is empty"
    if count:
        has = f"which has {count} element{'s' * (count != 1)} (0 to {count - 1})"
        message = f"index {index} is outside {name}, {has}{others}"
    where = {"line": site.line, "column": site.column, "block": block, "thread": thread}
    return OutOfBounds(message, **where, **more_shared(buffer))
