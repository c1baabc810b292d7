"""Assignments: =, op=, ++ and --.  The value comes first, then the place, as in C++17."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Pointer, dtype, is_float
from .access import read, write
from .arithmetic import conversion, count, count_compound, operate
from .places import Memory, once, place, steps
from .tables import EFFECTS, VALUES, changes, emits, value


@emits(VALUES, t.Assign)
def _assigned(e, node):
    """The value of an assignment: what was stored is not loaded again."""
    return _written(e, node, *_assignment(e, node))


@emits(EFFECTS, t.Assign)
def _assign(e, node):
    write(e, node.target, *_assignment(e, node))


@emits(VALUES, t.Increment)
def _incremented(e, node):
    target = once(e, place(e, node.target))
    old = read(e, node.target, target)
    if node.prefix:
        return _written(e, node, target, _next(e, node, old))
    old = e.fix(old)
    write(e, node.target, target, _next(e, node, old))
    return old


@emits(EFFECTS, t.Increment)
def _increment(e, node):
    target = once(e, place(e, node.target))
    write(e, node.target, target, _next(e, node, read(e, node.target, target)))


def _written(e, node, target, new):
    """Write, and give the Python expression of what the target is then."""
    if isinstance(target, Memory):
        new = e.fix(new, node.target.type)
        write(e, node.target, target, new)
        return new
    write(e, node.target, target, new)
    return read(e, node.target, target)


def _assignment(e, node):
    """(place, new value) of an assignment."""
    kind, common = node.target.type, node.common or node.target.type
    if node.op is None or changes(e, node.value):
        given = value(e, node.value)
        if changes(e, node.target):
            given = e.fix(given, node.value.type)
        target = place(e, node.target)
        if node.op is None:
            return target, given
        target = once(e, target)
        old = read(e, node.target, target)
    else:  # in either order; this is how the text reads
        target = once(e, place(e, node.target))
        old = read(e, node.target, target)
        given = value(e, node.value)
    if isinstance(kind, Pointer):
        return target, f"{old}.moved({steps(given, kind.to.size, '-' if node.op == '-' else '')})"
    count_compound(e, node, common)
    if common == kind:
        return target, operate(node.op, old, given, kind)
    new = operate(node.op, f"{conversion(common)}({old})", given, common)
    return target, f"{conversion(kind)}({new})"


def _next(e, node, old):
    """The value after ++ or --."""
    kind = node.target.type
    if isinstance(kind, Pointer):
        return f"{old}.moved({node.op}{kind.to.size})"
    count(e, node, flop=is_float(kind))
    one = e.constant(dtype(kind).type(1)) if is_float(kind) else "1"
    return operate(node.op, old, one, kind)
