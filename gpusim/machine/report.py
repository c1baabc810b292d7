"""Reports: what went wrong in a run without stopping it."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Report:
    """One finding.

    kind : "out of bounds", "absent at barrier", "assert", "race", "unset", ...; line, other_line : of the text
    block, thread, other_thread : (x, y, z) of the first that met it; array, index : what it was about; count : how often
    """
    kind: str
    message: str
    line: int | None = None
    other_line: int | None = None
    block: tuple | None = None
    thread: tuple | None = None
    other_thread: tuple | None = None
    array: str | None = None
    index: int | None = None
    count: int = 1
    hint: str | None = None

    def __str__(self):
        where = f"line {self.line}: " if self.line else ""
        who = f" (first: block {self.block} thread {self.thread})" if self.thread is not None else ""
        return f"{where}{self.kind}: {self.message}{who}"


class Reports:
    """Part of a launch: collects reports and printed lines."""

    def __init__(self):
        self.reports, self.printed = [], []

    def report_outside(self, machine, site, buffer, values, outside, count):
        """Lanes that missed an array, in a run that goes on."""
        block, thread, index = machine.first(outside, values)
        total = int(np.broadcast_to(outside, machine.space.full_shape).sum())
        self.reports.append(Report("out of bounds", f"index {index} is outside {buffer.name}, which has {count} elements; "
                                   f"{total} threads in all", site.line, block=block, thread=thread, array=buffer.name,
                                   index=index, count=total))

    def report_absent(self, machine, site, missing, arrived):
        """A barrier that some threads never reached because they had left the kernel."""
        block, thread, _ = machine.first(missing)
        came = np.broadcast_to(arrived, machine.space.full_shape).sum(axis=(3, 4, 5))
        least = int(came[came < machine.space.thread_count].max(initial=0))
        self.reports.append(Report(
            "absent at barrier", f"__syncthreads() was reached by {least} of {machine.space.thread_count} threads of the block; "
            "the others had left the kernel", site.line, block=block, thread=thread,
            count=int(np.broadcast_to(missing, machine.space.full_shape).sum()),
            hint="let every thread of the block reach every barrier; guard the loads and stores instead"))

    def report_claim(self, machine, site, failed):
        """An assert that failed."""
        block, thread, _ = machine.first(failed)
        self.reports.append(Report("assert", "assertion failed", site.line, block=block, thread=thread))

    def print(self, text, rows):
        """Lines of printf."""
        self.printed += [_format(text, row) for row in rows]


def _format(text, row):
    text = text.replace("%lld", "%d").replace("%llu", "%u").replace("%ld", "%d").replace("%lu", "%u").replace("%zu", "%u")
    try:
        return text % tuple(v.item() if hasattr(v, "item") else v for v in row)
    except (TypeError, ValueError):
        return text + " " + " ".join(map(str, row))
