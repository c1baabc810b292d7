"""Reports: what went wrong in a run without stopping it; each names both parties and says what usually
helps."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from ...cuda.text.literals import conversions
from ...errors import GpusimError, indexed


@dataclass(frozen=True)
class Report:
    """One finding; the same finding at the same lines is one report with a count.

    kind : "out of bounds", "unset read", "partial barrier", "warp mask", "assert", or one of the races
        "read-after-write race", "write-after-read race", "write-after-write race"
    message : one sentence;  hint : what usually fixes it
    line, other_line : of the text; `line` is what went wrong, `other_line` its counterpart (who wrote the
        word, ...)
    block, thread : (x, y, z) of the first thread that met it;  other_block, other_thread : of its counterpart
    array, index : what it was about
    count : how many threads met it, each time counted; between blocks, how many elements it concerns
    scope : of a race: "between warps", "inside a warp", "between blocks"
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
    scope: str | None = None
    other_block: tuple | None = None
    column: int | None = None
    other_column: int | None = None
    file: str | None = None
    text: str | None = None
    other_text: str | None = None
    other_file: str | None = None

    def __str__(self):
        head = GpusimError(self.message, file=self.file, line=self.line, column=self.column, text=self.text)
        parts = [f"{head.place + ': ' if head.place else ''}{self.kind}: {self.message}", head.excerpt()]
        here = self.file, self.line, self.column
        if self.other_line is not None and (self.other_file, self.other_line, self.other_column) != here:
            other = GpusimError(
                "", file=self.other_file, line=self.other_line, column=self.other_column, text=self.other_text
            )
            parts += [f"{other.place}: the other access", other.excerpt()]
        times = f"{self.count:,} times in all" if self.count != 1 else ""
        parts += [times, f"hint: {self.hint}" if self.hint else ""]
        return "\n".join(part for part in parts if part)

    def _repr_html_(self):
        return f'<pre class="gpusim-report" role="note">{escape(str(self))}</pre>'


SCOPES = ("inside a warp", "between warps", "between blocks")  # of races, the widest last


class ReportList(list):
    """The reports of a run, which print and render as text a student can act on."""

    def total(self, kind="", scope=""):
        """Counts added up over the reports whose kind and scope contain these words.

        >>> found = ReportList([Report("unset read", "", count=3), Report("write-after-read race", "", count=4)])
        >>> found.total("race"), found.total()
        (4, 7)
        """
        return sum(r.count for r in self if kind in r.kind and scope in (r.scope or ""))

    def __str__(self):
        return "\n\n".join(map(str, self)) if self else "no reports"

    def _repr_html_(self):
        return "".join(r._repr_html_() for r in self) if self else '<p class="gpusim-clean">no reports</p>'


NOT_LOOKED_FOR = "not looked for (--count runs no data)"


class NotLookedFor(ReportList):
    """The reports of a run that was counted only: empty, as a clean run's, and it says that this means nothing."""

    def __str__(self):
        return NOT_LOOKED_FOR

    __repr__ = __str__

    def _repr_html_(self):
        return f"<p>{NOT_LOOKED_FOR}</p>"


