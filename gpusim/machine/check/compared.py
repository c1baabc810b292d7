"""Comparing the accesses of a launch that orders its threads by locks and flags, word by word.

Each access is compared with the last write, each read with the next one, and all with their neighbours in time.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ...cuda.analysis.facts import asked, waits
from ...errors import indexed
from ...rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE
from .pairs import neighbours
from .report import Report
from .words import races_report, sentence

STRONG_READ, STRONG_WRITE = 3, 4  # through volatile: a flag's
BETWEEN = "between blocks"


class Comparison:
    """Of what an Ordered has written down."""

    def __init__(self, ordered):
        self.launch, self.clocks, self.log = ordered.launch, ordered.clocks, ordered.log
        self.threads, self.number_of = ordered.threads, ordered.number_of
        self.waits = waits(ordered.launch.kernel)
        self.in_step = float(ordered.launch.gpu.compute_capability) < 7.0

    def report(self):
        """Report the races."""
        events = self._contended(self._events())
        if len(events.word):
            pairs = self._pairs(events)
            if len(pairs[0]):
                self._tell(events, *pairs)

    def _events(self):
        """All accesses word by word, in the order of time."""
        grain = {}
        for e in self.log:
            grain[e.buffer] = min(grain.get(e.buffer, 4), e.site.size)
        lengths = np.array([len(e.columns[0]) for e in self.log], np.intp)  # np.repeat takes no wider ones
        number = np.repeat(np.arange(len(self.log), dtype=np.int64), lengths)
        columns = [np.concatenate([e.columns[i] for e in self.log]) for i in range(6)]
        per = np.array([e.site.size // grain[e.buffer] for e in self.log], np.intp)[number]
        source = np.repeat(np.arange(len(number), dtype=np.int64), per)
        part = np.arange(len(source), dtype=np.int64) - np.repeat(np.cumsum(per, dtype=np.int64) - per, per)
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
        settled = np.zeros(n, bool)  # accesses of threads that know of one that waited for the word to change
        asks = asked(self.launch.kernel)
        waited = np.array([e.kind >= ATOMIC and (e.site.line, e.site.column) in asks for e in self.log], bool)
        for a, b in neighbours(events.word, (events.kind == WRITE) | (events.kind == STRONG_WRITE)):
            knows = self._ordered(events, a, b)
            self._race(events, a, b, knows, settled, found)
            settled[b[waited[events.number[a]] & knows]] = True
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
