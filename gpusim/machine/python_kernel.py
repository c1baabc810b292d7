"""Kernels in Python: a function over `t`, the same machine that generated code drives.

    @gs.kernel
    def saxpy(t, a, X, Y, n):
        i = t.blockIdx.x * t.blockDim.x + t.threadIdx.x
        with t.where(i < n):
            t.store(Y, i, a * t.load(X, i) + t.load(Y, i))

Memory, barriers and divergence count as in the CUDA text of the same kernel; arithmetic between Python values
is not counted.
"""

from __future__ import annotations

import inspect
import linecache
from types import CodeType

import numpy as np

from ..cuda.analysis.facts import Facts
from ..cuda.tree.nodes import At
from ..errors import LaunchError
from ..inputs import shown
from .kernel import Parameter
from .launch import Configured
from .memory.arrays import DeviceArray
from .threads import Handle, Threads

CALLS = {"syncthreads": "__syncthreads", "syncwarp": "__syncwarp", "shfl_down": "__shfl_down_sync",
         "shfl_xor": "__shfl_xor_sync"}  # methods of `t`, and what they are in CUDA  # fmt: skip


def _names(code):
    """All names that a function's code looks up, and the functions inside it."""
    inner = [_names(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inner)


class PythonFile:
    """The lines of the file that a kernel stands in; first : the line where it begins."""

    headers, alone = (), True

    def __init__(self, file, first):
        self.file, self.first = file, first

    def line(self, number):
        """A line's text."""
        return linecache.getline(self.file, number).rstrip("\n")

    def where(self, number):
        """(file, line)"""
        return self.file, number

    def named(self, number):
        """What messages call a line."""
        return str(number)


class PythonKernel:
    """A kernel made by `gs.kernel`; launches like one from CUDA text."""

    shows_variables = False

    def __init__(self, function):
        self.function, self.name, self.cycles = function, function.__name__, {}
        self.file = inspect.getsourcefile(function) or "python"
        try:
            lines, start = inspect.getsourcelines(function)
        except OSError:
            lines, start = [], 1
        self.text, self.at, self.unit = "".join(lines), At(start, 1), PythonFile(self.file, start)
        self.parameters = [Parameter(name) for name in list(inspect.signature(function).parameters)[1:]]
        self.facts = Facts(frozenset(CALLS[name] for name in CALLS.keys() & _names(function.__code__)))
        self.sites = {}  # of `t`'s calls, by where they stand
        self.defines, self.variables, self.template, self.launched = {}, {}, (), None
        self.static_shared, self.shared_arrays, self.launch_bounds, self.uncountable = 0, (), None, None

    def resolve(self, arguments):
        """The kernel itself."""
        return self

    def bind(self, arguments):
        """Arguments as the function takes them."""
        if len(arguments) != len(self.parameters):
            raise LaunchError(
                f"{self.name} takes {len(self.parameters)} arguments ({self._listed()}), {len(arguments)} given"
            )
        return [self._handle(p.name, value) for p, value in zip(self.parameters, arguments)]

    def _listed(self):
        return ", ".join(parameter.name for parameter in self.parameters)

    def _handle(self, name, value):
        if (isinstance(value, np.ndarray) and value.ndim) or isinstance(value, list):
            raise LaunchError(
                f"parameter {name} takes a device array or a number; got {shown(value)}",
                hint="copy it to the GPU first: gs.asarray(array)",
            )
        if not isinstance(value, DeviceArray):
            return value
        return Handle(value.pointer(name), value.dtype, value.shape, name)

    def arrays(self, bound):
        """[(parameter's name, buffer)] of the bound arguments that are arrays."""
        return [(value.name, value.pointer.buffer) for value in bound if isinstance(value, Handle)]

    def writable(self, bound):
        """The buffers of bound arguments that the kernel may write."""
        return {buffer for _, buffer in self.arrays(bound)}

    def python(self, counting=False, symbolic=False, rows=False):
        """The function that drives a machine."""

        def drive(machine, *arguments):
            result = self.function(Threads(self, machine), *arguments)
            if inspect.isgenerator(result):
                yield from result

        return drive

    def place(self, error):
        """Complete an error with file and line."""
        if error.file is None and error.line is not None:
            error.file, error.text = self.file, self.unit.line(error.line)
        return error

    def __getitem__(self, configuration):
        return Configured(self, configuration)

    def __repr__(self):
        return f"<kernel {self.name}({self._listed()}) in Python>"


def kernel(function):
    """Make a kernel of a Python function whose first parameter is `t`.

    >>> import gpusim as gs
    >>> @gs.kernel
    ... def twice(t, A):
    ...     t.store(A, t.threadIdx.x, 2 * t.load(A, t.threadIdx.x))
    >>> A = gs.full(32, 3, np.float32)
    >>> twice[1, 32](A).counts.global_load_sectors, gs.asnumpy(A)[0]
    (4, np.float32(6.0))
    """
    if not inspect.isfunction(function):
        raise TypeError(f"@gs.kernel makes a kernel of a Python function; got {shown(function)}")
    if not inspect.signature(function).parameters:
        raise TypeError(f"the first parameter of a kernel is t, the threads; {function.__name__}() has none")
    return PythonKernel(function)
