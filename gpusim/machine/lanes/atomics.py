"""Atomics: what lanes do to one word one after the other."""

from __future__ import annotations

import numpy as np

from ..memory.buffers import atomic_target, element
from ..values.arithmetic import lanes
from ..values.unknown import Unknown
from .bounds import inside


def atomic(m, site, op, pointer, index, operands, mask, used=True):
    """A read-modify-write by each lane of `mask`, in block and thread order; returns what each lane found there."""
    buffer, at = atomic_target(site, pointer), element(site, pointer, index)
    at, mask = inside(m, site, buffer, at, mask)
    if mask is False:
        return by_part(site, [site.dtype.type(0)] * site.width)
    if m.counter is not None and buffer.space != "constant":
        m.counter.access(m.space, site, buffer, "atomic_inc" if site.increment else "atomic", at, mask)
    if m.dataless:
        return by_part(site, [Unknown(site)] * site.width)
    parts = zip(*operands) if site.width > 1 else [operands]
    done = [
        _read_modify_write(m.space, site, op, buffer, at, values, mask, used, part)
        for part, values in enumerate(parts)
    ]
    if m.checks is not None:
        m.checks.atomic(m, site, buffer, at, mask, done[0][1])
    return by_part(site, [old for old, _ in done])


def by_part(site, values):
    """A value of a site: a list for a vector, as of half2."""
    return values if site.width > 1 else values[0]


def _read_modify_write(space, site, op, buffer, at, operands, mask, used, part):
    """(what each lane found, for "cas" which lanes wrote) of one number of the element."""
    places, where = _places(space, buffer, at, mask, site, part)
    values = [
        np.broadcast_to(np.asarray(lanes(x, site.dtype), site.dtype), space.full_shape)[where]
        for x in operands
    ]
    flat = buffer.view(site.dtype).reshape(-1)
    if not used and op in _PLAIN:
        _PLAIN[op].at(flat, places, values[0])
        return site.dtype.type(0), None
    found, old = _one_by_one(flat, places, op, values), np.zeros(space.full_shape, site.dtype)
    old[where] = found
    return old, found == values[0] if op == "cas" else None


def _places(space, buffer, at, mask, site, part):
    """Flat indices of the words that the active lanes touch, and where those lanes are."""
    where = np.broadcast_to(mask, space.full_shape)
    index = np.broadcast_to(lanes(at, np.int64), space.full_shape)[where]  # idle lanes have any
    index = index * site.width + part
    if buffer.space == "shared":
        buffer.grow(space.block_shape)
        view = buffer.view(site.dtype)
        own = [
            np.broadcast_to(b if view.shape[a] > 1 else 0, space.full_shape)[where]
            for a, b in enumerate(space.block_index)
        ]
        index = np.ravel_multi_index((*own, index), view.shape)
    return index, where


_PLAIN = {
    "add": np.add,
    "sub": np.subtract,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _apply(op, old, values):
    """The new value of an atomic operation."""
    if op in _PLAIN:
        return _PLAIN[op](old, values[0])
    if op == "exch":
        return values[0]
    if op == "cas":
        return np.where(old == values[0], values[1], old)[()]
    if op == "inc":
        return np.where(old >= values[0], 0, old + 1).astype(old.dtype)[()]
    return np.where((old == 0) | (old > values[0]), values[0], old - 1).astype(old.dtype)[()]


def _one_by_one(flat, places, op, values):
    """Apply an operation lane after lane.  Returns what each found.

    Lanes on different words go in one round; where few words are contended by many lanes, word after word.
    """
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    fresh = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    if op == "add" and flat.dtype.kind in "iu":
        return _found_by_sums(flat, order, ordered, fresh, values[0])
    found = np.empty(len(places), flat.dtype)
    count = np.arange(len(ordered), dtype=np.int64)
    starts = count[fresh]
    turn = count - np.maximum.accumulate(np.where(fresh, count, 0))
    if len(starts) <= turn.max(initial=0):
        for who in np.split(order, starts[1:]):
            place = places[who[0]]
            found[who], flat[place] = _in_a_row(op, flat[place], [v[who] for v in values])
        return found
    by_turn = np.argsort(turn, kind="stable")
    for group in np.split(by_turn, np.flatnonzero(np.diff(turn[by_turn])) + 1):
        who = order[group]
        old = flat[places[who]]
        found[who] = old
        flat[places[who]] = _apply(op, old, [v[who] for v in values])
    return found


def _in_a_row(op, old, values):
    """Lanes that change one word one after the other: (what each finds, what the last leaves)."""
    if op in _PLAIN:
        states = _PLAIN[op].accumulate(np.concatenate([[old], values[0]]).astype(values[0].dtype))
        return states[:-1], states[-1]
    if op == "exch":
        return np.concatenate([[old], values[0][:-1]]), values[0][-1]
    found, at = np.empty_like(values[0]), 0
    while at < len(found):  # to the next lane that changes something
        changes = _apply(op, old, [v[at:] for v in values]) != old
        first = int(changes.argmax())
        if not changes[first]:
            found[at:] = old
            break
        found[at : at + first + 1] = old
        old, at = _apply(op, old, [v[at + first] for v in values]), at + first + 1
        if first < 8:  # often: then by single steps
            for place in range(at, min(at + 64, len(found))):
                found[place] = old
                old = _apply(op, old, [v[place] for v in values])
            at = min(at + 64, len(found))
    return found, old


def _found_by_sums(flat, order, ordered, fresh, amounts):
    """Additions in lane order, by running sums: integers wrap, so the order of adding does not matter."""
    amounts = amounts[order]
    running = np.cumsum(amounts, dtype=flat.dtype) - amounts
    before = running - np.repeat(running[fresh], np.diff(np.append(np.flatnonzero(fresh), len(ordered))))
    found = np.empty(len(order), flat.dtype)
    found[order] = flat[ordered] + before
    np.add.at(flat, ordered, amounts)
    return found
