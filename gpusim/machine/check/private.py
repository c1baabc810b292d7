"""Words that one thread keeps to itself: where no other thread of the block touches them, there is nothing to sort.

Counters of a lane, columns of a thread: their addresses depend on data, but their owner does not.
"""

from __future__ import annotations

import math

import numpy as np

from ..values.value import by_lane
from .events import origin

MOST_CELLS = 1 << 25


def shared_only(space, entries):
    """The entries without those whose buffer gives every word to one thread; a block's words are looked at apart."""
    by_buffer = {}
    for entry in entries:
        if entry.buffer is not None:
            by_buffer.setdefault(entry.buffer, []).append(entry)
    mixed = {buffer for buffer, found in by_buffer.items() if not _private(space, buffer, found)}
    return [e for e in entries if e.buffer is None or e.buffer in mixed] if mixed else []


def _private(space, buffer, entries):
    """True if no two threads of a block touch one word."""
    grain = min([4] + [e.site.size for e in entries])
    words = -(-buffer.nbytes // grain)
    if buffer.space != "shared" or words * space.block_count > MOST_CELLS:
        return False
    owner = np.zeros(words * space.block_count, np.int32)
    for entry in entries:
        base, thread, index = _lanes(space, entry, words)
        per = entry.site.size // grain
        for part in range(per):
            cell = base + (index * per + part if per > 1 else index)
            before = owner[cell]
            if ((before != thread) & (before != 0)).any():
                return False
            owner[cell] = thread
            if (owner[cell] != thread).any():
                return False
    return True


def _lanes(space, entry, words):
    """(first cell of the block, thread + 1, index) of the lanes that take part."""
    own = entry.space
    block, thread = _numbers(own, words)
    index = by_lane(entry.at)
    index = np.broadcast_to(index, own.full_shape).reshape(-1)
    if entry.mask is True:
        return block, thread, index
    where = np.broadcast_to(entry.mask, own.full_shape).reshape(-1)
    return block[where], thread[where], index[where]


def _numbers(space, words):
    """(first cell of the block, thread + 1) of all lanes, remembered by the space."""
    memory = space.__dict__.setdefault("_cells", {})
    if words not in memory:
        lane, plain = origin(space, np.arange(math.prod(space.full_shape), dtype=np.int64))
        block, thread = np.divmod(lane, plain.thread_count)
        ids = thread if plain.threads is None else np.asarray(plain.threads)[thread]
        memory[words] = block * words, (ids + 1).astype(np.int32)
    return memory[words]
