"""Expressions: each becomes a Python expression; what must happen before it is emitted as lines first."""

from __future__ import annotations

from ..text.literals import text_codes
from ..tree import nodes as t
from ..tree.fold import convert_value
from ..tree.types import CHAR, Array, Pointer, Scalar, Struct, dtype, is_float, is_integer
from .access import read
from .arithmetic import COMPARISONS, conversion, count, operate, zero
from .choices import short_circuit
from .places import Variable, place, steps
from .tables import EFFECTS, VALUES, discard, emits, value, values

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
    distance = steps(found.index, found.stride) if found.index != "0" else ""
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
    left, right = values(e, [node.left, node.right])
    count(e, node, flop=is_float(node.left.type) and node.op in "+-*/")
    return operate(node.op, left, right, node.left.type)


def _pointer_binary(e, node):
    left, right = values(e, [node.left, node.right])
    if node.op in COMPARISONS:
        return f"compare_pointers({left}, {right}, {e.constant(node.op)})"
    if isinstance(node.right.type, Pointer) and isinstance(node.left.type, Pointer):
        return f"pointer_difference({left}, {right}, {node.left.type.to.size})"
    if isinstance(node.right.type, Pointer):
        left, right, pointer = right, left, node.right.type
    else:
        pointer = node.left.type
    sign = "-" if node.op == "-" else ""
    return f"{left}.moved({steps(right, pointer.to.size, sign)})"


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
    parts = values(e, node.parts)
    if isinstance(node.type, Array):
        return f"[{', '.join(parts)}]"
    kinds = [f.type for f in node.type.fields]
    parts += [zero(e, kind) for kind in kinds[len(parts) :]]
    spread = (f"*{p}" if isinstance(k, (Struct, Array)) else p for p, k in zip(parts, kinds))
    return f"[{', '.join(spread)}]"


@emits(VALUES, t.Comma)
def _comma(e, node):
    discard(e, node.left)
    return value(e, node.right)


@emits(EFFECTS, t.Comma)
def _comma_effects(e, node):
    discard(e, node.left)
    discard(e, node.right)
