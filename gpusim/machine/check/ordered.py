"""Races in kernels that order their threads by more than barriers: by locks and flags, with fences and atomics.

All accesses of a launch are written down with what their thread knew then (see `clocks`).  At the end, those of one
word are compared (see `compared`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ...cuda.analysis.facts import flags
from ...rules.races import ATOMIC, READ, WRITE
from ...units import LANES
from ..values.members import as_bits, has_bits, named
from .clocks import Clocks
from .compared import STRONG_READ, STRONG_WRITE, Comparison
from .events import lane_events

MOST = 1 << 22  # accesses that are kept


@dataclass(frozen=True)
class Entry:
    """One instruction of some lanes; columns of the log: block, thread (of the block), element, ..."""

    site: object
    buffer: object
    kind: int
    compares: bool
    columns: tuple  # thread in the launch, element, what it knows, stamp, epoch, phase
    value: object


class Ordered:
    """Watches one launch."""

    def __init__(self, launch):
        self.launch = launch
        self.threads = math.prod(launch.block)
        self.blocks = math.prod(launch.grid)
        self.clocks = Clocks(self.blocks, self.threads)
        self.flags = flags(launch.kernel)
        self.log, self.held = [], 0
        self.buffers, self.number_of = {}, {}

    # What the machine tells.

    def access(self, machine, site, buffer, kind, at, mask, value=None, wrote=None, race=True):
        """Lanes touch elements.

        wrote : of a compare-and-swap, (n,) bool, which lanes have changed the word;  race : False where no two accesses
            of the array can
        """
        if not race and kind != ATOMIC and not site.volatile:
            return
        if self.clocks.lost or self.held > MOST:
            return
        entry = SimpleNamespace(space=machine.space, mask=mask, at=at, value=value if kind == WRITE else None)
        block, thread, at, values = self._lanes(machine.space, entry)
        if not len(at):
            return
        thread = block * self.threads + thread
        if site.volatile and kind != ATOMIC and self._strong(site, buffer):
            kind = STRONG_READ if kind == READ else STRONG_WRITE
        clocks = self.clocks
        if kind >= ATOMIC:
            words = self._words(buffer, block, at * site.size)
            writes = np.full(len(at), kind != STRONG_READ) if wrote is None else wrote
            clocks.strong(words, thread, kind != STRONG_WRITE, writes)
        if not race:
            return
        running = clocks.stamp[thread], clocks.epoch[block], clocks.phase[clocks.warp_of(thread)]
        columns = thread, at, clocks.knows[thread], *running
        self.log.append(Entry(site, buffer, kind, wrote is not None, columns, values))
        self.held += len(at)

    def _strong(self, site, buffer):
        return buffer.space == "global" or site.name in self.flags

    def _words(self, buffer, block, byte):
        """A number for each word of memory, shared memory's apart for each block."""
        number = self.number_of.setdefault(buffer, len(self.number_of))
        return (number << 40) + byte // 4 + (block << 20 if buffer.space == "shared" else 0)

    def _lanes(self, space, entry):
        """(block of the grid, thread of the block, element, value) of the lanes that take part."""
        local, thread, at, values = lane_events(space, entry)
        plain = space
        while plain.packed is not None:
            plain = plain.outer
        z, y, x = (part.astype(np.int64) for part in np.unravel_index(local, plain.extents[:3]))
        (z0, _), (y0, _), (x0, _) = plain.blocks
        gx, gy, _ = self.launch.grid
        return ((z + z0) * gy + y + y0) * gx + x + x0, thread, np.asarray(at, np.int64), values

    def fence(self, machine, mask, scope):
        self.clocks.fence(self._active(machine, mask), scope)

    def _active(self, machine, mask):
        entry = SimpleNamespace(space=machine.space, mask=mask, at=0, value=None)
        block, thread, _, _ = self._lanes(machine.space, entry)
        return block * self.threads + thread

    def barrier(self, machines):
        """All threads of the blocks in which lanes of these machines have passed one."""
        if machines and not self.clocks.lost:
            threads = np.concatenate(
                [self._active(m, m.here if m.passed is not False else m.passed) for m in machines]
            )
            self.clocks.barrier(np.unique(threads // self.threads).tolist())

    def sync_warp(self, machine, mask, members):
        """The lanes that take part wait for each other."""
        if self.clocks.lost:
            return
        space = machine.space
        blocks = space.full_shape[:3]
        here, exists = space.active_by_warp(mask, blocks), space.active_by_warp(True, blocks)
        masks = np.broadcast_to(named(space, members, blocks), here.shape)
        every = np.zeros(space.full_shape, np.int64)
        entry = SimpleNamespace(space=space, mask=True, at=every, value=None)
        block, thread, _, _ = self._lanes(space, entry)
        numbers = space.by_warp((block * self.threads + thread).reshape(space.full_shape))
        groups = masks & as_bits(here)
        for row in np.flatnonzero(here.any(axis=1)).tolist():
            for group in np.unique(groups[row][here[row]]).tolist():
                some = has_bits(np.array([[group]], np.int64))[0]
                whole = bool((some == exists[row]).all())
                self.clocks.meet(
                    numbers[row][some], whole and len(numbers[row][some]) == self._full(numbers[row][some])
                )

    def _full(self, threads):
        """Threads of the warp that these threads belong to."""
        return min(LANES, self.threads - int(threads[0]) % self.threads // LANES * LANES)

    def report(self):
        """The launch has ended: report the races."""
        if self.log and not self.clocks.lost and self.held <= MOST:
            Comparison(self).report()
