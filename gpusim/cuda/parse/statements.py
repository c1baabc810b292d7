"""Statements and local declarations."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Block, Evaluate, Expression, If, Literal, Name, Return
from ..tree.types import VOID, Struct
from ..typing.conversions import assignable, condition, decay
from .cursor import KEYWORDS, WORDS
from .expressions import expression
from .locals import local_alias, local_declaration, local_namespace
from .names import meaning_of
from .outline import skip_statement
from .rules import rules
from .types import AUTO, type_ahead
from .values import braced

_REFUSED = ("goto", "try", "throw", "catch", "delete", "new")


def block(p, scope=None):
    """{ statements }, in a scope of its own."""
    opening = p.expect("{")
    p.enter(opening)
    p.scopes.append({} if scope is None else scope)
    body = statements(p, opening)
    p.expect("}")
    p.scopes.pop()
    p.nesting -= 1
    return Block(p.at(opening), body)


def statements(p, opening):
    body, texts = [], p.texts
    while texts[p.i] != "}":
        if p.here.kind == "end":
            raise unclosed(p, opening)
        statement(p, body)
    return body


def unclosed(p, opening):
    return Mistake(f'expected a "}}" to match the "{{" on line {opening.line}', p.behind())


def statement(p, body):
    """Read one statement and append what it is to `body` (a declaration may be several)."""
    token = p.tokens[p.i]
    text = token.text
    if token.kind == "name":
        handler = STATEMENTS.get(text)
        if handler is not None:
            p.enter(token)
            made = handler(p)
            p.nesting -= 1
            if made is not None:
                body.append(made)
            return
        if p.texts[p.i + 1] == ":" and p.texts[p.i + 2] != ":" and text not in KEYWORDS:
            raise p.refuse("label", token)
        if declaration_ahead(p, token):
            local_declaration(p, body)
            return
    elif text == "{":
        body.append(block(p))
        return
    elif text == ";":
        p.i += 1
        return
    elif token.kind == "pragma":
        made = STATEMENTS["#pragma unroll"](p)
        if made is not None:
            body.append(made)
        return
    elif text == "[" and p.texts[p.i + 1] == "[":
        p.skip_brackets()
        return
    value = expression(p)
    p.expect(";")
    if isinstance(value, Expression) and not isinstance(value, Literal):
        body.append(Evaluate(p.at(token), value))


def declaration_ahead(p, token):
    """True when a declaration starts here: a type that no ( or :: of an expression follows."""
    if not type_ahead(p):
        meaning = p.lookup(token.text)
        after = p.tokens[p.i + 1]
        unknown = meaning is None and token.kind == "name" and token.text not in KEYWORDS
        if unknown and after.kind == "name" and after.text not in WORDS:
            raise p.unknown(token, p.type_names())
        return False
    return (
        p.texts[p.i + 1] != "("
        or p.texts[p.i + 2] in ("*", "&")
        or (token.text in ("decltype", "__align__", "alignas", "__attribute__"))
    )


def statement_body(p):
    """The statement under an if or a loop, in a scope of its own."""
    token = p.here
    if token.text == "{":
        return block(p)
    body = []
    p.scopes.append({})
    statement(p, body)
    p.scopes.pop()
    return body[0] if len(body) == 1 else Block(p.at(token), body)


# Control flow


def tested(p):
    """The condition of an if or a loop, as a bool."""
    value = expression(p)
    return condition(rules.to_scalar(p, value))


def if_statement(p):
    """if, else if, else: a chain is read in a loop, however long."""
    token = p.next()
    constant = p.accept("constexpr")
    p.expect("(")
    p.scopes.append({})
    before = []
    if declaration_ahead(p, p.here):
        local_declaration(p, before, condition=True)
        value = before[-1].symbol if not p.accept(";") else None
        test = tested(p) if value is None else condition(meaning_of(p, value, p.tokens[p.i - 1]))
    else:
        test = tested(p)
    p.expect(")")
    test = rules.constant(p, test) if constant else test
    known = test.value if constant and isinstance(test, Literal) else None
    then = discarded(p) if known is False else statement_body(p)
    other = None
    if p.accept("else"):
        other = discarded(p) if known is True else statement_body(p)
    p.scopes.pop()
    if known is not None:
        return then if known else other
    made = If(p.at(token), test, then, other)
    return Block(p.at(token), [*before, made]) if before else made


def discarded(p):
    """The side of an `if constexpr` that is not taken is not looked at."""
    skip_statement(p)
    return None


def return_statement(p):
    token = p.next()
    if p.constructed_symbol is not None:
        p.expect(";")
        symbol = p.constructed_symbol
        return Return(p.at(token), Name(p.at(token), symbol.type, symbol))
    if p.returns_this:
        return return_this(p, token)
    if p.accept(";"):
        if p.result is AUTO:
            p.result = VOID
        if p.result is not VOID:
            raise Mistake(f'a function that returns "{p.result}" must return a value', token)
        return Return(p.at(token), None)
    value = braced(p, p.result) if p.texts[p.i] == "{" else expression(p)
    p.expect(";")
    if p.result is AUTO:
        value = decay(value)
        p.result = value.type
    if p.result is VOID:
        if value.type is VOID:
            return Block(p.at(token), [Evaluate(value.at, value), Return(p.at(token), None)])
        raise Mistake(f'return value type "{value.type}" does not match the function type "void"', value.at)
    return Return(p.at(token), returned(p, value))


def return_this(p, token):
    """return *this; of a method that gives its object back: the call's value is the object itself."""
    value = expression(p)
    p.expect(";")
    if not (isinstance(value, Name) and value.symbol.name == "this"):
        raise Mistake(
            "a function that returns a reference must be one return statement, or return *this",
            token,
            unsupported=True,
        )
    return Return(p.at(token), None)


def returned(p, value):
    if isinstance(p.result, Struct) and value.type != p.result:
        return rules.converted(p, value, p.result, p.tokens[p.i - 1])
    return assignable(rules.to_scalar(p, value, p.result), p.result, "return")


def refused_statement(p):
    raise p.refuse(p.here.text, p.here)


def stray_else(p):
    raise Mistake(
        '"else" without an "if" before it',
        p.here,
        hint='is there a ; behind the condition, or a "}" too many?',
    )


def asm_statement(p):
    """An empty asm volatile("" ::: "memory") is a barrier to the compiler, nothing to run."""
    token = p.next()
    p.accept("volatile") or p.accept("__volatile__")
    if p.texts[p.i] == "(" and p.texts[p.i + 1] == '""':
        p.skip_brackets()
        p.expect(";")
        return None
    raise p.refuse("asm", token)


# What the first word of a statement leads to; loops.py and switch.py add their own.
STATEMENTS = {
    "if": if_statement,
    "return": return_statement,
    "else": stray_else,
    "asm": asm_statement,
    "__asm__": asm_statement,
    "__asm": asm_statement,
    "using": local_alias,
    "typedef": local_alias,
    "static_assert": local_alias,
    "namespace": local_namespace,
    **dict.fromkeys(_REFUSED, refused_statement),
}
