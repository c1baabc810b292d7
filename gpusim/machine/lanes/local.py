"""Local arrays: one for each thread, an index that is the same for all names a value, another gathers; unset
elements are known.

A LocalBuffer's `unset` lists for each element the lanes that have not set it (True: none has), or is None once all
have.
"""

from __future__ import annotations

import numpy as np

from ..memory import puns
from ..memory.buffers import LocalBuffer, Pointer, element
from ..values.arithmetic import lanes
from ..values.space import settle
from ..values.value import bounds, by_lane, six_axes, unknown_of
from .bounds import tell_outside
from .masks import merge, merge_pointer, without

MOST = 64  # elements whose setting is followed lane by lane under an index of its own for each lane


def local(m, name, dtype, count, values):
    """A pointer to a thread's own array; unset elements read as NaN or 0."""
    if values is not None:
        return Pointer(LocalBuffer(name, dtype, values))
    buffer = LocalBuffer(name, dtype, [0] * count)
    buffer.values = [kind.type(np.nan) if kind.kind == "f" else 0 for kind in buffer.dtypes]
    if m.checks is not None:
        buffer.unset = [True] * count
    return Pointer(buffer)


def load_local(m, site, pointer, index, mask):
    """What each lane reads from its own array."""
    buffer, at = pointer.buffer, element(site, pointer, index)
    load = _load_element if buffer.dtype == site.dtype else _load_other
    found = [load(m, site, buffer, at * site.width + part, mask) for part in range(site.width)]
    return found if site.width > 1 else found[0]


def _load_element(m, site, buffer, at, mask):
    at, inside = _inside(m, site, buffer, at, mask)
    if buffer.unset is not None:
        _look_for_unset(m, site, buffer, at, inside)
    value = buffer.get(at)
    if inside is not mask:  # reads beyond the array give 0
        value = np.where(inside, lanes(value, buffer.dtype), buffer.dtype.type(0))
    return value


def _load_other(m, site, buffer, at, mask):
    """A load by another type than the array's, or from a struct; `at` in units of that type."""
    size = site.dtype.itemsize
    at, inside = _inside(m, site, buffer, at, mask, buffer.nbytes // size)
    if type(at) is not int:
        value = puns.read(buffer, at * size, site.dtype)
    else:
        k = buffer.element_at(at * size, site.dtype)
        if buffer.unset is not None:
            for touched in [k] if k is not None else puns.overlapped(buffer, at * size, size):
                _look_for_unset(m, site, buffer, touched, inside)
        value = buffer.values[k] if k is not None else puns.read(buffer, at * size, site.dtype)
    if inside is not mask:
        value = np.where(inside, lanes(value, site.dtype), site.dtype.type(0))
    return value


def store_local(m, site, pointer, index, value, mask):
    """Write for each lane of `mask` into its own array."""
    buffer, at = pointer.buffer, element(site, pointer, index)
    store = _store_element if buffer.dtype == site.dtype else _store_other
    for part, item in enumerate(value if site.width > 1 else [value]):
        store(m, site, buffer, at * site.width + part, item, mask)


def _store_element(m, site, buffer, at, value, mask):
    at, mask = _inside(m, site, buffer, at, mask)
    if mask is False:
        return
    if type(at) is int:
        _set(buffer, at, value, mask)
        return
    at = by_lane(at)
    for place in np.unique(at).tolist():
        here = settle((at == place) & mask)
        if here is not False:
            _set(buffer, place, value, here)


def _store_other(m, site, buffer, at, value, mask):
    """A store by another type than the array's, or into a struct."""
    size = site.dtype.itemsize
    at, mask = _inside(m, site, buffer, at, mask, buffer.nbytes // size)
    if mask is False:
        return
    for place in [at] if type(at) is int else np.unique(at).tolist():
        here = mask if type(at) is int else settle((at == place) & mask)
        if here is False:
            continue
        k = buffer.element_at(place * size, site.dtype)
        pairs = [(k, value)] if k is not None else puns.changed(buffer, place * size, site.dtype, value)
        for number, new in pairs:
            _set(buffer, number, new, here)


def _set(buffer, place, value, mask):
    old = buffer.values[place]
    if isinstance(value, Pointer) or isinstance(old, Pointer):
        buffer.values[place] = merge_pointer(mask, value, old)
    else:
        buffer.values[place] = merge(mask, value, old, buffer.dtypes[place])
    if buffer.unset is not None:
        buffer.unset[place] = without(buffer.unset[place], mask)
        if all(lanes is False for lanes in buffer.unset):
            buffer.unset = None


def _look_for_unset(m, site, buffer, at, mask):
    if type(at) is int:
        bad = buffer.unset[at]
        bad = mask if bad is True else False if bad is False else settle(bad & mask)
    elif len(buffer.unset) > MOST:
        return
    else:
        index, bad = by_lane(at), False
        for place, unset in enumerate(buffer.unset):
            if unset is not False:
                bad = bad | ((index == place) & unset & mask)
        if bad is not False:
            bad = settle(np.broadcast_to(bad, np.broadcast_shapes(bad.shape, (1,) * 6)))
    if bad is not False and m.checks is not None:
        why = "a local array starts with whatever its registers held"
        m.checks.unset.report(m, site, buffer, bad, at, why)


def _inside(m, site, buffer, at, mask, count=None):
    """An index into a local array and its mask, without the lanes that miss the array.

    count : of the places that the index may have, the elements if None
    """
    count = len(buffer.values) if count is None else count
    low, high = bounds(at)
    if low is not None and 0 <= low and high < count:
        return by_lane(at), mask
    if unknown_of(at) is not None:
        raise m.launch.not_countable(site, at)
    values = six_axes(at)
    outside = settle(((values < 0) | (values >= count)) & mask)
    if outside is False:
        return np.where(mask, values, 0), mask
    tell_outside(m, site, buffer, values, outside, count)
    inside = without(mask, outside)
    return np.where(inside, values, 0), inside
