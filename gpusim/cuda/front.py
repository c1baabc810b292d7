"""The front door: CUDA C text in, its checked tree out; mistakes as errors with file, line and caret."""

from __future__ import annotations

from ..errors import CudaSyntaxError
from . import cpp  # noqa: F401  (enters the rules of C++)
from .parse import kernels
from .parse.cursor import Parser
from .parse.declarations import read_file
from .text.includes import with_headers
from .text.mistakes import Mistake, did_you_mean
from .text.overrides import macro_overrides, tokens_of, unused
from .text.preprocess import preprocess
from .text.tokens import tokenize
from .tree.unit import Unit


def parse(text, file="kernel.cu", defines=None, headers=None):
    """Read a CUDA C text: its kernels, checked and typed.

    text : str or bytes; file : the name that errors show
    defines : {name: value} that override #define, file-scope constants and template parameters; a value is a
        number, a bool, a type (NumPy's or its name) or a text
    headers : reads quoted includes, headers(name) -> text or None; without it none is read
    return : tree.unit.Unit

    >>> unit = parse("__global__ void k(float* x) { x[threadIdx.x] *= 2; }")
    >>> list(unit.kernels)
    ['k']
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="replace")
    if not isinstance(text, str):
        raise CudaSyntaxError(f"a kernel's text is a str, not {type(text).__name__}", file=file)
    text = text.removeprefix("\ufeff")
    unit = Unit(file, text, defines=dict(defines or {}))
    with_places(unit, lambda: _read(unit, headers))
    return unit


KEPT = 64  # texts
_units = {}  # (text, file, defines) -> Unit, the latest at the end


def unit_of(text, file="kernel.cu", defines=None, headers=None):
    """As `parse`, but a text that was read with the same defines a short while ago is not read again.

    >>> text = "__global__ void k(float* x) { x[threadIdx.x] *= 2; }"
    >>> unit_of(text) is unit_of(text), unit_of(text) is unit_of(text, "other.cu")
    (True, False)
    """
    if headers is not None or not isinstance(text, (str, bytes)):  # a header may change; else refused there
        return parse(text, file, defines, headers)
    given = [(name, type(value).__qualname__, repr(value)) for name, value in (defines or {}).items()]
    key = type(text), text, file, *given
    unit = _units.pop(key, None) or parse(text, file, defines)
    _units[key] = unit
    if len(_units) > KEPT:
        _units.pop(next(iter(_units)), None)
    return unit


def specialise(unit, name, arguments=None, types=()):
    """The Function of kernel template `name`.

    arguments : {parameter: number or type}, as the keywords of gs.cuda
    types : the types of a launch's arguments (None where unknown): they decide what is still open
    """
    overloads = unit.reader.kernels.get(name)
    if overloads is None:
        raise CudaSyntaxError(
            f'the text has no kernel "{name}"', file=unit.file, hint=did_you_mean(name, unit.reader.kernels)
        )
    given = {parameter: tokens_of(parameter, value) for parameter, value in (arguments or {}).items()}
    return with_places(unit, lambda: kernels.specialised(unit.reader, overloads, given, types))


def instance(unit, words):
    """The Function of a kernel template from its name with arguments, `reduce<float, 256>`."""
    name, _, rest = words.strip().partition("<")
    name = name.strip()
    if not rest.rstrip().endswith(">"):
        raise CudaSyntaxError(
            f"{words!r} is no kernel with template arguments: reduce<float, 256>", file=unit.file
        )
    overloads = unit.reader.kernels.get(name)
    given = _arguments(rest.rstrip()[:-1])
    if overloads is not None:
        names = [parameter.name for parameter in kernels.declaration_of(overloads).template or ()]
        if len(given) > len(names):
            has = f"({', '.join(names)})" if names else "none"
            raise CudaSyntaxError(
                f"{words!r} gives {len(given)} template arguments; {name} has {has}", file=unit.file
            )
        given = dict(zip(names, given))
    return specialise(unit, name, given)


def _arguments(text):
    """A list of arguments in pieces, split where no bracket is open.

    >>> _arguments("float, Pair<int, int>, (1, 2)")
    ['float', 'Pair<int, int>', '(1, 2)']
    """
    pieces, depth = [""], 0
    for letter in text:
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces if piece.strip()]


def with_places(unit, work):
    """Run `work`; a Mistake in it becomes the error that readers see."""
    try:
        return work()
    except Mistake as mistake:
        raise _public(mistake, unit) from None
    except RecursionError:
        raise CudaSyntaxError("the text is nested too deeply", file=unit.file) from None


def _public(mistake, unit):
    """The error that readers see; a mistake in a header has the header's name and line."""
    error = mistake.public(unit.file, unit.text.split("\n"))
    error.file, error.line = unit.where(error.line)
    return error


def _read(unit, read=None):
    given = {name: tokens_of(name, value) for name, value in unit.defines.items()}
    raw = tokenize(unit.text)
    headers = with_headers(unit, raw, read) if read else {}
    everything = [*raw, *(token for tokens in headers.values() for token in tokens)]
    macros = macro_overrides(everything, given)
    prepared = preprocess(raw, {name: given[name] for name in macros}, headers, unit.file)
    reader = Parser(prepared.tokens, {name: given[name] for name in given if name not in macros})
    reader.missing = prepared.missing
    unit.reader = reader
    try:
        read_file(reader)
    except Mistake:
        _kernels(unit, reader)  # an error in a kernel's body further up comes first
        raise
    unit.variables, unit.initial = reader.variables, reader.initial
    _kernels(unit, reader)
    unit.skipped = sorted(unit.skipped + prepared.skipped + reader.skipped)
    if not reader.kernels:
        raise Mistake(
            "the text has no kernel: no function is declared __global__ void",
            raw[0],
            hint=_missing_global(reader, raw),
        )
    mentioned = {token.text for token in everything if token.kind == "name"}
    left = [name for name in given if name not in mentioned and name not in prepared.used | reader.used]
    if left:
        known = [name for name, macro in prepared.macros.items() if macro.line] + sorted(
            kernels.constant_names(reader)
        )
        raise unused(left, known)


def _missing_global(reader, raw):
    if len(raw) == 1:
        return "the text is empty"
    return "write __global__ before the kernel's void" if reader.skipped else None


def _kernels(unit, reader):
    """Specialise what can be, read all bodies; an unsupported kernel beside others is kept as its error."""
    refused = None
    for name, overloads in reader.kernels.items():
        try:
            made = kernels.kernel(reader, overloads)
        except Mistake as mistake:
            if not mistake.unsupported:
                raise
            unit.refused[name] = _public(mistake, unit)
            refused = refused or mistake
            continue
        if made is None:
            unit.templates[name] = kernels.open_parameters(reader, overloads)
        else:
            unit.kernels[name] = made
            unit.skipped = sorted([*unit.skipped, *kernels.other_launches(reader, overloads, made)])
    if refused and not unit.kernels and not unit.templates:
        raise refused
    kernels.unused_functions(reader)
