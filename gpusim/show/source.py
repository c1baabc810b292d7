"""Annotated source: a kernel's text with what each line and each access cost, in text and HTML."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ..counters import SPACES
from ..cuda.text.tokens import tokens_of_text
from ..units import SECTOR
from .explains import linked
from .page import dressed, escape, number
from .written import THIN

GLOBAL, SHARED = SPACES[:3], SPACES[3:]
LONG = 12  # lines that count nothing, outside the kernel: more in a row are folded into one
SHARE = 0.05  # of the launch's sectors and wavefronts: a line that wastes less is not marked


@dataclass(frozen=True)
class Column:
    """One column of numbers: its key, two-line head, the count that explains it; `opt`: not on a phone."""

    key: str
    head: tuple
    count: str
    opt: bool = False


COLUMNS = (
    Column("requests", ("requests", ""), "requests"),
    Column("sectors", ("sectors", "each"), "sectors"),
    Column("wavefronts", ("wavefronts", "each"), "wavefronts"),
    Column("lanes", ("lanes", "active"), "lanes", opt=True),
    Column("divergent", ("branches", "divergent"), "divergent_branches", opt=True),
)


@dataclass(frozen=True)
class Row:
    """A line of the text, or one access of the line above it.

    line : its number, None for an access and for a fold;  code : str, tabs as spaces
    cells : {column's key: int or float};  hot : the line that wastes most;  label : the line of a header
    """

    line: int | None
    code: str
    cells: dict = field(default_factory=dict)
    hot: bool = False
    label: str = ""

    @property
    def shown(self) -> str:
        """The line as the reader knows it."""
        return self.label or str(self.line or "")


def measures(counts) -> dict:
    """What one line or access shows, from its Counts; only what it has.

    "sectors" and "wavefronts" are means of a request, "lanes" the mean of active lanes of an instruction.

    >>> from gpusim.machine.account.counts import Counts
    >>> measures(Counts({"global_load_requests": 2, "global_load_sectors": 24, "warp_instructions": 2,
    ...                  "thread_instructions": 64}))
    {'requests': 2, 'sectors': 12.0, 'lanes': 32.0}
    """
    far = sum(getattr(counts, f"{space}_requests") for space in GLOBAL)
    near = sum(getattr(counts, f"{space}_requests") for space in SHARED)
    told = {"requests": far + near} if far + near else {}
    if far:
        told["sectors"] = sum(getattr(counts, f"{space}_sectors") for space in GLOBAL) / far
    if near:
        told["wavefronts"] = sum(getattr(counts, f"{space}_wavefronts") for space in SHARED) / near
    if counts.warp_instructions:
        told["lanes"] = counts.thread_instructions / counts.warp_instructions
    if counts.branches or counts.divergent_loops:
        told["divergent"] = counts.divergent_branches + counts.divergent_loops
    return told


def moved(counts) -> tuple:
    """(sectors and wavefronts, those of them that are waste).

    Waste: sectors beyond those that the bytes asked for would fill, wavefronts beyond the fewest possible.
    """
    sectors = sum(getattr(counts, f"{space}_sectors") for space in GLOBAL)
    filled = sum(math.ceil(getattr(counts, f"{space}_bytes") / SECTOR) for space in GLOBAL)
    wavefronts = sum(getattr(counts, f"{space}_wavefronts") for space in SHARED)
    excess = sum(getattr(counts, f"{space}_excess") for space in SHARED)
    return sectors + wavefronts, max(0, sectors - filled) + excess


def source(run) -> Source:
    """A run's kernel text with its counts beside it: prints in a terminal, shows itself in a notebook.

    Every line has requests, sectors or wavefronts of each, active lanes and divergent branches; a line with
    several accesses is followed by a row for each. The line that wastes most is marked.
    """
    accesses = _by_line(run)
    worst = _worst(accesses, run.counts)
    rows = []
    for line, code in _parts(run):
        cells = measures(run.lines[line]) if line else {}
        rows.append(Row(line, code, cells, bool(line) and line == worst, _label(run.kernel, line)))
        own = accesses.get(line, [])
        rows += [_access_row(run, line, *access) for access in own if len(own) > 1]
    return Source(tuple(rows), title(run), tuple(map(str, run.reports)))


def _label(kernel, line) -> str:
    """The name of a line that lies in a header, as `helper.h:7`."""
    return kernel.unit.named(line) if line and kernel.unit.headers else ""


def _worst(accesses, total) -> int | None:
    """The line that wastes most, if that is much of the launch."""
    wasted = {line: sum(moved(counts)[1] for *_, counts in own) for line, own in accesses.items()}
    worst = max(wasted, key=wasted.get, default=None)
    return worst if worst and wasted[worst] > SHARE * moved(total)[0] else None


def _by_line(run) -> dict:
    """{line: [(column, kind, array, counts)]}; a device function called twice has its accesses once."""
    found = {}
    for access in run.accesses:
        places = found.setdefault(access.line, {})
        key = access.column, access.kind, access.array
        places[key] = places[key] + access.counts if key in places else access.counts
    return {line: [(*key, counts) for key, counts in places.items()] for line, places in found.items()}


def _access_row(run, line, column, kind, array, counts) -> Row:
    before = run.kernel.unit.line(line)[: column - 1]
    return Row(None, " " * len(before.expandtabs(4)) + f"^ {kind} {array}", measures(counts))


def numbered(kernel) -> list:
    """[(line number, text)] of a kernel's text, tabs as spaces; one in Python has its file's numbers."""
    first = kernel.unit.first
    return list(enumerate(kernel.text.expandtabs(4).rstrip().split("\n"), first))


def _parts(run):
    """(line number, text) of each line shown; (None, how many) of lines left out."""
    kernel = run.kernel
    lines = numbered(kernel)
    last = lines[-1][0] if kernel.unit.alone else _last_line(kernel.text, kernel.at.line)
    wanted = {*range(kernel.at.line, last + 1), *run.lines}
    skipped = []
    for line, code in lines:
        if line not in wanted:
            skipped.append((line, code))
            continue
        yield from _folded(skipped)
        skipped = []
        yield line, code
    yield from _folded(skipped)


def _folded(skipped):
    """Lines outside the kernel as they are, or their number where they are many."""
    return skipped if len(skipped) <= LONG else [(None, f"... {len(skipped)} lines")]


def _last_line(text, first) -> int:
    """The line of the brace that closes what begins at line `first`.

    >>> _last_line("void k() {\\n  // }\\n  { }\\n}\\nint x;", 1)
    4
    """
    depth = 0
    for token in tokens_of_text(text):
        if token.line >= first and token.text in ("{", "}"):
            depth += 1 if token.text == "{" else -1
            if token.text == "}" and depth <= 0:
                return token.line
    return text.count("\n") + 1


def title(run) -> str:
    """What was launched: kernel, grid, block and the numbers among the arguments."""
    shapes = (f"{name} {_shape(getattr(run, name))}" for name in ("grid", "block"))
    scalars = (
        f"{parameter.name} = {value}"
        for parameter, value in zip(run.kernel.parameters, run.arguments, strict=False)
        if isinstance(value, (bool, int, float, np.number))
    )
    macros = (f"{name} = {value}" for name, value in run.kernel.defines.items())
    return ", ".join([run.kernel.name, *shapes, *scalars, *macros, *_template(run.kernel)])


def _template(kernel):
    """What the parameters of a kernel template stand for, and the launch in host code that says so."""
    own = [f"{name} = {text}" for name, text in kernel.template if name not in kernel.defines]
    if own and kernel.launched:
        own[-1] += f" (launch on line {kernel.unit.named(kernel.launched)})"
    return own


def _shape(sizes) -> str:
    """A grid or block without its trailing ones.

    >>> _shape((7, 7, 1)), _shape((256, 1, 1))
    ('(7, 7)', '256')
    """
    sizes = list(sizes)
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    return str(sizes[0]) if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"


@dataclass(frozen=True, repr=False)
class Source:
    """Annotated source: `rows` under a `title`; `reports` of the run as sentences."""

    rows: tuple
    title: str
    reports: tuple = ()

    @property
    def columns(self) -> list:
        """The columns in which some line has a number."""
        return [column for column in COLUMNS if any(column.key in row.cells for row in self.rows)]

    def __str__(self):
        shown = self.columns
        table = [[*(column.head[row] for column in shown), "", ""] for row in (0, 1)]
        table += [
            [*(_cell(row, column).replace(THIN, ",") for column in shown), row.shown, row.code]
            for row in self.rows
        ]
        widths = [max(len(row[at]) for row in table) for at in range(len(shown) + 1)]
        lines = [("  ".join([*map(str.rjust, row, widths)]) + "  " + row[-1]).rstrip() for row in table]
        for at, row in enumerate(self.rows, 2):
            if row.hot:
                lines[at] = lines[at] + "   <- wastes most"
        return "\n".join([self.title, *lines, *self.reports])

    __repr__ = __str__

    def html(self) -> str:
        """The table for a page; all text of the kernel is escaped."""
        shown = self.columns
        head = "".join(f'<th scope="col" class="{_classes(column)}">{_head(column)}</th>' for column in shown)
        head += '<th scope="col" class="n"><span class="gs-hidden">line</span></th>'
        head += f'<th scope="col">{escape(self.title)}</th>'
        label = escape(f"Source of {self.title}, with counts")
        body = "".join(self._html_row(row, shown) for row in self.rows)
        reports = "".join(f"<li>{escape(report)}</li>" for report in self.reports)
        return (
            f'<div class="gs-src" tabindex="0" role="region" aria-label="{label}">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
            + (f'<ul class="gs-reports">{reports}</ul>' if reports else "")
        )

    def _html_row(self, row, shown) -> str:
        cells = "".join(
            f'<td class="{_classes(column)}">'
            f"{linked(column.count, _cell(row, column), quiet=True) if column.key in row.cells else ''}</td>"
            for column in shown
        )
        kind = ' class="hot"' if row.hot else "" if row.line else ' class="sub"'
        return f'<tr{kind}>{cells}<td class="n">{escape(row.shown)}</td><td>{escape(row.code)}</td></tr>'

    def _repr_html_(self) -> str:
        return dressed(self.html(), script=False)


def _classes(column) -> str:
    return "n opt" if column.opt else "n"


def _cell(row, column) -> str:
    return number(row.cells[column.key]) if column.key in row.cells else ""


def _head(column) -> str:
    first, second = column.head
    return linked(column.count, first) + (f"<br>{escape(second)}" if second else "")
