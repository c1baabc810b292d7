"""Small parts of namespace std: numeric_limits, is_same, move and forward."""

from __future__ import annotations

import math

from ..parse.names import arguments
from ..parse.rules import rule
from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import BOOL, DOUBLE, FLOAT, HALF, is_float
from ..typing.scope import BASE, Constant, Helper
from .library import helper
from .templates import template_arguments

BASE["std"].names.update(
    {name: Helper(name) for name in ("numeric_limits", "is_same", "is_same_v", "forward", "move")}
)


@helper("numeric_limits")
def helper_numeric_limits(p, token):
    """numeric_limits<T>::max() and its kin."""
    (kind,) = template_arguments_of(p, token, 1)
    p.expect("::")
    name = p.name()
    if p.texts[p.i] == "(":
        arguments(p)
    value = _limit(kind, name.text)
    if value is None:
        raise Mistake(f'numeric_limits<{kind}> has no "{name.text}" here', name, unsupported=True)
    return Literal(p.at(token), kind, value)


@helper("is_same", "is_same_v")
def helper_is_same(p, token):
    left, right = template_arguments_of(p, token, 2)
    if token.text == "is_same":
        p.expect("::")
        p.name()
    return Literal(p.at(token), BOOL, left == right)


@rule
def template_arguments_of(p, token, count):
    """The template arguments of a library's name that takes `count` types."""
    given = template_arguments(p)
    if len(given) != count or any(isinstance(kind, Constant) for kind in given):
        raise Mistake(f'"{token.text}" takes {count} type{"s" * (count > 1)} between < and >', token)
    return given


@helper("move", "forward")
def helper_move(p, token):
    if p.texts[p.i] == "<":
        template_arguments(p)
    given = arguments(p)
    if len(given) != 1:
        raise Mistake("too many arguments in function call", token)
    return given[0]


def _limit(kind, name):
    """A value of numeric_limits<kind>, or None."""
    if is_float(kind):
        digits, largest = {FLOAT: (23, 127), DOUBLE: (52, 1023), HALF: (10, 15)}[kind]
        high = (2 - 2.0**-digits) * 2.0**largest
        return {
            "max": high,
            "lowest": -high,
            "min": 2.0 ** (1 - largest),
            "epsilon": 2.0**-digits,
            "infinity": math.inf,
            "quiet_NaN": math.nan,
        }.get(name)
    signed = getattr(kind, "kind", "") == "int"
    bits = 8 * kind.size - signed
    return {
        "max": (1 << bits) - 1,
        "min": -(1 << bits) if signed else 0,
        "lowest": -(1 << bits) if signed else 0,
    }.get(name)
