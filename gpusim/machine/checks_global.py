"""Races between blocks: nothing inside a launch orders what two blocks do to one element of a global array.

For each byte-wide, word-wide, ... element three notes are kept: the first writer, the first reader and the first atomic, each with
the sign whether a second block has done the same.  Two blocks race over an element as soon as one of them writes it.
"""
from __future__ import annotations

import numpy as np

from ..rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE
from .checks_words import sentence
from .pattern import Pattern
from .reading import orders_blocks
from .report import Report, triple

SCOPE = "between blocks"


class Notes:
    """Who was first to read, write or update each piece of one array: 0 for nobody, else 1 + block + blocks * site number."""

    def __init__(self, count):
        self.first = np.zeros((3, count), np.int64)
        self.thread = np.zeros((3, count), np.int32)
        self.more = np.zeros((3, count), bool)              # another block did the same


class BetweenBlocks:
    """Watches the global arrays whose elements several threads may touch."""

    def __init__(self, launch):
        self.launch, self.notes, self.sites, self.grains = launch, {}, {}, {}
        grid = launch.grid
        self.blocks = grid[0] * grid[1] * grid[2]
        self.ordered = orders_blocks(launch.kernel)
        self.numbers = {}

    def access(self, machine, site, buffer, kind, at, mask, value):
        """Compare one access with the notes, then add it to them."""
        if self.blocks == 1 or self.ordered:
            return
        where = np.broadcast_to(mask, machine.space.full_shape)
        index = np.broadcast_to(at.lanes() if type(at) is Pattern else at, machine.space.full_shape)[where]
        block, thread = self._who(machine, where)
        grain, notes = self._notes(buffer, site.size)
        for part in range(site.size // grain):
            piece = index * (site.size // grain) + part
            self._compare(site, buffer, notes, kind, piece, block, thread, index, self._alike(machine, site, buffer, kind, where, index, value))

    def _notes(self, buffer, size):
        """The notes of an array, in pieces as small as its smallest access."""
        grain = min(size, 4)
        known = self.grains.get(buffer)
        if known is not None and known > grain:              # finer from now on
            old, times = self.notes[buffer], known // grain
            fresh = Notes(old.first.shape[1] * times)
            for name in ("first", "thread", "more"):
                setattr(fresh, name, np.repeat(getattr(old, name), times, axis=1))
            self.notes[buffer] = fresh
        if known is None:
            self.notes[buffer] = Notes(-(-buffer.nbytes // grain))
        self.grains[buffer] = grain = grain if known is None else min(known, grain)
        return grain, self.notes[buffer]

    def _who(self, machine, where):
        """(linear block number in the grid, linear thread in the block) of the lanes that are on."""
        key = machine.space
        known = self.numbers.get(key)
        if known is None or known[0] != key.blocks:
            if len(self.numbers) > 64:
                self.numbers.clear()
            known = self.numbers[key] = (key.blocks, *_numbers(machine.space, self.launch.grid))
        return known[1][where], known[2][where]

    def _alike(self, machine, site, buffer, kind, where, index, value):
        """For a write: whether each lane leaves what is there already, or what all others of this instruction leave."""
        if kind != WRITE or value is None or buffer.data is None:
            return None
        view = buffer.view(site.dtype, site.width)
        if np.ndim(value) >= 6:
            value = np.broadcast_to(value, where.shape + value.shape[6:])[where]
        here = view[index]
        with np.errstate(invalid="ignore"):
            same = here == np.asarray(value, site.dtype)
        same = same if site.width == 1 else same.all(axis=-1)
        final = {}
        if np.ndim(value) and len(index):
            last = np.zeros(int(index.max()) + 1, np.int64)
            last[index] = np.arange(len(index))
            agree = value[last[index]] == value
            final = agree if site.width == 1 else agree.all(axis=-1)
        else:
            final = np.ones(len(index), bool)
        return same, final

    def _compare(self, site, buffer, notes, kind, piece, block, thread, index, alike):
        number = self.sites.setdefault(site, len(self.sites))
        me = 1 + block + self.blocks * number
        first, more = notes.first[kind], notes.more[kind]
        fresh = first[piece] == 0
        was = {k: notes.first[k][piece] for k in (READ, WRITE, ATOMIC)}
        many = {k: notes.more[k][piece] for k in (READ, WRITE, ATOMIC)}
        first[piece[fresh]] = me[fresh]
        notes.thread[kind][piece[fresh]] = thread[fresh]
        now = first[piece]
        more[piece[(now - 1) % self.blocks != block]] = True
        for other, name in {READ: ((WRITE, RAW), (ATOMIC, RAW)), WRITE: ((WRITE, WAW), (ATOMIC, WAW), (READ, WAR)),
                            ATOMIC: ((WRITE, WAW), (READ, WAR))}[kind]:
            before = now if other == kind else was[other]
            foreign = (before > 0) & (((before - 1) % self.blocks != block) | many[other])
            if other == kind and alike is not None:
                earlier = (was[other] > 0) & (((was[other] - 1) % self.blocks != block) | many[other])
                foreign &= np.where(earlier, ~alike[0], ~alike[1])
            if foreign.any():
                self._report(site, buffer, notes, other, name, piece, block, thread, index, before, foreign)

    def _report(self, site, buffer, notes, other, name, piece, block, thread, index, before, foreign):
        shape, grid = self.launch.block[::-1], self.launch.grid[::-1]
        found = np.flatnonzero(foreign)
        mine = found[((before[found] - 1) % self.blocks) != block[found]]
        one = int(mine[0]) if len(mine) else int(found[0])
        partner = int(before[one]) - 1
        other_site = list(self.sites)[partner // self.blocks]
        where = [_xyz(block[one], grid), _xyz(thread[one], shape), _xyz(partner % self.blocks, grid),
                 _xyz(notes.thread[other][piece[one]], shape)]
        message = sentence(name, f"thread {triple(where[1])} of block {triple(where[0])}",
                           f"thread {triple(where[3])} of block {triple(where[2])}", f"{buffer.name}[{int(index[one])}]", "",
                           "blocks run in any order and nothing stands")
        self.launch.add(Report(f"{name} race", message, block=where[0], thread=where[1], other_block=where[2], other_thread=where[3],
                               array=buffer.name, index=int(index[one]), count=len(found), scope=SCOPE,
                               hint="use an atomic function such as atomicAdd, give each block its own elements, or launch a second kernel"),
                        site, other_site)


def _numbers(space, grid):
    """(block numbers, thread numbers) of all lanes of a space."""
    if space.packed is not None:
        block, thread = _numbers(space.outer, grid)
        return (np.broadcast_to(x, space.outer.full_shape).reshape(-1)[space.origin] for x in (block, thread))
    block = np.zeros((1,) * 6, np.int64)
    for axis, factor in ((2, 1), (1, grid[0]), (0, grid[0] * grid[1])):
        block = block + (np.arange(*space.blocks[axis]) * factor).reshape([-1 if a == axis else 1 for a in range(6)])
    ids = np.arange(space.thread_count) if space.threads is None else np.asarray(space.threads)
    thread = ids.reshape(1, 1, 1, *space.lanes_shape)
    return np.broadcast_to(block, space.full_shape), np.broadcast_to(thread, space.full_shape)


def _xyz(linear, shape):
    z, y, x = np.unravel_index(int(linear), shape)
    return int(x), int(y), int(z)
