"""The type of each operator's result, its operands converted as C converts them, constants folded."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.fold import convert_value, operate
from ..tree.nodes import (
    Address,
    Assign,
    Binary,
    Comma,
    Deref,
    Increment,
    Index,
    Literal,
    Member,
    Select,
    Unary,
)
from ..tree.types import (
    BOOL,
    LONGLONG,
    VOID,
    Array,
    Pointer,
    Struct,
    holds_union,
    is_float,
    is_integer,
)
from .conversions import (
    assignable,
    common,
    condition,
    convert,
    convertible,
    decay,
    is_arithmetic,
    is_const,
    is_lvalue,
    is_null,
    is_volatile,
    mark_address_taken,
    meet,
    modifiable,
    promote,
)

_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
_INTEGER_ONLY = {"%", "&", "|", "^", "<<", ">>"}


def binary(op, left, right, at):
    """left op right; the caller has looked for an overloaded operator before."""
    if op in ("&&", "||"):
        return logical(op, condition(left), condition(right), at)
    given = left, right
    left, right, kind = meet(left, right, op in ("<<", ">>"))
    if kind is None:
        return _pointers(op, left, right, at)
    if op in _INTEGER_ONLY and (is_float(given[0].type) or is_float(given[1].type)):
        wrong = given[0] if is_float(given[0].type) else given[1]
        raise Mistake(
            f'expression must have integral type: "{op}" does not take "{wrong.type}"',
            wrong.at,
            hint="use fmodf(a, b)" if op == "%" else None,
        )
    result = BOOL if op in _COMPARISONS else kind
    if isinstance(left, Literal) and isinstance(right, Literal):
        value = operate(op, left.value, right.value, kind)
        if value is not None:
            return Literal(at, result, value)
    return Binary(at, result, op, left, right)


def logical(op, left, right, at):
    """&& and ||; a constant left side decides."""
    if isinstance(left, Literal):
        if left.value == (op == "||"):
            return Literal(at, BOOL, left.value)
        return right
    return Binary(at, BOOL, op, left, right)


def _pointers(op, left, right, at):
    """+ - and comparisons of pointers."""
    kinds = left.type, right.type
    both = all(isinstance(kind, Pointer) for kind in kinds)
    if op == "+" and is_integer(left.type) and isinstance(right.type, Pointer):
        left, right = right, left
    if op in ("+", "-") and isinstance(left.type, Pointer) and is_integer(right.type):
        _complete(left.type, at)
        return Binary(at, left.type, op, left, convert(right, promote(right.type)))
    if op == "-" and both and left.type.to == right.type.to:
        _complete(left.type, at)
        return Binary(at, LONGLONG, op, left, right)
    if op in _COMPARISONS:
        if isinstance(left.type, Pointer) and is_null(right):
            return Binary(at, BOOL, op, left, convert(right, left.type))
        if isinstance(right.type, Pointer) and is_null(left):
            return Binary(at, BOOL, op, convert(left, right.type), right)
        if both and (left.type.to == right.type.to or VOID in (left.type.to, right.type.to)):
            return Binary(at, BOOL, op, left, right)
    raise Mistake(
        f'no operator "{op}" matches these operands: operand types are "{kinds[0]}" {op} "{kinds[1]}"',
        at,
        hint=_operand_hint(op, *kinds),
    )


def _operand_hint(op, left, right):
    if any(isinstance(kind, Struct) and kind.vector for kind in (left, right)):
        return "vector types have no arithmetic in CUDA: work on .x, .y, .z, .w"
    if any(isinstance(kind, Pointer) for kind in (left, right)):
        return "a pointer is an address: index it, p[i], or read what it points to, *p"
    return None


def _complete(pointer, at):
    if pointer.to is VOID:
        raise Mistake(
            "expression must be a pointer to a complete object type: void* has no element size",
            at,
            hint="cast it to the type of its elements first",
        )


def unary(op, operand, at):
    """- + ~ !"""
    if op == "!":
        operand = condition(operand)
        return (
            Literal(at, BOOL, not operand.value)
            if isinstance(operand, Literal)
            else Unary(at, BOOL, op, operand)
        )
    operand = decay(operand)
    if not is_arithmetic(operand.type) or op == "~" and is_float(operand.type):
        raise Mistake(
            f"expression must have {'integral' if op == '~' else 'arithmetic'} type: "
            f'"{op}" does not take "{operand.type}"',
            at,
        )
    operand = convert(operand, promote(operand.type))
    if op == "+":
        return operand
    if isinstance(operand, Literal):
        value = -operand.value if op == "-" else ~operand.value
        return Literal(at, operand.type, convert_value(value, operand.type))
    return Unary(at, operand.type, op, operand)


def dereference(operand, at):
    """*operand; *(p + i) is p[i]."""
    operand = decay(operand)
    kind = operand.type
    if not isinstance(kind, Pointer):
        raise Mistake(f'operand of "*" must be a pointer but has type "{kind}"', at)
    _complete(kind, at)
    if isinstance(operand, Address) and operand.operand.type == kind.to:
        return operand.operand
    if isinstance(operand, Binary) and operand.op == "+":
        base = operand.left
        whole = (
            isinstance(base, Address)
            and isinstance(base.operand.type, Array)
            and base.operand.type.of == kind.to
        )
        return Index(at, kind.to, base.operand if whole else base, operand.right)
    return Deref(at, kind.to, operand)


def address(operand, at):
    """&operand"""
    if not is_lvalue(operand):
        raise Mistake("expression must be an lvalue: only a variable or an element has an address", at)
    mark_address_taken(operand)
    if isinstance(operand, Deref):
        return operand.pointer
    return Address(at, Pointer(operand.type, is_const(operand), is_volatile(operand)), operand)


def index(base, place, at):
    """base[place]; an array keeps its array type, so that the emitter knows whose element it is."""
    if is_integer(base.type) and isinstance(place.type, (Pointer, Array)):
        base, place = place, base
    if not isinstance(base.type, (Pointer, Array)):
        raise Mistake(f'expression must have pointer-to-object type but it has type "{base.type}"', base.at)
    if not is_integer(place.type):
        raise Mistake(
            f'an index must have integral type, not "{place.type}"',
            place.at,
            hint="convert it: (int)..." if is_float(place.type) else None,
        )
    place = convert(place, promote(place.type))
    if isinstance(base.type, Array):
        if isinstance(base, Member) and not isinstance(place, Literal):
            mark_address_taken(base)  # a struct that is indexed inside is no set of registers
        return Index(at, base.type.of, base, place)
    _complete(base.type, at)
    return Index(at, base.type.to, base, place)


def member(base, name, at, hint=None):
    """base.name for a struct's field."""
    if not isinstance(base.type, Struct):
        pointer = isinstance(base.type, Pointer)
        raise Mistake(
            f'expression must have class type but it has type "{base.type}"',
            at,
            hint=f"use ->{name}" if pointer else None,
        )
    field = base.type.field(name)
    if holds_union(base.type) and not is_lvalue(base):
        hint = "give it a name first"
        raise Mistake(
            "a member of a union that has no name is not supported", at, unsupported=True, hint=hint
        )
    if field is None:
        raise Mistake(f'"{base.type}" has no member "{name}"', at, hint=hint)
    return Member(at, field.type, base, name)


