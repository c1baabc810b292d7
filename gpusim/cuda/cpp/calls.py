"""Calls: which overload, template arguments deduced, methods, operators and constructors."""

from __future__ import annotations

from ..parse.functions import FieldName, is_method, pass_arguments, place_of, specialise
from ..parse.names import arguments, meaning_of
from ..parse.rules import rule
from ..parse.values import aggregate, construct
from ..text.mistakes import Mistake
from ..tree.nodes import Call, Expression, Member, Name, Symbol
from ..tree.types import VECTORS, Pointer, is_float
from ..typing.builtins import Builtin
from ..typing.builtins import call as call_builtin
from ..typing.conversions import (
    convertible,
    decay,
    is_arithmetic,
    is_const,
    is_lvalue,
    mark_bound,
    promote,
    root,
)
from ..typing.lowered import Lowered, lower
from ..typing.scope import BASE, Enumeration, Maker, Namespace
from .functions import FunctionType, FunctionValue
from .groups import accepts, special_meaning
from .lambdas import call_prelude
from .methods import can_convert, gives_itself, inlined, to_scalar
from .templates import deduce, template_arguments

_HALF2 = VECTORS["half2"]


@rule
def other_meaning(p, meaning, token):
    """Names that are neither variables, functions nor types."""
    if isinstance(meaning, FieldName):
        return Member(p.at(token), meaning.field.type, meaning.base, meaning.field.name)
    if isinstance(meaning, Maker):
        return made(p, meaning, token)
    if isinstance(meaning, Enumeration) and p.accept("::"):
        name = p.name()
        return meaning_of(p, meaning.names.get(name.text), name)
    if isinstance(meaning, Enumeration) and p.texts[p.i] in ("(", "{"):
        return construct(p, meaning.type, token)
    if isinstance(meaning, Namespace):
        raise Mistake(f'name followed by "::" expected: "{token.text}" is a namespace', token)
    return special_meaning(p, meaning, token)


def made(p, maker, token):
    """make_float4(x, y, z, w)"""
    return make(p, maker, arguments(p), token)


def make(p, maker, given, token):
    if len(given) != len(maker.type.fields):
        raise Mistake(
            f"too {'few' if len(given) < len(maker.type.fields) else 'many'} arguments in function call",
            token,
            hint=f"{token.text} takes {len(maker.type.fields)}, {len(given)} given",
        )
    return aggregate(p, maker.type, given, p.at(token), token)


# Functions


@rule
def call_function(p, overloads, token):
    """A call of a named function, at its ( or at its <."""
    explicit = None
    if p.texts[p.i] == "<" and any(d.template is not None for d in overloads.declarations):
        explicit = template_arguments(p)
    if p.texts[p.i] == "<<<":
        raise p.refuse("launch", p.here)
    if p.texts[p.i] != "(":  # a name for itself: an argument of a template, or of a function that is one
        return FunctionValue(FunctionType(overloads, tuple(explicit) if explicit else None), p.at(token))
    given = arguments(p)
    this = None
    if struct_of_overloads(overloads):
        this = p.lookup("this")
        this = Name(p.at(token), this.type, this) if isinstance(this, Symbol) else this
    library = (
        BASE.get(token.text) if explicit is None else None
    )  # an overload of make_float4, max, ... of its own
    made = resolve(p, overloads, given, token, explicit, this, quiet=library is not None)
    return made if made is not None else call_library(p, library, given, token)


@rule
def call_library(p, function, given, token):
    """A call of a built-in function whose arguments are read already."""
    if isinstance(function, Builtin):
        return call_builtin(function, [to_scalar(p, value) for value in given], p.at(token))
    if isinstance(function, Maker):
        return make(p, function, given, token)
    if isinstance(function, Lowered):
        return lower(function, [to_scalar(p, value) for value in given], p.at(token))
    return call_prelude(p, token.text, given, token)


def struct_of_overloads(overloads):
    return any(d.owner is not None and not d.static for d in overloads.declarations)


@rule
def resolve(p, overloads, given, token, explicit=None, this=None, quiet=False):
    """The Call of the overload that fits best; None where none does and `quiet`."""
    best, reasons = None, []
    for declaration in overloads.candidates():
        fit = fitting(p, declaration, given, explicit, reasons, this)
        if fit is not None and (best is None or fit[0] < best[0]):
            best = fit
    if best is None:
        if quiet:
            return None
        raise no_overload(p, overloads, given, token, reasons)
    _, declaration, bindings, header = best
    return call(p, declaration, bindings, header, given, token, this)


