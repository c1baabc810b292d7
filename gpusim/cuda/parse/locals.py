"""Local declarations: variables, references, __shared__ arrays, and their initialisers."""

from __future__ import annotations

from ..text.literals import text_codes
from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Declare, Expression, Literal
from ..tree.types import VOID, Array, Pointer, Scalar, Struct
from ..typing.conversions import convert, decay, is_const, is_lvalue, mark_bound
from ..typing.scope import Constant
from .declarators import declarator
from .expressions import assignment
from .names import arguments
from .rules import rules
from .types import AUTO, deduced, holds_auto, specifiers
from .values import braced, constructed, initialiser

MOST_LOCAL = 512 << 10  # bytes of local memory of a thread, on every card


def local_alias(p):
    if p.texts[p.i] == "using" and p.texts[p.i + 1] == "namespace":
        rules.using_namespace(p)
    elif p.texts[p.i] == "using" and p.texts[p.i + 2] in (";", "::"):
        rules.using_name(p)
    else:
        rules.alias(p)


def local_namespace(p):
    rules.namespace_alias(p)


def local_declaration(p, body, condition=False, loop=False):
    """`const float x = 1, *p = a, t[4] = {0};` appended to `body` as one Declare a variable."""
    start, found = p.here, specifiers(p)
    if found.type is None:
        raise p.no_type()
    if getattr(found.type, "ghost", False):
        rules.group_declaration(p, found, body)
        return
    if p.accept(";"):
        return
    while True:
        declared = declarator(p, found)
        token = declared.token
        if loop and p.texts[p.i] == ":":
            raise p.refuse("range for", token)
        if p.texts[p.i] == "(" and not isinstance(declared.type, (Struct, Scalar, Pointer)):
            raise Mistake("a function cannot be declared here", token, unsupported=True)
        made = local_variable(p, found, declared, start)
        if made is not None:
            body.append(made)
        if not p.accept(","):
            break
    if condition:
        return
    p.expect(";")


def local_variable(p, found, declared, start):
    token, kind, flags = declared.token, declared.type, found.flags
    if kind is VOID:
        raise Mistake('incomplete type "void" is not allowed', token)
    if "__shared__" in flags:
        return shared_variable(p, found, declared)
    if "__constant__" in flags or "__device__" in flags:
        raise Mistake("a __device__ or __constant__ variable must be declared at file scope", token)
    if "extern" in flags:
        raise Mistake(f'"{token.text}" is extern, but not __shared__: nothing defines it', token)
    value = initial_value(p, declared, token)
    if declared.reference and value is None:
        raise Mistake(f'reference variable "{token.text}" requires an initializer', token)
    if value is not None and not isinstance(value, Expression):
        return rules.bind_ghost(p, token, value)
    if "constexpr" in flags:
        value = rules.constant(p, value)
    kind = (
        value.type if holds_auto(kind) or isinstance(kind, Array) and kind.count is None and value else kind
    )
    if isinstance(kind, Array) and kind.count is None:
        raise Mistake("incomplete type is not allowed: an array needs its number of elements", token)
    if declared.reference and is_lvalue(value):
        return reference(p, declared, kind, value)
    if declared.const and isinstance(value, Literal) and isinstance(kind, Scalar):
        constant = Constant(kind, value.value)
        p.declare(token, constant)
        return None
    if "static" in flags and not declared.const:
        raise p.refuse("static local", token)
    if value is None and declared.const and isinstance(kind, Scalar):
        raise Mistake(f'const variable "{token.text}" requires an initializer', token)
    if getattr(kind, "size", 0) > MOST_LOCAL:
        raise Mistake(
            f'"{token.text}" takes {kind.size:,} bytes; the local memory of a thread is limited to {MOST_LOCAL:,}',
            token,
            unsupported=True,
            hint="use an array of the host, with a part for each thread",
        )
    symbol = p.symbol(token, kind, "local", const=declared.const, volatile=declared.volatile)
    p.declare(token, symbol)
    return Declare(p.at(token), symbol, value)


