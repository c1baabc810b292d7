"""Checks: what watches a run.  The machine tells of each access, barrier and shuffle; findings become reports
of the launch.

Between two barriers the accesses are only written down.  At the barrier they are judged: nearly always the
addresses do not depend on the block, so one block speaks for all, and a loop that does the same again finds
its verdict in memory.
"""

from __future__ import annotations

import numpy as np

from ...cuda.analysis.facts import orders_threads, read_too_early
from ...rules.races import ATOMIC, READ, WRITE
from ..values.members import ALL
from ..values.space import settle
from ..values.value import is_formula, table
from .between_blocks import BetweenBlocks
from .epoch import judge
from .events import Entry
from .ordered import Ordered
from .report import Report
from .unset import Unset, mark_written
from .warp import WarpChecks
from .words import one_barrier_each

KINDS = {"load": READ, "store": WRITE, "atomic": ATOMIC}
MOST = 4096  # accesses that are kept between two barriers
MOST_BYTES = 1 << 26  # bytes of addresses and values among them


class Checks:
    """Watches one launch; `start` begins a new group of blocks.

    watched : global arrays whose elements several threads may touch; accesses to the others cannot race
    written : {buffer: bool a byte} to be filled with what the launch writes, or None
    """

    def __init__(self, launch, watched=(), written=None):
        self.launch, self.watched, self.written = launch, frozenset(watched), written
        self.unset, self.between_blocks = Unset(launch), BetweenBlocks(launch)
        self.warps = WarpChecks(launch)
        self.ordered = Ordered(launch) if orders_threads(launch.kernel) else None
        self.single = launch.block == (1, 1, 1)  # one thread a block: nothing to race with but other blocks
        self.latest = None  # the last read: (machine, site, buffer, at, mask)
        self._begin()
        for symbol, at in read_too_early(launch.kernel):
            launch.add(
                Report(
                    "unset read",
                    f"{symbol.name} is read before it has a value",
                    array=symbol.name,
                    hint=f"give {symbol.name} a value where it is declared",
                ),
                at,
            )

    def start(self, space):
        """New blocks: their shared memory is unset, nothing has happened yet."""
        self.space = space
        self.unset.start()
        self.between_blocks.start()
        self._begin()

    def _begin(self):
        self.entries, self.kinds, self.held, self.turns = [], {}, 0, {}

    # What the machine tells.

    def atomic(self, machine, site, buffer, at, mask, wrote):
        """Lanes of `mask` change elements; wrote : of a compare-and-swap, (n,) bool, which of them did."""
        self.access(machine, site, buffer, "atomic", at, mask, wrote=wrote)

    def access(self, machine, site, buffer, kind, at, mask, value=None, wrote=None):
        """Lanes of `mask` access elements `at` of a buffer, in units of the access's size."""
        if kind != "store":
            self.latest = machine, site, buffer, at, mask
        shared = buffer.space == "shared"
        if shared:
            self.unset.shared_access(machine, site, buffer, kind, at, mask)
        elif buffer.memory.unset is not None:
            self.unset.global_access(machine, site, buffer, kind, at, mask)
        if not shared:
            if self.written is not None and kind != "load" and buffer.space == "global":
                mark_written(self.written, machine, site, buffer, at, mask)
        race = shared or buffer in self.watched
        if self.ordered is not None:
            self.ordered.access(machine, site, buffer, KINDS[kind], at, mask, value, wrote, race)
            return
        if not race:
            return
        if not shared:
            self.between_blocks.access(machine, site, buffer, KINDS[kind], at, mask, value)
        if not self.single:
            self._note(machine, site, buffer, KINDS[kind], at, mask, value)

    def _note(self, machine, site, buffer, kind, at, mask, value):
        self.kinds[buffer] = self.kinds.get(buffer, 0) | 1 << kind
        if kind == WRITE:
            if value is not None and np.ndim(value) and one_each(machine.space, at, mask):
                value = None
        else:
            value = None
        self.entries.append(Entry(site, buffer, kind, at, mask, value, self._turn(machine), machine.space))
        for held in (at, value):
            if type(held) is np.ndarray:
                self.held += held.nbytes
        if len(self.entries) > MOST or self.held > MOST_BYTES:
            self._judge()
            self.entries, self.held = self.entries[3 * len(self.entries) // 4 :], 0

    def _turn(self, machine):
        """The number of this access among those of its machine since the last barrier."""
        turn = self.turns.get(machine, 0)
        self.turns[machine] = turn + 1
        return turn

    def sync_warp(self, machine, site, mask, members=None, gone=False):
        """__syncwarp: orders the accesses of the lanes that take part."""
        self.warps.members(machine, site, mask, members, gone)
        if self.ordered is not None:
            self.ordered.sync_warp(machine, mask, members)
            return
        named = ALL if members is None else members
        self.entries.append(Entry(site, None, None, named, mask, None, self._turn(machine), machine.space))

    def shuffle(self, machine, site, source, mask, blocks, members=None, gone=False):
        """A shuffle: lane l of a row takes the value of lane source[row, l]."""
        self.warps.members(machine, site, mask, members, gone)
        self.warps.shuffle(machine, site, source, mask, blocks, members)

    def vote(self, machine, site, mask, members, gone):
        """A vote or reduction over the lanes of a warp."""
        self.warps.members(machine, site, mask, members, gone)

    def fence(self, machine, mask, scope):
        """__threadfence, or __threadfence_block: scope "device" or "block"."""
        if self.ordered is not None:
            self.ordered.fence(machine, mask, scope)

    def next_epoch(self, blocks=True, machines=()):
        """All threads of these blocks (True, or a mask over the block axes) have passed a barrier.

        machines : those whose lanes have; blocks belongs to the space of each
        """
        if self.ordered is not None:
            self.ordered.barrier(machines)
            return
        self._judge()
        left = [] if blocks is True else self._left_behind(blocks)
        self._begin()
        self.entries = left
        for entry in left:
            if entry.buffer is not None:
                self.kinds[entry.buffer] = self.kinds.get(entry.buffer, 0) | 1 << entry.kind

    def _left_behind(self, blocks):
        """Accesses of blocks that the barrier did not concern."""
        kept = []
        for entry in self.entries:
            mask = settle(~blocks & entry.mask) if entry.space is self.space else False
            if mask is not False:
                kept.append(entry.with_mask(mask))
        return kept

    def finish(self):
        """The blocks have ended."""
        self._judge()
        self._begin()

    def end(self):
        """The launch has ended."""
        self.between_blocks.report()
        if self.ordered is not None:
            self.ordered.report()
        self.launch.reports[:] = one_barrier_each(self.launch.reports)

    def _judge(self):
        risky = {
            buffer
            for buffer, kinds in self.kinds.items()
            if kinds & 1 << WRITE or kinds == 1 << READ | 1 << ATOMIC
        }
        if risky:
            judge(self.launch, self.space, [e for e in self.entries if e.buffer is None or e.buffer in risky])


def one_each(space, at, mask):
    """True if every lane of `mask` in a block certainly has an element of its own."""
    if mask is not True and mask.shape[:3] != (1, 1, 1):
        mask = True  # more lanes than there are: the safe side
    if table(at) is None:
        lanes = (
            space.thread_count if mask is True else np.broadcast_to(mask, (1, 1, 1, *space.lanes_shape)).sum()
        )
        return is_formula(at) and lanes <= 1
    key = "one each", space.lanes_shape, None if mask is True else mask.tobytes()
    known = at.table.memo.get(key)
    if known is None:
        values = np.broadcast_to(at.table.array, space.lanes_shape)
        if mask is not True:
            values = values[np.broadcast_to(mask[0, 0, 0], space.lanes_shape)]
        known = at.table.memo[key] = len(np.unique(values)) == values.size
    return known
