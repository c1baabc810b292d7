"""Races: two threads touch one word, at least one of them writes it, and nothing says who comes first.

The rule knows words and parties.  A party is whatever runs in a known order by itself: between the warps of a
block the parties are warps, inside a warp they are threads, between blocks they are blocks.  It is asked
about the accesses between two barriers, since a barrier orders what stands before it and what stands after
it.
"""

from __future__ import annotations

READ, WRITE, ATOMIC = 0, 1, 2
RAW, WAR, WAW = "read-after-write", "write-after-read", "write-after-write"


def races(party, word, kind, step, value=None):
    """The races among accesses that no barrier separates, in the order in which they were made.

    party : (n,) int, who makes each access;  word : (n,) int, which word it touches
    kind : (n,) READ, WRITE or ATOMIC;  step : (n,) int, the instruction, counted from the barrier on
    value : (n,) what a write leaves behind; parties that write one value in one instruction do not race
    return : [(earlier, later, name)], two access numbers and RAW, WAR or WAW; at most one of each name for a
        later access

    An access is compared with what happened to its word since the last plain write: with that write (all that its
    instruction made), with the reads and with the atomics after it.  Atomics do not race with atomics.

    >>> races(party=[0, 1], word=[7, 7], kind=[WRITE, READ], step=[0, 1])       # warp 1 reads what warp 0 has just written
    [(0, 1, 'read-after-write')]
    >>> races(party=[0, 0], word=[7, 7], kind=[WRITE, READ], step=[0, 1])
    []
    """
    found = []
    for later in range(len(party)):
        same = [i for i in range(len(party)) if word[i] == word[later]]
        before = [i for i in same if step[i] < step[later]]
        write = max((i for i in before if kind[i] == WRITE), key=lambda i: (step[i], i), default=None)
        since = [i for i in before if write is None or step[i] > step[write]]
        others = {k: [i for i in since if kind[i] == k and party[i] != party[later]] for k in (READ, ATOMIC)}
        written = [i for i in before if write is not None and kind[i] == WRITE and step[i] == step[write]]
        written = [i for i in written if party[i] != party[later]][-1:]
        if kind[later] == READ:
            found += [(i, later, RAW) for i in (written or others[ATOMIC])[:1]]
        else:
            beside = _differing(later, same, party, kind, step, value) if kind[later] == WRITE else []
            earlier = written or (others[ATOMIC] if kind[later] == WRITE else []) or beside
            found += [(i, later, WAW) for i in earlier[:1]] + [(i, later, WAR) for i in others[READ][:1]]
    return found


def _differing(later, same, party, kind, step, value):
    """The last write of the same instruction, if it is another party's and leaves another value."""
    last = max(i for i in same if kind[i] == WRITE and step[i] == step[later])
    alike = value is not None and value[last] == value[later]
    return [] if party[last] == party[later] or alike else [last]
