"""Kernels: what a launch asks of one, and the kernels of CUDA text, templates among them.

Those in Python stand in python_kernel.py; the two answer alike.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..cuda.analysis.facts import facts_of
from ..cuda.tree import nodes as t
from ..cuda.tree import types as c
from ..cuda.tree.walks import walk
from .emitted import made
from .memory.arrays import DeviceArray
from .memory.binding import bind
from .memory.buffers import Pointer


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel of which nothing is known but its name."""

    name: str


class Kernel(Protocol):
    """What launches, checks and pages ask of a kernel.

    name, text, file, at : as its source calls it, and where it begins
    parameters : each has a `name`, and a `type` in CUDA; defines : {macro: value}; template : ((name, what it stands
        for), ...); launched : the line of the host's launch that said so, or None
    unit : its text's lines: line(n), where(n), named(n), headers, first, alone
    facts : what its text says before it runs (cuda.analysis.facts.Facts)
    variables : {name: buffer} of the __device__ variables that it may write
    static_shared, shared_arrays, launch_bounds : what limits of a launch ask
    shows_variables : whether the frame of what `python` makes holds the kernel's own variables
    uncountable : why it cannot be counted without data, or None; cycles : {loop: iterations that take turns}
    """

    name: str
    text: str
    file: str
    at: object
    parameters: list
    defines: dict
    template: tuple
    launched: int | None
    unit: object
    variables: dict
    facts: object
    static_shared: int
    shared_arrays: list
    launch_bounds: tuple | None
    uncountable: Exception | None
    cycles: dict
    shows_variables: bool

    def resolve(self, arguments):
        """The kernel for these arguments: itself, or the instance of a template."""

    def bind(self, arguments):
        """Values for its parameters, checked."""

    def arrays(self, bound):
        """[(parameter's name, buffer)] of the bound arguments that are arrays."""

    def writable(self, bound):
        """The buffers that it may write."""

    def python(self, counting, symbolic, rows):
        """The function that drives a machine: a generator that stops at barriers."""

    def place(self, error):
        """The error, with file and line."""


