"""Which function emits which node: tables by node type, filled by the modules that import this one.

Expressions, places, calls and statements contain each other; they meet here, so that no module imports one that
imports it.
"""

from __future__ import annotations

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


def statement(e, node):
    """Emit a statement."""
    e.here = node
    STATEMENTS[type(node)](e, node)
