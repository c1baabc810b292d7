"""Exercises: the starter, the solution and the wrong kernels in one text, and what a kernel is judged by.

An exercise NAME is two files in book/exercises. NAME.cu holds all its kernels: lines common to all, and
regions that differ, `//@ starter`, `//@ solution`, `//@ wrong NAME: REASON`, up to `//@ end`. NAME.py
holds `exercise = Exercise(...)`: sizes, launches, expected results, limits on counts, hints.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from ...cuda.text.tokens import without_comments
from ...errors import GpusimError
from ...gpus import USUAL, Gpu
from ...inputs import kernel_of, near, shown
from ...library import folder
from ...machine.launch import launch
from ...machine.memory.arrays import asarray, empty
from ...machine.program import Program, cuda

MARK = re.compile(r"^\s*//@\s*(starter|solution|end|wrong\s+([\w-]+)\s*:\s*([\w-]+))\s*$")


@dataclass(frozen=True)
class Output:
    """An array that the kernel has to fill; it starts unset, and reading it is reported."""

    shape: tuple | int
    dtype: type = np.float32


@dataclass(frozen=True)
class Case:
    """One launch of an exercise.

    grid, block : as in a launch;  arguments : {parameter: array, Output or number}, in the kernel's order
    expect : {parameter: array that must be there afterwards};  shared : bytes of dynamic shared memory
    constants : {name: array} of __constant__ data
    """

    grid: tuple | int
    block: tuple | int
    arguments: dict
    expect: dict
    shared: int = 0
    constants: dict = field(default_factory=dict)

    def on_device(self) -> list:
        """The arguments of one launch: copies in device memory."""
        return [_on_device(value) for value in self.arguments.values()]


def _on_device(value):
    if isinstance(value, Output):
        return empty(value.shape, value.dtype)
    return asarray(value) if isinstance(value, np.ndarray) and value.ndim else value


@dataclass(frozen=True)
class Exercise:
    """What a kernel is judged by.

    kernel : the kernel's name;  case : callable(random, **size) -> Case; random : a NumPy Generator
    sizes : dicts for `case`, with partial blocks and more than two blocks;  gates : limits on the counts
    counted : the size whose counts the gates judge, the last of `sizes` unless told
    hints : sentences, one more after each failed try; one in a pair, ("reports", "Wait for ..."), only where that
        finding fails, and then before the others;  why : a sentence to go with the solution
    defines : of the text;  tolerance : relative, of the results;  registers : a thread, for the occupancy
    steps : of loops, before a launch counts as endless: a reader waits for the verdict
    """

    kernel: str
    case: Callable
    sizes: list
    gates: list = field(default_factory=list)
    hints: list = field(default_factory=list)
    counted: dict | None = None
    why: str = ""
    defines: dict = field(default_factory=dict)
    tolerance: float = 1e-4
    registers: int = 32
    steps: int = 5000
    gpu: Gpu = USUAL
    name: str = ""
    text: str = field(default="", repr=False)

    def cases(self, **choices):
        """(size, Case) of each size, the same data each time; `choices` go to `case` as well."""
        return [(size, self.case(np.random.default_rng(7), **size, **choices)) for size in self.sizes]

    def variant(self, name) -> str:
        """The text of "starter", "solution" or of a wrong kernel."""
        return variant(self.text, name)

    @property
    def zoo(self) -> dict:
        """{name of a wrong kernel: the finding that catches it}"""
        marks = (MARK.match(line) for line in self.text.split("\n"))
        return {mark[2]: mark[3] for mark in marks if mark and mark[2]}

    @property
    def starter(self) -> str:
        return self.variant("starter")

    @property
    def solution(self) -> str:
        return self.variant("solution")

    def hints_about(self, failed) -> list:
        """The hints that go with findings that are not right: those about them, then those about the whole.

        failed : keys of findings, as `Verdict.failed` has them
        """
        about = [(failed.index(hint[0]), hint[1]) for hint in self.keyed if hint[0] in failed]
        return [said for _, said in sorted(about, key=lambda pair: pair[0])] + self.ladder

    @property
    def ladder(self) -> list:
        """The hints that lead to a solution step by step, whatever fails."""
        return [hint for hint in self.hints if isinstance(hint, str)]

    @property
    def keyed(self) -> list:
        """The hints about one finding: [(key, sentence)]"""
        return [hint for hint in self.hints if not isinstance(hint, str)]

    def kernel_of(self, answer):
        """The kernel of a reader's text, program or kernel."""
        if not isinstance(answer, (str, bytes, Program)):
            return kernel_of(answer)
        if not isinstance(answer, Program):
            answer = cuda(answer, f"{self.name or self.kernel}.cu", **self.defines)
        kernels = answer.kernels
        if len(kernels) != 1 and self.kernel not in kernels:
            raise GpusimError(f"the text has no kernel called {self.kernel}; it has {', '.join(kernels)}")
        return kernels.get(self.kernel) or next(iter(kernels.values()))

    def counted_run(self, kernel, choices=None):
        """The launch whose counts the gates judge."""
        size = self.counted or self.sizes[-1]
        case = self.case(np.random.default_rng(7), **size, **(choices or {}))
        return self.launched(kernel, case, case.on_device())

    def set_constants(self, kernel, case):
        """Give the kernel's program its __constant__ data."""
        for name, value in case.constants.items():
            kernel.program.constants[name] = value

    def launched(self, kernel, case, arguments, **options):
        """A run of one case with its arguments in device memory."""
        for name, value in case.constants.items():
            kernel.program.constants[name] = value
        return launch(kernel, case.grid, case.block, *arguments, shared=case.shared, gpu=self.gpu, **options)

    def is_starter(self, text) -> bool:
        """Whether a text is still the starter, but for comments and spaces."""
        return bare(text) == bare(self.starter)


