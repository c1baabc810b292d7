"""Lambdas, operations such as plus<int>, and CUDA's functions that are written in CUDA C (prelude.py)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..parse.declarators import type_name_only
from ..parse.expressions import assignment
from ..parse.headers import read_parameters
from ..parse.names import arguments
from ..parse.outline import behind_brackets, find_function, skip_template_arguments, template_parameters
from ..parse.rules import rule, rules
from ..parse.types import AUTO
from ..text.mistakes import Mistake
from ..text.tokens import Token, tokenize
from ..tree.nodes import Declare, Expression, Name, Symbol
from ..typing import operators as check
from ..typing.conversions import decay
from ..typing.lowered import LOWERED, Lowered
from ..typing.prelude import BEFORE_VOLTA, PRELUDE
from ..typing.scope import BASE, Declaration, Overloads
from .functions import FunctionType, FunctionValue


@dataclass(eq=False)
class Lambda:
    """A lambda's type, one for each lambda expression; it lives while reading only."""

    declaration: Declaration
    ghost = True
    size = align = 1

    def __str__(self):
        return "lambda"


@dataclass(eq=False)
class LambdaValue:
    """A lambda as a value; captures : the tokens between its [ and ]."""

    type: Lambda
    at: object
    captures: list = field(default_factory=list)


@dataclass(frozen=True)
class Operation:
    """The type of plus<int>() and its kin."""

    op: str
    ghost = True
    size = align = 1


@dataclass(frozen=True)
class OperationValue:
    type: Operation
    at: object


@dataclass(eq=False)
class PreludeFunction:
    """A function whose text is in prelude.py."""

    name: str
    text: str
    made: dict = field(default_factory=dict)


BASE.update({name: PreludeFunction(name, text) for name, text in PRELUDE.items()})
BASE.update(LOWERED)
MOST_CAPTURED = 1024  # bytes of an array that a lambda copies
OPERATIONS = {
    "plus": "+",
    "multiplies": "*",
    "less": "min",
    "greater": "max",
    "bit_and": "&",
    "bit_or": "|",
    "bit_xor": "^",
}


def lambda_meaning(p, meaning, token):
    if isinstance(meaning, (LambdaValue, OperationValue, FunctionValue)):
        return meaning
    if isinstance(meaning, (Lowered, PreludeFunction)):
        return rules.call_library(p, meaning, arguments(p), token)
    raise Mistake(f'"{token.text}" cannot be used as a value', token)


@rule
def lambda_expression(p):
    """[&](int i) { ... }: its body may use all variables around it."""
    token, first = p.here, p.i + 1
    p.skip_brackets()
    start, given = p.i, initial_captures(p, first)
    p.i = start
    if p.texts[p.i] == "(":
        p.skip_brackets()
    while p.texts[p.i] != "{":
        if p.here.kind == "end" or p.texts[p.i] in (";", "}", ")"):
            raise p.expected('"{"')
        p.i += 1
    body = p.i
    p.skip_brackets()
    declaration = Declaration("(lambda)", "device", token, start, body, [*p.scopes, given])
    return LambdaValue(Lambda(declaration), p.at(token), p.tokens[first : start - 1])


def initial_captures(p, i):
    """{name: its value} of captures like `z = m * 2` and `&r = x`, from the place behind the [."""
    given = {}
    while p.texts[i] != "]":
        if p.tokens[i].kind == "name" and p.texts[i + 1] == "=":
            p.i = i + 2
            given[p.texts[i]] = assignment(p)
            i = p.i
        else:
            i += 1
    return given


