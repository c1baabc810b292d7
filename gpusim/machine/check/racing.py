"""Races among many accesses at once: the rule of `rules.races` by sorting, and its use between warps and
inside a warp."""

from __future__ import annotations

import numpy as np

from ...rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE

NAMES = (RAW, WAR, WAW)
FAR = 1 << 20  # more than any party's number
MANY, MOST_WORDS = 1 << 12, 1 << 24  # accesses, words


def find_races(party, word, kind, step, value=None):
    """What `rules.races.races` finds, for arrays: (earlier, later, name), each (r,) int; NAMES[name].

    party : (n,) int below 2^20; word, kind, step : (n,) int; value : (n,) or None
    Of several parties that an access races with, the earlier one named may differ from the plain rule's.

    >>> [x.tolist() for x in find_races(np.array([0, 1]), np.array([7, 7]), np.array([WRITE, READ]), np.array([0, 1]))]
    [[0], [1], [0]]
    """
    kept = _worth(party, word, kind, step) if len(word) > MANY else None
    if kept is None:
        return _sorted(party, word, kind, step, value)
    value = None if value is None else value[kept]
    earlier, later, name = _sorted(party[kept], word[kept], kind[kept], step[kept], value)
    return kept[earlier], kept[later], name


def _sorted(party, word, kind, step, value):
    """The races among accesses, found in the order of their words and steps."""
    order = np.lexsort((step, word))  # stable: accesses of one step stay in their order
    party, word, kind, step = party[order], word[order], kind[order], step[order]
    n = len(order)
    if n == 0:
        return (np.zeros(0, np.int64),) * 3
    place = np.arange(n, dtype=np.int64)
    new_word = np.diff(word, prepend=word[0] - 1) != 0
    new_group = new_word | (np.diff(step, prepend=step[0] - 1) != 0)  # a group: one word in one step
    start = np.maximum.accumulate(np.where(new_group, place, 0))
    first = np.maximum.accumulate(np.where(new_word, place, 0))
    write = kind == WRITE
    # A span: what happens to a word from one plain write to the next.
    writes_in_group = np.zeros(n, bool)
    writes_in_group[start[write]] = True
    closes = np.zeros(n, bool)  # groups right after one that wrote
    closes[1:] = new_group[1:] & writes_in_group[start[:-1]]
    span = np.cumsum(new_word | closes, dtype=np.int64)
    last = np.maximum.accumulate(np.where(write, place, -1))
    before = np.where(start > first, start - 1, -1)  # the access before this group, of the same word
    writer = np.where(before >= 0, last[before], -1)
    writer = np.where(writer >= first, writer, -1)
    writer = _foreign(party, start, write, writer, place)
    foreign_write = writer >= 0
    found = []
    reads = _other_party(party, span, kind == READ, before, place)
    atomics = _other_party(party, span, kind == ATOMIC, before, place)
    earlier = np.where(foreign_write, writer, atomics)
    _collect(found, order, earlier, (kind == READ) & (earlier >= 0), 0)
    _collect(found, order, reads, (kind != READ) & (reads >= 0), 1)
    beside = _beside(party, start, write, None if value is None else value[order], place)
    earlier = np.where(foreign_write, writer, np.where(write, np.where(atomics >= 0, atomics, beside), -1))
    _collect(found, order, earlier, (kind != READ) & (earlier >= 0), 2)
    return tuple(np.concatenate(parts) for parts in zip(*found))


def _worth(party, word, kind, step):
    """The accesses that matter, in their order, or None if nearly all do.

    Of the reads of a word before anything else happens to it, two are enough: the last ones of the greatest and of the
    smallest party.
    """
    low = int(word.min())
    words = int(word.max()) - low + 1
    if words > MOST_WORDS:
        return None
    word = word - low
    starts = np.full(words, np.iinfo(np.int64).max, np.int64)
    other = np.flatnonzero(kind != READ)
    np.minimum.at(starts, word[other], step[other])
    leading = (kind == READ) & (step < starts[word])
    reads = np.flatnonzero(leading & (starts[word] < np.iinfo(np.int64).max))
    if 2 * int(leading.sum()) < len(word):
        return None
    kept = ~leading
    for rank in (party[reads], FAR - party[reads]):
        top = np.full(words, -1, np.int64)
        np.maximum.at(top, word[reads], rank)
        best = np.full(words, -1, np.int64)
        at = reads[rank == top[word[reads]]]
        np.maximum.at(best, word[at], step[at] * len(word) + at)
        kept[best[best >= 0] % len(word)] = True
    return np.flatnonzero(kept)


def _foreign(party, start, write, writer, place):
    """A write of the same instruction as `writer` by another party than the access's own; -1 for none."""
    made = np.flatnonzero(write)
    result = np.full(len(place), -1, np.int64)
    for rank in (party, FAR - party):  # the greatest and the smallest party: one differs, if any does
        top = np.full(len(place), -1, np.int64)
        np.maximum.at(top, start[made], rank[made] * len(place) + made)
        candidate = np.where(writer >= 0, top[start[writer]] % len(place), -1)
        result = np.where((candidate >= 0) & (party[candidate] != party), candidate, result)
    same = (writer >= 0) & (party[writer] != party)  # the last one of all is named where it will do
    return np.where(same, writer, result)


def _collect(found, order, earlier, where, name):
    later = np.flatnonzero(where)
    found.append((order[earlier[later]], order[later], np.full(len(later), name)))


def _other_party(party, span, chosen, before, place):
    """For each access, a chosen access of another party in its span, before its group; -1 for none."""
    n = len(party)
    if not chosen.any():
        return np.full(n, -1, np.int64)
    result = np.full(n, -1, np.int64)
    for sign in (1, -1):  # the greatest and the smallest party: one differs, if any does
        rank = party + 1 if sign > 0 else FAR - party
        key = np.where(chosen, rank * n + place, 0) + span * (FAR + 1) * n
        top = np.maximum.accumulate(key)[before]
        inside = (before >= 0) & (top > span * (FAR + 1) * n) & (top < (span + 1) * (FAR + 1) * n)
        candidate = np.where(inside, top % n, -1)
        good = (candidate >= 0) & (party[candidate] != party)
        result = np.where(good, candidate, result)
    return result


def _beside(party, start, write, value, place):
    """The last write of the same group, where it is another party's and leaves another value; -1
    otherwise."""
    last = np.full(len(place), -1, np.int64)
    np.maximum.at(last, start[write], place[write])
    mate = last[start]
    differs = (mate >= 0) & write & (party[mate] != party)
    if value is not None:
        alike = value[mate] == value
        differs &= ~(alike if alike.ndim == 1 else alike.all(axis=1))
    return np.where(differs, mate, -1)
