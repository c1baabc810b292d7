"""memcpy and memset in device code: assignments of whole elements, as many as the bytes are."""

from __future__ import annotations

import numpy as np

from ..parse.names import arguments
from ..parse.rules import rules
from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Literal
from ..tree.types import INT, UCHAR, ULONGLONG, VOID, Array, Pointer, Struct, dtype
from ..typing import operators as check
from ..typing.conversions import assignable, cast, decay, root
from ..typing.scope import BASE, Helper
from .lambdas import call_prelude
from .library import helper

MOST = 16  # elements that are moved one by one; more of them in a loop

BASE.update({name: Helper(name) for name in ("memcpy", "memset")})


@helper("memcpy")
def memcpy(p, token):
    """memcpy(to, from, bytes), element by element of the side that may lie less aligned."""
    to, source, size = _three(p, token)
    if not isinstance(source.type, Pointer):
        raise _no_pointer(source)
    kind, at = _element(size, to, source), p.at(token)
    to = cast(to, Pointer(kind), at)
    source = cast(source, Pointer(kind, const=True), at)
    return _each(p, token, size, to, source, lambda k: _nth(source, k, at))


@helper("memset")
def memset(p, token):
    """memset(to, byte, bytes): elements whose bytes are all that byte."""
    to, byte, size = _three(p, token)
    byte, at = assignable(byte, INT, "argument"), p.at(token)
    kind = _element(size, to) if isinstance(byte, Literal) else UCHAR
    if isinstance(kind, Struct) and byte.value & 255:
        kind = UCHAR
    if isinstance(kind, Struct):
        value = Construct(at, kind, [])
    elif isinstance(byte, Literal):
        bytes_ = bytes([byte.value & 255]) * kind.size
        value = Literal(at, kind, np.frombuffer(bytes_, dtype(kind))[0].item())
    else:
        value = cast(byte, UCHAR, at)
    return _each(p, token, size, cast(to, Pointer(kind), at), value, lambda k: value)


def _three(p, token):
    given = [rules.to_scalar(p, value) for value in arguments(p)]
    if len(given) != 3:
        few = "few" if len(given) < 3 else "many"
        hint = f"{token.text} takes 3, {len(given)} given"
        raise Mistake(f"too {few} arguments in function call", token, hint=hint)
    to, middle, size = map(decay, given)
    if not isinstance(to.type, Pointer) or to.type.const:
        raise _no_pointer(to)
    return to, middle, assignable(size, ULONGLONG, "argument")


def _no_pointer(value):
    return Mistake(
        f'argument of type "{value.type}" is incompatible with parameter of type "void*"', value.at
    )


def _element(size, *pointers):
    """The type that is moved at once: the least aligned that the pointers lead to, a local variable's before others;
    bytes where that is unknown or the size is no number of such elements."""
    kinds = []
    for pointer in pointers:
        kind = pointer.type.to
        while isinstance(kind, Array):
            kind = kind.of
        symbol = root(getattr(pointer, "operand", None))
        kinds.append((kind.align, kind.size, symbol is None or symbol.storage != "local", len(kinds), kind))
    kind = min(kinds)[-1]
    whole = kind is not VOID and not (isinstance(size, Literal) and size.value % kind.size)
    return kind if whole else UCHAR


def _nth(pointer, k, at):
    return check.dereference(check.binary("+", pointer, Literal(at, INT, k), at) if k else pointer, at)


def _each(p, token, size, to, given, value):
    """An assignment for each element; a loop where they are many or their number is not known."""
    at, width = p.at(token), to.type.to.size
    if isinstance(size, Literal) and size.value <= MOST * width:
        made = Literal(at, INT, 0)
        for k in range(size.value // width):
            made = check.comma(made, check.assign(_nth(to, k, at), value(k), at), at)
        return made
    rest = "" if isinstance(size, Literal) or width == 1 else "_and_rest"
    return call_prelude(p, f"each_of_{token.text}{rest}", [to, given, size], token)