def assign(target, value, at, op=None):
    """target = value, or target op= value."""
    modifiable(target, at)
    kind = target.type
    if op is None:
        return Assign(at, kind, target, assignable(value, kind, "assign", at))
    value = decay(value)
    if isinstance(kind, Pointer) and op in ("+", "-") and is_integer(value.type):
        _complete(kind, at)
        return Assign(at, kind, target, convert(value, promote(value.type)), op, kind)
    if not (is_arithmetic(kind) and is_arithmetic(value.type)) or (
        op in _INTEGER_ONLY and (is_float(kind) or is_float(value.type))
    ):
        raise Mistake(
            f'no operator "{op}=" matches these operands: operand types are "{kind}" {op}= "{value.type}"',
            at,
            hint=_operand_hint(op, kind, value.type),
        )
    if op in ("<<", ">>"):
        return Assign(at, kind, target, convert(value, promote(value.type)), op, promote(kind))
    meeting = common(kind, value.type)
    return Assign(at, kind, target, convert(value, meeting), op, meeting)


def increment(target, op, prefix, at):
    """++ and --; op is "+" or "-"."""
    modifiable(target, at)
    if not (is_arithmetic(target.type) and target.type is not BOOL or isinstance(target.type, Pointer)):
        raise Mistake(f'"{op}{op}" does not take "{target.type}"', at)
    return Increment(at, target.type, target, op, prefix)


def select(test, then, other, at):
    """test ? then : other"""
    test, then, other = condition(test), decay(then), decay(other)
    kind = _select_type(then, other, at)
    then, other = convert(then, kind), convert(other, kind)
    if isinstance(test, Literal):
        return then if test.value else other
    return Select(at, kind, test, then, other)


def _select_type(then, other, at):
    if then.type == other.type:
        return then.type
    if is_arithmetic(then.type) and is_arithmetic(other.type):
        return common(then.type, other.type)
    if isinstance(then.type, Pointer) and convertible(other, then.type):
        return then.type
    if isinstance(other.type, Pointer) and convertible(then, other.type):
        return other.type
    raise Mistake(f'operand types are incompatible ("{then.type}" and "{other.type}")', at)


def comma(left, right, at):
    """left, right"""
    right = decay(right)
    return right if isinstance(left, Literal) else Comma(at, right.type, left, right)
