"""Shared-memory banks: how many rounds ("wavefronts") one warp access takes."""

from __future__ import annotations

import numpy as np

from ..units import BANKS, LANES, WORD
from .warps import as_warps, numbered


def wavefronts(addresses, active, size, kind="load"):
    """Count the rounds of each warp access to shared memory.

    addresses : (warps, 32) int, byte address of each lane
    active : (warps, 32) bool, lanes that take part
    size : bytes a lane asks for: 1, 2, 4, 8 or 16
    kind : "load", "store", "atomic", or "atomic_inc" for adding the constant 1
    return : (warps,) int, 0 where no lane is active

    Lanes on the same word share it; different words of one bank queue, and the longest queue counts.
    8 bytes go by half-warps and 16 bytes by quarter-warps, each with its own queue; see `_merged` for loads.
    Lanes of an atomic queue even for the same word; adding 1 is summed up per word first.

    >>> lane = np.arange(32)
    >>> [int(wavefronts(lane * 4 * stride, True, 4)[0]) for stride in (0, 1, 2, 32, 33)]
    [1, 1, 2, 32, 1]
    """
    return sum(_queue(words, kind, size) for words in _passes(addresses, active, size, kind))


def schedule(addresses, active, size, kind="load"):
    """Who is served when in one warp access: the rounds that `wavefronts` counts, one by one.

    addresses, active : (32,);  size, kind : as for `wavefronts`
    return : [(lane, bank, round)], rounds counted from 0, and [0, the first round after each pass]

    >>> served, ends = schedule(np.arange(32) * 8, True, 4)
    >>> served[0], served[16], ends
    ((0, 0, 0), (16, 0, 1), [0, 2])
    """
    served, ends = [], [0]
    wide = max(1, size // WORD)
    for number, (words,) in enumerate(_passes(addresses, active, size, kind)):
        queues = {}
        for place in np.flatnonzero(words >= 0):
            part, place = divmod(int(place), LANES)  # neighbouring passes may be served together
            lane, word = ((number + part) * LANES + place) // wide, int(words[part * LANES + place])
            queue = queues.setdefault(word % BANKS, [])
            turn = word if _shares(kind, size) else (word, lane)
            if turn not in queue:
                queue.append(turn)
            served.append((lane, word % BANKS, ends[-1] + queue.index(turn)))
        if queues:
            ends.append(ends[-1] + max(map(len, queues.values())))
    return served, ends


def _shares(kind, size):
    """Whether lanes on one word share a round; those of an atomic queue, unless they are summed up first."""
    return kind != "atomic" and not (kind == "atomic_inc" and size > WORD)


def ideal_wavefronts(addresses, active, size, kind="load"):
    """The fewest rounds for this width: one for each pass in which a lane is active.

    >>> lane = np.arange(32)
    >>> [int(ideal_wavefronts(lane * size, True, size)[0]) for size in (4, 8, 16)]
    [1, 2, 4]
    """
    return sum((words >= 0).any(axis=1).astype(np.int64) for words in _passes(addresses, active, size, kind))


def excess(addresses, active, size, kind="load"):
    """Rounds beyond the ideal: what a profiler calls bank conflicts."""
    args = addresses, active, size, kind
    return wavefronts(*args) - ideal_wavefronts(*args)


def _passes(addresses, active, size, kind):
    """Yield the words that each pass asks for: (warps, words of a pass), -1 where there is none."""
    if size not in (1, 2, 4, 8, 16):
        raise ValueError(f"a lane loads or stores 1, 2, 4, 8 or 16 bytes at once, not {size}")
    if kind not in ("load", "store", "atomic", "atomic_inc"):
        raise ValueError(f"kind is load, store, atomic or atomic_inc, not {kind!r}")
    addresses, active = as_warps(addresses, active)
    wide = max(1, size // WORD)
    word, _ = numbered(addresses, active, WORD, group=BANKS)  # counted from a word of bank 0
    words = np.where(active[:, :, None], word[:, :, None] + np.arange(wide, dtype=word.dtype), -1)
    words = words.reshape(len(addresses), wide, BANKS)
    if wide == 1 or kind != "load":
        yield from np.moveaxis(words, 1, 0)
        return
    merged = _merged(addresses, active)[:, None]
    for pair in range(0, wide, 2):
        first, second = words[:, pair], words[:, pair + 1]
        yield np.hstack([first, np.where(merged, second, -1)])
        yield np.where(merged, -1, second)


def _merged(addresses, active):
    """Wide loads of which neighbouring passes are served together.

    They are if every lane's neighbour (lane ^ 1 throughout, or lane ^ 2 throughout) is idle or at the
    lane's address.  Found by measuring an H200; not documented, and stores do not do it.
    """

    def neighbours_agree(step):
        other = np.arange(BANKS, dtype=np.int64) ^ step
        return (~active | ~active[:, other] | (addresses == addresses[:, other])).all(axis=1)

    return neighbours_agree(1) | neighbours_agree(2)


def _queue(words, kind="load", size=WORD):
    """The longest queue at one bank, (warps,); `words` (warps, any), -1 where there is none."""
    queued = words >= 0
    if _shares(kind, size):
        words = np.sort(words, axis=1)  # equal words now stand side by side
        queued = words >= 0
        queued[:, 1:] &= words[:, 1:] != words[:, :-1]
    row, column = np.nonzero(queued)
    bins = np.bincount(row * BANKS + words[row, column] % BANKS, minlength=len(words) * BANKS)
    return bins.reshape(len(words), BANKS).max(axis=1)
