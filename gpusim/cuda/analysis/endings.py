"""Endings: what decides whether a loop goes on, as far as its text tells.

A loop that counts towards a bound ends.  Of any other loop only some variables matter for its end: those of its
condition and of what leaves it, those that these are computed from, and so on.  If they come back to what they
were, the loop runs for ever, whatever else it computes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..tree import nodes as t
from ..tree.types import Array, Pointer, is_float, is_integer
from ..tree.walks import children, root, through_pointer, walk
from ..typing.builtins import BUILTINS
from .loops import comparison_of, every_time

MEMORY = "memory"  # stands for all of it, as if it were one variable
LOOPS = (t.For, t.While, t.DoWhile)
JUMPS = (t.Break, t.Continue, t.Return)


@dataclass(frozen=True)
class Ending:
    """counts : the loop goes towards a bound, step by step, and so ends;  surely : by a number in the text, not by a
        variable that may be 0
    watched : the variables that decide whether it goes on, or None where any may;  memory : whether that does
    meets : there is a barrier in it;  weight : operators of one round
    """

    counts: bool
    surely: bool
    watched: tuple | None
    memory: bool
    meets: bool
    weight: int


def ending(loop) -> Ending:
    """What decides whether a loop goes on."""
    found = list(_controlled(loop.body, ()))
    for part in (loop.condition, getattr(loop, "step", None)):
        found += _controlled(part, ()) if part is not None else ()
    weight = sum(isinstance(node, (t.Binary, t.Unary, t.Assign, t.Increment, t.Call)) for node, _ in found)
    links = {}
    for target, nodes in _links(found):
        links.setdefault(target, set()).update(s for node in nodes for s in _reads(node))
    changed, calls = set(links), {_kind(node) for node, _ in found if isinstance(node, t.Call)}
    always = loop.condition is None or _always(loop, found, changed)
    counted = [_counts(loop, candidate, found, changed) for candidate in _ends(loop, always)]
    roots = [part for node, controls in found if isinstance(node, JUMPS) for part in controls]
    if not always:
        roots.append(loop.condition)
    watched = _closure(roots, links)
    memory = MEMORY in watched
    watched.discard(MEMORY)
    hidden = calls & {"assert", "trap"} or any(s.reference or s.address_taken for s in watched)
    return Ending(
        any(counted),
        "surely" in counted,
        None if hidden else tuple(sorted(watched, key=lambda s: s.number)),
        bool(memory or hidden),
        bool(calls & {"sync", "other"}),
        weight,
    )


def _kind(call):
    """What kind of function a call calls: of the table of built-in ones, "device" or "other"."""
    if isinstance(call.target, t.Function):
        return "device"
    builtin = BUILTINS.get(call.target)
    return builtin.kind if builtin is not None else "other"


def _controlled(node, controls):
    """(node, conditions that decide whether it runs) of a node and all below it, called functions included."""
    yield node, controls
    if isinstance(node, t.If):
        parts = [(node.condition, ()), (node.then, (node.condition,)), (node.other, (node.condition,))]
    elif isinstance(node, t.Select):
        parts = [(node.condition, ()), (node.then, (node.condition,)), (node.other, (node.condition,))]
    elif isinstance(node, t.Binary) and node.op in ("&&", "||"):
        parts = [(node.left, ()), (node.right, (node.left,))]
    elif isinstance(node, t.Switch):
        parts = [(child, () if child is node.value else (node.value,)) for child in children(node)]
    elif isinstance(node, LOOPS):
        inside = (node.condition,) if node.condition is not None else ()
        outside = (node.condition, getattr(node, "start", None))
        parts = [(child, () if child in outside else inside) for child in children(node)]
    else:
        parts = [(child, ()) for child in children(node)]
    for part, more in parts:
        if part is not None:
            yield from _controlled(part, controls + more)


def _links(found):
    """(variable or MEMORY, what its new value depends on) of all that a loop assigns."""
    for node, controls in found:
        if isinstance(node, t.Declare) and node.value is not None:
            yield node.symbol, (node.value, *controls)
        elif isinstance(node, (t.Assign, t.Increment)):
            yield _target(node.target), (node, *controls)
        elif isinstance(node, t.Call):
            if isinstance(node.target, t.Function):
                yield from ((p, (a, *controls)) for p, a in zip(node.target.parameters, node.arguments))
            for argument in node.arguments:  # what it is given a pointer or a reference to
                if isinstance(node.target, t.Function) or isinstance(argument.type, (Pointer, Array)):
                    yield _target(argument), (node, *controls)
            if _kind(node) in ("atomic", "other"):
                yield MEMORY, (node, *controls)


def _target(lvalue):
    """The variable that an assignment changes, or MEMORY."""
    symbol = root(lvalue)
    if symbol is None or through_pointer(lvalue):
        return MEMORY
    return symbol


def _reads(node):
    """The variables that an expression reads, and MEMORY."""
    for part in walk(node):
        if isinstance(part, t.Name):
            yield part.symbol if part.symbol.storage in ("local", "parameter") else MEMORY
        elif isinstance(part, (t.Index, t.Deref)) and not isinstance(part.type, Array):
            if through_pointer(part):
                yield MEMORY
        elif isinstance(part, t.Call) and _kind(part) in ("atomic", "other"):
            yield MEMORY


def _closure(roots, links):
    """All that the roots depend on, by way of the links."""
    known, new = set(), {s for node in roots for s in _reads(node)}
    while new:
        known |= new
        new = {s for target in new for s in links.get(target, ())} - known
    return known


# Counting towards a bound.


def _ends(loop, always):
    """The comparisons of which each ends the loop once it turns: of `a && b`, and of `if (...) break;`."""
    if not always:
        yield from _joined(loop.condition, "&&")
    body = loop.body.body if isinstance(loop.body, t.Block) else [loop.body]
    for statement in body:
        if any(isinstance(n, t.Continue) for n in walk(statement)):
            return
        if isinstance(statement, t.If):
            then = statement.then.body if isinstance(statement.then, t.Block) else [statement.then]
            if then and isinstance(then[-1], (t.Break, t.Return)):
                yield from _joined(statement.condition, "||")


def _joined(node, op):
    if isinstance(node, t.Binary) and node.op == op:
        yield from _joined(node.left, op)
        yield from _joined(node.right, op)
    else:
        yield node


def _counts(loop, comparison, found, changed):
    """Whether a number goes towards the comparison's bound in every round, and the bound stays: "surely" if
    by a number in the text, "likely" if by a variable, else None."""
    steps = _steps(comparison, found, changed)
    if steps is None:
        return None
    steady, signs = {id(e) for e in every_time(loop)}, {_sign(step) for step in steps}
    if not any(id(step) in steady for step in steps) or len(signs) > 1 or (len(steps) > 1 and 0 in signs):
        return None
    symbol, op, _ = comparison_of(comparison)
    if op == "!=" and (is_float(symbol.type) or not all(isinstance(step, t.Increment) for step in steps)):
        return None
    return (
        "likely" if 0 in signs or is_float(symbol.type) else "surely"
    )  # a float that is large stays what it is


def _always(loop, found, changed):
    """True if the loop's condition cannot turn false: it is constant, or its number goes away from its bound."""
    node = loop.condition
    if isinstance(node, t.Literal):
        return bool(node.value)
    known = comparison_of(node)
    if known is None:
        return False
    symbol, op, bound = known
    if op == ">=" and _is_zero(bound) and getattr(symbol.type, "kind", "") == "uint":
        return True
    steps = _steps(node, found, changed)
    signed = getattr(symbol.type, "kind", "") == "int" and symbol.type.size >= 4
    away = {"<": -1, "<=": -1, ">": 1, ">=": 1}.get(op)
    return bool(steps) and signed and all(_sign(step) == away for step in steps)


