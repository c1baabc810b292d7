"""Programs: CUDA C text that can be launched, counted and read."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import PurePath

from ..errors import GpusimError
from ..library import kernel_file, reading
from .kernel import CudaKernel, OpenKernel
from .memory.variables import Constants

FILE_NAME = re.compile(r"[^\n{};]*\.(cu|cuh|h|hpp|cpp|c|txt)\s*", re.I)


class Program:
    """CUDA C text, checked; its kernels are attributes and items, those of a template as program["fill<float, 4>"].

    constants : assign arrays to __constant__ data; skipped : what was ignored (host code, includes) and why
    """

    def __init__(self, text, file="kernel.cu", defines=None, headers=None):
        from ..cuda.front import unit_of, with_places

        self.unit = unit_of(text, file, defines or {}, headers)
        self.text, self.file, self.skipped = text, file, self.unit.skipped
        self.constants = with_places(self.unit, lambda: Constants(self.unit.variables, self.unit.initial))
        self.specialised = {}

    @cached_property
    def kernels(self):
        """{name: CudaKernel}"""
        return {name: CudaKernel(self.unit, tree, self) for name, tree in self.unit.kernels.items()}

    def __getitem__(self, name):
        if "<" in str(name):
            return self._instance(name)
        if name in self.unit.refused:
            raise self.unit.refused[name]
        if name in self.unit.templates:
            return OpenKernel(self, name)
        if name not in self.kernels:
            known = ", ".join((*self.kernels, *self.unit.templates))
            raise GpusimError(f"the text has no kernel called {name!r}; it has {known}", file=self.file)
        return self.kernels[name]

    def _instance(self, words):
        """The kernel "name<arguments>" of a template, made once."""
        from ..cuda.front import instance

        tree = instance(self.unit, words)
        if tree not in self.specialised:
            self.specialised[tree] = CudaKernel(self.unit, tree, self)
        return self.specialised[tree]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self.unit.refused:  # no AttributeError: Python would guess another kernel's name
            raise self.unit.refused[name]
        try:
            return self[name]
        except GpusimError as error:
            raise AttributeError(str(error)) from None

    def __dir__(self):
        return [*super().__dir__(), *self.kernels]

    def __repr__(self):
        return f"<program {self.file}: {', '.join(self.kernels)}>"


def load(name, **defines):
    """One of the book's kernels, by the name of its file in book/kernels; `defines` as for `cuda`.

    >>> load("transpose_tile", PAD=1)
    <kernel transpose_tile(const float* in, float* out, int rows, int cols)>
    """
    path = kernel_file(name)
    program = Program(path.read_text(), path.name, defines)
    return program.kernels.get(name) or next(iter(program.kernels.values()))


def cuda(text, file="kernel.cu", **defines):
    """Read CUDA C text.

    text : an empty first line, as after three quotes, does not count, so that lines keep their numbers
    defines : override #define, file-scope const and template arguments of the text, as nvcc's -D does

    >>> program = cuda("__global__ void twice(float *a) { a[threadIdx.x] *= 2; }")
    >>> program.twice
    <kernel twice(float* a)>
    """
    named = isinstance(text, str) and len(text) < 4096 and FILE_NAME.fullmatch(text)
    if named or isinstance(text, PurePath):
        raise GpusimError(
            f"gs.cuda takes the text of a kernel, not the name of its file; got {str(text)!r}",
            hint=reading(text),
        )
    return Program(text.removeprefix("\n") if isinstance(text, str) else text, file, defines)
