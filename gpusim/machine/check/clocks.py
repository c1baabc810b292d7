"""Clocks: what each thread knows of the others' past, by barriers, by __syncwarp, by fences with atomics and flags.

A column stands for the past of a block (its barriers), of a warp (its __syncwarps) or of one thread (its fences).  What
a thread knows is a row of numbers: how many of those each past is known to have behind it.  An access comes before
another one where the other's thread knows the number that was running when the first was made.

A fence says: who learns of what I do next by an atomic or a volatile access learns of all that I did before.  The one
who reads such a word need not have a fence of its own: he waits for what he reads.
"""

from __future__ import annotations

import numpy as np

from ...units import LANES, warps_of

MOST_COLUMNS = 1 << 11  # pasts that are followed; of launches with more nothing is said


class Clocks:
    """Of one launch; threads are numbered through all blocks.

    stamp, epoch, phase : the running number of each thread, of each block, of each warp
    knows : for each thread the number of its row in `rows`
    """

    def __init__(self, blocks, threads):
        self.threads, self.warps = threads, warps_of(threads)
        self.rows, self.columns, self.merged = [np.zeros(0, np.int32)], {}, {}
        self.knows = np.zeros(blocks * threads, np.int32)
        self.stamp = np.zeros(blocks * threads, np.int32)
        self.epoch = np.zeros(blocks, np.int32)
        self.phase = np.zeros(blocks * self.warps, np.int32)
        # Of each thread, the row that it lets others learn: those of its block, or of any; 0 for none.
        self.fenced = {scope: np.zeros(blocks * threads, np.int32) for scope in ("block", "device")}
        self.released = {}  # {word: row that a reader learns, in any block}
        self.any_fence = False
        self.within = {}  # {word: {block: row}}, of fences that are for the block alone

    @property
    def lost(self):
        """True once there are more pasts than are followed."""
        return len(self.columns) > MOST_COLUMNS

    def column(self, kind, number):
        return self.columns.setdefault((kind, number), len(self.columns))

    def warp_of(self, threads):
        return threads // self.threads * self.warps + threads % self.threads // LANES

    # Rows.

    def merge(self, a, b):
        """The number of the row that knows what two rows know."""
        if a == b or b == 0:
            return a
        if a == 0:
            return b
        key = (a, b) if a < b else (b, a)
        known = self.merged.get(key)
        if known is None:
            one, two = sorted((self.rows[a], self.rows[b]), key=len)
            row = two.copy()
            np.maximum(row[: len(one)], one, out=row[: len(one)])
            for same in key:
                if len(self.rows[same]) == len(row) and (self.rows[same] == row).all():
                    known = same
            if known is None:
                known = self._new(row)
            self.merged[key] = known
        return known

    def merge_all(self, numbers):
        result = 0
        for number in set(numbers):
            result = self.merge(result, number)
        return result

    def with_past(self, number, column, running):
        """A row that also knows a past up to its running number."""
        old = self.rows[number]
        row = np.zeros(max(len(old), column + 1), np.int32)
        row[: len(old)] = old
        row[column] = max(row[column], running + 1)
        return self._new(row)

    def _new(self, row):
        self.rows.append(row)
        return len(self.rows) - 1

    # What happens.

    def barrier(self, blocks):
        """All threads of some blocks have come to a barrier."""
        for block in blocks:
            own = slice(block * self.threads, (block + 1) * self.threads)
            row = self.merge_all(np.unique(self.knows[own]).tolist())
            self.knows[own] = self.with_past(row, self.column("block", block), self.epoch[block])
            self.epoch[block] += 1
            self._share(own)

    def meet(self, threads, whole):
        """Threads of one warp wait for each other at a __syncwarp; whole : these are all of that warp"""
        row = self.merge_all(np.unique(self.knows[threads]).tolist())
        if whole:
            warp = int(self.warp_of(threads[0]))
            row = self.with_past(row, self.column("warp", warp), self.phase[warp])
            self.phase[warp] += 1
        else:
            for thread in threads.tolist():
                row = self.with_past(row, self.column("thread", thread), self.stamp[thread])
            self.stamp[threads] += 1
        self.knows[threads] = row
        self._share(threads)

    def _share(self, threads):
        """What one of these threads has fenced, each of them may let others learn from now on."""
        for rows in self.fenced.values() if self.any_fence else ():
            rows[threads] = self.merge_all(np.unique(rows[threads]).tolist())

    def fence(self, threads, scope):
        """A fence of some threads; scope : "device", or "block" for what the block alone learns"""
        self.any_fence = True
        for thread in threads.tolist():
            column = self.column("thread", thread)
            row = self.with_past(int(self.knows[thread]), column, self.stamp[thread])
            self.fenced["block"][thread] = row
            if scope == "device":
                self.fenced["device"][thread] = row
        self.stamp[threads] += 1

    def strong(self, words, threads, reads, writes):
        """Atomics or volatile accesses, one after the other; words : one a thread

        reads : whether each learns what the word's writers let it;  writes : (n,) bool, whether it lets others learn
        """
        if not self.any_fence:
            return
        fenced, far = self.fenced["block"], self.fenced["device"]
        for word, thread, tells in zip(words.tolist(), threads.tolist(), writes.tolist()):
            if not fenced[thread] and word not in self.within:
                continue
            block = thread // self.threads
            released, within = self.released.get(word, 0), self.within.setdefault(word, {})
            if reads:
                learnt = self.merge(self.merge(int(self.knows[thread]), released), within.get(block, 0))
                self.knows[thread] = learnt
            if tells:
                told = int(far[thread]), int(fenced[thread])
                if reads:  # what others had told before is still there
                    told = self.merge(told[0], released), self.merge(told[1], within.get(block, 0))
                else:
                    within.clear()
                self.released[word], within[block] = told

    # Who came first.

    def table(self):
        """All rows as one array, (rows, columns)."""
        table = np.zeros(
            (len(self.rows), len(self.columns) + 1), np.int32
        )  # the last column: a past nobody knows
        for number, row in enumerate(self.rows):
            table[number, : len(row)] = row
        return table

    def columns_of(self, kind, numbers):
        """The columns of some pasts; -1 for those that nobody can know."""
        known = {number: column for (k, number), column in self.columns.items() if k == kind}
        unique, place = np.unique(numbers, return_inverse=True)
        return np.array([known.get(n, -1) for n in unique.tolist()], np.int64)[place.reshape(-1)]