def reference(p, declared, kind, value):
    """A reference to a variable or an element; it keeps the lvalue as it stands."""
    if value.type != kind:
        raise Mistake(
            f'a reference of type "{kind}&" cannot be initialized with a value of type "{value.type}"',
            value.at,
        )
    mark_bound(value)
    symbol = p.symbol(
        declared.token,
        kind,
        "local",
        reference=True,
        const=declared.const or is_const(value),
        volatile=declared.volatile,
    )
    p.declare(declared.token, symbol)
    return Declare(p.at(declared.token), symbol, value)


def initial_value(p, declared, token):
    """The initialiser of a local variable, converted; None without one."""
    kind, text = declared.type, p.texts[p.i]
    if text == "(":
        given = arguments(p)
        if kind is AUTO:
            return given[0]
        if holds_auto(kind):
            return convert(decay(given[0]), deduced(kind, decay(given[0]).type) or kind)
        return constructed(p, kind, given, token)
    if text == "{":
        return braced(p, kind)
    if text != "=":
        if kind is AUTO:
            raise Mistake(f'"{token.text}" is auto: it needs an initializer', token)
        return rules.default_value(p, kind, token)
    p.i += 1
    p.height = 1
    if p.texts[p.i] == "{":
        return braced(p, kind)
    value = assignment(p)
    if not isinstance(value, Expression):
        if kind is not AUTO:
            raise Mistake(
                f'a value of type "{value.type}" cannot be used to initialize an entity of type "{kind}"',
                value.at,
            )
        return value
    if isinstance(kind, Pointer) and holds_auto(kind):
        made = deduced(kind, decay(value).type)
        if made is None:
            raise Mistake(f'cannot deduce "{kind}" from a value of type "{value.type}"', value.at)
        kind = made
    if kind is AUTO:
        if value.type is VOID:
            raise Mistake(f'"{token.text}" cannot have type void', token)
        return value if declared.reference and is_lvalue(value) else decay(value)
    if declared.reference and is_lvalue(value) and value.type == kind:
        return value
    if declared.reference and not declared.const:
        raise Mistake("initial value of reference to non-const must be an lvalue", value.at)
    if isinstance(kind, Array):
        return array_from_text(p, value, kind, token)
    return initialiser(p, value, kind, token)


def array_from_text(p, value, kind, token):
    if isinstance(value, Literal) and isinstance(value.value, str) and isinstance(kind.of, Scalar):
        codes = text_codes(value.value)
        kind = Array(kind.of, len(codes)) if kind.count is None else kind
        if len(codes) > kind.count:
            raise Mistake(
                f"the text has {len(codes)} characters with the 0 at its end, the array {kind.count}",
                token,
            )
        return Construct(
            value.at, kind, [convert(Literal(value.at, kind.of, code), kind.of) for code in codes]
        )
    return initialiser(p, value, kind, token)


def shared_variable(p, found, declared):
    """__shared__ T name[..] or extern __shared__ T name[]."""
    token, kind = declared.token, declared.type
    dynamic = "extern" in found.flags
    if p.texts[p.i] in ("=", "{"):
        raise Mistake(
            "initializer not allowed for __shared__ variable",
            p.here,
            hint="let the threads write it, then __syncthreads()",
        )
    if dynamic and isinstance(kind, (Scalar, Struct)):
        raise Mistake(
            f'extern __shared__ "{token.text}" must be an array without its size: {kind} {token.text}[]',
            token,
        )
    if not dynamic and isinstance(kind, Array) and kind.count is None:
        raise Mistake(
            "incomplete type is not allowed: a static __shared__ array needs its number of elements",
            token,
            hint=f"write extern __shared__ {kind.of} {token.text}[] for an array sized at launch",
        )
    symbol = p.symbol(
        token, kind, "dynamic" if dynamic else "shared", const=declared.const, volatile=declared.volatile
    )
    p.declare(token, symbol)
    return Declare(p.at(token), symbol, None)