def capture(p, value):
    """Give a lambda that gets a name copies of what it captures by value: their Declares."""
    captures, declaration = value.captures, value.type.declaration
    starts = [c for c, before in zip(captures, [None, *captures]) if before is None or before.text == ","]
    names = {c.text for c in starts if c.kind == "name"}
    if any(c.text == "=" for c in starts):
        apart = {c.text for c, before in zip(captures[1:], captures) if before.text == "&"}
        end = behind_brackets(p, declaration.body)
        names |= {c.text for c in p.tokens[declaration.body : end] if c.kind == "name"} - apart
    copies, made = {}, []
    for name, first in declaration.scopes[-1].items():  # z = m * 2 is read where the lambda is made
        reference = captures[[c.text for c in captures].index(name) - 1].text == "&"
        if isinstance(first, Expression) and not reference:
            first = decay(first)
            copies[name] = p.symbol(Token("name", name, value.at.line, value.at.column), first.type, "local")
            made.append(Declare(value.at, copies[name], first))
    names -= set(copies)
    for name in sorted(names):
        found = p.lookup(name)
        if isinstance(found, Symbol) and found.storage in ("local", "parameter") and not found.const:
            if found.type.size > MOST_CAPTURED:
                hint = "capture it by reference: [&]"
                raise Mistake(
                    f'"{name}" is too large to be captured by value', value.at, unsupported=True, hint=hint
                )
            copies[name] = p.symbol(Token("name", name, value.at.line, value.at.column), found.type, "local")
            made.append(Declare(value.at, copies[name], Name(value.at, found.type, found)))
    declaration.scopes.append(copies)
    return made


@rule
def lambda_header(p):
    """The parameters and result of a lambda."""
    parameters = read_parameters(p) if p.texts[p.i] == "(" else []
    result = AUTO
    while p.texts[p.i] != "{":
        p.i += 1
        if p.texts[p.i - 1] == "->":
            result = type_name_only(p)
    return result, parameters


def ghost_value(p, kind, at):
    """The value of a parameter whose type is a lambda or an operation."""
    if isinstance(kind, FunctionType):
        return FunctionValue(kind, at)
    return LambdaValue(kind, at) if isinstance(kind, Lambda) else OperationValue(kind, at)


@rule
def call_ghost(p, value, token):
    """f(...) for a lambda or an operation."""
    given = arguments(p)
    if isinstance(value, OperationValue):
        return operate(p, value.type.op, given, token)
    if isinstance(value, FunctionValue):
        explicit = value.type.explicit
        return rules.resolve(p, value.type.overloads, given, token, explicit and list(explicit))
    if not isinstance(value, LambdaValue):
        raise Mistake(
            "expression preceding parentheses of apparent call must have (pointer-to-) function type",
            token,
        )
    overloads = Overloads("lambda", [value.type.declaration])
    return rules.resolve(p, overloads, given, token)


def operate(p, op, given, token):
    at = p.at(token)
    if len(given) != 2:
        raise Mistake("too few arguments in function call", token)
    if op in ("min", "max"):
        return rules.call_library(p, BASE[op], given, token)
    return check.binary(op, *given, at)


def functor(p, token):
    """plus<int>(), less<T>{}: an operation."""
    if p.texts[p.i] == "<":
        skip_template_arguments(p)
    if p.texts[p.i] in ("(", "{"):
        p.skip_brackets()
    return OperationValue(Operation(OPERATIONS[token.text]), p.at(token))


# Functions written in CUDA C


def call_prelude(p, name, given, token, explicit=None):
    """Read the function's text as if it stood at `token`, and call it."""
    function = BASE[name]
    if name in BEFORE_VOLTA:
        note = f'"{name}" is gone since Volta: read as {name}_sync over the active lanes'
        if (token.line, note) not in p.skipped:
            p.skipped.append((token.line, note))
    start = len(p.tokens)
    tokens = [
        Token(part.kind, part.text, token.line, token.column, part.before, token.macro)
        for part in tokenize(function.text)
    ]
    p.tokens += tokens + tokens[-1:] * 2
    p.texts += [part.text for part in tokens] + [""] * 2
    i, p.i = p.i, start
    overloads = Overloads(name)
    while p.here.kind != "end":
        template = template_parameters(p) if p.accept("template") else None
        _, _, body, end = find_function(p, p.i)
        overloads.declarations.append(Declaration(name, "device", token, p.i, body, [BASE], template))
        p.i = end
    p.i = i
    return rules.resolve(p, overloads, given, token, explicit)
