"""Statements: control flow on masks.  Lanes that leave a block early are taken out of the mask of what
follows."""

from __future__ import annotations

from ..analysis.data import jumps
from ..tree import nodes as t
from ..tree.types import Array, Pointer, Struct, dtype, is_float
from .access import merge_of
from .arithmetic import flush_arithmetic, zero
from .calls import start
from .expressions import discard
from .places import elements, flat, once, place
from .tables import STATEMENTS, emits, statement, value


@emits(STATEMENTS, t.Block)
def _block(e, node):
    entry, opened = e.mask, 0
    for i, inner in enumerate(node.body):
        statement(e, inner)
        left = jumps(inner)
        if isinstance(inner, (t.Break, t.Continue, t.Return)):
            break
        if left and i + 1 < len(node.body):
            _thin_out(e, left)
            e.line(f"if {e.mask} is not False:")
            e.depth += 1
            opened += 1
    e.line("pass")
    e.depth -= opened
    e.region.mask = entry


def _thin_out(e, left):
    """Take the lanes that have left out of the present mask."""
    mask = e.mask
    for where in exits(e, left):
        mask = f"m.without({mask}, {where})"
    name = e.fresh("m")
    e.line(f"{name} = {mask}")
    e.region.mask = name


def exits(e, left):
    """The Python names of the lanes that have left in these ways."""
    if "break" in left:
        yield e.loops[-1].out
    if "continue" in left:
        yield _innermost(e).again
    if "return" in left:
        yield e.frames[-1].gone


def _innermost(e):
    return next(loop for loop in reversed(e.loops) if loop.again is not None)


# Declarations.


@emits(STATEMENTS, t.Declare)
def _declare(e, node):
    symbol, kind = node.symbol, node.symbol.type
    e.homes[symbol] = e.region
    name = e.name(symbol)
    if symbol.storage == "shared":
        e.line(f"{name} = m.shared({e.constant((symbol.name, symbol.number))}, {kind.size})")
    elif symbol.storage == "dynamic":
        e.line(f"{name} = m.dynamic({e.constant(symbol.name)})")
    elif symbol.reference:
        e.aliases[symbol] = once(e, place(e, node.value))
    elif isinstance(kind, Array) or (isinstance(kind, Struct) and symbol.address_taken):
        _declare_array(e, node, name)
    else:
        first = value(e, node.value) if node.value is not None else _unset(e, kind)
        start(e, symbol, f"list({first})" if isinstance(kind, Struct) else first)
    flush_arithmetic(e, node)


def _declare_array(e, node, name):
    values = "None" if node.value is None else _all_values(e, node.value, node.symbol.type)
    title = e.constant(node.symbol.name)
    e.line(f"{name} = m.local({title}, {elements(e, node.symbol.type)}, {values})")


def _all_values(e, given, kind):
    """The Python list of all values of an array or a struct."""
    if not isinstance(given, t.Construct):
        return f"list({value(e, given)})"
    parts = []
    kinds = [kind.of] * kind.count if isinstance(kind, Array) else [f.type for f in kind.fields]
    for i, part_kind in enumerate(kinds):
        if i >= len(given.parts):
            parts += [zero(e, k) for k in flat(part_kind)]
        elif isinstance(part_kind, (Array, Struct)):
            parts.append(f"*{_all_values(e, given.parts[i], part_kind)}")
        else:
            parts.append(value(e, given.parts[i]))
    return f"[{', '.join(parts)}]"


def _unset(e, kind):
    if isinstance(kind, Struct):
        return f"[{', '.join(_unset(e, k) for k in flat(kind))}]"
    if isinstance(kind, Pointer):
        return "None"
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
        if not frame.set and frame.home.number == e.region.number:
            e.line(f"{frame.result} = {given}")
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
