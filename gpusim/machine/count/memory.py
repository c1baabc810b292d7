"""Memory of the counting machine: loads give Unknown, accesses are counted, local arrays hold values."""

from __future__ import annotations

from ...errors import OutOfBounds
from ..account.touch import Touch
from ..check.report import more_shared
from ..memory.buffers import LocalBuffer, Pointer, atomic_target, element, stored_target, target
from ..memory.puns import changed
from ..values.pattern import Irregular
from ..values.unknown import UNKNOWN, Unknown, is_coming, use
from ..values.value import bounds, strides, unknown_of
from .counting import count_access
from .masks import merge
from .regions import evaluate, items_of


def local(m, name, dtype, count, values):
    """A pointer to a thread's own array."""
    return Pointer(LocalBuffer(name, dtype, values if values is not None else [UNKNOWN] * count))


def load(m, site, pointer, index, mask):
    """Count a load that goes out now; its value is awaited where it is used."""
    buffer = target(site, pointer)
    at = element(site, pointer, index)
    if buffer.space == "local":
        return _load_local(site, buffer, at)
    requests = _touch(m, site, buffer, "load", at, mask)
    loops = len(m.waits.scopes)
    along = (*strides(at)[3:], *(0,) * loops)[:loops]
    value = Unknown(site, m.waits.issue(site, buffer.space == "shared", requests, along))
    return [value] * site.width if site.width > 1 else value


def store(m, site, pointer, index, value, mask):
    """Count a store, which waits for its value."""
    buffer = stored_target(site, pointer)
    at = element(site, pointer, index)
    if buffer.space == "local":
        return _store_local(m, site, buffer, at, value, mask)
    for part in value if isinstance(value, list) else [value]:
        use(part)
    if buffer.space == "global":
        m.waits.hold()
    _touch(m, site, buffer, "store", at, mask)


def atomic(m, site, op, pointer, index, operands, mask, used):
    """Count an atomic, which waits for its operands."""
    for operand in operands:
        for part in operand if site.width > 1 else [operand]:
            use(part)
    m.waits.hold()
    buffer, at = atomic_target(site, pointer), element(site, pointer, index)
    _touch(m, site, buffer, "atomic_inc" if site.increment else "atomic", at, mask)
    return [Unknown(site)] * site.width if site.width > 1 else Unknown(site)


def _touch(m, site, buffer, kind, at, mask):
    """Count an access; returns how many warps make it."""
    if unknown_of(at) is not None:
        if at.site is not None:
            raise m.launch.not_countable(site, at)
        raise Irregular("an address that the machine has not followed")
    _check_inside(m, site, buffer, at, mask)
    m.progress.spend(0)
    m.script.note(site, mask, None, kind, buffer.space, buffer.name, at)
    entry, requests = count_access(m, site, buffer.space, kind, at, mask)
    if buffer.space == "global":
        entry.touches.append(Touch(buffer, kind, site.size, at, items_of(mask), tuple(m.space.extents)))
    return requests


def _check_inside(m, site, buffer, at, mask):
    count = buffer.nbytes // site.size
    lo, hi = bounds(at)
    if lo >= 0 and hi < count:
        return
    for condition in (at >= 0, at < count):
        if evaluate(m.space, items_of(mask), condition)[1]:
            raise OutOfBounds(
                f"an index of {buffer.name} runs from {lo} to {hi}, but {buffer.name} has {count} elements",
                line=site.line,
                column=site.column,
                **more_shared(buffer),
            )


# Local arrays.


def _load_local(site, buffer, at):
    if type(at) is int:
        places = [_place(site, buffer, at * site.width + i) for i in range(site.width)]
        values = [buffer.values[k] if k is not None else UNKNOWN for k in places]
        return values if site.width > 1 else values[0]
    value = next((x for x in buffer.values if is_coming(x)), UNKNOWN)
    return [value] * site.width if site.width > 1 else value


def _store_local(m, site, buffer, at, value, mask):
    values = value if site.width > 1 else [value]
    if type(at) is not int:
        buffer.values[:] = [unknown_of(values[0], UNKNOWN)] * len(buffer.values)
        return
    for at_, item in enumerate(values, at * site.width):
        k, size = _place(site, buffer, at_), site.dtype.itemsize
        touched = [(k, item)] if k is not None else changed(buffer, at_ * size, site.dtype, UNKNOWN)
        for number, new in touched:
            old = buffer.values[number]
            buffer.values[number] = merge(m, mask, new, old, buffer.dtypes[number])


def _place(site, buffer, place):
    """The number of the element that an access in units of its own type is, None where it is no single one."""
    size = site.dtype.itemsize
    if not 0 <= place < buffer.nbytes // size:
        raise OutOfBounds(
            f"index {place} is outside {buffer.name}, which has {buffer.nbytes // size} elements",
            line=site.line,
            column=site.column,
        )
    return buffer.element_at(place * size, site.dtype)
