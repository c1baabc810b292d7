"""Local variables that are read before anything can have given them a value, found by walking the text in its
order.

Only certain cases are named: no path to the read assigns the variable.  What an `if` in a loop reads may come
from an earlier time round, so it counts as assigned as soon as the loop assigns it anywhere.
"""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Array, Struct
from ..tree.walks import children, root, walk
from .data import jumps


def unassigned(function):
    """[(symbol, the Name that reads it)] for the local scalars and pointers that are read too early; each
    once."""
    walker = _Walker()
    walker.visit(function.body, set())
    return walker.found


class _Walker:
    """maybe : symbols that may have a value by now;  later : what the loops around assign anywhere"""

    def __init__(self):
        self.open, self.found, self.later = set(), [], set()

    def visit(self, node, maybe):
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is not None:
            method(node, maybe)
            return
        for child in children(node):
            self.visit(child, maybe)

    def _optional(self, node, maybe):
        """A part that may be left out."""
        if node is not None:
            self.visit(node, maybe | self.later)
            maybe |= _assigned(node)

    # Statements.

    def _declare(self, node, maybe):
        if node.value is not None:
            self.visit(node.value, maybe)
        symbol = node.symbol
        plain = symbol.storage == "local" and not (
            symbol.reference or symbol.address_taken or symbol.volatile
        )
        if plain and node.value is None and not isinstance(symbol.type, (Array, Struct)):
            self.open.add(symbol)
            maybe.discard(symbol)

    def _block(self, node, maybe):
        for statement in node.body:
            self.visit(statement, maybe)
            if jumps(statement):
                maybe |= self.later

    def _if(self, node, maybe):
        self.visit(node.condition, maybe)
        if isinstance(node.condition, t.Literal):
            side = node.then if node.condition.value else node.other
            if side is not None:
                self.visit(side, maybe)
            return
        self._optional(node.then, maybe)
        self._optional(node.other, maybe)

    def _switch(self, node, maybe):
        self.visit(node.value, maybe)
        for _, body in node.cases:
            for statement in body:
                self._optional(statement, maybe)

    def _loop(self, node, maybe, *parts):
        outer, self.later = self.later, self.later | _assigned(node)
        for part in parts:
            if part is not None:
                self.visit(part, maybe)
        self.later = outer

    def _for(self, node, maybe):
        if node.start is not None:
            self.visit(node.start, maybe)
        self._loop(node, maybe, node.condition, node.body, node.step)

    def _while(self, node, maybe):
        self._loop(node, maybe, node.condition, node.body)

    def _dowhile(self, node, maybe):
        self._loop(node, maybe, node.body, node.condition)

    # Expressions.

    def _name(self, node, maybe):
        if node.symbol in self.open and node.symbol not in maybe:
            self.found.append((node.symbol, node))
            maybe.add(node.symbol)
            self.open.discard(node.symbol)

    def _assign(self, node, maybe):
        self.visit(node.value, maybe)
        if not isinstance(node.target, t.Name) or node.op is not None:
            self.visit(node.target, maybe)
        if isinstance(node.target, t.Name):
            maybe.add(node.target.symbol)

    def _binary(self, node, maybe):
        self.visit(node.left, maybe)
        if node.op in ("&&", "||"):
            self._optional(node.right, maybe)
        else:
            self.visit(node.right, maybe)

    def _select(self, node, maybe):
        self.visit(node.condition, maybe)
        self._optional(node.then, maybe)
        self._optional(node.other, maybe)

    def _call(self, node, maybe):
        inner = isinstance(node.target, t.Function)
        for i, argument in enumerate(node.arguments):
            if inner and node.target.parameters[i].reference:
                maybe.add(root(argument))
            else:
                self.visit(argument, maybe)
        if inner:
            self.visit(node.target.body, maybe)


def _assigned(node):
    """The symbols that a part of the text gives a value without reading them first."""
    found = set()
    for part in walk(node):
        if isinstance(part, t.Assign) and part.op is None and isinstance(part.target, t.Name):
            found.add(part.target.symbol)
        if isinstance(part, t.Call) and isinstance(part.target, t.Function):
            found |= {root(a) for p, a in zip(part.target.parameters, part.arguments) if p.reference}
    return found
