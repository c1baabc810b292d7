"""What an editor shows about a kernel: counts beside each line, marks where something is wrong."""

from __future__ import annotations

from ...errors import GpusimError
from ...machine.program import Program
from ..page import number
from ..source import source

FILE = "kernel.cu"
LONGEST = 200_000  # characters of a text


def program_of(text, defines=()) -> Program:
    """A text as a program; defines : as of nvcc's -D; an error where it is too long to be a kernel."""
    from ...command import define

    if len(text) > LONGEST:
        raise GpusimError(f"the text has {len(text):,} characters; the page takes at most {LONGEST:,}")
    return Program(text, FILE, dict(define(word) for word in defines))


def gutter(run) -> dict:
    """The counts beside a kernel's lines, as `run.source()` shows them.

    return : {"columns": [[key, two-line head]], "lines": {line: {key: text}}, "hot": the line that wastes most}
    """
    told = source(run)
    rows = [row for row in told.rows if row.line and row.cells]
    return {
        "title": told.title,
        "columns": [[column.key, *column.head, column.opt] for column in told.columns],
        "lines": {
            row.line: {key: number(value) for key, value in row.cells.items()}
            for row in rows
            if not row.label
        },
        "hot": next((row.line for row in rows if row.hot), None),
    }


def marks(run) -> list:
    """The reports of a run as marks on their lines; those of headers stand on no line."""
    return [mark(report.line, report.column, "warning", str(report)) for report in run.reports]


def error_marks(error) -> list:
    """The place of an error in the kernel's text, where it has one."""
    if not isinstance(error, GpusimError) or error.line is None:
        return []
    hint = f"\nhint: {error.hint}" if error.hint else ""
    return [mark(error.line, error.column, "error", f"{error.message}{hint}", error.length)]


def mark(line, column, severity, message, length=1) -> dict:
    return {
        "line": line or 1,
        "column": column or 1,
        "length": length,
        "severity": severity,
        "message": message,
    }


def error_of(error) -> dict:
    """An error as plain values."""
    place = {name: getattr(error, name, None) for name in ("line", "column")}
    return {"kind": type(error).__name__, "message": getattr(error, "message", str(error)), **place}