@rule
def call(p, declaration, bindings, header, given, token, this=None):
    if declaration.kind == "kernel":
        raise p.refuse("launch", token)
    if declaration.kind == "host":
        raise Mistake(
            f'calling a __host__ function("{declaration.name}") from device code is not allowed',
            token,
            hint=f"declare it __device__: line {declaration.token.line}",
        )
    if declaration.body is None:
        raise Mistake(f'function "{declaration.name}" is declared but not defined in this text', token)
    passed, values = pass_arguments(p, declaration, header, given, token)
    how = None
    if is_method(declaration) and declaration.name != "(constructor)":
        if this is None:
            raise Mistake("a nonstatic member reference must be relative to a specific object", token)
        how = "reference" if is_lvalue(this) else "value"
        if how == "reference":
            mark_bound(this)
        passed = [this, *passed]
    if header.reference and not gives_itself(p, declaration):
        return inlined(p, declaration, bindings, header, passed, this, token)
    function = specialise(p, declaration, bindings, header, values, how)
    note_call(p, function)
    function.itself = bool(header.reference)
    return Call(p.at(token), function.result, function, passed)


def note_call(p, function):
    if p.function_here is not None:
        p.called_by.setdefault(p.function_here, {})[function] = True


@rule
def fitting(p, declaration, given, explicit, reasons, this=None):
    """(rank, declaration, bindings, header) if the call fits, else None and a reason."""
    try:
        found = deduce(p, declaration, given, explicit)
    except Mistake as mistake:
        if declaration.template is None:
            raise
        reasons.append(mistake.message)
        return None
    if found is None:
        reasons.append("its template arguments cannot be deduced")
        return None
    declaration, bindings, header = found
    parameters = header.parameters
    least = sum(parameter.default is None for parameter in parameters)
    if not least <= len(given) <= len(parameters):
        reasons.append(f"too {'few' if len(given) < least else 'many'} arguments in function call")
        return None
    rank = 0
    if this is not None and not declaration.static:
        const = is_const(this) and root(this) and root(this).storage != "constant"
        if const and not header.const:
            reasons.append(f'the object is const, but the member function "{declaration.name}" is not')
            return None
        rank = 0.1 * (header.const and not const)
    for value, parameter in zip(given, parameters):
        step = conversion_rank(p, value, parameter)
        if step is None:
            reasons.append((value, parameter))
            return None
        rank += step
    return (rank + 0.5 * (declaration.template is not None), declaration, bindings, header)


def conversion_rank(p, value, parameter):
    """0 the same type, 1 a promotion, 2 and more other conversions, None impossible."""
    kind = parameter.type
    if isinstance(value, list):
        return 2
    if not isinstance(value, Expression):
        return 0 if accepts(p, kind, value) else None
    if getattr(kind, "ghost", False):
        return None
    if parameter.reference and value.type == kind:
        return (
            0
            if is_lvalue(value) and (parameter.const or not is_const(value))
            else 0.25
            if parameter.const
            else None
        )
    value = decay(value) if not parameter.reference else value
    if value.type == kind:
        return 0
    if is_arithmetic(value.type) and is_arithmetic(kind):
        return None if parameter.reference and not parameter.const else distance(value.type, kind)
    if isinstance(value.type, Pointer) and isinstance(kind, Pointer) and value.type.to == kind.to:
        return 1 if convertible(value, kind) else None
    if convertible(value, kind):
        return 3
    return 4 if can_convert(p, value, kind) else None


def distance(given, to):
    if (
        not is_float(given)
        and promote(given) is to
        or is_float(given)
        and is_float(to)
        and to.size > given.size
    ):
        return 1
    return 2


def no_overload(p, overloads, given, token, reasons):
    """Why no function of that name fits this call."""
    name = overloads.name
    if any(each.kind == "pack" for d in overloads.declarations for each in d.template or ()):
        return Mistake(
            f'"{name}" is a variadic template, which is not supported',
            token,
            unsupported=True,
            hint="write an overload for each number of arguments",
        )
    if len(overloads.declarations) == 1 and reasons:
        reason = reasons[0]
        if isinstance(reason, tuple):
            value, parameter = reason
            return bad_argument(p, value, parameter, token)
        if reason.startswith(("too", "the object")):
            first = overloads.declarations[0]
            return Mistake(
                reason,
                token,
                hint=f'"{name}" is declared on line {first.token.line}; {len(given)} arguments are given',
            )
        return Mistake(
            f'no instance of function template "{name}" matches the argument list: {reason}', token
        )
    kinds = ", ".join(str(getattr(value, "type", "{...}")) for value in given)
    return Mistake(
        f'no instance of overloaded function "{name}" matches the argument list: '
        f"argument types are: ({kinds})",
        token,
    )


def bad_argument(p, value, parameter, token):
    place = place_of(p, value, token)
    if parameter.reference and not parameter.const:
        if not is_lvalue(value):
            return Mistake("initial value of reference to non-const must be an lvalue", place)
        return Mistake(
            f'a reference of type "{parameter.type}&" cannot be initialized with a value of type '
            f'"{value.type}"',
            place,
        )
    kind = decay(value).type if isinstance(value, Expression) else value
    return Mistake(
        f'argument of type "{kind}" is incompatible with parameter of type "{parameter.type}"', place
    )

    # Methods, operators, constructors


_HALF2_OPERATORS = {"+": "__hadd2", "-": "__hsub2", "*": "__hmul2", "/": "__h2div"}
