"""Choices within an expression: && and ||, and condition ? a : b.  What loads, stores or calls in them runs only for
the lanes that need it."""

from __future__ import annotations

from contextlib import contextmanager

from ..analysis.data import has_effects
from ..tree import nodes as t
from ..tree.types import Pointer, Struct
from .arithmetic import count, flush_arithmetic, zero
from .places import flat
from .state import copied
from .tables import VALUES, emits, value


def short_circuit(e, node):
    """left && right, left || right."""
    left = value(e, node.left)
    join = "both" if node.op == "&&" else "either"
    if not has_effects(node.right):
        return f"{join}({left}, {value(e, node.right)})"
    left, result = e.fix(left, stem="c"), e.fresh("c")
    needed = left if node.op == "&&" else f"opposite({left})"
    e.line(f"{result} = {node.op == '||'}")
    with _only(e, needed):
        e.line(f"{result} = {value(e, node.right)}")
    e.steady.add(result)
    return f"{join}({left}, {result})"


@emits(VALUES, t.Select)
def _select(e, node):
    count(e, node, flop=False)
    condition = value(e, node.condition)
    if not has_effects(node.then) and not has_effects(node.other):
        return _choose(e, node.type, condition, value(e, node.then), value(e, node.other))
    condition = e.fix(condition, stem="c")
    then, other = e.fresh("t"), e.fresh("t")
    e.line(f"{then} = {other} = {zero(e, node.type)}")
    with _only(e, condition):
        e.line(f"{then} = {copied(value(e, node.then), node.type)}")
    with _only(e, f"opposite({condition})"):
        e.line(f"{other} = {copied(value(e, node.other), node.type)}")
    return _choose(e, node.type, condition, then, other)


@contextmanager
def _only(e, condition):
    """Lines that run for the lanes that meet a condition; arithmetic in them is counted for those lanes."""
    mask = e.fresh("m")
    e.line(f"{mask} = m.meet({e.mask}, {condition})")
    e.line(f"if {mask} is not False:")
    outside = e.operations, e.flops
    e.operations = e.flops = 0
    with e.under(mask):
        yield
        flush_arithmetic(e, None)
    e.operations, e.flops = outside


def _choose(e, kind, condition, then, other):
    if isinstance(kind, Pointer):
        return f"choose_pointer({condition}, {then}, {other})"
    if isinstance(kind, Struct):
        kinds = f"[{', '.join(e.type_constant(k) for k in flat(kind))}]"
        return f"[select({condition}, a, b, d) for a, b, d in zip({then}, {other}, {kinds})]"
    return f"select({condition}, {then}, {other}, {e.type_constant(kind)})"
