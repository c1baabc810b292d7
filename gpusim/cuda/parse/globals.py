"""Variables and constants at file scope, and the values that keywords give to constants."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import VOID, Array, Pointer, Scalar
from ..typing.conversions import convert
from ..typing.scope import Constant
from .declarators import declarator
from .locals import initial_value, shared_variable
from .rules import rules
from .types import specifiers

MOST_CONSTANT = 64 << 10  # bytes, on every card
MOST_DEVICE = 2 << 30  # bytes

_DEVICE = ("__global__", "__device__", "__constant__", "__shared__", "__managed__")


def file_variable(p):
    """A variable, constant, struct or enum at file scope."""
    start, found = p.here, specifiers(p)
    if found.type is None:
        raise p.no_type()
    if p.accept(";"):
        return
    while True:
        declared = declarator(p, found)
        if "__global__" in found.flags:
            raise p.expected('"("', "a kernel is written __global__ void name(parameters) { ... }")
        one_file_variable(p, found, declared, start)
        if not p.accept(","):
            break
    p.expect(";")


def one_file_variable(p, found, declared, start):
    token, kind, flags = declared.token, declared.type, found.flags
    if kind is VOID:
        raise Mistake('incomplete type "void" is not allowed', token)
    if "__shared__" in flags:
        file_shared(p, found, declared)
        return
    value = None if p.texts[p.i] not in ("=", "{", "(") else initial_value(p, declared, token)
    if value is not None:
        value = rules.constant(p, value) if declared.const else value
        kind = (
            value.type
            if kind.__class__ is Scalar and kind.kind == "auto" or isinstance(kind, Array)
            else kind
        )
    device = flags & set(_DEVICE)
    if (
        "__constant__" not in flags
        and declared.const
        and isinstance(value, Literal)
        and isinstance(kind, Scalar)
    ):
        p.scopes[-1][token.text] = overridden(p, token, Constant(kind, value.value))
        return
    if not device and not (declared.const and isinstance(value, object) and value is not None):
        host_variable(p, token)
        return
    if not device and isinstance(kind, Scalar) or isinstance(kind, Pointer) and not device:
        host_variable(p, token)
        return
    storage = "constant" if "__constant__" in flags or not device else "device"
    if isinstance(kind, Array) and kind.count is None:
        raise Mistake("incomplete type is not allowed: an array needs its number of elements", token)
    most = {"constant": MOST_CONSTANT, "device": MOST_DEVICE}.get(storage)
    if most is not None and kind.size > most:
        raise Mistake(
            f'"{token.text}" takes {kind.size:,} bytes; {storage} memory is limited to {most:,}',
            token,
            unsupported=storage == "device",
            hint="pass an array of the host" if storage == "device" else "make it __device__, or a parameter",
        )
    symbol = p.symbol(token, kind, storage, const=declared.const, volatile=declared.volatile)
    p.declare(token, symbol)
    p.variables.append(symbol)
    if value is not None:
        p.initial[symbol] = value


def file_shared(p, found, declared):
    """A __shared__ array at file scope: each block of a kernel that uses it has one; extern may be said again."""
    before = p.scopes[-1].get(declared.token.text)
    again = "extern" in found.flags and getattr(before, "storage", "") == "dynamic"
    if not (again and before.type == declared.type):
        p.shared.append(shared_variable(p, found, declared))


def host_variable(p, token):
    """A variable of the host is noted; device code that names it gets an error that says so."""
    p.skipped.append((token.line, f"host variable: {token.text}"))
    where = f'"{token.text}" on line {token.line} is a variable of the host'
    p.unread[token.text] = f"{where}: make it constexpr, __device__ or a parameter"


def overridden(p, token, constant):
    """A constant whose value the caller of parse overrides by keyword."""
    if token.text not in p.overrides or p.function_here is not None:
        return constant
    p.used.add(token.text)
    value = override_value(p, token.text)
    if not isinstance(value, Constant):
        raise Mistake(f'"{token.text}" is a constant of type "{constant.type}", not a type', token)
    converted = convert(Literal(p.at(token), value.type, value.value), constant.type)
    return Constant(constant.type, converted.value)


def override_value(p, name):
    """The type or the Constant that the caller gave for a name."""
    return value_of(p, name, p.overrides[name])


def value_of(p, name, tokens):
    """The type or the Constant that these tokens are."""
    reader = type(p)([*tokens, p.tokens[-1]])
    reader.scopes = [*p.scopes[:1], p.file_names]
    reader.made_from, reader.struct_scopes, reader.initials = (
        p.made_from,
        p.struct_scopes,
        p.initials,
    )
    try:
        value = rules.template_argument(reader)
        if reader.here.kind != "end":
            raise reader.expected("end")
    except Mistake as mistake:
        given = " ".join(token.text for token in tokens)[:60]
        raise Mistake(f'"{name}" is given as {given}: {mistake.message}', p.here) from None
    return value