class Findings:
    """What a launch of a kernel reports, and the lines that it prints."""

    def __init__(self, kernel, looked=True):
        self.kernel, self.printed, self._where, self.room = kernel, [], {}, PRINTED
        self.reports = ReportList() if looked else NotLookedFor()

    def add(self, report, site=None, other=None):
        """Add a report, or its count to that of the same finding; site, other : the places it is about.

        Of one race in several scopes the widest is kept: what cures it cures the others.
        """
        key = (
            report.kind,
            report.array,
            id(site),
            id(other),
            report.scope if report.scope not in SCOPES else None,
        )
        place = self._where.get(key)
        if place is None:
            self._where[key] = len(self.reports)
            self.reports.append(self._placed(report, site, other))
            return
        known = self.reports[place]
        if known.scope == report.scope:
            self.reports[place] = replace(known, count=known.count + report.count)
        elif SCOPES.index(report.scope) > SCOPES.index(known.scope):
            self.reports[place] = self._placed(report, site, other)

    def _placed(self, report, site, other):
        """The report with its place in the text."""
        known = {"file": self.kernel.file}
        if site is not None:
            known |= dict(zip(("file", "line", "column", "text"), _place(self.kernel, site)))
        if other is not None:
            names = ("other_file", "other_line", "other_column", "other_text")
            known |= dict(zip(names, _place(self.kernel, other)))
        return replace(report, **known)

    def outside(self, machine, site, buffer, values, outside, count):
        """Lanes that missed an array, in a run that goes on."""
        block, thread, index = machine.space.first(outside, values)
        index, count = index * site.scale, count * site.scale
        total = int(np.broadcast_to(outside, machine.space.full_shape).sum())
        self.add(
            Report(
                "out of bounds",
                f"block {indexed(block)} thread {indexed(thread)} reaches element {index} of {buffer.name}, "
                f"which has {count}",
                block=block,
                thread=thread,
                array=buffer.name,
                index=index,
                count=total,
                hint=more_shared(buffer).get("hint") or "guard the access: if (index < size)",
            ),
            site,
        )

    def claim(self, machine, site, failed):
        """An assert that failed."""
        block, thread, _ = machine.space.first(failed)
        total = int(np.broadcast_to(failed, machine.space.full_shape).sum())
        self.add(
            Report(
                "assert",
                f"the assertion is false in block {indexed(block)} thread {indexed(thread)}",
                block=block,
                thread=thread,
                count=total,
            ),
            site,
        )

    def print(self, text, rows):
        """Lines of printf, until its buffer is full."""
        for row in rows:
            if self.room <= 0:
                return
            self.printed.append(_format(text, row)[: self.room])
            self.room -= len(self.printed[-1])
            if self.room <= 0:
                self.printed.append(f"(printf ends here: its buffer has {PRINTED:,} bytes)")


def _place(kernel, site):
    """(file, line, column, text of the line) of a site."""
    return *kernel.unit.where(site.line), site.column, kernel.unit.line(site.line)


def more_shared(buffer) -> dict:
    """The hints for an access outside dynamic shared memory: in Python, and on the command line."""
    if not buffer.dynamic:
        return {}
    size = f"{buffer.name} has {buffer.nbytes:,} bytes a block, as the launch says" if buffer.nbytes else (
        f"the launch gives {buffer.name} no memory")  # fmt: skip
    return {
        "hint": f"{size}: say how many, kernel[grid, block, bytes] in Python, --shared BYTES on the command line",
        "terminal": f"{size}: give --shared BYTES",
    }


PRINTED, WIDEST = 1 << 20, "999"  # bytes of printf's buffer on a device; the widest field


def _stars(text):
    """For each value that printf takes whether it is the width of a field."""
    for spec in re.findall(r"%(?:%|[-+ #0]*[\d*]*(?:\.[\d*]*)?[a-zA-Z])", text):
        yield from [True] * spec.count("*")
        yield from [False] * (spec != "%%")


def _format(text, row):
    """One line of printf: Python's % knows C's conversions but for sizes and pointers."""
    text = re.sub(r"%([-+ #0]*[\d*]*(?:\.[\d*]*)?)(?:hh|h|ll|l|z|j|t|L)?([a-zA-Z])", r"%\1\2", text)
    text = re.sub(r"%([-+ #0]*\d*)p", r"%\1s", text)
    text = re.sub(r"%[-+ #0]*[\d*]*(?:\.[\d*]*)?", lambda spec: re.sub(r"\d{4,}", WIDEST, spec[0]), text)
    values = tuple(v.item() if hasattr(v, "item") else v for v in row)
    try:
        if "*" in text:
            values = tuple(max(-999, min(999, v)) if star else v for v, star in zip(values, _stars(text)))
        return text % values[: conversions(text)]
    except (TypeError, ValueError):
        return text + " " + " ".join(map(str, values))
