"""Lambdas, CUDA's functions that are written in CUDA C (prelude.py), and small parts of namespace std."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..parse.types import AUTO
from ..text.mistakes import Mistake
from ..text.tokens import Token, tokenize
from ..tree.nodes import Literal
from ..tree.types import BOOL, DOUBLE, FLOAT, HALF, is_float
from ..typing import operators as check
from ..typing.lowered import LOWERED, Lowered
from ..typing.prelude import PRELUDE
from ..typing.scope import BASE, Constant, Declaration, Helper, Overloads


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
    """A lambda as a value."""

    type: Lambda
    at: object


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
BASE["std"].names.update(
    {name: Helper(name) for name in ("numeric_limits", "is_same", "is_same_v", "forward", "move")}
)
OPERATIONS = {
    "plus": "+",
    "multiplies": "*",
    "less": "min",
    "greater": "max",
    "bit_and": "&",
    "bit_or": "|",
    "bit_xor": "^",
}


class Lambdas:
    """Reads lambdas and what is written in CUDA C here."""

    def lambda_meaning(self, meaning, token):
        if isinstance(meaning, (LambdaValue, OperationValue)):
            return meaning
        if isinstance(meaning, (Lowered, PreludeFunction)):
            return self.call_library(meaning, self.arguments(), token)
        raise Mistake(f'"{token.text}" cannot be used as a value', token)

    def lambda_expression(self):
        """[&](int i) { ... }: its body may use all variables around it."""
        token = self.here
        self.skip_brackets()
        start = self.i
        if self.texts[self.i] == "(":
            self.skip_brackets()
        while self.texts[self.i] != "{":
            if self.here.kind == "end" or self.texts[self.i] in (";", "}", ")"):
                raise self.expected('"{"')
            self.i += 1
        body = self.i
        self.skip_brackets()
        declaration = Declaration("(lambda)", "device", token, start, body, list(self.scopes))
        return LambdaValue(Lambda(declaration), self.at(token))

    def lambda_header(self):
        """The parameters and result of a lambda."""
        parameters = self.parameters() if self.texts[self.i] == "(" else []
        result = AUTO
        while self.texts[self.i] != "{":
            self.i += 1
            if self.texts[self.i - 1] == "->":
                result = self.type_name_only()
        return result, parameters

    def ghost_value(self, kind, at):
        """The value of a parameter whose type is a lambda or an operation."""
        return LambdaValue(kind, at) if isinstance(kind, Lambda) else OperationValue(kind, at)

    def call_ghost(self, value, token):
        """f(...) for a lambda or an operation."""
        given = self.arguments()
        if isinstance(value, OperationValue):
            return self.operate(value.type.op, given, token)
        if not isinstance(value, LambdaValue):
            raise Mistake(
                "expression preceding parentheses of apparent call must have (pointer-to-) function type",
                token,
            )
        overloads = Overloads("lambda", [value.type.declaration])
        return self.resolve(overloads, given, token)

    def operate(self, op, given, token):
        at = self.at(token)
        if len(given) != 2:
            raise Mistake("too few arguments in function call", token)
        if op in ("min", "max"):
            return self.call_library(BASE[op], given, token)
        return check.binary(op, *given, at)

    def functor(self, token):
        """plus<int>(), less<T>{}: an operation."""
        if self.texts[self.i] == "<":
            self.skip_template_arguments()
        if self.texts[self.i] in ("(", "{"):
            self.skip_brackets()
        return OperationValue(Operation(OPERATIONS[token.text]), self.at(token))

    # Functions written in CUDA C

    def call_prelude(self, name, given, token, explicit=None):
        """Read the function's text as if it stood at `token`, and call it."""
        function = BASE[name]
        start = len(self.tokens)
        tokens = [
            Token(part.kind, part.text, token.line, token.column, part.before, token.macro)
            for part in tokenize(function.text)
        ]
        self.tokens += tokens + tokens[-1:] * 2
        self.texts += [part.text for part in tokens] + [""] * 2
        i, self.i = self.i, start
        template = None
        if self.accept("template"):
            template = self.template_parameters()
        found = self.find_function(self.i)
        start, self.i = self.i, i
        declaration = Declaration(name, "device", token, start, found[2], [BASE], template)
        return self.resolve(Overloads(name, [declaration]), given, token, explicit)

    # Parts of namespace std

    def helper_numeric_limits(self, token):
        """numeric_limits<T>::max() and its kin."""
        (kind,) = self.template_arguments_of(token, 1)
        self.expect("::")
        name = self.name()
        if self.texts[self.i] == "(":
            self.arguments()
        value = _limit(kind, name.text)
        if value is None:
            raise Mistake(f'numeric_limits<{kind}> has no "{name.text}" here', name, unsupported=True)
        return Literal(self.at(token), kind, value)

    def helper_is_same(self, token):
        left, right = self.template_arguments_of(token, 2)
        if token.text == "is_same":
            self.expect("::")
            self.name()
        return Literal(self.at(token), BOOL, left == right)

    helper_is_same_v = helper_is_same

    def template_arguments_of(self, token, count):
        """The template arguments of a library's name that takes `count` types."""
        given = self.template_arguments()
        if len(given) != count or any(isinstance(kind, Constant) for kind in given):
            raise Mistake(f'"{token.text}" takes {count} type{"s" * (count > 1)} between < and >', token)
        return given

    def helper_move(self, token):
        if self.texts[self.i] == "<":
            self.template_arguments()
        given = self.arguments()
        if len(given) != 1:
            raise Mistake("too many arguments in function call", token)
        return given[0]

    helper_forward = helper_move

    def unify_ghost(self, pattern, kind, bindings):
        """Nothing to find in a lambda."""


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
