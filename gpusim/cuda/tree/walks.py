"""Walks over a tree: the nodes below a node, and what lies at the bottom of an lvalue."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from . import nodes as t
from .types import Pointer

NODES = t.Expression, t.Statement


def children(node, called=True):
    """The nodes directly below `node`; the body of a device function that it calls is one of them, if
    `called`."""
    found = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, NODES):
            found.append(value)
        elif isinstance(value, list):
            for entry in value:
                if isinstance(entry, NODES):
                    found.append(entry)
                elif isinstance(entry, tuple):  # a case of a switch
                    found += entry[1]
    if called and isinstance(node, t.Call) and isinstance(node.target, t.Function):
        found.append(node.target.body)
    return found


@cache
def _fields(kind):
    return tuple(item.name for item in fields(kind))


def walk(node):
    """[`node` and all nodes below it], device functions that it calls included."""
    return _below(node, True)


def within(node):
    """[`node` and all nodes below it], without device functions that it calls."""
    return _below(node, False)


def _below(node, called):
    found, open_ = [], [node]
    while open_:
        node = open_.pop()
        found.append(node)
        open_ += reversed(children(node, called))
    return found


def inlined_size(function, known=None):
    """The nodes of a function with those of all that it calls, each time that it calls them."""
    known = {} if known is None else known
    if function not in known:
        nodes = within(function.body)
        calls = [n.target for n in nodes if isinstance(n, t.Call) and isinstance(n.target, t.Function)]
        known[function] = len(nodes) + sum(inlined_size(callee, known) for callee in calls)
    return known[function]


def root(node):
    """The symbol at the bottom of an lvalue, or None: `a` of a[i].x, `p` of *p."""
    while True:
        if isinstance(node, t.Name):
            return node.symbol
        if isinstance(node, (t.Index, t.Member)):
            node = node.base
        elif isinstance(node, (t.Deref, t.Address, t.Cast)):
            node = node.pointer if isinstance(node, t.Deref) else node.operand
        elif isinstance(node, t.Binary):
            node = node.left
        elif isinstance(node, t.Comma):
            node = node.right
        elif isinstance(node, t.Call) and getattr(node.target, "itself", False):
            node = node.arguments[0]
        else:
            return None


def through_pointer(node):
    """True if an lvalue lies in memory that a pointer leads to (or in shared or file-scope memory)."""
    while isinstance(node, (t.Index, t.Member)):
        if isinstance(node, t.Index) and isinstance(node.base.type, Pointer):
            return True
        node = node.base
    if isinstance(node, t.Name):
        return node.symbol.storage not in ("local", "parameter")
    return True