def _is_zero(node):
    while isinstance(node, t.Cast):
        node = node.operand
    return isinstance(node, t.Literal) and node.value == 0


def _steps(comparison, found, changed):
    """The assignments that move the number of `number op bound` by fixed amounts, or None if others change it
    or the bound."""
    known = comparison_of(comparison)
    if known is None:
        return None
    symbol, _, bound = known
    if symbol.reference or symbol.address_taken or not (is_integer(symbol.type) or is_float(symbol.type)):
        return None
    if symbol.volatile or set(_reads(bound)) & changed:
        return None
    steps = []
    for node, _ in found:
        if isinstance(node, (t.Assign, t.Increment)) and root(node.target) is symbol:
            fixed = isinstance(node, t.Increment) or (
                node.op in ("+", "-", "*", "/", "<<", ">>") and not set(_reads(node.value)) & changed
            )
            if not fixed:
                return None
            steps.append(node)
        elif isinstance(node, t.Call) and any(root(a) is symbol for a in node.arguments if _passes(node, a)):
            return None
    return steps


def _passes(call, argument):
    """Whether a call may change the variable at the bottom of an argument."""
    if isinstance(argument.type, (Pointer, Array)):
        return True
    if not isinstance(call.target, t.Function):
        return False
    place = next(i for i, a in enumerate(call.arguments) if a is argument)
    return call.target.parameters[place].reference


def _sign(step):
    """The direction of a step: 1 or -1, 0 where it is not in the text."""
    if isinstance(step, t.Increment):
        return 1 if step.op == "+" else -1
    value = step.value
    while isinstance(value, t.Cast):
        value = value.operand
    if step.op not in ("+", "-") or not isinstance(value, t.Literal) or not value.value:
        return 0
    return (1 if value.value > 0 else -1) * (1 if step.op == "+" else -1)
