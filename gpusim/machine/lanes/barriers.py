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
from .masks import without

OUT_OF_THE_BRANCH = "move the barrier out of the branch, so that all threads of the block reach it"


def barrier(m, site, mask, gone):
    """A block's barrier: all threads that have not returned must come."""
    m.arith(site, mask)
    m.trips[site] = m.trips.get(site, 0) + 1
    if m.absent is not None:
        late = settle(mask & m.absent[1]) if m.absent[1] is not True else mask
        if late is not False:
            _split_barrier(m, site, late)
    m.passed, m.here, m.left = True, mask, gone
    if mask is not True:
        _look_for_missing(m, site, mask, gone)
    if m.checks is not None and m.alone:
        m.checks.next_epoch(m.passed, [m])
    return site


def _look_for_missing(m, site, mask, gone):
    m.passed = settle(mask.any(axis=(3, 4, 5), keepdims=True))
    missing = settle(~mask) if m.passed is True else settle(m.passed & ~mask)
    if missing is False:
        return
    returned = missing if gone is True else False if gone is False else settle(missing & gone)
    waiting = without(missing, gone)
    if returned is not False:
        m.launch.missing.note(m, site, returned, m.trips[site])
    if waiting is not False:
        m.absent = site, waiting, mask, m.trips[site], m.absent


def look_across(m, site, present):
    """The same for blocks in which other groups of threads arrived, and no lane of this machine."""
    lacking = settle(np.logical_and(present, ~m.passed))
    if lacking is False:
        return
    returned = lacking if m.left is True else False if m.left is False else settle(lacking & m.left)
    waiting = without(lacking, m.left)
    if returned is not False:
        m.launch.missing.note(m, site, returned, m.trips[site])
    if waiting is not False:
        m.absent = site, waiting, m.here, m.trips[site], m.absent


def _split_barrier(m, site, late):
    first, _, arrived, _, _ = m.absent
    block, thread, _ = m.space.first(late)
    came = int(np.broadcast_to(arrived, m.space.full_shape).sum(axis=(3, 4, 5)).max())
    where = f"line {site.line}" if site.line != first.line else f"the same line, column {site.column}"
    where = "the same line, another time round" if site is first else where
    raise BarrierError(
        f"{name(first)} on line {first.line} was reached by {came} of {m.space.thread_count} threads of the block; "
        f"others wait at {name(site)} on {where}: CUDA leaves open what happens then",
        line=first.line,
        column=first.column,
        block=block,
        thread=thread,
        hint=OUT_OF_THE_BRANCH,
    )


def finish(m):
    """Called at the kernel's end: threads that never came to a barrier have left the kernel by now."""
    if m.counter is not None:
        m.counter.settle()
    while m.absent is not None:
        site, missing, _, trip, m.absent = m.absent
        m.launch.missing.note(m, site, missing, trip)


def name(site):
    """What the text calls a barrier."""
    return f"{site.name or '__syncthreads'}()"


class Missing:
    """Collects who was missing at the barriers of a launch, to be reported when the blocks have ended."""

    def __init__(self, gpu, block):
        self.gpu, self.threads = gpu, block[0] * block[1] * block[2]
        self.trips = {}  # {site: {time round: [block, thread, lanes by block]}}

    def note(self, machine, site, missing, trip):
        """Lanes that had left the kernel when others arrived at a barrier for the `trip`-th time."""
        block, thread, _ = machine.space.first(missing)
        count = np.broadcast_to(missing, machine.space.full_shape).sum(axis=(3, 4, 5))
        known = self.trips.setdefault(site, {}).setdefault(
            trip, [block, thread, np.zeros(count.shape, np.int64)]
        )
        first = min((known[0][::-1], known[1][::-1]), (block[::-1], thread[::-1]))
        known[:] = first[0][::-1], first[1][::-1], known[2] + count
        if float(self.gpu.compute_capability) < 7.0:
            raise self._hangs(site, block, thread, known[2])

    def _hangs(self, site, block, thread, counts):
        return BarrierError(
            f"{name(site)} is reached by {self._arrived(counts)} of {self.threads} threads of block {indexed(block)}; "
            f"thread {indexed(thread)} has left the kernel, and {self.gpu.name} (compute capability "
            f"{self.gpu.compute_capability}) waits for it",
            line=site.line,
            column=site.column,
            block=block,
            thread=thread,
            hint="let every thread of the block reach every barrier; guard the loads and stores instead",
        )

    def _arrived(self, counts):
        return self.threads - int(counts[counts > 0].flat[0])

    def reports(self, lost=""):
        """(Report, site) of each barrier that was not reached by all, at the first time round; then forget.

        lost : what reads of unset memory followed, to be told as well
        """
        for site, trips in sorted(self.trips.items(), key=lambda item: (item[0].line, item[0].column)):
            yield self._report(site, min(trips), *trips[min(trips)], lost), site
        self.trips = {}

    def _report(self, site, trip, block, thread, counts, lost):
        came, of = self._arrived(counts), self.threads
        times = f" the {_ordinal(trip)} time round" if trip > 1 else ""
        others = f" and {of - came - 1} others have" if of - came > 1 else " has"
        return Report(
            "partial barrier",
            f"{name(site)} is reached by {came} of {of} threads of block {indexed(block)}{times}; thread "
            f"{indexed(thread)}{others} left the kernel{lost}",
            block=block,
            thread=thread,
            index=came,
            count=int(counts.sum()),
            hint="the kernel relies on threads that have returned not counting at a barrier: let every thread reach "
            "every barrier, and guard the loads and stores instead",
        )


def _ordinal(number):
    """
    >>> [_ordinal(n) for n in (1, 2, 3, 4, 11, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
