"""C's conversions: promotion, common types, what may become what; each becomes a Cast in the tree."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.fold import convert_value
from ..tree.nodes import Address, Call, Cast, Deref, Index, Literal, Member, Name
from ..tree.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    UINT,
    ULONGLONG,
    VOID,
    Array,
    Pointer,
    Scalar,
    Struct,
    is_integer,
)

_CONTEXTS = {
    "assign": 'a value of type "{given}" cannot be assigned to an entity of type "{to}"',
    "initialise": 'a value of type "{given}" cannot be used to initialize an entity of type "{to}"',
    "argument": 'argument of type "{given}" is incompatible with parameter of type "{to}"',
    "return": 'return value type "{given}" does not match the function type "{to}"',
}


def is_arithmetic(kind):
    """True for bool, integers and floats."""
    return isinstance(kind, Scalar) and kind.kind != "void"


def promote(kind):
    """Integers narrower than int become int in arithmetic."""
    return INT if kind.size < 4 and kind.kind != "float" else kind


def common(left, right):
    """The type in which two arithmetic operands meet (the usual arithmetic conversions).

    >>> from ..tree.types import CHAR
    >>> str(common(INT, UINT)), str(common(CHAR, CHAR)), str(common(LONGLONG, FLOAT))
    ('unsigned int', 'int', 'float')
    """
    if left is right and left.size >= 4:
        return left
    if left.kind == "float" or right.kind == "float":
        widths = {2: HALF, 4: FLOAT, 8: DOUBLE}
        return widths[max(kind.size for kind in (left, right) if kind.kind == "float")]
    left, right = promote(left), promote(right)
    size = max(left.size, right.size)
    unsigned = any(kind.kind == "uint" and kind.size == size for kind in (left, right))
    return (UINT if unsigned else INT) if size == 4 else (ULONGLONG if unsigned else LONGLONG)


def convert(expression, to, explicit=False):
    """`expression` as type `to`; a constant is converted at once."""
    given = expression.type
    if given is to or given == to:
        return expression
    if (
        isinstance(expression, Literal)
        and isinstance(to, Scalar)
        and is_arithmetic(given)
        and to.kind != "void"
    ):
        return Literal(expression.at, to, convert_value(expression.value, to))
    if isinstance(expression, Literal) and isinstance(to, Pointer) and not isinstance(expression.value, str):
        return Literal(expression.at, to, int(expression.value))
    return Cast(expression.at, to, expression, explicit)


def decay(expression):
    """An array used as a value is the address of its first element."""
    if isinstance(expression.type, Array):
        mark_address_taken(expression)
        to = Pointer(expression.type.of, is_const(expression), is_volatile(expression))
        return Address(expression.at, to, expression)
    return expression


def meet(left, right, shift=False):
    """The operands of an arithmetic operator: (left, right, the type in which it works), all decayed and converted.

    shift : each operand is promoted for itself, and the left one's type is that of the result
    The type is None, and the operands are only decayed, where one of them is no number.
    """
    left, right = decay(left), decay(right)
    if not (is_arithmetic(left.type) and is_arithmetic(right.type)):
        return left, right, None
    kind = promote(left.type) if shift else common(left.type, right.type)
    return convert(left, kind), convert(right, promote(right.type) if shift else kind), kind


def condition(expression):
    """`expression` as a bool, as `if` and `&&` read it."""
    expression = decay(expression)
    kind = expression.type
    if kind is BOOL:
        return expression
    if isinstance(expression, Literal) and isinstance(expression.value, str):
        return Literal(expression.at, BOOL, True)
    if not is_arithmetic(kind) and not isinstance(kind, Pointer):
        raise Mistake(
            f'expression of type "{kind}" cannot be a condition: it must have bool type or convert to it',
            expression.at,
        )
    return convert(expression, BOOL)


def assignable(expression, to, context, at=None):
    """`expression` converted to `to` where C does it without a cast; else a Mistake that names both types."""
    expression = decay(expression)
    if convertible(expression, to):
        return convert(expression, to)
    message = _CONTEXTS[context].format(given=expression.type, to=to)
    raise Mistake(message, at or expression.at, hint=_why(expression.type, to))


def _why(given, to):
    if isinstance(given, Pointer) and isinstance(to, Pointer):
        if given.to == to.to or to.to is VOID:
            return "the pointer drops const"
        return f"cast it: reinterpret_cast<{to}>(...)"
    if isinstance(given, Pointer) and is_arithmetic(to):
        return "did you forget an index or a *?"
    return None


def convertible(expression, to):
    """True when C converts `expression` (arrays decayed) to `to` by itself."""
    given = expression.type
    if given == to:
        return True
    if is_arithmetic(to):
        return is_arithmetic(given) or (to is BOOL and isinstance(given, Pointer))
    if isinstance(to, Pointer):
        if is_null(expression):
            return True
        if not isinstance(given, Pointer) or given.const and not to.const:
            return False
        return given.to == to.to or to.to is VOID or _inner_const(given.to, to.to)
    return False


def _inner_const(given, to):
    return isinstance(given, Pointer) and isinstance(to, Pointer) and given.to == to.to and to.const


def is_null(expression):
    """True for 0, NULL and nullptr."""
    return (
        isinstance(expression, Literal)
        and expression.value == 0
        and (is_integer(expression.type) or isinstance(expression.type, Pointer))
        and expression.value is not False
    )


def is_lvalue(expression):
    """True for what can stand left of =: a variable, an element, a member, *p."""
    if isinstance(expression, Member):
        return is_lvalue(expression.base)
    if isinstance(expression, Call):  # a method that returns *this stands for the object
        return getattr(expression.target, "itself", False) and is_lvalue(expression.arguments[0])
    return isinstance(expression, (Name, Index, Deref))


def root(expression):
    """The variable that an lvalue is part of, or None when it is reached through a pointer."""
    while isinstance(expression, (Member, Index)) or is_lvalue(expression) and isinstance(expression, Call):
        expression = expression.arguments[0] if isinstance(expression, Call) else expression.base
    return expression.symbol if isinstance(expression, Name) else None


def _qualified(expression, attribute):
    while isinstance(expression, (Member, Index)):
        if isinstance(expression, Index) and isinstance(expression.base.type, Pointer):
            return getattr(expression.base.type, attribute)
        expression = expression.base
    if isinstance(expression, Deref):
        return getattr(expression.pointer.type, attribute)
    return isinstance(expression, Name) and getattr(expression.symbol, attribute)


def is_const(expression):
    """True for an lvalue that may not be changed."""
    return bool(_qualified(expression, "const"))


def is_volatile(expression):
    """True for an lvalue whose every access is kept."""
    return bool(_qualified(expression, "volatile"))


def modifiable(expression, at):
    """Raise unless `expression` can be assigned to."""
    if not is_lvalue(expression) or isinstance(expression.type, Array):
        raise Mistake("expression must be a modifiable lvalue", at)
    symbol = root(expression)
    kept = symbol is not None and symbol.storage == "constant" and not _elsewhere(expression)
    if is_const(expression) or kept:
        name = f'"{symbol.name}"' if symbol else "what it points to"
        raise Mistake("expression must be a modifiable lvalue", at, hint=f"{name} is const")


def mark_bound(expression):
    """Note that a reference is bound to `expression`: a struct with arrays may be indexed unseen."""
    kind = expression.type
    if isinstance(kind, Struct) and any(isinstance(field.type, (Array, Struct)) for field in kind.fields):
        mark_address_taken(expression)


def mark_address_taken(expression):
    """Note on the variable of an lvalue that its address is used; a pointer's own is not where it leads."""
    symbol = root(expression)
    if symbol is not None and isinstance(expression, (Name, Index, Member)) and not _elsewhere(expression):
        symbol.address_taken = True


