"""What a text holds, where no grid is given: its kernels, and for each a command line to begin with."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass

from ..ctypes import DTYPES
from ..cuda.analysis.loops import unrolled
from ..cuda.host_launches import Allocated, HostLaunch, host_launches
from ..cuda.parse.kernels import declaration_of
from ..cuda.tree import nodes as t
from ..cuda.tree.types import Array, Pointer, Scalar
from ..cuda.tree.walks import children, walk
from ..errors import CudaUnsupported, GpusimError
from ..machine.memory.binding import array_words

MANY = 1 << 20  # threads: a launch of more is counted first, without data
LONG = 1 << 28  # rounds of loops of all lanes: so much takes some seconds on data
LEAST = 1 << 11  # lanes that cost as much as one
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
    guessed = []
    if name in program.unit.refused:
        return name, line, None, _not_run(program.unit.refused[name])
    if name in program.unit.templates:
        given = launch.template if launch else ()
        usual = _template_guess(program, name)
        told = [each or guess for each, guess in zip((*given, *[None] * len(usual)), usual, strict=False)]
        guessed += ["template"] if list(given) != told else []
        try:
            kernel = program[f"{name}<{', '.join(told)}>"]
        except GpusimError as error:
            has = f"template {name}<{', '.join(program.unit.templates[name])}>"
            needed = f"say what its parameters are: --kernel '{name}<...>'"
            return has, line, None, _not_run(error) if isinstance(error, CudaUnsupported) else needed
        words += ["--kernel", f"{name}<{', '.join(told)}>"]
    else:
        kernel = program[name]
        words += ["--kernel", name] if several else []
    values = ", ".join(f"{key} = {text}" for key, text in kernel.tree.template)
    declared = f"{name}{f'<{values}>' if values else ''}"
    declared += f"({', '.join(f'{p.type} {p.name}' for p in kernel.parameters)})"
    more, parts = _guess(kernel, launch)
    if more is None:
        return declared, line, None, "its arguments are more than --arg can give: launch it from Python"
    return declared, line, shlex.join([*words, *more]), _origin(program, launch, guessed + parts)


def _not_run(error):
    hint = f"; {error.hint}" if error.hint else ""
    return f"does not run here: {error.message} (line {error.line}){hint}"


def _origin(program, launch, guessed):
    """How far the command line is what the host code says."""
    if not launch:
        return "to begin with:"
    line = program.unit.named(launch.line)
    if not guessed and launch.sure:
        return f"as line {line} launches it:"
    doubt = ", ".join(guessed) or "numbers that may have changed before"
    return f"guessed, as line {line} leaves open: {doubt}"


def _template_guess(program, name):
    """Arguments to begin with: floats, and 128 of whatever is counted."""
    reader = program.unit.reader
    template = declaration_of(reader.kernels[name]).template
    return ["float" if parameter.kind == "type" else "128" for parameter in template]


def _guess(kernel, launch: HostLaunch | None):
    """(options for a first launch, what of them is guessed): of the host code what is known; None where --arg cannot
    give them."""
    flat = not any(isinstance(node, t.Special) and node.name[-1] in "yz" for node in walk(kernel.tree.body))
    block = launch and launch.block or _usual_block(kernel, flat)
    grid = launch and launch.grid or ((4,) if flat else (4, 4))
    guessed = [name for name in ("grid", "block") if launch and getattr(launch, name) is None]
    threads = math.prod(grid) * math.prod(block)
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
            return None, []
        words += ["--arg", str(word)]
        guessed += [parameter.name] if launch and value is None else []
    shared = launch.shared if launch and launch.shared is not None else _dynamic(kernel, block)
    guessed += ["shared"] if launch and launch.shared is None else []
    options = ["--grid", "x".join(map(str, grid)), "--block", "x".join(map(str, block))]
    options += ["--shared", str(shared)] if shared else []
    long = threads > MANY or _work(kernel, sizes) * max(threads, LEAST) > LONG
    return options + words + (["--count"] if long else []), guessed


def _usual_block(kernel, flat):
    """A block to begin with: the shape of the kernel's first __shared__ tile where it has one."""
    for node in walk(kernel.tree.body):
        kind = node.symbol.type if isinstance(node, t.Declare) and node.symbol.storage == "shared" else None
        if isinstance(kind, Array) and isinstance(kind.of, Array) and not flat:
            rows, columns = kind.count, kind.of.count
            columns -= columns == rows + 1  # padded
            if rows * columns <= 1024 and not isinstance(kind.of.of, Array):
                return columns, rows
        elif isinstance(kind, Array) and flat and 32 <= kind.count <= 1024 and kind.count % 32 == 0:
            return (kind.count,)
    return (256,) if flat else (16, 16)


def _work(kernel, sizes):
    """About how many rounds of its loops a thread makes: where no loop counts to a number of the text, the largest
    number of the launch each."""

    def depth(node):
        inner = max((depth(child) for child in children(node)), default=0)
        fixed = isinstance(node, t.For) and unrolled(node)
        return inner + (isinstance(node, (t.For, t.While, t.DoWhile)) and not fixed)

    return max([1, *sizes]) ** min(depth(kernel.tree.body), 3)


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
    offset = 0
    if isinstance(value, Allocated) and value.nbytes:
        elements, offset = value.nbytes // kind.to.size, value.offset
    whole = kind.to.size // DTYPES[words.partition(":")[0]].itemsize  # a float4 is four floats
    size = str(int(min(max(1, elements) * whole, MOST)))
    return words.replace("SIZE", f"{size}+{offset * whole}" if 0 < offset <= elements else size)


def _dynamic(kernel, block):
    """Bytes of dynamic shared memory, one element a thread, where the kernel has such an array."""
    arrays = [
        node.symbol.type
        for node in walk(kernel.tree.body)
        if isinstance(node, t.Declare) and node.symbol.storage == "dynamic"
    ]
    return math.prod(block) * max((array.of.size for array in arrays), default=0)
