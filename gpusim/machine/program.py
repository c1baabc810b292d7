"""Programs and kernels: CUDA C text that can be launched, counted and read."""

from __future__ import annotations

import re
import traceback
from functools import cached_property
from pathlib import PurePath

import numpy as np

from ..cuda.tree import nodes as t
from ..cuda.tree.fold import COMPARE
from ..cuda.tree.walks import walk
from ..errors import CudaUnsupported, GpusimError
from ..library import kernel_file, reading
from .memory.binding import bind
from .memory.buffers import Pointer
from .memory.variables import Constants
from .open_kernel import OpenKernel
from .values import arithmetic as values
from .values.conditions import Condition
from .values.functions import OPERATIONS, function
from .values.outer import times

NAMES = (
    "i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 to_bool both either opposite divide remainder shift_left shift_right "
    "select"
).split()


def any_of(*conditions):
    """Conditions joined by ||."""
    result = False
    for condition in conditions:
        result = values.either(result, condition)
    return result


def all_of(*conditions):
    """Conditions joined by &&."""
    result = True
    for condition in conditions:
        result = values.both(result, condition)
    return result


def compare_pointers(a, b, op):
    """a op b for pointers; null is None, pointers into different arrays are only ever unequal."""
    if a is None or b is None or a.buffer != b.buffer:
        return {"==": a is b, "!=": a is not b}.get(op, False)
    return COMPARE[op](a.offset, b.offset)


def pointer_difference(a, b, size):
    """a - b in elements of `size` bytes."""
    return (a.offset - b.offset) // size


def pointer_number(pointer):
    """A pointer as an integer: its offset in its own array, which starts at a multiple of 256 bytes."""
    return 0 if pointer is None else pointer.offset


def choose_pointer(condition, a, b):
    """condition ? a : b for pointers."""
    condition = (
        values.truth(condition)
        if not isinstance(condition, Condition) or not condition.space.symbolic
        else condition
    )
    if condition is True or condition is False:
        return a if condition else b
    if a is not None and b is not None and a.buffer == b.buffer:
        return Pointer(a.buffer, values.select(condition, a.offset, b.offset, np.dtype(np.int64)))
    raise CudaUnsupported(
        "a pointer that leads to different arrays in different threads is not supported",
        hint="choose between the loaded values instead",
    )


FILE_NAME = re.compile(r"[^\n{};]*\.(cu|cuh|h|hpp|cpp|c|txt)\s*", re.I)
HELPERS = {name: getattr(values, name) for name in NAMES} | {
    "UNKNOWN": values.Unknown(None),
    "times": times,
    "any_of": any_of,
    "all_of": all_of,
    "compare_pointers": compare_pointers,
    "pointer_difference": pointer_difference,
    "pointer_number": pointer_number,
    "choose_pointer": choose_pointer,
}


class Kernel:
    """A kernel of a program: `kernel[grid, block](arguments)` launches it.

    name, text, file, defines : where it comes from; parameters : [Symbol]; static_shared : bytes a block
    """

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
        self.launch_bounds = tree.launch_bounds
        self._functions = unit.made.setdefault(tree, {})
        self.uncountable = None
        self.cycles = {}  # loops (sites) in which so many iterations take turns, as counting found them

    def python(self, counting=False, symbolic=False, rows=False):
        """The generated Python function that drives a machine; made once for each way of counting."""
        from ..cuda.emit.emitter import emit

        key = counting, symbolic, rows
        if key not in self._functions:
            emitted = emit(self.unit, self.tree, counting, symbolic, rows)
            names = {**HELPERS, **emitted.constants}
            for name, (operation, dtypes) in emitted.functions.items():
                if operation not in OPERATIONS:
                    raise CudaUnsupported(f"the function {operation} is not supported", file=self.file)
                names[name] = function(operation, tuple(d.type for d in dtypes))
            exec(compile(emitted.source, f"<{self.name}>", "exec"), names)
            self._functions[key] = names["kernel"], emitted
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
        codes = {made.__code__: emitted for made, emitted in self._functions.values()}
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
        """{name: Kernel}"""
        return {name: Kernel(self.unit, tree, self) for name, tree in self.unit.kernels.items()}

    def __getitem__(self, name):
        if "<" in str(name):
            return self._instance(name)
        if name in self.unit.refused:
            raise self.unit.refused[name]
        if name in self.unit.templates:
            return OpenKernel(self, name, Kernel)
        if name not in self.kernels:
            known = ", ".join((*self.kernels, *self.unit.templates))
            raise GpusimError(f"the text has no kernel called {name!r}; it has {known}", file=self.file)
        return self.kernels[name]

    def _instance(self, words):
        """The kernel "name<arguments>" of a template, made once."""
        from ..cuda.front import instance

        tree = instance(self.unit, words)
        if tree not in self.specialised:
            self.specialised[tree] = Kernel(self.unit, tree, self)
        return self.specialised[tree]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
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