def bare(text) -> str:
    """A text without comments, blanks and line breaks: what two tries differ in."""
    return "".join(without_comments(text).split())


def variant(text, name) -> str:
    """One kernel out of an exercise's text: the common lines, and of each region the part with this name.

    A wrong kernel takes the solution's part of a region that has none of its own.

    >>> text = "a;\\n//@ starter\\n// yours\\n//@ solution\\nb;\\n//@ wrong off: results\\nc;\\n//@ end\\nd;"
    >>> [variant(text, name).split("\\n") for name in ("solution", "off")]
    [['a;', 'b;', 'd;'], ['a;', 'c;', 'd;']]
    """
    kept, region, part = [], None, ""
    for line in text.split("\n"):
        mark = MARK.match(line)
        if mark is None:
            (kept if region is None else region[part]).append(line)
            continue
        part = mark[2] or mark[1]
        if part == "end":
            kept += region.get(name, region.get("solution", []))
            region = None
        else:
            region = {} if region is None else region
            region[part] = []
    return "\n".join(kept)


def load_exercise(name) -> Exercise:
    """An exercise of the book by name; an Exercise is itself."""
    if isinstance(name, Exercise):
        return name
    if not isinstance(name, str):
        raise GpusimError(f"an exercise is the name of one, or an Exercise; got {shown(name)}")
    place = folder("exercises")
    path = place / f"{name}.py"
    if not re.fullmatch(r"\w+", name) or not path.exists():
        known = sorted(each.stem for each in place.glob("*.py"))
        raise GpusimError(
            f"the book has no exercise called {name!r}" + (f"; {hint}" if (hint := near(name, known)) else "")
        )
    return _loaded(path, path.stat().st_mtime_ns, path.with_suffix(".cu").stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _loaded(path, *_changed):
    found = runpy.run_path(str(path))["exercise"]  # not imported: no bytecode beside the book's files
    return replace(found, name=path.stem, text=path.with_suffix(".cu").read_text(encoding="utf-8"))
