"""A reader's own kernel in the page: any text, any launch, and all that is said about the run.

Text and launch may come from a link: they are data. The text is read as CUDA C, names and numbers are checked, an
array is described in words, and nothing is read from a file.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from ...command import CommandError, arguments, card, parser
from ...errors import GpusimError
from ...machine.launch import count, launch
from ...machine.memory.elements import check_memory
from ..outline import outline
from ..page import escape
from ..report_page import Examination
from ..source import source
from ..tables import counts_table
from .kernels import gutter, marks, program_of


@dataclass(frozen=True)
class Launch:
    """What to launch, in the words of `python -m gpusim`.

    kernel : a name, or None where the text has one kernel;  grid, block : numbers or lists
    args : words such as "float:1000", or numbers;  defines : as of nvcc's -D;  dataless : counts only
    """

    kernel: str | None = None
    grid: object = 1
    block: object = 32
    args: tuple = ()
    shared: int = 0
    defines: tuple = ()
    gpu: str = "H200"
    dataless: bool = False


def examined(text, launched: Launch) -> Examination:
    """Run a kernel, or count it; what is said about the run."""
    program = program_of(text, launched.defines)
    kernel = program[launched.kernel or _only(program)]
    words = [_word(arg) for arg in launched.args]
    gpu = card(launched.gpu)
    if not launched.dataless:
        _check_memory(words, kernel)
    values = arguments(words, kernel, 0, launched.dataless)
    shapes = [_shape(size) for size in (launched.grid, launched.block)]
    options = {"shared": launched.shared, "gpu": gpu}
    if launched.dataless:
        run = count(kernel, *shapes, *values, **options)
    else:
        run = launch(kernel, *shapes, *values, **options, bounds="report")
    return Examination(run, gpu, None, tuple(program.skipped))


def _only(program) -> str:
    names = [*program.kernels, *program.unit.templates]
    if len(names) > 1:
        raise GpusimError(f"the text has {len(names)} kernels: say which, {' or '.join(names)}")
    return next(iter([*names, *program.unit.refused]), "")


def _word(arg) -> str:
    word = str(arg).strip()
    if word.startswith("@"):
        raise CommandError(f"{word}: a page reads no files; describe the array, such as float:1000")
    return word


def _shape(size):
    return tuple(size) if isinstance(size, (list, tuple)) else size


def _check_memory(words, kernel):
    """Refuse arrays that do not fit before any of them is made."""
    for value in arguments(words, kernel, 0, dataless=True):
        if hasattr(value, "shape"):
            check_memory(value.shape, value.dtype)


def counted(text, launched: Launch) -> dict:
    """{counts, reports} of one launch as plain values."""
    run = examined(text, launched).run
    return {"counts": run.counts.as_dict(), "reports": [_report(report) for report in run.reports]}


def _report(report) -> dict:
    names = ("kind", "message", "line", "other_line", "count", "scope", "array", "index")
    return {name: getattr(report, name) for name in names}


def shown(text, launched: Launch) -> dict:
    """All that the bench shows about one side."""
    found = examined(text, launched)
    run = found.run
    return {
        "counts": run.counts.as_dict(),
        "gutter": gutter(run),
        "marks": marks(run),
        "html": "".join(
            [
                f"<details><summary>Access by access</summary>{replace(source(run), reports=()).html()}</details>",
                _items("reports", map(str, run.reports)) or "<p>Reports: none.</p>" * found.looked,
                _items("printed", run.printed),
                counts_table(run.counts).html(),
                _items("told", [*found.notes, *found.sentences]),
            ]
        ),
    }


def _items(kind, texts) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<ul class="gs-{kind}">{items}</ul>' if items else ""


def kernels(text, defines=()) -> list:
    """The kernels of a text, each with a launch to begin with and where that comes from.

    >>> [(k["kernel"], k["grid"], k["args"]) for k in kernels("__global__ void k(float *a, int n) {}")]
    [('k', [4], ['float:1024', '1024'])]
    """
    found = []
    program = program_of(text, defines)
    names = [*program.unit.kernels, *program.unit.templates]
    for name, (declared, line, command, origin) in zip(names, outline(program).kernels):
        told = {"kernel": name, "declared": declared, "line": line, "origin": origin}
        found.append({**told, **(_options(command) if command else {})})
    return found


def _options(command) -> dict:
    """The launch that a command line of `outline` asks for."""
    options = parser().parse_args(shlex.split(command)[3:])
    told = {"grid": list(options.grid), "block": list(options.block), "args": options.arg}
    named = {"kernel": options.kernel} if options.kernel else {}
    return {**told, **named, "shared": options.shared, "dataless": options.count}
