"""Postfix operators: a[i], s.x, p->x, f(x), i++."""

from __future__ import annotations

from ..text.mistakes import Mistake, did_you_mean
from ..tree.nodes import Expression
from ..tree.types import Pointer, Struct
from ..typing import operators as check
from ..typing.conversions import decay


class Postfix:
    """Part of the parser: what follows a primary expression."""

    def postfix(self, value):
        first = value.at
        while True:
            token = self.tokens[self.i]
            text = token.text
            if text == "[":
                self.i += 1
                height = self.height
                place = self.nested_expression(token)
                self.expect("]")
                self.height = max(height, self.height)
                value = self.indexed(value, place, token, first)
            elif text == ".":
                self.i += 1
                value = self.selected(value, first)
            elif text == "->":
                self.i += 1
                pointed = decay(value)
                if not isinstance(pointed.type, Pointer):
                    overloaded = self.overloaded("operator->", token, pointed)
                    if overloaded is None:
                        raise Mistake(
                            f'expression must have pointer-to-class type but it has type "{value.type}"',
                            token,
                            hint="use ." if isinstance(value.type, Struct) else None,
                        )
                    pointed = overloaded
                pointed.type = self.completed(pointed.type)
                value = self.selected(check.dereference(pointed, value.at), first)
            elif text == "++" or text == "--":
                self.i += 1
                value = check.increment(value, text[0], False, self.at(token))
            elif text == "(":
                value = self.called(value, token)
            elif text == "<<<":
                raise self.refuse("launch", token)
            else:
                return value
            self.grow(token)

    def reach(self, first):
        """The At from an expression's start to the token just read."""
        last = self.tokens[self.i - 1]
        if first.macro is None and last.macro is None and last.line == first.line:
            return type(first)(first.line, first.column, last.column + len(last.text) - first.column)
        return first

    def indexed(self, value, place, token, first):
        if isinstance(value.type, Struct):
            overloaded = self.overloaded("operator[]", token, value, place)
            if overloaded is not None:
                return overloaded
        return check.index(value, decay(place), self.reach(first))

    def selected(self, base, first):
        """base.name: a field, or a method's call."""
        token = self.here
        if self.texts[self.i] == "template":
            self.i += 1
            token = self.here
        if token.kind != "name":
            raise self.expected("member's name")
        self.i += 1
        if not isinstance(base, Expression):
            return self.ghost_member(base, token)
        if isinstance(base.type, Struct) and base.type.field(token.text) is None:
            method = self.method_call(base, token)
            if method is not None:
                return method
        hint = None
        if isinstance(base.type, Struct):
            fields = [field.name for field in base.type.fields]
            hint = did_you_mean(token.text, fields) or f"its members are {', '.join(fields[:12])}"
        made = check.member(base, token.text, self.reach(first), hint)
        made.type = self.completed(made.type)
        return made

    def called(self, value, token):
        if not isinstance(value, Expression):
            return self.call_ghost(value, token)
        if isinstance(value.type, Struct):
            overloaded = self.overloaded_call(value, token)
            if overloaded is not None:
                return overloaded
        raise Mistake(
            f"expression preceding parentheses of apparent call must have (pointer-to-) function type, "
            f'not "{value.type}"',
            token,
        )
