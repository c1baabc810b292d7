"""Values of a type: T(x), {a, b}, constructors of plain structs and arrays, initialisers."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Literal
from ..tree.types import INT, UINT, VECTORS, Array, Struct, Union
from ..typing.conversions import assignable, cast
from .rules import rules


def construct(p, kind, token):
    """T(x), T{x}, dim3(8, 8), P(1, 2): a value of a named type."""
    if p.texts[p.i] == "{":
        return braced(p, kind)
    if p.texts[p.i] != "(":
        raise Mistake("type name is not allowed here", token)
    given = rules.arguments(p)
    return constructed(p, kind, given, token)


def constructed(p, kind, given, token):
    at = p.at(token)
    if isinstance(kind, Struct):
        made = rules.constructor_call(p, kind, given, token)
        if made is not None:
            return made
        if len(given) == 1 and not isinstance(given[0], list) and isinstance(given[0].type, Struct):
            return given[0] if given[0].type == kind else rules.converted(p, given[0], kind, token)
        return aggregate(p, kind, given, at, token)
    if not given:
        return cast(Literal(at, INT, 0), kind, at)
    if len(given) > 1:
        raise Mistake(f'too many initializer values: "{kind}" takes one', token)
    return rules.cast(p, given[0], kind, token)


def aggregate(p, kind, given, at, token):
    """A struct's or an array's value from its parts in order."""
    if isinstance(kind, Union):
        if any(not isinstance(part, Literal) or part.value for part in given):
            hint = "declare it, then assign to a member"
            raise Mistake(
                "a union with a value in braces is not supported", token, unsupported=True, hint=hint
            )
        return Construct(at, kind, [])
    kinds = (
        [field.type for field in kind.fields]
        if isinstance(kind, Struct)
        else [kind.of] * (len(given) if kind.count is None else kind.count)
    )
    if len(given) > len(kinds):
        raise Mistake(f'too many initializer values: "{kind}" takes {len(kinds)}, {len(given)} given', token)
    if kind is VECTORS["dim3"]:
        given = given + [Literal(at, UINT, 1)] * (3 - len(given))
    parts = [initialiser(p, part, to, token) for part, to in zip(given, kinds)]
    return Construct(at, kind, parts)


def initialiser(p, value, kind, token):
    """A value converted to `kind` as an initialiser is; a list stands for {...}."""
    if isinstance(value, list):
        return from_list(p, value, kind, token)
    if isinstance(kind, Struct) and value.type != kind:
        return rules.converted(p, value, kind, token)
    if isinstance(kind, Array):
        if value.type != kind:
            raise Mistake(
                f'a value of type "{value.type}" cannot be used to initialize an entity of type "{kind}"',
                value.at,
            )
        return value
    return assignable(rules.to_scalar(p, value, kind), kind, "initialise")


def braced(p, kind):
    """{a, b, {c, d}}: of type `kind`, or a plain list where the type is not known yet."""
    opening = p.expect("{")
    p.enter(opening)
    given = []
    while p.texts[p.i] != "}":
        if p.texts[p.i] == "." and p.tokens[p.i + 1].kind == "name":
            raise Mistake(
                "designated initializers are not supported",
                p.here,
                unsupported=True,
                hint="give all parts in order",
            )
        p.height = 1
        given.append(braced(p, None) if p.texts[p.i] == "{" else rules.assignment(p))
        if not p.accept(","):
            break
    p.expect("}")
    p.nesting -= 1
    return given if kind is None else from_list(p, given, kind, opening)


def from_list(p, given, kind, token):
    """A value of type `kind` from the expressions of a {...} list."""
    at = p.at(token)
    if isinstance(kind, Struct):
        if not any(isinstance(part, list) for part in given):
            return constructed(p, kind, given, token)
        return aggregate(p, kind, given, at, token)
    if isinstance(kind, Array):
        if kind.count is None:
            kind = Array(kind.of, len(given))
        if isinstance(kind.of, Array) and given and not any(isinstance(part, list) for part in given):
            size = kind.of.count
            given = [given[k : k + size] for k in range(0, len(given), size)]
        return aggregate(p, kind, given, at, token)
    if len(given) > 1:
        raise Mistake(f'too many initializer values: "{kind}" takes one', token)
    return initialiser(p, given[0] if given else Literal(at, INT, 0), kind, token)
