"""What a text holds, where no grid is given: its kernels, and for each a command line to begin with."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass

import numpy as np

from ..ctypes import DTYPES
from ..cuda.host_launches import HostLaunch, host_launches
from ..cuda.parse.kernels import declaration_of
from ..cuda.tree import nodes as t
from ..cuda.tree.types import Pointer, Scalar
from ..cuda.tree.walks import walk
from ..errors import CudaUnsupported, GpusimError
from ..machine.memory.binding import array_words

MANY = 1 << 20  # threads: a launch of more is counted first, without data
MOST = 1 << 31  # elements of an array; more than a first try needs


@dataclass(frozen=True)
class Outline:
    """The kernels of a program; kernels : [(declaration as text, line, command line or None, its origin)]"""

    file: str
    kernels: tuple

    def __str__(self):
        many = f"{len(self.kernels)} kernel{'s' * (len(self.kernels) != 1)}"
        parts = [f"{self.file}: {many}. Nothing was run: that takes --grid and --block."]
        for declared, line, command, origin in self.kernels:
            parts.append(f"line {line}: {declared}")
            parts.append(f"  {origin}" + (f"\n  {command}" if command else ""))
        return "\n".join(parts)

    def as_dict(self) -> dict:
        """The same as plain values, for JSON."""
        names = ("declaration", "line", "command", "origin")
        return {"file": self.file, "kernels": [dict(zip(names, kernel)) for kernel in self.kernels]}


def outline(program, options=()) -> Outline:
    """The outline of a program.  options : words to repeat in the command lines, such as ["-D", "N=4"]"""
    launches = host_launches(program.unit.reader)
    unit = program.unit
    several = len(unit.kernels) + len(unit.templates) + len(unit.refused) > 1
    rows = []
    for name in (*program.unit.kernels, *program.unit.templates, *program.unit.refused):
        launch = next((each for each in launches if each.kernel == name), None)
        rows.append(_row(program, name, launch, several, options))
    return Outline(program.file, tuple(rows))


def _row(program, name, launch, several, options):
    at = declaration_of(program.unit.reader.kernels[name]).token
    line = program.unit.named(at.line)
    words = ["python", "-m", "gpusim", program.file, *options]
    if name in program.unit.refused:
        return name, line, None, _not_run(program.unit.refused[name])
    if name in program.unit.templates:
        guess = ", ".join(_template_guess(program, name))
        try:
            kernel = program[f"{name}<{guess}>"]
        except CudaUnsupported as error:
            return f"template {name}<{', '.join(program.unit.templates[name])}>", line, None, _not_run(error)
        except GpusimError:
            has = f"template {name}<{', '.join(program.unit.templates[name])}>"
            return has, line, None, f"say what its parameters are: --kernel '{name}<...>'"
        words += ["--kernel", f"{name}<{guess}>"]
    else:
        kernel = program[name]
        words += ["--kernel", name] if several else []
    values = ", ".join(f"{key} = {text}" for key, text in kernel.tree.template)
    declared = f"{name}{f'<{values}>' if values else ''}"
    declared += f"({', '.join(f'{p.type} {p.name}' for p in kernel.parameters)})"
    more = _guess(kernel, launch)
    if more is None:
        return declared, line, None, "its arguments are more than --arg can give: launch it from Python"
    origin = f"as line {program.unit.named(launch.line)} launches it:" if launch else "to begin with:"
    return declared, line, shlex.join([*words, *more]), origin


def _not_run(error):
    hint = f"; {error.hint}" if error.hint else ""
    return f"does not run here: {error.message} (line {error.line}){hint}"


def _template_guess(program, name):
    """Arguments to begin with: floats, and 128 of whatever is counted."""
    reader = program.unit.reader
    template = declaration_of(reader.kernels[name]).template
    return ["float" if parameter.kind == "type" else "128" for parameter in template]


def _guess(kernel, launch: HostLaunch | None):
    """Options for a first launch: those of the host code where they are known; None where --arg cannot give them."""
    flat = not any(isinstance(node, t.Special) and node.name[-1] in "yz" for node in walk(kernel.tree.body))
    block = launch and launch.block or ((256,) if flat else (16, 16))
    grid = launch and launch.grid or ((4,) if flat else (4, 4))
    threads = int(np.prod(grid, dtype=object) * np.prod(block, dtype=object))
    given = launch.arguments if launch else ()
    given = (*given, *[None] * len(kernel.parameters))[: len(kernel.parameters)]
    side = threads if flat else max(g * b for g, b in zip((*grid, 1), (*block, 1)))
    scalars = [_scalar(p.type, value, side) for p, value in zip(kernel.parameters, given)]
    sizes = sorted(value for value in scalars if isinstance(value, int))
    elements = max([threads, *sizes] if flat or len(sizes) < 2 else [threads, sizes[-1] * sizes[-2]])
    words = []
    for parameter, value, number in zip(kernel.parameters, given, scalars):
        word = _array(parameter.type, value, elements) if isinstance(parameter.type, Pointer) else number
        if word is None:
            return None
        words += ["--arg", str(word)]
    shared = launch.shared if launch and launch.shared else _dynamic(kernel, block)
    options = ["--grid", "x".join(map(str, grid)), "--block", "x".join(map(str, block))]
    options += ["--shared", str(shared)] if shared else []
    return options + words + (["--count"] if threads > MANY else [])


def _scalar(kind, value, side):
    """A number for a parameter, or None for an array or a struct."""
    if not isinstance(kind, Scalar):
        return None
    if isinstance(value, (int, float)):
        return value if kind.kind == "float" else int(value)
    return {"float": 1.0, "bool": 1}.get(kind.kind, side)


def _array(kind, value, elements):
    """An --arg for a pointer, or None where its elements have no word."""
    words = array_words(kind)
    if words is None:
        return None
    if isinstance(value, tuple) and value[1]:
        elements = value[1] // kind.to.size
    whole = kind.to.size // DTYPES[words.partition(":")[0]].itemsize  # a float4 is four floats
    return words.replace("SIZE", str(int(min(max(1, elements) * whole, MOST))))


def _dynamic(kernel, block):
    """Bytes of dynamic shared memory, one element a thread, where the kernel has such an array."""
    arrays = [
        node.symbol.type
        for node in walk(kernel.tree.body)
        if isinstance(node, t.Declare) and node.symbol.storage == "dynamic"
    ]
    return math.prod(block) * max((array.of.size for array in arrays), default=0)
