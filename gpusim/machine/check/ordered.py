"""Races in kernels that order their threads by more than barriers: by locks and flags, with fences and atomics.

All accesses of a launch are written down with what their thread knew then (see `clocks`).  At the end, those of one
word are compared: each with the last write, each read with the next one, and with its neighbours in time.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ...cuda.analysis.facts import flags, waits
from ...errors import indexed
from ...rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE
from ..values.members import as_bits, has_bits, named
from .clocks import Clocks
from .events import lane_events
from .pairs import neighbours
from .report import Report
from .words import races_report, sentence

STRONG_READ, STRONG_WRITE = 3, 4  # through volatile: a flag's
MOST = 1 << 22  # accesses that are kept
BETWEEN = "between blocks"


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
        self.threads = int(np.prod(launch.block, dtype=np.int64))
        self.blocks = int(np.prod(launch.grid, dtype=np.int64))
        self.clocks = Clocks(self.blocks, self.threads)
        self.flags, self.waits = flags(launch.kernel), waits(launch.kernel)
        self.log, self.held = [], 0
        self.buffers, self.number_of = {}, {}
        self.in_step = float(launch.gpu.compute_capability) < 7.0

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
        z, y, x = np.unravel_index(local, plain.extents[:3])
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
        return min(32, self.threads - int(threads[0]) % self.threads // 32 * 32)

    # The end of the launch.

    def report(self):
        """Report the races."""
        if self.clocks.lost or self.held > MOST or not self.log:
            return
        events = self._contended(self._events())
        if not len(events.word):
            return
        pairs = self._pairs(events)
        if len(pairs[0]):
            self._tell(events, *pairs)

    def _events(self):
        """All accesses word by word, in the order of time."""
        grain = {}
        for e in self.log:
            grain[e.buffer] = min(grain.get(e.buffer, 4), e.site.size)
        lengths = np.array([len(e.columns[0]) for e in self.log], np.int64)
        number = np.repeat(np.arange(len(self.log), dtype=np.int64), lengths)
        columns = [np.concatenate([e.columns[i] for e in self.log]) for i in range(6)]
        per = np.array([e.site.size // grain[e.buffer] for e in self.log], np.int64)[number]
        source = np.repeat(np.arange(len(number), dtype=np.int64), per)
        part = np.arange(len(source), dtype=np.int64) - np.repeat(np.cumsum(per) - per, per)
        thread, at, knows, stamp, epoch, phase = (column[source] for column in columns)
        number, per = number[source], per[source]
        buffers = np.array(
            [self.number_of.setdefault(e.buffer, len(self.number_of)) for e in self.log], np.int64
        )
        shared = np.array([e.buffer.space == "shared" for e in self.log])[number]
        block = thread // self.threads
        word = (buffers[number] << 40) + at * per + part
        cell = np.unique(np.stack([word, np.where(shared, block, 0)]), axis=1, return_inverse=True)[
            1
        ].reshape(-1)
        kind = np.array([e.kind for e in self.log], np.int64)[number]
        value = self._values(number, source, part, grain)
        made = SimpleNamespace(word=cell, thread=thread, at=at, knows=knows, stamp=stamp, epoch=epoch, phase=phase,
                               number=number, kind=kind, value=value, block=block, part=part)  # fmt: skip
        return _take(made, np.lexsort((number, cell)))

    def _values(self, number, source, part, grain):
        """What plain writes leave, a number for each word; 0 where it is not known to differ."""
        result, at = np.zeros(len(number), np.int64), 0
        for e in self.log:
            many = len(e.columns[0])
            per = e.site.size // grain[e.buffer]
            if e.value is not None:
                words = np.ascontiguousarray(e.value).reshape(many, -1).view(np.uint8).reshape(many * per, -1)
                wide = np.zeros((many * per, 8), np.uint8)
                wide[:, : words.shape[1]] = words[:, :8]
                result[at : at + many * per] = wide.view(np.int64).reshape(-1)
            at += many * per
        return result

    def _contended(self, events):
        """The events of words that several threads touch, one of them by a plain access, one by writing; without reads
        that a compare-and-swap of the same thread confirms."""
        if not len(events.word):
            return events
        events = _take(events, ~self._confirmed(events))
        _, start, inverse = np.unique(events.word, return_index=True, return_inverse=True)
        inverse = inverse.reshape(-1)
        several = (
            np.logical_or.reduceat(events.thread != events.thread[start][inverse], start)
            if len(start)
            else start
        )
        plain = np.logical_or.reduceat(events.kind != ATOMIC, start)
        writes = np.logical_or.reduceat((events.kind != READ) & (events.kind != STRONG_READ), start)
        return _take(events, (several & plain & writes)[inverse])

    def _confirmed(self, events):
        """Plain reads whose thread then compares and swaps that word: a wrong guess does no harm."""
        compares = np.array([e.compares for e in self.log])[events.number]
        if not compares.any():
            return compares
        order = np.lexsort((events.number, events.thread, events.word))
        word, thread = events.word[order], events.thread[order]
        next_one = np.append(
            (word[1:] == word[:-1]) & (thread[1:] == thread[:-1]) & compares[order][1:], False
        )
        result = np.zeros(len(order), bool)
        result[order] = next_one & (events.kind[order] == READ)
        return result

    def _pairs(self, events):
        """(earlier, later) places of the accesses that race."""
        clocks, n = self.clocks, len(events.word)
        self._table = clocks.table()
        events.columns = [clocks.columns_of("thread", events.thread), clocks.columns_of("block", events.block),
                          clocks.columns_of("warp", clocks.warp_of(events.thread))]  # fmt: skip
        found = []
        settled = np.zeros(
            n, bool
        )  # later accesses that have met a strong one of their word which they know of
        for a, b in neighbours(events.word, (events.kind == WRITE) | (events.kind == STRONG_WRITE)):
            knows = self._ordered(events, a, b)
            self._race(events, a, b, knows, settled, found)
            settled[b[(events.kind[a] >= ATOMIC) & knows]] = True
        pairs = [np.concatenate(x) for x in zip(*found)] if found else [np.zeros(0, np.int64)] * 2
        return pairs

    def _race(self, events, a, b, ordered, settled, found):
        kind = events.kind
        reads = (kind == READ) | (kind == STRONG_READ)
        strong = (kind[a] >= ATOMIC) & (kind[b] >= ATOMIC)
        alike = (events.number[a] == events.number[b]) & (
            (events.value[a] == events.value[b]) | (kind[a] != WRITE)
        )
        seen = settled[b] & (kind[a] >= ATOMIC)
        races = ~ordered & ~strong & ~alike & ~seen & ~(reads[a] & reads[b])
        if self.in_step:
            races &= self.clocks.warp_of(events.thread[a]) != self.clocks.warp_of(events.thread[b])
        if races.any():
            found.append((a[races], b[races]))

    def _ordered(self, events, a, b):
        """Whether each a is known to have been made before b; both of one instruction are not."""
        same = events.thread[a] == events.thread[b]
        table, knows = self._table, events.knows[b]
        own, block, warp = (column[a] for column in events.columns)
        by_thread = table[knows, own] > events.stamp[a]
        by_block = table[knows, block] > events.epoch[a]
        by_warp = table[knows, warp] > events.phase[a]
        return same | by_thread | by_block | by_warp

    # Words.

    def _tell(self, events, earlier, later):
        clocks = self.clocks
        kind = events.kind
        reads = (kind == READ) | (kind == STRONG_READ)
        name = np.where(reads[later], 0, np.where(reads[earlier], 1, 2))
        scope = np.where(events.block[earlier] != events.block[later], 2,
                         clocks.warp_of(events.thread[earlier]) != clocks.warp_of(events.thread[later]))  # fmt: skip
        entries = len(self.log)
        sites = {}
        site = np.array([sites.setdefault(e.site, len(sites)) for e in self.log], np.int64)
        key = ((name * 3 + scope) * entries + site[events.number[earlier]]) * entries + site[
            events.number[later]
        ]
        for group in np.unique(key):
            here = np.flatnonzero(key == group)
            one = here[np.lexsort((events.number[later[here]], events.thread[later[here]]))[0]]
            a, b = int(earlier[one]), int(later[one])
            count = len(np.unique(events.word[later[here]] if scope[one] == 2 else later[here]))
            tell = self._between if scope[one] == 2 else self._inside
            tell(events, a, b, (RAW, WAR, WAW)[name[one]], scope[one], count)

    def _inside(self, events, a, b, name, scope, count):
        one, other = self.log[events.number[b]], self.log[events.number[a]]
        finding = SimpleNamespace(
            name=name, scope=("inside a warp", "between warps")[scope], site=one.site, other=other.site,
            array=one.buffer.name, index=int(events.at[b]), thread=int(events.thread[b] % self.threads),
            other_thread=int(events.thread[a] % self.threads), strides=(),
            single=one.buffer.space == "shared" and one.buffer.nbytes == one.site.size, waits=self.waits,
        )  # fmt: skip
        grid, shape = self.launch.grid[::-1], self.launch.block[::-1]
        space = SimpleNamespace(blocks=tuple((0, n) for n in grid), shape=shape)
        races_report(self.launch, space, finding, np.unravel_index(int(events.block[b]), grid), count)

    def _between(self, events, a, b, name, scope, count):
        one, other = self.log[events.number[b]], self.log[events.number[a]]
        (block, thread), (other_block, other_thread) = self._who(events, b), self._who(events, a)
        index = int(events.at[b])
        self.launch.add(
            Report(
                f"{name} race",
                sentence(
                    name,
                    f"thread {indexed(thread)} of block {indexed(block)}",
                    f"thread {indexed(other_thread)} of block {indexed(other_block)}",
                    f"{one.buffer.name}[{index}]",
                    "",
                    "blocks run in any order and no fence that the other learns of stands",
                ),
                block=block, thread=thread, other_block=other_block, other_thread=other_thread,
                array=one.buffer.name, index=index, count=count, scope=BETWEEN,
                hint="whoever tells the other block that the data are there, by an atomic or a volatile write, puts a "
                "__threadfence() before it; the other waits for that before it touches the data",
            ),
            one.site,
            other.site,
        )  # fmt: skip

    def _who(self, events, place):
        block, thread = divmod(int(events.thread[place]), self.threads)
        return _xyz(block, self.launch.grid), _xyz(thread, self.launch.block)


def _take(events, which):
    return SimpleNamespace(**{name: column[which] for name, column in vars(events).items()})


def _xyz(linear, size):
    z, y, x = np.unravel_index(linear, size[::-1])
    return int(x), int(y), int(z)
