"""Expressions, by recursive descent: each is typed and converted as soon as it is read."""

from __future__ import annotations

from ..text.literals import text_codes
from ..text.mistakes import Mistake
from ..text.tokens import LEVELS
from ..tree.nodes import Literal
from ..tree.types import CHAR, ULONGLONG, Array, Struct
from ..typing import conversions
from ..typing import operators as check
from .cursor import NESTED
from .declarators import type_name_only
from .rules import rule, rules
from .types import type_ahead
from .values import braced

ASSIGNMENTS = {
    "=": None,
    "+=": "+",
    "-=": "-",
    "*=": "*",
    "/=": "/",
    "%=": "%",
    "&=": "&",
    "|=": "|",
    "^=": "^",
    "<<=": "<<",
    ">>=": ">>",
}


@rule
def expression(p):
    """A full expression, commas included."""
    value = assignment(p)
    while p.texts[p.i] == ",":
        token, height = p.next(), p.height
        value = check.comma(value, assignment(p), p.at(token))
        p.height = max(height, p.height)
        grow(p, token)
    return value


@rule
def assignment(p):
    """An expression without commas."""
    left = binary(p, 1)
    text = p.texts[p.i]
    if text == "?":
        return choice(p, left)
    if text in ASSIGNMENTS and p.here.kind == "op":
        token = p.next()
        p.enter(token)
        right = braced(p, left.type) if p.texts[p.i] == "{" else assignment(p)
        p.nesting -= 1
        grow(p, token)
        return assigned(p, left, right, token, ASSIGNMENTS[text])
    return left


def assigned(p, left, right, token, op):
    overloaded = rules.overloaded_operator(p, f"operator{token.text}", token, left, right)
    if overloaded is not None:
        return overloaded
    if op is not None and isinstance(left.type, Struct):
        overloaded = rules.overloaded_operator(p, f"operator{op}", token, left, right)
        if overloaded is not None:
            return check.assign(left, overloaded, p.at(token))
    elif isinstance(left.type, Struct) and (isinstance(right, list) or right.type != left.type):
        right = rules.converted(p, right, left.type, token)
    return check.assign(left, right, p.at(token), op)


def choice(p, test):
    token = p.next()
    p.enter(token)
    then = expression(p)
    p.expect(":")
    other = assignment(p)
    p.nesting -= 1
    grow(p, token)
    return check.select(test, then, other, p.at(token))


def binary(p, level):
    left = unary(p)
    while True:
        token = p.tokens[p.i]
        text = token.text
        here = LEVELS.get(text, 0)
        if here < level or p.no_greater and text in (">", ">>"):
            return left
        p.i += 1
        height = p.height
        right = binary(p, here + 1)
        p.height = max(height, p.height)
        grow(p, token)
        if isinstance(left.type, Struct) or isinstance(right.type, Struct):
            overloaded = rules.overloaded_operator(p, f"operator{text}", token, left, right)
            if overloaded is not None:
                left = overloaded
                continue
            left, right = rules.to_scalar(p, left), rules.to_scalar(p, right)
        left = check.binary(text, left, right, p.at(token))


def grow(p, token):
    p.height += 1
    if p.height > NESTED:
        raise Mistake(
            f"an expression of more than {NESTED} levels",
            token,
            unsupported=True,
            hint="split it into several statements",
        )


# Unary operators and casts


def unary(p):
    token = p.tokens[p.i]
    text = token.text
    if token.kind != "op":
        return unary_word(p, token) if text in ("sizeof", "alignof") else rules.postfix(p, rules.primary(p))
    if text == "(" and cast_ahead(p):
        return c_cast(p)
    if text not in ("-", "!", "*", "&", "+", "~", "++", "--"):
        return rules.postfix(p, rules.primary(p))
    p.i += 1
    p.enter(token)
    operand = unary(p)
    p.nesting -= 1
    grow(p, token)
    at = p.at(token)
    if text == "&" and getattr(operand.type, "ghost", False):
        return operand  # &f of a function is f
    if isinstance(operand.type, Struct) and text != "&":
        overloaded = rules.overloaded_operator(p, f"operator{text}", token, operand)
        if overloaded is not None:
            return overloaded
    if text == "*":
        return check.dereference(operand, p.span(token))
    if text == "&":
        return check.address(operand, at)
    if text in ("++", "--"):
        return check.increment(operand, text[0], True, at)
    return check.unary(text, operand, at)


def unary_word(p, token):
    """sizeof and alignof: of a type or of an expression, which is not evaluated."""
    p.i += 1
    if p.texts[p.i] == "(":
        p.i += 1
        if type_ahead(p):
            kind = type_name_only(p)
        else:
            kind = _extent(nested_expression(p, token))
        p.expect(")")
    else:
        p.enter(token)
        kind = _extent(unary(p))
        p.nesting -= 1
    return Literal(p.at(token), ULONGLONG, kind.size if token.text == "sizeof" else kind.align)


def cast_ahead(p):
    """True when the ( here opens a cast."""
    p.i += 1
    ahead = type_ahead(p)
    p.i -= 1
    if not ahead:
        return False
    if p.texts[p.i + 2] == "(" and p.texts[p.i + 3] not in ("*", "&"):
        return False  # (float(x) + 1)
    place = p.i
    depth = 0
    while place < len(p.texts) - 1:
        text = p.texts[place]
        depth += (text == "(") - (text == ")")
        if depth == 0:
            break
        place += 1
    # (T::constant + 1) and (T(x)) are no casts: a type is names, *, &, <, >, ::, [ ], numbers and commas
    inside = p.texts[p.i + 1 : place]
    return len(inside) < 40 and not any(text in ("+", "-", "=", ";", "{", ".") for text in inside)


def c_cast(p):
    token = p.next()
    kind = type_name_only(p)
    p.expect(")")
    if p.texts[p.i] == "{":
        return braced(p, kind)
    p.enter(token)
    operand = unary(p)
    p.nesting -= 1
    grow(p, token)
    return cast(p, operand, kind, token)


@rule
def cast(p, operand, kind, token):
    if isinstance(kind, Struct) and operand.type != kind:
        return rules.converted(p, operand, kind, token)
    return conversions.cast(rules.to_scalar(p, operand, kind), kind, p.at(token))


def named_cast(p):
    token = p.next()
    p.expect("<")
    kind = rules.template_type(p)
    p.close_angle()
    p.expect("(")
    operand = nested_expression(p, token)
    p.expect(")")
    grow(p, token)
    return cast(p, operand, kind, token)


def nested_expression(p, token):
    """An expression in brackets, where > is an operator again."""
    p.enter(token)
    outside, p.no_greater = p.no_greater, False
    value = expression(p)
    p.no_greater = outside
    p.nesting -= 1
    return value

    # Primary expressions

    # Calls

    # Postfix operators

    # Values of a type


def _extent(expression):
    """The type whose size sizeof tells: a text in quotes is an array of characters."""
    if isinstance(expression, Literal) and isinstance(expression.value, str):
        return Array(CHAR, len(text_codes(expression.value)))
    return expression.type
