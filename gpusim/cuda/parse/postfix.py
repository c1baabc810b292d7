"""Postfix operators: a[i], s.x, p->x, f(x), i++."""

from __future__ import annotations

from ..text.mistakes import Mistake, did_you_mean
from ..tree.nodes import Expression
from ..tree.types import Pointer, Struct
from ..typing import operators as check
from ..typing.conversions import decay
from .expressions import grow, nested_expression
from .rules import rule, rules


@rule
def postfix(p, value):
    first = value.at
    while True:
        token = p.tokens[p.i]
        text = token.text
        if text == "[":
            p.i += 1
            height = p.height
            place = nested_expression(p, token)
            p.expect("]")
            p.height = max(height, p.height)
            value = indexed(p, value, place, token, first)
        elif text == ".":
            p.i += 1
            value = selected(p, value, first)
        elif text == "->":
            p.i += 1
            pointed = decay(value)
            if not isinstance(pointed.type, Pointer):
                overloaded = rules.overloaded_operator(p, "operator->", token, pointed)
                if overloaded is None:
                    raise Mistake(
                        f'expression must have pointer-to-class type but it has type "{value.type}"',
                        token,
                        hint="use ." if isinstance(value.type, Struct) else None,
                    )
                pointed = overloaded
            pointed.type = rules.completed(p, pointed.type)
            value = selected(p, check.dereference(pointed, value.at), first)
        elif text == "++" or text == "--":
            p.i += 1
            value = check.increment(value, text[0], False, p.at(token))
        elif text == "(":
            value = called(p, value, token)
        elif text == "<<<":
            raise p.refuse("launch", token)
        else:
            return value
        grow(p, token)


def reach(p, first):
    """The At from an expression's start to the token just read."""
    last = p.tokens[p.i - 1]
    if first.macro is None and last.macro is None and last.line == first.line:
        return type(first)(first.line, first.column, last.column + len(last.text) - first.column)
    return first


def indexed(p, value, place, token, first):
    if isinstance(value.type, Struct):
        overloaded = rules.overloaded_operator(p, "operator[]", token, value, place)
        if overloaded is not None:
            return overloaded
    return check.index(value, decay(place), reach(p, first))


def selected(p, base, first):
    """base.name: a field, or a method's call."""
    token = p.here
    if p.texts[p.i] == "template":
        p.i += 1
        token = p.here
    if token.kind != "name":
        raise p.expected("member's name")
    p.i += 1
    if not isinstance(base, Expression):
        return rules.ghost_member(p, base, token)
    if isinstance(base.type, Struct) and base.type.field(token.text) is None:
        method = rules.method_call(p, base, token)
        if method is not None:
            return method
    hint = None
    if isinstance(base.type, Struct):
        fields = [field.name for field in base.type.fields]
        hint = did_you_mean(token.text, fields) or f"its members are {', '.join(fields[:12])}"
    made = check.member(base, token.text, reach(p, first), hint)
    made.type = rules.completed(p, made.type)
    return made


def called(p, value, token):
    if not isinstance(value, Expression):
        return rules.call_ghost(p, value, token)
    if isinstance(value.type, Struct):
        overloaded = rules.overloaded_call(p, value, token)
        if overloaded is not None:
            return overloaded
    raise Mistake(
        f"expression preceding parentheses of apparent call must have (pointer-to-) function type, "
        f'not "{value.type}"',
        token,
    )