def _elsewhere(lvalue):
    """True for what lies where a pointer variable leads."""
    while isinstance(lvalue, (Index, Member)):
        if isinstance(lvalue, Index) and isinstance(lvalue.base.type, Pointer):
            return True
        lvalue = lvalue.base
    return not isinstance(lvalue, Name)


def cast(operand, to, at):
    """(to)operand, static_cast, reinterpret_cast: among numbers, pointers, and 64-bit integers with both."""
    operand = decay(operand)
    given = operand.type
    if to is VOID:
        return Literal(at, INT, 0) if isinstance(operand, (Name, Literal)) else operand
    numbers = is_arithmetic(given) and is_arithmetic(to)
    pointers = isinstance(given, Pointer) and isinstance(to, Pointer)
    mixed = isinstance(given, Pointer) and is_integer(to) or is_integer(given) and isinstance(to, Pointer)
    if not (numbers or pointers or mixed or given == to):
        raise Mistake(
            f'no suitable conversion from "{given}" to "{to}" exists', at, hint=_cast_hint(given, to)
        )
    if mixed and isinstance(to, Scalar) and to.size < 8 and to is not BOOL:
        raise Mistake(f'a pointer has 8 bytes, "{to}" has {to.size}', at, hint="cast to size_t")
    return convert(operand, to, explicit=True)


def _cast_hint(given, to):
    if isinstance(given, Struct) and isinstance(to, Struct):
        return f"read the bytes as the other type: *({to}*)&value"
    return None
