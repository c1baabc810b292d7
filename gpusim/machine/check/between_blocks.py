"""Races between blocks: nothing inside a launch orders what two blocks do to one element of a global array.

For each element, notes are kept apart for writes, reads and atomics: who was first, and who was first of
another block.  When the launch has ended they tell which elements two blocks have touched, one of them by
writing.  Which blocks ran together does not matter.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import indexed
from ...rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE
from ..values.value import by_lane
from .report import Report
from .words import sentence

SCOPE = "between blocks"
PAIRS = ((WRITE, READ), (ATOMIC, WRITE), (ATOMIC, READ), (WRITE, WRITE))


class Notes:
    """What is known of the elements of one array, in pieces of `grain` bytes; rows READ, WRITE, ATOMIC.

    first, other : the party that came first, and the first of another block; 0 for nobody
    turn : which access of its block that first one was;  clash : blocks have written different values
    """

    def __init__(self, count, grain):
        self.grain = grain
        self.first, self.other = np.zeros((3, count), np.int64), np.zeros((3, count), np.int64)
        self.turn, self.clash = np.zeros((3, count), np.int32), np.zeros(count, bool)

    def finer(self, grain):
        """The same in smaller pieces."""
        times = self.grain // grain
        notes = Notes(0, grain)
        for name in ("first", "other", "turn", "clash"):
            setattr(notes, name, np.repeat(getattr(self, name), times, axis=-1))
        return notes


class BetweenBlocks:
    """Watches the global arrays whose elements several threads may touch."""

    def __init__(self, launch):
        self.launch, self.notes, self.sites, self.turns, self.numbers = launch, {}, {}, {}, {}
        self.blocks, self.threads = (math.prod(size) for size in (launch.grid, launch.block))
        self.needless = self.blocks == 1

    def start(self):
        """Other blocks begin."""
        self.turns, self.numbers = {}, {}

    def access(self, machine, site, buffer, kind, at, mask, value):
        """Note one access of many lanes."""
        if self.needless:
            return
        where = np.broadcast_to(mask, machine.space.full_shape)
        if type(at) is int and kind != WRITE and machine.space.packed is None:
            where = _one_each_block(where)  # of a block, all lanes do the same
        index = np.broadcast_to(by_lane(at), machine.space.full_shape)[where]
        if not len(index):
            return
        block, thread = (numbers[where] for numbers in self._numbers(machine.space))
        me = (
            1
            + (self.sites.setdefault((site, buffer.name), len(self.sites)) * self.blocks + block)
            * self.threads
            + thread
        )
        turn = self.turns[machine] = self.turns.get(machine, 0) + 1
        notes = self._notes_of(buffer, site.size)
        alike = _alike(site, buffer, where, index, value) if kind == WRITE else None
        for part in range(site.size // notes.grain):
            self._note(notes, kind, index * (site.size // notes.grain) + part, me, block, turn, alike)

    def _notes_of(self, buffer, size):
        grain = min(size, 4)
        notes = self.notes.get(buffer)
        if notes is None:
            notes = self.notes[buffer] = Notes(-(-buffer.nbytes // grain), grain)
        elif notes.grain > grain:
            notes = self.notes[buffer] = notes.finer(grain)
        return notes

    def _numbers(self, space):
        """(linear block in the grid, linear thread in the block) of all lanes of a space."""
        known = self.numbers.get(space)
        if known is None:
            known = self.numbers[space] = _numbers(space, self.launch.grid)
        return known

    def _note(self, notes, kind, piece, me, block, turn, alike):
        first, other = notes.first[kind], notes.other[kind]
        written = first[piece] > 0 if kind == WRITE else None
        fresh = first[piece] == 0
        _first_wins(first, piece[fresh], me[fresh])
        notes.turn[kind][piece[fresh]] = turn
        foreign = self._block(first[piece]) != block
        _first_wins(other, piece[foreign & (other[piece] == 0)], me[foreign & (other[piece] == 0)])
        if kind == WRITE:
            several = foreign | (other[piece] > 0)
            notes.clash[piece[several & ~np.where(written, alike[0], alike[1])]] = True

    def _block(self, party):
        return (party - 1) // self.threads % self.blocks

    # At the end of the launch.

    def report(self):
        """Report the elements over which blocks race."""
        for notes in self.notes.values():
            read = np.zeros(len(notes.clash), bool)  # elements that race with reads need no report of writes
            for one, two in PAIRS:
                read |= self._report_pair(notes, one, two, read)

    def _report_pair(self, notes, one, two, read):
        """Report the races of two kinds of accesses; the elements that race with reads."""
        a, b = notes.first[one], (notes.other if one == two else notes.first)[two]
        touched = (a > 0) & (b > 0)
        if not touched.any():
            return touched
        if one != two:  # two parties of different blocks, if there are any
            alone = self._block(a) == self._block(b)
            b = np.where(alone & (notes.other[two] > 0), notes.other[two], b)
            a = np.where(alone & (notes.other[two] == 0) & (notes.other[one] > 0), notes.other[one], a)
            touched &= self._block(a) != self._block(b)
        else:
            touched &= notes.clash & ~read
        place = np.flatnonzero(touched)
        if not len(place):
            return touched
        later_one = notes.turn[one][place] > notes.turn[two][place]  # which one comes later in its block
        later, earlier = np.where(later_one, a[place], b[place]), np.where(later_one, b[place], a[place])
        pair = self._site(later) * len(self.sites) + self._site(earlier)
        for number in np.unique(pair):
            here = np.flatnonzero(pair == number)
            kinds = (one, two) if later_one[here[0]] else (two, one)
            self._add(
                notes,
                kinds,
                int(place[here[0]]),
                int(later[here[0]]),
                int(earlier[here[0]]),
                len(here),
            )
        return touched if READ in (one, two) else np.zeros_like(touched)

    def _site(self, party):
        return (party - 1) // self.threads // self.blocks

    def _add(self, notes, kinds, piece, later, earlier, count):
        sites = list(self.sites)
        name = {READ: RAW, WRITE: WAR if kinds[1] == READ else WAW, ATOMIC: WAR if kinds[1] == READ else WAW}[
            kinds[0]
        ]
        (site, array), (other, _) = sites[self._site(later)], sites[self._site(earlier)]
        (block, thread), (other_block, other_thread) = self._who(later), self._who(earlier)
        index = piece * notes.grain // site.size
        message = sentence(
            name,
            f"thread {indexed(thread)} of block {indexed(block)}",
            f"thread {indexed(other_thread)} of block {indexed(other_block)}",
            f"{array}[{index}]",
            "",
            "blocks run in any order and nothing stands",
        )
        count = -(-count * notes.grain // site.size) if site.size > notes.grain else count
        self.launch.add(
            Report(
                f"{name} race",
                message,
                block=block,
                thread=thread,
                other_block=other_block,
                other_thread=other_thread,
                array=array,
                index=index,
                count=count,
                scope=SCOPE,
                hint="use an atomic function such as atomicAdd, give each block its own elements, or launch a second kernel",
            ),
            site,
            other,
        )

    def _who(self, party):
        """(block, thread) of a party, each as (x, y, z)."""
        return (
            _xyz((party - 1) // self.threads % self.blocks, self.launch.grid[::-1]),
            _xyz((party - 1) % self.threads, self.launch.block[::-1]),
        )


def _one_each_block(where):
    """The first lane of each block among some lanes."""
    lanes = where.reshape(*where.shape[:3], -1)
    first = np.zeros(lanes.shape, bool)
    np.put_along_axis(first, lanes.argmax(axis=3)[..., None], lanes.any(axis=3)[..., None], axis=3)
    return first.reshape(where.shape)


def _first_wins(notes, piece, me):
    """notes[piece] = me, the first of several for one piece."""
    notes[piece[::-1]] = me[::-1]


def _alike(site, buffer, where, index, value):
    """For a write: whether each lane leaves what is there already; whether it leaves what the last lane for
    that element leaves."""
    view = buffer.view(site.dtype, site.width)
    if np.ndim(value) >= 6:
        value = np.broadcast_to(value, where.shape + value.shape[6:])[where]
    value = np.broadcast_to(
        np.asarray(value, site.dtype), (len(index), site.width) if site.width > 1 else (len(index),)
    )
    last = np.zeros(int(index.max()) + 1, np.int64)
    last[index] = np.arange(len(index), dtype=np.int64)
    here, final = (_equal(other, value) for other in (view[index], value[last[index]]))
    return (here, final) if site.width == 1 else (here.all(axis=-1), final.all(axis=-1))


def _equal(a, b):
    return (a == b) | ((a != a) & (b != b))


def _numbers(space, grid):
    if space.packed is not None:
        return [
            np.broadcast_to(x, space.outer.full_shape).reshape(-1)[space.origin]
            for x in _numbers(space.outer, grid)
        ]
    block = np.zeros((1,) * 6, np.int64)
    for axis, factor in ((2, 1), (1, grid[0]), (0, grid[0] * grid[1])):
        block = block + (np.arange(*space.blocks[axis], dtype=np.int64) * factor).reshape(
            [-1 if a == axis else 1 for a in range(6)]
        )
    ids = (
        np.arange(space.thread_count, dtype=np.int64) if space.threads is None else np.asarray(space.threads)
    )
    thread = ids.reshape(1, 1, 1, *space.lanes_shape)
    return np.broadcast_to(block, space.full_shape), np.broadcast_to(thread, space.full_shape)


def _xyz(linear, shape):
    z, y, x = np.unravel_index(int(linear), shape)
    return int(x), int(y), int(z)
