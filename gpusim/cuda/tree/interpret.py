"""Constant expressions that call functions: `constexpr int tiles(int n) { ... }` in an array bound, say."""

from __future__ import annotations

from . import nodes as t
from .fold import convert_value, operate
from .types import Scalar

MOST_STEPS = 100_000


class _Stuck(Exception):
    """Something that no constant expression holds."""


def constant(expression):
    """The Literal that an expression is before any run, or None."""
    try:
        value = _Reckoner().value(expression, {})
        return t.Literal(expression.at, expression.type, convert_value(value, expression.type))
    except (_Stuck, RecursionError):
        return None


class _Reckoner:
    """Evaluates with Python numbers.  A variable is {symbol: number}, what ends a block "break", "continue" or
    (result,)."""

    def __init__(self):
        self.steps = 0

    def value(self, node, known):
        self.steps += 1
        reckon = VALUES.get(type(node))
        if reckon is None or self.steps > MOST_STEPS or not isinstance(node.type, Scalar):
            raise _Stuck
        return reckon(self, node, known)

    def literal(self, node, known):
        if isinstance(node.value, str):
            raise _Stuck
        return node.value

    def name(self, node, known):
        if node.symbol not in known:
            raise _Stuck
        return known[node.symbol]

    def cast(self, node, known):
        return convert_value(self.value(node.operand, known), node.type)

    def unary(self, node, known):
        value = self.value(node.operand, known)
        return convert_value({"-": -value, "!": not value}.get(node.op, ~int(value)), node.type)

    def binary(self, node, known):
        left = self.value(node.left, known)
        if node.op in ("&&", "||"):
            return bool(left) if bool(left) == (node.op == "||") else bool(self.value(node.right, known))
        return self.operated(node.op, left, self.value(node.right, known), node.left.type)

    def operated(self, op, left, right, kind):
        value = operate(op, left, right, kind)
        if value is None:
            raise _Stuck
        return value

    def select(self, node, known):
        return self.value(node.then if self.value(node.condition, known) else node.other, known)

    def comma(self, node, known):
        self.value(node.left, known)
        return self.value(node.right, known)

    def assign(self, node, known):
        value = self.value(node.value, known)
        if node.op is not None:
            old = convert_value(self.name(node.target, known), node.common)
            value = self.operated(node.op, old, value, node.common)
        return self.put(node.target, value, known)

    def increment(self, node, known):
        old = self.value(node.target, known)
        new = self.put(node.target, self.operated(node.op, old, 1, node.type), known)
        return new if node.prefix else old

    def put(self, target, value, known):
        if not isinstance(target, t.Name) or target.symbol not in known:
            raise _Stuck
        known[target.symbol] = convert_value(value, target.type)
        return known[target.symbol]

    def call(self, node, known):
        function, given = node.target, [self.value(argument, known) for argument in node.arguments]
        if isinstance(function, str):
            if function not in ("min", "max", "abs"):
                raise _Stuck
            return {"min": min, "max": max, "abs": abs}[function](*given)
        if function.body is None or any(parameter.reference for parameter in function.parameters):
            raise _Stuck
        ended = self.run(function.body, dict(zip(function.parameters, given)))
        if not isinstance(ended, tuple):
            raise _Stuck
        return convert_value(ended[0], node.type)

    # Statements.

    def run(self, node, known):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _Stuck
        if isinstance(node, t.Block):
            for statement in node.body:
                ended = self.run(statement, known)
                if ended is not None:
                    return ended
        elif isinstance(node, t.Declare):
            known[node.symbol] = self.value(node.value, known) if node.value is not None else 0
        elif isinstance(node, t.Evaluate):
            self.value(node.expression, known)
        elif isinstance(node, t.If):
            branch = node.then if self.value(node.condition, known) else node.other
            return self.run(branch, known) if branch is not None else None
        elif isinstance(node, t.Return) and node.value is not None:
            return (self.value(node.value, known),)
        elif isinstance(node, (t.For, t.While, t.DoWhile)):
            return self.loop(node, known)
        elif isinstance(node, (t.Break, t.Continue)):
            return type(node).__name__.lower()
        else:
            raise _Stuck
        return None

    def loop(self, node, known):
        if isinstance(node, t.For) and node.start is not None:
            self.run(node.start, known)
        first = isinstance(node, t.DoWhile)
        while first or node.condition is None or self.value(node.condition, known):
            first = False
            ended = self.run(node.body, known)
            if isinstance(ended, tuple):
                return ended
            if ended == "break":
                break
            if isinstance(node, t.For) and node.step is not None:
                self.value(node.step, known)
        return None


VALUES = {
    t.Literal: _Reckoner.literal,
    t.Name: _Reckoner.name,
    t.Cast: _Reckoner.cast,
    t.Unary: _Reckoner.unary,
    t.Binary: _Reckoner.binary,
    t.Select: _Reckoner.select,
    t.Comma: _Reckoner.comma,
    t.Assign: _Reckoner.assign,
    t.Increment: _Reckoner.increment,
    t.Call: _Reckoner.call,
}
