"""switch: its cases with their labels; control falls through from one to the next."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Literal, Switch
from ..tree.types import is_integer
from ..typing.conversions import convert, decay, promote


class Switches:
    """Part of the parser: switch statements."""

    def switch_statement(self):
        token = self.next()
        self.expect("(")
        value = decay(self.to_scalar(self.expression()))
        if not is_integer(value.type):
            raise Mistake(f'expression must have integral or enum type, not "{value.type}"', value.at)
        value = convert(value, promote(value.type))
        self.expect(")")
        opening = self.expect("{")
        self.scopes.append({})
        self.switches += 1
        cases, seen = [], {}
        while not self.accept("}"):
            if self.here.kind == "end":
                raise self.unclosed(opening)
            if self.texts[self.i] in ("case", "default"):
                labels = self.labels(value.type, seen)
                cases.append((labels, []))
            elif not cases:
                raise Mistake("a statement of a switch must follow a case label", self.here, unsupported=True)
            else:
                self.statement(cases[-1][1])
        self.switches -= 1
        self.scopes.pop()
        return Switch(self.at(token), value, cases)

    def labels(self, kind, seen):
        labels = []
        while self.texts[self.i] in ("case", "default"):
            token = self.next()
            label = None
            if token.text == "case":
                label = self.constant_int("case label")
                label = convert(Literal(self.at(token), kind, label), kind).value
            if label in seen:
                raise Mistake(
                    "case label value has already appeared in this switch"
                    if label is not None
                    else "default label has already appeared in this switch",
                    token,
                )
            seen[label] = True
            self.expect(":")
            labels.append(label)
        return labels

    def stray_label(self):
        token = self.here
        if not self.switches:
            raise Mistake(f"a {token.text} label may only be used within a switch", token)
        raise Mistake(f"a {token.text} label inside a nested block is not supported", token, unsupported=True)
