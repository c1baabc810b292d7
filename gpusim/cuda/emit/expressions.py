"""Expressions: each becomes a Python expression; what must happen before it is emitted as lines first."""

from __future__ import annotations

from ..analysis.data import has_effects
from ..text.literals import text_codes
from ..tree import nodes as t
from ..tree.fold import convert_value
from ..tree.types import CHAR, Array, Pointer, Scalar, Struct, dtype, is_float, is_integer
from ..tree.walks import walk
from .access import read
from .arithmetic import COMPARISONS, conversion, count, operate, zero
from .choices import short_circuit
from .places import Variable, place
from .tables import EFFECTS, VALUES, emits, value


def discard(e, node):
    """Emit an expression whose value nobody needs."""
    if type(node) in EFFECTS:
        EFFECTS[type(node)](e, node)
    elif has_effects(node):
        e.line(value(e, node))


# Leaves.


@emits(VALUES, t.Literal)
def _literal(e, node):
    number = node.value
    if isinstance(number, str):
        return _text(e, number)
    if isinstance(node.type, Pointer):
        return "None"
    if is_float(node.type):
        return e.constant(dtype(node.type).type(number))
    if number is True or number is False:
        return repr(bool(number))
    return f"({int(number)})" if number < 0 else repr(int(number))


def _text(e, text):
    """A pointer to the characters of a text in quotes, with the 0 behind them."""
    codes = [convert_value(code, CHAR) for code in text_codes(text)]
    return f"m.local({e.constant(repr(text))}, {e.type_constant(CHAR)}, {len(codes)}, {codes})"


@emits(VALUES, t.Special)
def _special(e, node):
    return e.special(node.name)


@emits(VALUES, t.Name, t.Index, t.Member, t.Deref)
def _lvalue(e, node):
    return read(e, node, place(e, node))


@emits(VALUES, t.Address)
def _address(e, node):
    found = place(e, node.operand)
    if isinstance(found, Variable):
        return e.name(found.symbol)
    distance = f"{found.index} * {found.stride}" if found.index != "0" else ""
    if found.displacement:
        distance = f"{distance} + {found.displacement}" if distance else f"{found.displacement}"
    return f"{found.pointer}.moved({distance})" if distance else found.pointer


# Operators.


@emits(VALUES, t.Unary)
def _unary(e, node):
    operand = value(e, node.operand)
    if node.op == "!":
        return f"opposite({operand})"
    count(e, node, flop=is_float(node.type))
    if is_float(node.type):
        return f"(-{operand})"
    return f"{conversion(node.type)}({node.op}{operand})"


@emits(VALUES, t.Binary)
def _binary(e, node):
    if node.op in ("&&", "||"):
        return short_circuit(e, node)
    if isinstance(node.left.type, (Pointer, Array)) or isinstance(node.right.type, (Pointer, Array)):
        return _pointer_binary(e, node)
    left = value(e, node.left)
    if has_effects(node.right) and any(map(_changes_something, walk(node.right))):
        left = e.keep(left)
    right = value(e, node.right)
    count(e, node, flop=is_float(node.left.type) and node.op in "+-*/")
    return operate(node.op, left, right, node.left.type)


def _changes_something(node):
    return isinstance(node, (t.Assign, t.Increment, t.Call))


def _pointer_binary(e, node):
    left, right = value(e, node.left), value(e, node.right)
    if node.op in COMPARISONS:
        return f"compare_pointers({left}, {right}, {e.constant(node.op)})"
    if isinstance(node.right.type, Pointer) and isinstance(node.left.type, Pointer):
        return f"pointer_difference({left}, {right}, {node.left.type.to.size})"
    if isinstance(node.right.type, Pointer):
        left, right, pointer = right, left, node.right.type
    else:
        pointer = node.left.type
    sign = "-" if node.op == "-" else ""
    return f"{left}.moved({sign}{right} * {pointer.to.size})"


@emits(VALUES, t.Cast)
def _cast(e, node):
    source, target = node.operand.type, node.type
    given = value(e, node.operand)
    if isinstance(target, (Struct, Pointer)) or source == target:
        return given
    if isinstance(target, Scalar) and target.kind == "void":
        return given
    if isinstance(source, Pointer):
        return f"pointer_number({given})" if target.kind != "bool" else f"({given} is not None)"
    if is_integer(source) and is_integer(target) and isinstance(node.operand, t.Literal):
        return _literal(e, t.Literal(node.at, target, convert_value(int(node.operand.value), target)))
    return f"{conversion(target)}({given})"


@emits(VALUES, t.Construct)
def _construct(e, node):
    if isinstance(node.type, Array):
        return "[" + ", ".join(value(e, p) for p in node.parts) + "]"
    values = []
    for i, kind in enumerate(f.type for f in node.type.fields):
        part = value(e, node.parts[i]) if i < len(node.parts) else zero(e, kind)
        values.append(f"*{part}" if isinstance(kind, (Struct, Array)) else part)
    return f"[{', '.join(values)}]"


@emits(VALUES, t.Comma)
def _comma(e, node):
    discard(e, node.left)
    return value(e, node.right)


@emits(EFFECTS, t.Comma)
def _comma_effects(e, node):
    discard(e, node.left)
    discard(e, node.right)
