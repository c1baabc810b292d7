"""Which function emits which node: tables by node type, filled by the modules that import this one.

Expressions, places, calls and statements contain each other; they meet here, so that no module imports one that
imports it.
"""

from __future__ import annotations

from ..analysis.data import has_effects, is_pure
from ..tree import nodes as t
from ..tree.walks import children

VALUES = {}  # type of an expression: function(e, node) -> the Python expression of its value
EFFECTS = {}  # type of an expression whose value nobody needs: function(e, node) that emits what it does
STATEMENTS = {}  # type of a statement: function(e, node) that emits it


def emits(table, *kinds):
    """Enter a function in a table, for these types of nodes."""

    def enter(function):
        table.update(dict.fromkeys(kinds, function))
        return function

    return enter


def value(e, node):
    """The Python expression for a node's value; what must happen before it is emitted as lines."""
    return VALUES[type(node)](e, node)


def values(e, nodes):
    """The values of operands that C++ evaluates one after the other, each before a later one can change it."""
    found = []
    for i, node in enumerate(nodes):
        text = value(e, node)
        found.append(e.fix(text, node.type) if any(changes(e, later) for later in nodes[i + 1 :]) else text)
    return found


def changes(e, node):
    """True if evaluating an expression may change a variable or memory."""
    if isinstance(node, (t.Name, t.Literal, t.Special)):
        return False
    if node not in e.changing:
        changing = isinstance(node, (t.Assign, t.Increment)) or (
            isinstance(node, t.Call) and isinstance(node.target, str) and not is_pure(node)
        )
        e.changing[node] = changing or any(changes(e, child) for child in children(node))
    return e.changing[node]


def discard(e, node):
    """Emit an expression whose value nobody needs."""
    if type(node) in EFFECTS:
        EFFECTS[type(node)](e, node)
    elif has_effects(node):
        e.line(value(e, node))


def statement(e, node):
    """Emit a statement."""
    e.here = node
    STATEMENTS[type(node)](e, node)
