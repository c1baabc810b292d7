"""switch: its cases with their labels; control falls through from one to the next."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Literal, Switch
from ..tree.types import is_integer
from ..typing.conversions import convert, decay, promote
from .expressions import expression
from .rules import rules
from .statements import STATEMENTS, statement, unclosed
from .types import constant_int


def switch_statement(p):
    token = p.next()
    p.expect("(")
    value = decay(rules.to_scalar(p, expression(p)))
    if not is_integer(value.type):
        raise Mistake(f'expression must have integral or enum type, not "{value.type}"', value.at)
    value = convert(value, promote(value.type))
    p.expect(")")
    opening = p.expect("{")
    p.scopes.append({})
    p.switches += 1
    cases, seen = [], {}
    while not p.accept("}"):
        if p.here.kind == "end":
            raise unclosed(p, opening)
        if p.texts[p.i] in ("case", "default"):
            labels = case_labels(p, value.type, seen)
            cases.append((labels, []))
        elif not cases:
            raise Mistake("a statement of a switch must follow a case label", p.here, unsupported=True)
        else:
            statement(p, cases[-1][1])
    p.switches -= 1
    p.scopes.pop()
    return Switch(p.at(token), value, cases)


def case_labels(p, kind, seen):
    labels = []
    while p.texts[p.i] in ("case", "default"):
        token = p.next()
        label = None
        if token.text == "case":
            label = constant_int(p, "case label")
            label = convert(Literal(p.at(token), kind, label), kind).value
        if label in seen:
            raise Mistake(
                "case label value has already appeared in this switch"
                if label is not None
                else "default label has already appeared in this switch",
                token,
            )
        seen[label] = True
        p.expect(":")
        labels.append(label)
    return labels


def stray_label(p):
    token = p.here
    if not p.switches:
        raise Mistake(f"a {token.text} label may only be used within a switch", token)
    raise Mistake(f"a {token.text} label inside a nested block is not supported", token, unsupported=True)


STATEMENTS |= {"switch": switch_statement, "case": stray_label, "default": stray_label}