class CudaKernel:
    """A kernel of a program: `kernel[grid, block](arguments)` launches it.

    name, text, file, defines : where it comes from; parameters : [Symbol]; static_shared : bytes a block
    """

    shows_variables = True

    def __init__(self, unit, tree, program):
        self.unit, self.tree, self.program = unit, tree, program
        self.name, self.at, self.parameters = tree.name, tree.at, tree.parameters
        self.text, self.file, self.defines = unit.text, unit.file, dict(unit.defines)
        self.shared_arrays = [
            (n.symbol, n.at)
            for n in _unique(walk(tree.body))
            if isinstance(n, t.Declare) and n.symbol.storage == "shared"
        ]
        self.static_shared = sum(symbol.type.size for symbol, _ in self.shared_arrays)
        self.launch_bounds, self.template, self.launched = tree.launch_bounds, tree.template, tree.launched
        self._functions = unit.made.setdefault(tree, {})
        self.uncountable = None
        self.cycles = {}  # loops (sites) in which so many iterations take turns, as counting found them

    def python(self, counting=False, symbolic=False, rows=False):
        """The generated Python function that drives a machine; made once for each way of counting."""
        from ..cuda.emit.emitter import emit

        key = counting, symbolic, rows
        if key not in self._functions:
            emitted = emit(self.unit, self.tree, counting, symbolic, rows)
            self._functions[key] = made(emitted, self.name, self.file), emitted
        return self._functions[key][0]

    def source_of(self, counting=False, symbolic=False):
        """The Python that the kernel's text becomes, to read: a function that drives a machine `m`.

        Variables keep their names, with a number; `S1`, `S2` ... are places of the text that the machine counts
        by; m1, m2 ... are masks: True (all lanes), False (none) or an array.

        counting : with the calls that count arithmetic;  symbolic : with loops that the machine may take in one step

        >>> from gpusim import cuda
        >>> program = cuda("__global__ void twice(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] *= 2; }")
        >>> print(program.twice.source_of())
        def kernel(m, a_1, n_2):
            threadIdx_x = m.special(K1)
            gone = False
            m1, m2 = m.split(S1, True, (threadIdx_x < u32(n_2)))
            if m1 is not False:
                m.store(S3, a_1, threadIdx_x, times(m.load(S2, a_1, threadIdx_x, m1), K0), m1)
            return
            yield
        <BLANKLINE>
        """
        self.python(counting, symbolic)
        return self._functions[counting, symbolic, False][1].source

    def resolve(self, arguments):
        """The kernel itself: only templates depend on the arguments."""
        return self

    def bind(self, arguments):
        """Values for the parameters, checked."""
        return bind(self, arguments)

    def writable(self, bound):
        """The buffers that the kernel may write: of bound arguments, and of __device__ variables."""
        arguments = {
            value.buffer
            for parameter, value in zip(self.parameters, bound)
            if isinstance(value, Pointer) and not parameter.type.const
        }
        return arguments | set(self.variables.values())

    def arrays(self, bound):
        """[(parameter's name, buffer)] of the bound arguments that are arrays."""
        pairs = zip(self.parameters, bound)
        return [(parameter.name, value.buffer) for parameter, value in pairs if isinstance(value, Pointer)]

    @cached_property
    def facts(self):
        """What the checks ask of the text."""
        return facts_of(self.tree)

    @cached_property
    def variables(self):
        """{name: buffer} of the __device__ variables that the text may write."""
        pointers = self.program.constants.pointers
        return {v.name: pointers[v.name].buffer for v in self.unit.variables if v.storage == "device"}

    def place(self, error):
        """Complete an error with the file and the line of the text."""
        if error.file is None and error.line is None:
            at = self._statement_of(error)
            if at is not None:
                error.line, error.column = at.line, at.column
        if error.file is None and error.line is not None:
            error.text = self.unit.line(error.line)
            error.file, error.line = self.unit.where(error.line)
        return error

    def _statement_of(self, error):
        """Where the statement stands whose generated code raised an error, or None."""
        codes = {function.__code__: emitted for function, emitted in self._functions.values()}
        found = None
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code in codes:
                found = codes[frame.f_code].places[line - 1]
        return found

    def __getitem__(self, configuration):
        from .launch import Configured

        return Configured(self, configuration)

    def __call__(self, *_):
        raise TypeError(f"a kernel needs a grid and a block: {self.name}[grid, block](arguments)")

    def __repr__(self):
        return f"<kernel {self.name}({', '.join(f'{p.type} {p.name}' for p in self.parameters)})>"


def _unique(nodes):
    seen = set()
    for node in nodes:
        if id(node) not in seen:
            seen.add(id(node))
            yield node


class OpenKernel:
    """A kernel template whose parameters only the arguments of a launch decide."""

    def __init__(self, program, name):
        self.program, self.name, self.file = program, name, program.file

    def resolve(self, arguments):
        """The kernel for arguments of these types, made once."""
        from ..cuda.front import specialise

        tree = specialise(self.program.unit, self.name, types=[type_of(value) for value in arguments])
        known = self.program.specialised
        if tree not in known:
            known[tree] = CudaKernel(self.program.unit, tree, self.program)
        return known[tree]

    def place(self, error):
        """Errors that come before it is resolved have no line to add."""
        return error

    def __getitem__(self, configuration):
        from .launch import Configured

        return Configured(self, configuration)

    def __repr__(self):
        return f"<kernel template {self.name}<{', '.join(self.program.unit.templates[self.name])}>>"


def type_of(value):
    """The C type of an argument, or None where it could be several."""
    if isinstance(value, DeviceArray):
        found = c.SCALARS.get(value.dtype)
        return None if found is None else c.Pointer(found)
    return c.SCALARS.get(value.dtype) if isinstance(value, np.generic) else None
