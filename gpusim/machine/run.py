"""A run: what a launch counted, line by line and access by access, and what it reported."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property

from .account.counts import Counts, counts_of


@dataclass(frozen=True)
class Access:
    """One access expression of the text: where it stands, which array it means, and its counts."""

    line: int
    column: int
    kind: str
    space: str
    array: str
    size: int
    counts: Counts


class Lines(dict):
    """Counts by line number; a line that counted nothing has zeros."""

    def __missing__(self, number):
        return Counts()


class Run:
    """The outcome of a launch.

    counts : Counts of the whole launch; lines[n] : of one line; accesses : of each access expression
    reports : what went wrong, [] when clean; printed : lines of printf
    """

    def __init__(self, launch, arguments, tally, order, snapshot=None):
        self.launch, self.arguments, self.tally, self.order, self.snapshot = (
            launch,
            arguments,
            tally,
            order,
            snapshot,
        )
        self.kernel, self.gpu = launch.kernel, launch.gpu
        self.grid, self.block, self.shared_bytes = launch.grid, launch.block, launch.shared_bytes
        self.reports, self.printed = launch.findings.reports, launch.findings.printed

    @cached_property
    def counts(self):
        return counts_of([(key[0], entry) for key, entry in self.tally.entries.items()])

    @cached_property
    def lines(self):
        by_line = {}
        for key, entry in self.tally.entries.items():
            by_line.setdefault(key[0].line, []).append((key[0], entry))
        return Lines((number, counts_of(entries)) for number, entries in sorted(by_line.items()))

    @cached_property
    def accesses(self):
        return [
            Access(
                site.line,
                site.column,
                entry.kind.removesuffix("_inc"),
                entry.space,
                site.name,
                site.size,
                counts_of([(site, entry)]),
            )
            for (site, _, _), entry in sorted(
                self.tally.entries.items(), key=lambda item: (item[0][0].line, item[0][0].column)
            )
            if entry.space
        ]

    @cached_property
    def launch_counts(self):
        """What the time model needs to know (gpusim.counters.LaunchCounts)."""
        from .account.launch_counts import launch_counts

        return launch_counts(self)

    # For traces.

    def trace(self, block=0, warp=0):
        """The events of one warp, in order: a sequence of trace.Event.  block : linear number or (x, y, z); warp :
        number in the block."""
        from .trace import trace

        return trace(self, block, warp)

    def bound(self):
        """The kernel's arguments as a machine takes them."""
        return self.kernel.bind(self.arguments)

    @contextlib.contextmanager
    def as_before(self):
        """Memory as it was before the launch; gives True where no data is needed, because none decides an
        address."""
        if self.snapshot is None:
            yield True
        else:
            with self.snapshot.restored():
                yield False

    def __repr__(self):
        reports = f", {len(self.reports)} report{'s' * (len(self.reports) != 1)}" if self.reports else ""
        return f"<run of {self.kernel.name}[{self.grid}, {self.block}]: {self.counts!r}{reports}>"
