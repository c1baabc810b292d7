"""Branches: if and switch."""

from __future__ import annotations

from ..analysis.data import jumps
from ..tree import nodes as t
from .arithmetic import flush_arithmetic
from .state import Loop
from .statements import exits, less
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
    then, other = _split(e, node)
    _guarded(e, then, node.then)
    while isinstance(node.other, t.If) and not isinstance(node.other.condition, t.Literal):
        node = e.here = node.other  # else if: no level of its own
        mask = other
        then, other = e.fresh("m"), e.fresh("m")
        e.line(f"{then} = {other} = False")
        e.line(f"if {mask} is not False:")
        with e.under(mask):
            _split(e, node, then, other)
        _guarded(e, then, node.then)
    _guarded(e, other, node.other)


def _split(e, node, then=None, other=None):
    """Emit the branch itself: the Python names of the masks of both sides."""
    decides = condition(e, node.condition)
    flush_arithmetic(e, node)
    then, other = then or e.fresh("m"), other or e.fresh("m")
    e.line(f"{then}, {other} = m.split({e.site(node, 'branch')}, {e.mask}, {decides})")
    return then, other


def _guarded(e, mask, side):
    if side is not None:
        e.line(f"if {mask} is not False:")
        _side(e, mask, side)


def _side(e, mask, side):
    with e.under(mask):
        statement(e, side)


@emits(STATEMENTS, t.Switch)
def _switch(e, node):
    given = e.fix(value(e, node.value))
    flush_arithmetic(e, node)
    out, fall, rest = e.fresh("out"), e.fresh("fall"), e.fresh("m")
    e.line(f"{out} = {fall} = False")
    e.line(f"{rest} = {e.mask}")
    e.loops.append(Loop(out, None, e.scope))
    e.scope += 1
    for group, body in node.cases:
        taken, here = e.fresh("m"), e.fresh("m")
        if None in group and group is node.cases[-1][0]:  # what is left needs no comparison, as an else
            e.line(f"{taken}, {here} = {rest}, False")
        else:
            match = _match(node, group, given)
            split = f"m.split({e.site(node, 'branch')}, {rest}, {match})"
            first = group is node.cases[0][0]
            e.line(
                f"{taken}, {here} = {split if first else f'{split} if {rest} is not False else (False, False)'}"
            )
        e.line(f"{rest} = {here}")
        e.line(f"{taken} = m.join({taken}, {fall})")
        e.line(f"if {taken} is not False:")
        _side(e, taken, t.Block(node.at, body))
        e.line(f"{fall} = {less(taken, exits(e, set().union(*(jumps(s) for s in body))))}")
    e.scope -= 1
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
