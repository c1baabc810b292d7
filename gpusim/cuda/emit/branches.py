"""Branches: if and switch."""

from __future__ import annotations

from ..analysis.data import jumps
from ..tree import nodes as t
from .arithmetic import flush_arithmetic
from .state import Loop
from .statements import exits
from .tables import STATEMENTS, emits, statement, value


def condition(e, node):
    """The value of a condition; its outermost comparison belongs to the branch and is not counted
    again."""
    inner = node
    while isinstance(inner, t.Cast):
        inner = inner.operand
    outside, e.free = e.free, inner
    found = value(e, node)
    e.free = outside
    return found


@emits(STATEMENTS, t.If)
def _if(e, node):
    if isinstance(node.condition, t.Literal):
        side = node.then if node.condition.value else node.other
        if side is not None:
            statement(e, side)
        return
    decides = condition(e, node.condition)
    flush_arithmetic(e, node)
    then, other = e.fresh("m"), e.fresh("m")
    e.line(f"{then}, {other} = m.split({e.site(node, 'branch')}, {e.mask}, {decides})")
    for mask, side in ((then, node.then), (other, node.other)):
        if side is not None:
            e.line(f"if {mask} is not False:")
            _side(e, mask, side)


def _side(e, mask, side):
    with e.under(mask):
        statement(e, side)
        e.line("pass")


@emits(STATEMENTS, t.Switch)
def _switch(e, node):
    given = e.keep(value(e, node.value), "t")
    flush_arithmetic(e, node)
    out, fall, rest = e.fresh("out"), e.fresh("fall"), e.fresh("m")
    e.line(f"{out} = {fall} = False")
    e.line(f"{rest} = {e.mask}")
    e.loops.append(Loop(out, None))
    for group, body in node.cases:
        taken, here = e.fresh("m"), e.fresh("m")
        if None in group and group is node.cases[-1][0]:  # what is left needs no comparison, as an else
            e.line(f"{taken}, {here} = {rest}, False")
        else:
            match = _match(node, group, given)
            e.line(f"{taken}, {here} = m.split({e.site(node, 'branch')}, {rest}, {match})")
        e.line(f"{rest} = {here}")
        e.line(f"{taken} = m.join({taken}, {fall})")
        e.line(f"if {taken} is not False:")
        _side(e, taken, t.Block(node.at, body))
        e.line(f"{fall} = {taken}")
        for where in exits(e, set().union(*(jumps(s) for s in body))):
            e.line(f"{fall} = m.without({fall}, {where})")
    e.loops.pop()


def _match(node, group, given):
    """The Python condition that a value is one of a case's labels; `default` takes what no label of the switch
    has."""
    own = ", ".join(f"{given} == {int(label)}" for label in group if label is not None)
    if None not in group:
        return f"any_of({own})"
    labels = [label for others, _ in node.cases for label in others if label is not None]
    if not labels:
        return "True"
    none = " , ".join(f"opposite({given} == {int(label)})" for label in labels)
    return f"any_of(all_of({none}), {own})" if own else f"all_of({none})"
