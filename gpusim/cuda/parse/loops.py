"""Loops: for, while and do, how often #pragma unroll copies them, and what leaves them."""

from __future__ import annotations

from ..text.literals import unescape
from ..text.mistakes import Mistake
from ..tree.nodes import Block, Break, Continue, Declare, DoWhile, Evaluate, For, Literal, Name, While
from ..tree.types import INT, Array
from ..typing import operators as check
from ..typing.conversions import decay, is_lvalue
from .declarators import declarator
from .expressions import expression
from .locals import local_declaration, reference
from .statements import (
    STATEMENTS,
    declaration_ahead,
    statement_body,
    tested,
)
from .types import constant_int, deduced, holds_auto, specifiers
from .values import initialiser

LOOPS = 16  # loops inside each other


def pragma_operator(p):
    """_Pragma("unroll 4"), as macros write it."""
    token = p.next()
    p.expect("(")
    words = unescape(p.next().text[1:-1]).replace("(", " ").replace(")", " ").split()
    p.expect(")")
    made = statement_body(p) if p.texts[p.i] in ("for", "while", "do") else None
    if isinstance(made, For) and words[:1] == ["unroll"]:
        made.unroll = int(words[1]) if words[1:] and words[1].isdigit() else 0
    return made if made is not None else Block(p.at(token), [])


def unrolled(p):
    """#pragma unroll [n], and the loop behind it."""
    pragma = p.next()
    count = 0
    if p.accept("("):
        count = constant_int(p, "the number of #pragma unroll")
        p.expect(")")
    if p.here.kind == "pragma":
        return unrolled(p)
    loop = {
        "for": for_statement,
        "while": while_statement,
        "do": do_statement,
    }.get(p.here.text)
    if loop is None:
        return None
    p.enter(pragma)
    made = loop(p)
    p.nesting -= 1
    if isinstance(made, For):
        made.unroll = count
    return made


def for_statement(p):
    token = p.next()
    p.expect("(")
    if range_ahead(p):
        return range_for(p, token)
    p.scopes.append({})
    start = []
    if not p.accept(";"):
        if declaration_ahead(p, p.here):
            local_declaration(p, start, loop=True)
        else:
            value = expression(p)
            start.append(Evaluate(value.at, value))
            p.expect(";")
    test = None if p.texts[p.i] == ";" else tested(p)
    p.expect(";")
    step = None if p.texts[p.i] == ")" else expression(p)
    p.expect(")")
    body = loop_body(p)
    p.scopes.pop()
    first = start[0] if len(start) == 1 else Block(p.at(token), start) if start else None
    return For(p.at(token), first, test, step, body)


def range_ahead(p):
    """True for `for (T x : array)`: a : before any ; or ?."""
    i, depth = p.i, 0
    while p.tokens[i].kind != "end" and depth >= 0:
        text = p.texts[i]
        if depth == 0 and text in (":", ";", "?"):
            return text == ":"
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        i += 1
    return False


def range_for(p, token):
    """for (T x : array), as a loop over its indices."""
    p.scopes.append({})
    declared = declarator(p, specifiers(p))
    p.expect(":")
    array = expression(p) if p.texts[p.i] != "{" else None
    p.expect(")") if array is not None else None
    if not isinstance(getattr(array, "type", None), Array) or not is_lvalue(array):
        raise p.refuse("range for", declared.token)
    at, name = p.at(token), declared.token
    index = p.symbol(name._replace(text=f"{name.text}_index"), INT, "local")
    place = Name(at, INT, index)
    element = check.index(array, place, at)
    kind = deduced(declared.type, element.type if declared.reference else decay(element).type)
    kind = kind if holds_auto(declared.type) else declared.type
    if declared.reference and kind == element.type:
        first = reference(p, declared, kind, element)
    else:
        value = initialiser(p, element, kind, name)
        first = Declare(at, p.declare(name, p.symbol(name, kind, "local", const=declared.const)), value)
    body = loop_body(p)
    p.scopes.pop()
    count = Literal(at, INT, array.type.count)
    return For(
        at,
        Declare(at, index, Literal(at, INT, 0)),
        check.binary("<", place, count, at),
        check.increment(place, "+", True, at),
        Block(at, [first, body]),
    )


def loop_body(p):
    p.loops += 1
    if p.loops > LOOPS:
        raise Mistake(f"loops are nested deeper than {LOOPS}", p.here, unsupported=True)
    body = statement_body(p)
    p.loops -= 1
    return body


def while_statement(p):
    token = p.next()
    p.expect("(")
    test = tested(p)
    p.expect(")")
    return While(p.at(token), test, loop_body(p))


def do_statement(p):
    token = p.next()
    body = loop_body(p)
    p.expect("while")
    p.expect("(")
    test = tested(p)
    p.expect(")")
    p.expect(";")
    return DoWhile(p.at(token), body, test)


def break_statement(p):
    token = p.next()
    if not (p.loops or p.switches):
        raise Mistake("a break statement may only be used within a loop or switch", token)
    p.expect(";")
    return Break(p.at(token))


def continue_statement(p):
    token = p.next()
    if not p.loops:
        raise Mistake("a continue statement may only be used within a loop", token)
    p.expect(";")
    return Continue(p.at(token))


STATEMENTS |= {
    "for": for_statement,
    "while": while_statement,
    "do": do_statement,
    "break": break_statement,
    "continue": continue_statement,
    "#pragma unroll": unrolled,
    "_Pragma": pragma_operator,
}
