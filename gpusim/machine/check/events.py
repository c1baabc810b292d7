"""Events: what the entries of an epoch mean thread by thread; one row for each access of one thread.

Columns: block, thread (both linear), element, number of the entry; beside them what each write leaves, where that matters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..values.value import by_lane, start, table


@dataclass(frozen=True, slots=True)
class Entry:
    """One access of many lanes, or a __syncwarp (buffer None).

    at : element in units of the access's size, or the mask that a __syncwarp names;  space : whose lanes
    turn : its number since the barrier, in its machine
    """

    site: object
    buffer: object
    kind: int | None
    at: object
    mask: object
    value: object
    turn: int
    space: object

    def with_mask(self, mask):
        return replace(self, mask=mask)


def block_events(entry, mask):
    """The events of one block, whose lanes are those of `mask` (flat, or None for all); without values."""
    threads = (
        np.arange(entry.space.thread_count, dtype=np.int64)
        if entry.space.threads is None
        else np.asarray(entry.space.threads)
    )
    own = 0 if table(entry.at) is None else table(entry.at).array
    at = np.broadcast_to(start(entry.at) + own, entry.space.lanes_shape).reshape(-1)
    if mask is not None:
        threads, at = threads[mask], at[mask]
    return np.zeros(len(threads), np.int64), threads, at, None


def lane_events(space, entry):
    """The same for all blocks, with values."""
    own = entry.space
    where = np.broadcast_to(entry.mask, own.full_shape)
    lane, plain = origin(own, np.flatnonzero(where))
    block, thread = np.divmod(lane, plain.thread_count)
    if plain.threads is not None:
        thread = np.asarray(plain.threads)[thread]
    at = by_lane(entry.at)
    at = np.broadcast_to(at, own.full_shape)[where]
    value = entry.value
    if np.ndim(value) >= 6:
        shape = own.full_shape + value.shape[6:]
        value = (
            np.ascontiguousarray(np.broadcast_to(value, shape)[where])
            .reshape(len(at), -1)
            .view(np.uint8)
            .reshape(len(at), -1)
        )
    else:
        value = None
    return block, thread, at, value


def origin(space, lane):
    """Flat positions of lanes in the space that was there before any packing, and that space."""
    while space.packed is not None:
        lane, space = space.origin.reshape(-1)[lane], space.outer
    return lane, space


def join(parts):
    """Events of all entries: (block, thread, element, entry number, [value or None an entry])."""
    numbers = np.repeat(np.arange(len(parts), dtype=np.int64), [len(p[0]) for p in parts])
    columns = [np.concatenate([np.asarray(p[i], np.int64) for p in parts]) for i in range(3)]
    return (*columns, numbers, [p[3] for p in parts])
