"""The leaves of expressions: names, numbers, texts, brackets and calls of built-in functions."""

from __future__ import annotations

from ..text.literals import character, number, unescape
from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Expression, Literal, Name, Special, Symbol
from ..tree.types import CHAR, UINT, VECTORS, Pointer, Struct
from ..typing.builtins import Builtin
from ..typing.builtins import call as call_builtin
from ..typing.scope import ClassTemplate, Constant, Dim3, Overloads, is_type
from .cursor import KEYWORDS
from .expressions import assignment, cast, grow, named_cast, nested_expression
from .rules import rule, rules
from .types import STARTERS, member_types, specifiers, type_ahead
from .values import braced, construct

_CASTS = ("static_cast", "reinterpret_cast", "const_cast")


_TEXT = Pointer(CHAR, const=True)


@rule
def primary(p):
    token = p.tokens[p.i]
    kind = token.kind
    p.height = 1
    if kind == "name":
        return primary_name(p, token)
    if kind == "number":
        p.i += 1
        return Literal(p.at(token), *number(token))
    if token.text == "(":
        p.i += 1
        value = nested_expression(p, token)
        p.expect(")")
        return value
    if kind == "string":
        return strings(p, token)
    if kind == "char":
        p.i += 1
        return Literal(p.at(token), *character(token))
    if token.text == "[":
        return rules.lambda_expression(p)
    if token.text == "::":
        return primary_name(p, token)
    if token.text == "<<<":
        raise p.refuse("launch", token)
    raise p.expected("expression")


def strings(p, token):
    text = ""
    while p.here.kind == "string":
        quoted = p.next().text
        text += unescape(quoted[1:-1]) if quoted[0] == '"' else quoted
    return Literal(p.at(token), _TEXT, text)


def primary_name(p, token):
    text = token.text
    if text in _CASTS:
        return named_cast(p)
    if text in KEYWORDS and text not in ("true", "false", "nullptr", "operator") or text in STARTERS:
        return keyword(p, token)
    meaning, name = p.qualified()
    return meaning_of(p, meaning, name)


def keyword(p, token):
    if token.text in ("this",):
        p.i += 1
        return rules.this(p, token)
    if type_ahead(p):
        kind = specifiers(p).type
        if kind is None:
            raise Mistake("expected an expression", token)
        return construct(p, kind, token)
    raise (
        p.expected("expression")
        if token.text not in ("new", "delete", "throw", "asm", "dynamic_cast", "typeid")
        else p.refuse(token.text, token)
    )


def meaning_of(p, meaning, token):
    """The expression that a name is."""
    if isinstance(meaning, Symbol):
        return Name(p.at(token), meaning.type, meaning)
    if isinstance(meaning, Constant):
        return Literal(p.at(token), meaning.type, meaning.value)
    if isinstance(meaning, Dim3):
        return dim3(p, meaning, token)
    if isinstance(meaning, Expression):
        return meaning
    if isinstance(meaning, Builtin):
        return builtin(p, meaning, token)
    if isinstance(meaning, Overloads):
        return rules.call_function(p, meaning, token)
    if isinstance(meaning, ClassTemplate):
        meaning = rules.class_from_template(p, meaning, token)
    if is_type(meaning):
        meaning = member_types(p, meaning)
        if p.texts[p.i] == "::" and isinstance(meaning, Struct):
            return static_of(p, meaning)
        return construct(p, meaning, token)
    if meaning is not None:
        return rules.other_meaning(p, meaning, token)
    raise no_such_name(p, token)


def static_of(p, kind):
    """Struct::name: a constant or a static function."""
    p.i += 1
    token = p.name()
    found = p.struct_scope(kind).get(token.text)
    if found is None:
        raise Mistake(f'"{kind}" has no member "{token.text}"', token)
    return meaning_of(p, found, token)


def no_such_name(p, token):
    """make_float4 and friends, launches, and names that nothing declares."""
    text = token.text
    if text == "operator" or p.texts[p.i] == "<<<" and p.here.kind == "op":
        return p.refuse("launch", token)
    return p.unknown(token)


def dim3(p, meaning, token):
    """threadIdx.x is a Special; threadIdx alone is a dim3 of three."""
    names = [f"{meaning.name}.{x}" for x in "xyz"]
    if not p.accept("."):
        parts = [Special(p.at(token), UINT, name) for name in names]
        kind = VECTORS["dim3" if meaning.name.endswith("Dim") else "uint3"]
        return Construct(p.at(token), kind, parts)
    field = p.here
    if field.text not in ("x", "y", "z"):
        raise Mistake(
            f'"{meaning.name}" has no member "{field.text}"', field, hint="its members are x, y and z"
        )
    p.i += 1
    return Special(p.span(token), UINT, f"{meaning.name}.{field.text}")


@rule
def arguments(p):
    """The arguments of a call, from ( to )."""
    opening = p.expect("(")
    p.enter(opening)
    outside, p.no_greater = p.no_greater, False
    given, height = [], 0
    while p.texts[p.i] != ")":
        p.height = 1
        given.append(braced(p, None) if p.texts[p.i] == "{" else assignment(p))
        height = max(height, p.height)
        if not p.accept(","):
            break
    p.expect(")")
    p.no_greater = outside
    p.nesting -= 1
    p.height = height
    grow(p, opening)
    return given


def builtin(p, builtin, token):
    if builtin.name in ("min", "max") and p.texts[p.i] == "<":
        kind = rules.template_arguments_of(p, token, 1)[0]
        given = [cast(p, value, kind, token) for value in arguments(p)]
        return call_builtin(builtin, given, p.at(token))
    if p.texts[p.i] != "(":
        raise Mistake(f'"{token.text}" is a function: call it with ( )', token)
    if builtin.kind == "assert":
        start = p.i + 1
        given = arguments(p)
        words = p.tokens[start : p.i - 1]
        text = "".join((" " if k and word.before else "") + word.text for k, word in enumerate(words))
        made = call_builtin(builtin, given, p.at(token))
        made.arguments.append(Literal(p.at(token), _TEXT, text))
        return made
    given = [rules.to_scalar(p, value) for value in arguments(p)]
    return call_builtin(builtin, given, p.at(token))
