"""Barriers: who arrives, who is missing, and what that means on which card.

A thread that has returned does not count at a barrier from compute capability 7.0 on; older cards wait for it
for ever.  A thread that neither arrives nor has returned is waited for: it has to leave the kernel before
long, or stands at another barrier.
"""

from __future__ import annotations

import numpy as np

from ...errors import BarrierError, indexed
from ..check.report import Report
from ..values.space import settle

OUT_OF_THE_BRANCH = "move the barrier out of the branch, so that all threads of the block reach it"


class Barriers:
    """Part of the lanes machine.

    passed : the blocks that the last barrier concerned, True or a mask over the block axes
    absent : barriers that threads have not come to: (site, missing lanes, lanes that arrived, time round, the
        rest of the chain)
    """

    passed, absent = True, None
    here, left = True, False  # lanes that arrived at the last barrier, lanes that had returned by then

    def barrier(self, site, mask, gone):
        """A block's barrier: all threads that have not returned must come."""
        if self.tally is not None:
            self.arith(site, mask)
        self.trips[site] = self.trips.get(site, 0) + 1
        if self.absent is not None:
            late = settle(mask & self.absent[1]) if self.absent[1] is not True else mask
            if late is not False:
                self._split_barrier(site, late)
        self.passed, self.here, self.left = True, mask, gone
        if mask is not True:
            self._look_for_missing(site, mask, gone)
        if self.checks is not None and self.alone:
            self.checks.next_epoch(self.passed, [self])
        return site

    def _look_for_missing(self, site, mask, gone):
        self.passed = settle(mask.any(axis=(3, 4, 5), keepdims=True))
        missing = settle(~mask) if self.passed is True else settle(self.passed & ~mask)
        if missing is False:
            return
        returned = missing if gone is True else False if gone is False else settle(missing & gone)
        waiting = self.without(missing, gone)
        if returned is not False:
            self.launch.note_missing(self, site, returned, self.trips[site])
        if waiting is not False:
            self.absent = site, waiting, mask, self.trips[site], self.absent

    def look_across(self, site, present):
        """The same for blocks in which other groups of threads arrived, and no lane of this machine."""
        lacking = settle(np.logical_and(present, ~self.passed))
        if lacking is False:
            return
        returned = (
            lacking if self.left is True else False if self.left is False else settle(lacking & self.left)
        )
        waiting = self.without(lacking, self.left)
        if returned is not False:
            self.launch.note_missing(self, site, returned, self.trips[site])
        if waiting is not False:
            self.absent = site, waiting, self.here, self.trips[site], self.absent

    def _split_barrier(self, site, late):
        first, _, arrived, _, _ = self.absent
        block, thread, _ = self.space.first(late)
        came = int(np.broadcast_to(arrived, self.space.full_shape).sum(axis=(3, 4, 5)).max())
        where = f"line {site.line}" if site.line != first.line else "the same line, another time round"
        raise BarrierError(
            f"{name(first)} on line {first.line} was reached by {came} of {self.space.thread_count} threads of the block; "
            f"others wait at {name(site)} on {where}: they wait for each other for ever",
            line=first.line,
            column=first.column,
            block=block,
            thread=thread,
            hint=OUT_OF_THE_BRANCH,
        )

    def finish(self):
        """Called at the kernel's end: threads that never came to a barrier have left the kernel by now."""
        if self.tally is not None:
            self.tally.settle()
        while self.absent is not None:
            site, missing, _, trip, self.absent = self.absent
            self.launch.note_missing(self, site, missing, trip)


def name(site):
    """What the text calls a barrier."""
    return f"{site.name or '__syncthreads'}()"


class Missing:
    """Part of a launch: collects who was missing at barriers, and reports it when the blocks have ended."""

    def __init__(self):
        self.missing = {}

    def note_missing(self, machine, site, missing, trip):
        """Lanes that had left the kernel when others arrived at a barrier for the `trip`-th time."""
        block, thread, _ = machine.space.first(missing)
        count = np.broadcast_to(missing, machine.space.full_shape).sum(axis=(3, 4, 5))
        known = self.missing.setdefault(site, {})
        if trip not in known:
            known[trip] = [block, thread, np.zeros(count.shape, np.int64), machine]
        known[trip][2] = known[trip][2] + count
        known[trip][0], known[trip][1] = min(
            (known[trip][0][::-1], known[trip][1][::-1]), (block[::-1], thread[::-1])
        )
        known[trip][0], known[trip][1] = known[trip][0][::-1], known[trip][1][::-1]
        if float(self.gpu.compute_capability) < 7.0:
            came, of = self._arrived(known[trip])
            raise BarrierError(
                f"{name(site)} is reached by {came} of {of} threads of block {indexed(block)}; thread {indexed(thread)} has "
                f"left the kernel, and {self.gpu.name} (compute capability {self.gpu.compute_capability}) waits for it",
                line=site.line,
                column=site.column,
                block=block,
                thread=thread,
                hint="let every thread of the block reach every barrier; guard the loads and stores instead",
            )

    def _arrived(self, known):
        of = self.block[0] * self.block[1] * self.block[2]
        counts = known[2]
        return of - int(counts[counts > 0].flat[0]), of

    def report_missing(self, checks=None):
        """Report each barrier that was not reached by all, at the first time round; then forget."""
        for site, trips in sorted(self.missing.items(), key=lambda item: (item[0].line, item[0].column)):
            trip = min(trips)
            block, thread, counts, _ = known = trips[trip]
            came, of = self._arrived(known)
            times = f" the {_ordinal(trip)} time round" if trip > 1 else ""
            lost = checks.unset.summary() if checks is not None else ""
            self.add(
                Report(
                    "partial barrier",
                    f"{name(site)} is reached by {came} of {of} threads of block {indexed(block)}{times}; thread "
                    f"{indexed(thread)}"
                    + (f" and {of - came - 1} others have" if of - came > 1 else " has")
                    + f" left the kernel{lost}",
                    block=block,
                    thread=thread,
                    index=came,
                    count=int(counts.sum()),
                    hint="the kernel relies on threads that have returned not counting at a barrier: let every thread reach "
                    "every barrier, and guard the loads and stores instead",
                ),
                site,
            )
        self.missing = {}


def _ordinal(number):
    """
    >>> [_ordinal(n) for n in (1, 2, 3, 4, 11, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
