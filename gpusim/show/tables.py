"""Tables of counts: simulated, beside measured where a real GPU counted the same launch, with both names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..counters import COUNTERS, counter
from ..errors import GpusimError
from ..hardware.measurements import CountComparison, compare
from ..inputs import shown, values_of
from .explains import linked
from .page import coded, dressed, escape, number
from .written import THIN

__all__ = ["PageTable", "compare", "compare_table", "counter_table", "counts_table", "table"]
COUNTED = '<span class="gs-kind">simulated</span>'
SIZE = re.compile(r"(?<=\d) × (?=\d)")
LONG = 30  # characters of a cell: more are a sentence
MEASURED = '<span class="gs-kind measured">measured</span>'


@dataclass(frozen=True, repr=False)
class PageTable:
    """Rows of values under a head: `print` it, or let a notebook show it.

    head : names of the columns; rows : tuples of str, number or None (a dash), the first cell names the row
    caption : a sentence about the table; marks : {column: HTML of its head}; code : columns in monospace
    explained : the first column holds names of counts, each with a link to its page

    >>> print(PageTable(("count", "simulated"), [("barriers", 4096)], "one launch"))
    count     simulated
    barriers       4096
    one launch
    """

    head: tuple
    rows: list
    caption: str = ""
    marks: dict | None = None
    explained: bool = False
    code: tuple = ()

    @property
    def words(self) -> set:
        """The places of the columns that hold text: those stand at the left, numbers at the right."""
        return {0, *(at for row in self.rows for at, value in enumerate(row) if isinstance(value, str))}

    @property
    def long(self) -> bool:
        """True if every third row or more holds a sentence: on a phone such columns do not fit side by side."""
        holds = [any(isinstance(value, str) and len(value) > LONG for value in row) for row in self.rows]
        return bool(holds) and sum(holds) / len(holds) >= 1 / 3

    def __str__(self):
        table = [list(map(str, self.head)), *([_plain(value) for value in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        aligned = [str.ljust if at in self.words else str.rjust for at in range(len(widths))]
        lines = [
            "  ".join(align(*cell) for align, *cell in zip(aligned, row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join([*lines, *filter(None, [self.caption])])

    __repr__ = __str__

    def html(self) -> str:
        """The table for a page; all text is escaped, `code` between backticks set as code."""
        marks = self.marks or {}
        kinds = [' class="words"' if at in self.words else "" for at in range(len(self.head))]
        head = "".join(
            f'<th scope="col"{kind}>{marks.get(name, _marked(name))}</th>'
            for name, kind in zip(self.head, kinds, strict=True)
        )
        body = "".join(f"<tr>{''.join(self._cells(row, kinds))}</tr>" for row in self.rows)
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        label = escape(self.caption or ", ".join(self.head))
        kind = "gs-table gs-rows" if self.long else "gs-table"
        return (
            f'<div class="gs-wide" tabindex="0" role="region" aria-label="{label}"><table class="{kind}">'
            f"{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def _cells(self, row, kinds):
        for at, (name, kind, value) in enumerate(zip(self.head, kinds, row, strict=True)):
            text = "–" if value is None else _unbroken(number(value))
            shown = linked(text, text) if self.explained and at == 0 else coded(text)
            if name in self.code and value:
                shown = f"<code>{shown}</code>"
            named = f' data-head="{escape(name)}"' if self.long else ""
            yield f'<th scope="row"{kind}>{shown}</th>' if at == 0 else f"<td{kind}{named}>{shown}</td>"

    def _repr_html_(self) -> str:
        return dressed(self.html(), script=False)


def _unbroken(text) -> str:
    """A number keeps its per cent sign beside it, and a size its two numbers.

    >>> _unbroken("naive 8 × 32, 12.5 %").replace("\u00a0", "_")
    'naive 8_×_32, 12.5_%'
    """
    return SIZE.sub("\u00a0×\u00a0", text).replace(" %", "\u00a0%")


def _marked(name) -> str:
    """The head of a column, with the mark of its kind of number if it names one.

    >>> _marked("measured, ms"), _marked("stride")
    ('<span class="gs-kind measured">measured, ms</span>', 'stride')
    """
    word = next((word for word in ("measured", "estimated", "simulated", "counted") if word in name), None)
    kind = f" {word}" if word in ("measured", "estimated") else ""
    return f'<span class="gs-kind{kind}">{escape(name)}</span>' if word else escape(name)


def _plain(value) -> str:
    """A value in a terminal that may know ASCII only."""
    return "-" if value is None else number(value).replace(THIN, ",")


def counts_table(counts, caption="") -> PageTable:
    """Every count of a run, a line or an access that is not zero.

    counts : Counts, such as `run.counts` or `run.lines[7]`
    """
    rows = [(name, value, COUNTERS[name].unit) for name, value in counts.as_dict().items() if value]
    head = ("count", "simulated", "unit")
    return PageTable(head, rows, caption, {"simulated": COUNTED}, explained=True)


def compare_table(comparison) -> PageTable:
    """Simulated and measured counts of one launch with Nsight Compute's names; the caption names the device.

    comparison : what `gs.compare(run)` returns
    """
    head = ("count", "simulated", "measured", "Nsight Compute")
    marks = {"simulated": COUNTED, "measured": MEASURED}
    caption = f"{comparison.kernel}: {comparison.footer}"
    return PageTable(head, comparison.rows, caption, marks, explained=True, code=("Nsight Compute",))


def table(rows, head=None, caption="") -> PageTable:
    """A table of a page's own numbers: settings, counts, times.

    rows : dicts with the same keys, or tuples with `head`

    >>> print(table([{"stride": 2, "sectors": 8}, {"stride": 3, "sectors": 12}]))
    stride  sectors
    2             8
    3            12
    """
    rows = values_of("rows", rows)
    if head is None:
        head = tuple(rows[0]) if rows and isinstance(rows[0], dict) else ()
        wrong = [row for row in rows if not isinstance(row, dict) or set(row) != set(head)]
        if wrong:
            raise GpusimError(f"rows without a head are dicts with the same keys; got {shown(wrong[0])}")
        rows = [tuple(row[name] for name in head) for row in rows]
    return PageTable(tuple(map(str, head)), [tuple(row) for row in rows], caption)


def counter_table(names=None) -> PageTable:
    """The counts themselves: name, unit, meaning, Nsight Compute's name; `names`: those only."""
    known = [counter(name) for name in names or COUNTERS]
    rows = [(each.name, each.unit, each.meaning, each.ncu or None) for each in known]
    return PageTable(("count", "unit", "meaning", "Nsight Compute"), rows, explained=True)


# The records' floor knows no pages: `gs.compare` comes through this module.
CountComparison._repr_html_ = lambda comparison: compare_table(comparison)._repr_html_()
