"""Statements: control flow on masks.  Lanes that leave a block early are taken out of the mask of what
follows."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.data import jumps
from ..tree import nodes as t
from ..tree.types import Array, Pointer, Struct, Union, dtype, is_float
from .access import merge_of
from .arithmetic import flush_arithmetic, zero
from .calls import start
from .places import elements, fixed, flat, place
from .state import copied
from .tables import STATEMENTS, discard, emits, statement, value, values

DEEP = 8  # levels that a block may open


@emits(STATEMENTS, t.Block)
def _block(e, node):
    narrowed, depth = [], e.depth
    flat = sum(bool(jumps(inner)) for inner in node.body) > DEEP
    if flat:  # leave a loop of one round, where Python does not take so many levels
        e.line("while True:")
        e.depth += 1
    for i, inner in enumerate(node.body):
        statement(e, inner)
        left = jumps(inner)
        if isinstance(inner, (t.Break, t.Continue, t.Return)):
            break
        if left and i + 1 < len(node.body):
            narrowed.append(_thin_out(e, left))
            e.line(f"if {e.mask} is False: break" if flat else f"if {e.mask} is not False:")
            e.depth += not flat
    e.line("break") if flat else e.close()
    e.depth = depth
    for before in reversed(narrowed):
        e.widen(before)


def _thin_out(e, left):
    """Take the lanes that have left out of the mask of what follows."""
    gone = exits(e, left)
    name = e.fresh("m")
    e.line(f"{name} = {less(e.mask, gone)}")
    return e.narrow(name, max(exit.scope for exit in gone))


def less(mask, gone):
    """The Python expression for a mask without the lanes that have left."""
    for exit in gone:
        mask = f"m.without({mask}, {exit.lanes})"
    return mask


@dataclass
class Exit:
    """lanes : the Python name of those that have left;  scope : what they have left are all scopes deeper than it"""

    lanes: str
    scope: int


def exits(e, left):
    """Where the lanes are that have left in these ways."""
    found = []
    if "break" in left:
        found.append(Exit(e.loops[-1].out, e.loops[-1].scope))
    if "continue" in left:
        loop = _innermost(e)
        found.append(Exit(loop.again, loop.scope + 1))
    if "return" in left:
        found.append(Exit(e.frames[-1].gone, e.frames[-1].scope))
    return found


def _innermost(e):
    return next(loop for loop in reversed(e.loops) if loop.again is not None)


# Declarations.


@emits(STATEMENTS, t.Declare)
def _declare(e, node):
    symbol, kind = node.symbol, node.symbol.type
    e.settle(symbol)
    name = e.name(symbol)
    if symbol.storage == "shared":
        e.line(f"{name} = m.shared({e.constant((symbol.name, symbol.number))}, {kind.size})")
        e.steady.add(name)
    elif symbol.storage == "dynamic":
        e.line(f"{name} = m.dynamic({e.constant(symbol.name)})")
        e.steady.add(name)
    elif symbol.reference:
        e.aliases[symbol] = fixed(e, place(e, node.value))
    elif isinstance(kind, Array) or (isinstance(kind, Struct) and symbol.address_taken):
        _declare_array(e, node, name)
    else:
        first = value(e, node.value) if node.value is not None else _unset(e, kind)
        start(e, symbol, copied(first, kind))
    flush_arithmetic(e, node)


def _declare_array(e, node, name):
    values = "None" if node.value is None else _all_values(e, node.value, node.symbol.type)
    title = e.constant(node.symbol.name)
    e.steady.add(name)
    e.line(f"{name} = m.local({title}, {elements(e, node.symbol.type)}, {values})")


def _all_values(e, given, kind):
    """The Python list of all values of an array or a struct."""
    leaves = list(_leaves(given, kind))
    texts = iter(values(e, [leaf for leaf, _ in leaves if leaf is not None]))
    parts = []
    for leaf, kind in leaves:
        if leaf is None:
            parts += [zero(e, k) for k in flat(kind)]
        else:
            parts.append(f"*{next(texts)}" if isinstance(kind, (Array, Struct)) else next(texts))
    return f"[{', '.join(parts)}]"


def _leaves(given, kind):
    """(expression or None, type) of what braces within braces give, in order; None: zeros."""
    if not isinstance(given, t.Construct) or not isinstance(kind, (Array, Struct)):
        yield given, kind
        return
    if isinstance(kind, Union):
        yield None, kind
        return
    kinds = [kind.of] * kind.count if isinstance(kind, Array) else [f.type for f in kind.fields]
    for part, part_kind in zip(given.parts, kinds):
        yield from _leaves(part, part_kind)
    yield from ((None, part_kind) for part_kind in kinds[len(given.parts) :])


def _unset(e, kind):
    if isinstance(kind, Struct):
        return f"[{', '.join(_unset(e, k) for k in flat(kind))}]"
    if isinstance(kind, Pointer):
        return "NOWHERE"
    return e.constant(dtype(kind).type(float("nan"))) if is_float(kind) else zero(e, kind)


# Straight code.


@emits(STATEMENTS, t.Evaluate)
def _evaluate(e, node):
    discard(e, node.expression)
    flush_arithmetic(e, node)


@emits(STATEMENTS, t.Return)
def _return(e, node):
    frame = e.frames[-1]
    if node.value is not None and frame.result is not None:
        given = value(e, node.value)
        flush_arithmetic(e, node)
        kind = frame.function.result
        if not frame.set and frame.home == e.region.number:
            e.line(f"{frame.result} = {copied(given, kind)}")
        elif isinstance(kind, Struct):
            whole = e.keep(given)
            parts = (
                merge_of(e, f"{whole}[{i}]", f"{frame.result}[{i}]", k) for i, k in enumerate(flat(kind))
            )
            e.line(f"{frame.result} = [{', '.join(parts)}]")
        else:
            e.line(f"{frame.result} = {merge_of(e, given, frame.result, kind)}")
        frame.set = True
    e.line(f"{frame.gone} = m.join({frame.gone}, {e.mask})")


@emits(STATEMENTS, t.Break)
def _break(e, node):
    out = e.loops[-1].out
    e.line(f"{out} = m.join({out}, {e.mask})")


@emits(STATEMENTS, t.Continue)
def _continue(e, node):
    again = _innermost(e).again
    e.line(f"{again} = m.join({again}, {e.mask})")
