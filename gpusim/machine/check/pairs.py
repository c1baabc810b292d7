"""Pairs of accesses to one word that are worth comparing: near in time, or with the next or the last write."""

from __future__ import annotations

import numpy as np

NEAR = 32  # accesses of one word that are compared with each other, whatever lies between


def neighbours(word, writes):
    """(earlier, later) arrays of places, the nearest pairs first.

    word : (n,) int, sorted, accesses of one word in the order of time;  writes : (n,) bool

    >>> [(a.tolist(), b.tolist()) for a, b in neighbours(np.array([5, 5, 7]), np.array([True, False, True]))][:1]
    [([0], [1])]
    """
    n = len(word)
    place = np.arange(n, dtype=np.int64)
    first = np.maximum.accumulate(np.where(np.diff(word, prepend=-1) != 0, place, 0))
    for distance in range(1, min(NEAR, n - 1) + 1):
        a, b = place[:-distance], place[distance:]
        near = a >= first[b]
        if not near.any():
            return
        yield a[near], b[near]
    last = np.maximum.accumulate(np.where(writes, place, -1))
    last = np.where(place > 0, np.roll(last, 1), -1)
    far = (last >= first) & (place - last > NEAR)
    yield last[far], place[far]
    after = np.minimum.accumulate(np.where(writes, place, n)[::-1])[::-1]
    after = np.append(after[1:], n)
    far = (after < n) & (after - place > NEAR)
    far[far] = word[after[far]] == word[far]
    yield place[far], after[far]
