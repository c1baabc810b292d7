"""Assignments: =, op=, ++ and --."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Pointer, dtype, is_float
from .access import read, write
from .arithmetic import conversion, count, count_compound, operate
from .places import once, place
from .tables import EFFECTS, VALUES, emits, value


@emits(VALUES, t.Assign)
def _assigned(e, node):
    _assign(e, node)
    return value(e, node.target)


@emits(EFFECTS, t.Assign)
def _assign(e, node):
    if node.op is None:
        new = value(e, node.value)
        write(e, node.target, place(e, node.target), new)
        return
    target = once(e, place(e, node.target))
    old, kind = read(e, node.target, target), node.target.type
    if isinstance(kind, Pointer):
        write(e, node.target, target, _moved(old, node.op, value(e, node.value), kind))
        return
    common = node.common or kind
    given = value(e, node.value)
    if common != kind:
        old = f"{conversion(common)}({old})"
    count_compound(e, node, common)
    new = operate(node.op, old, given, common)
    write(e, node.target, target, f"{conversion(kind)}({new})" if common != kind else new)


@emits(VALUES, t.Increment)
def _incremented(e, node):
    if node.prefix:
        _increment(e, node)
        return value(e, node.target)
    old = e.fresh("t")
    target = once(e, place(e, node.target))
    e.line(f"{old} = {read(e, node.target, target)}")
    _write_increment(e, node, target, old)
    return old


@emits(EFFECTS, t.Increment)
def _increment(e, node):
    target = once(e, place(e, node.target))
    _write_increment(e, node, target, read(e, node.target, target))


def _write_increment(e, node, target, old):
    kind = node.target.type
    if isinstance(kind, Pointer):
        write(e, node.target, target, _moved(old, node.op, "", kind))
        return
    count(e, node, flop=is_float(kind))
    one = e.constant(dtype(kind).type(1)) if is_float(kind) else "1"
    write(e, node.target, target, operate(node.op, old, one, kind))


def _moved(pointer, op, steps, kind):
    """A pointer that went `steps` elements on or back; no steps given: one."""
    if not steps:
        return f"{pointer}.moved({op}{kind.to.size})"
    return f"{pointer}.moved({'-' if op == '-' else ''}{steps} * {kind.to.size})"
