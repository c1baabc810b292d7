"""Methods, operators, constructors and conversions of structs, as calls of device functions."""

from __future__ import annotations

from ..parse.expressions import expression
from ..parse.functions import FieldName
from ..parse.headers import header_of
from ..parse.names import arguments
from ..parse.outline import behind_brackets
from ..parse.rules import rule, rules
from ..parse.values import constructed, from_list, initialiser
from ..text.mistakes import Mistake
from ..text.tokens import Token
from ..tree.nodes import (
    Address,
    Assign,
    Call,
    Construct,
    Expression,
    Increment,
    Literal,
    Member,
    Name,
    Symbol,
)
from ..tree.types import INT, UINT, VECTORS, Pointer, Struct
from ..typing.conversions import is_arithmetic, is_const
from ..typing.scope import Constant, Overloads
from .lambdas import call_prelude
from .templates import template_arguments

_HALF2 = VECTORS["half2"]


_HALF2_OPERATORS = {"+": "__hadd2", "-": "__hsub2", "*": "__hmul2", "/": "__h2div"}


@rule
def this(p, token):
    found, at = p.lookup("this"), p.at(token)
    if isinstance(found, Symbol):
        found = Name(at, found.type, found)
    if not isinstance(found, Expression):
        raise Mistake('"this" may only be used inside a nonstatic member function', token)
    return Address(at, Pointer(found.type, is_const(found)), found)


def gives_itself(p, declaration):
    """True for a method that ends in return *this."""
    texts, i = p.texts, declaration.body
    end = behind_brackets(p, i)
    return any(texts[k : k + 3] == ["return", "*", "this"] for k in range(i, end))


def inlined(p, declaration, bindings, header, passed, this, token):
    """A function that returns a reference, `T& at(int i) { return a[i]; }`, read in place of its call."""
    for value in passed:
        if value is not this and not repeatable(value):
            raise Mistake(
                f'"{declaration.name}" returns a reference: give it arguments without side effects',
                token,
                unsupported=True,
            )
    names = [parameter.token.text for parameter in header.parameters]
    scope = dict(zip(names, passed[1:] if this is not None else passed))
    fields = {}
    if this is not None:
        fields = {field.name: FieldName(this, field) for field in declaration.owner.fields}
        fields["this"] = this

    def read(p):
        opening = p.expect("{")
        p.enter(opening)
        if p.texts[p.i] != "return":
            raise Mistake(
                "a function that returns a reference must be one return statement",
                p.here,
                unsupported=True,
            )
        p.i += 1
        return expression(p)

    return p.elsewhere(declaration.body, [*declaration.scopes, dict(bindings), fields, scope], read)


def repeatable(value):
    """True for an expression that may stand at several places: it changes nothing."""
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, (Assign, Increment, Call)):
            return False
        todo += [part for part in vars(node).values() if isinstance(part, Expression)]
    return True


@rule
def method_call(p, base, token):
    """base.name(...) when the struct has such a method, else None."""
    found = p.struct_scope(base.type).get(token.text)
    if isinstance(found, Constant):
        return Literal(p.at(token), found.type, found.value)
    if not isinstance(found, Overloads):
        return None
    explicit = (
        template_arguments(p)
        if p.texts[p.i] == "<" and any(d.template is not None for d in found.declarations)
        else None
    )
    if p.texts[p.i] != "(":
        raise Mistake("a pointer to a bound function may only be used to call the function", token)
    return rules.resolve(p, found, arguments(p), token, explicit, base)


@rule
def overloaded_operator(p, name, token, left, right=None):
    """A struct's operator, as a call; None where there is none."""
    if not (
        isinstance(left.type, Struct)
        or right is not None
        and isinstance(getattr(right, "type", None), Struct)
    ):
        return None
    at = p.at(token)
    if name[8:] in _HALF2_OPERATORS and _HALF2 in (left.type, getattr(right, "type", None)):
        return half2_operator(p, name, left, right, at)
    if isinstance(left.type, Struct):
        found = p.struct_scope(left.type).get(name)
        if isinstance(found, Overloads):
            given = [] if right is None else [right]
            made = rules.resolve(p, found, given, token, None, left, quiet=True)
            if made is not None:
                return made
    found = p.lookup(name)
    if isinstance(found, Overloads):
        given = [left] if right is None else [left, right]
        return rules.resolve(p, found, given, token, quiet=True)
    return None


@rule
def overloaded_call(p, value, token):
    found = p.struct_scope(value.type).get("operator()")
    if not isinstance(found, Overloads):
        return None
    return rules.resolve(p, found, arguments(p), token, None, value)


def half2_operator(p, name, left, right, at):
    """half2 arithmetic goes by component."""
    op = name.removeprefix("operator")
    if right is None or left.type != right.type:
        raise Mistake(f'no operator "{op}" matches these operands', at)
    return call_prelude(p, _HALF2_OPERATORS[op], [left, right], token_at(p, left))


@rule
def constructor_call(p, kind, given, token):
    """A call of one of the struct's own constructors; None where it has none."""
    found = p.struct_scope(kind).get("(constructor)")
    if not isinstance(found, Overloads):
        return None
    if len(given) == 1 and getattr(given[0], "type", None) == kind:
        return given[0]
    return rules.resolve(p, found, given, token)


@rule
def converted(p, value, kind, token):
    """A value as a struct by a constructor of one argument, or a Mistake."""
    if isinstance(value, list):
        return from_list(p, value, kind, token)
    if {value.type, kind} == {VECTORS["dim3"], VECTORS["uint3"]}:
        return Construct(value.at, kind, [Member(value.at, UINT, value, x) for x in "xyz"])
    if can_convert(p, value, kind):
        return constructed(p, kind, [value], token)
    raise Mistake(f'no suitable conversion from "{value.type}" to "{kind}" exists', value.at)


def can_convert(p, value, kind):
    if kind is VECTORS["dim3"]:
        return is_arithmetic(value.type)
    if not isinstance(kind, Struct) or not isinstance(value, Expression):
        return False
    found = p.struct_scope(kind).get("(constructor)")
    return isinstance(found, Overloads) and any(
        rules.fitting(p, d, [value], None, []) for d in found.candidates() if d.template is None
    )


@rule
def to_scalar(p, value, kind=None):
    """A struct with a conversion operator, `operator T*()`, where a number or a pointer is wanted."""
    if not isinstance(getattr(value, "type", None), Struct) or value.type == kind:
        return value
    for name, overloads in p.struct_scope(value.type).items():
        if name.startswith("operator") and (name[8:9].isalpha() or name[8:9] == "_"):
            for declaration in overloads.declarations:
                header = header_of(p, declaration, {})
                if kind is None or header.result == kind:
                    return rules.call(p, declaration, {}, header, [], token_at(p, value), value)
    return value


def token_at(p, value):
    """A token at the place of an expression."""
    return Token("op", " " * value.at.length, value.at.line, value.at.column)


@rule
def default_value(p, kind, token):
    """The value of a variable without initialiser: structs with a constructor or defaults have one."""
    if not isinstance(kind, Struct):
        return None
    found = p.struct_scope(kind).get("(constructor)")
    if isinstance(found, Overloads):
        return rules.resolve(p, found, [], token, quiet=True)
    initial = p.initials.get(kind.name)
    if not initial:
        return None
    zero = Literal(p.at(token), INT, 0)
    return Construct(
        p.at(token),
        kind,
        [initialiser(p, initial.get(field.name) or zero, field.type, token) for field in kind.fields],
    )
