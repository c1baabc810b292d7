"""Expressions, by recursive descent: each is typed and converted as soon as it is read."""

from __future__ import annotations

from ..text.literals import text_codes
from ..text.mistakes import Mistake
from ..text.tokens import LEVELS
from ..tree.nodes import Literal
from ..tree.types import CHAR, ULONGLONG, Array, Struct
from ..typing import operators as check
from .cursor import NESTED

ASSIGNMENTS = {
    "=": None,
    "+=": "+",
    "-=": "-",
    "*=": "*",
    "/=": "/",
    "%=": "%",
    "&=": "&",
    "|=": "|",
    "^=": "^",
    "<<=": "<<",
    ">>=": ">>",
}


class Expressions:
    """Part of the parser: operators by precedence, and casts."""

    def expression(self):
        """A full expression, commas included."""
        value = self.assignment()
        while self.texts[self.i] == ",":
            token, height = self.next(), self.height
            value = check.comma(value, self.assignment(), self.at(token))
            self.height = max(height, self.height)
            self.grow(token)
        return value

    def assignment(self):
        """An expression without commas."""
        left = self.binary(1)
        text = self.texts[self.i]
        if text == "?":
            return self.choice(left)
        if text in ASSIGNMENTS and self.here.kind == "op":
            token = self.next()
            self.enter(token)
            right = self.braced(left.type) if self.texts[self.i] == "{" else self.assignment()
            self.nesting -= 1
            self.grow(token)
            return self.assigned(left, right, token, ASSIGNMENTS[text])
        return left

    def assigned(self, left, right, token, op):
        overloaded = self.overloaded(f"operator{token.text}", token, left, right)
        if overloaded is not None:
            return overloaded
        if op is not None and isinstance(left.type, Struct):
            overloaded = self.overloaded(f"operator{op}", token, left, right)
            if overloaded is not None:
                return check.assign(left, overloaded, self.at(token))
        elif isinstance(left.type, Struct) and (isinstance(right, list) or right.type != left.type):
            right = self.converted(right, left.type, token)
        return check.assign(left, right, self.at(token), op)

    def choice(self, test):
        token = self.next()
        self.enter(token)
        then = self.expression()
        self.expect(":")
        other = self.assignment()
        self.nesting -= 1
        self.grow(token)
        return check.select(test, then, other, self.at(token))

    def binary(self, level):
        left = self.unary()
        while True:
            token = self.tokens[self.i]
            text = token.text
            here = LEVELS.get(text, 0)
            if here < level or self.no_greater and text in (">", ">>"):
                return left
            self.i += 1
            height = self.height
            right = self.binary(here + 1)
            self.height = max(height, self.height)
            self.grow(token)
            if isinstance(left.type, Struct) or isinstance(right.type, Struct):
                overloaded = self.overloaded(f"operator{text}", token, left, right)
                if overloaded is not None:
                    left = overloaded
                    continue
                left, right = self.to_scalar(left), self.to_scalar(right)
            left = check.binary(text, left, right, self.at(token))

    def grow(self, token):
        self.height += 1
        if self.height > NESTED:
            raise Mistake(
                f"an expression of more than {NESTED} levels",
                token,
                unsupported=True,
                hint="split it into several statements",
            )

    # Unary operators and casts

    def unary(self):
        token = self.tokens[self.i]
        text = token.text
        if token.kind != "op":
            return self.unary_word(token) if text in ("sizeof", "alignof") else self.postfix(self.primary())
        if text == "(" and self.cast_ahead():
            return self.c_cast()
        if text not in ("-", "!", "*", "&", "+", "~", "++", "--"):
            return self.postfix(self.primary())
        self.i += 1
        self.enter(token)
        operand = self.unary()
        self.nesting -= 1
        self.grow(token)
        at = self.at(token)
        if isinstance(operand.type, Struct) and text != "&":
            overloaded = self.overloaded(f"operator{text}", token, operand)
            if overloaded is not None:
                return overloaded
        if text == "*":
            return check.dereference(operand, self.span(token))
        if text == "&":
            return check.address(operand, at)
        if text in ("++", "--"):
            return check.increment(operand, text[0], True, at)
        return check.unary(text, operand, at)

    def unary_word(self, token):
        """sizeof and alignof: of a type or of an expression, which is not evaluated."""
        self.i += 1
        if self.texts[self.i] == "(":
            self.i += 1
            if self.type_ahead():
                kind = self.type_name_only()
            else:
                kind = _extent(self.nested_expression(token))
            self.expect(")")
        else:
            self.enter(token)
            kind = _extent(self.unary())
            self.nesting -= 1
        return Literal(self.at(token), ULONGLONG, kind.size if token.text == "sizeof" else kind.align)

    def cast_ahead(self):
        """True when the ( here opens a cast."""
        self.i += 1
        ahead = self.type_ahead()
        self.i -= 1
        if not ahead:
            return False
        if self.texts[self.i + 2] == "(" and self.texts[self.i + 3] not in ("*", "&"):
            return False  # (float(x) + 1)
        place = self.i
        depth = 0
        while place < len(self.texts) - 1:
            text = self.texts[place]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                break
            place += 1
        # (T::constant + 1) and (T(x)) are no casts: a type is names, *, &, <, >, ::, [ ], numbers and commas
        inside = self.texts[self.i + 1 : place]
        return len(inside) < 40 and not any(text in ("+", "-", "=", ";", "{", ".") for text in inside)

    def c_cast(self):
        token = self.next()
        kind = self.type_name_only()
        self.expect(")")
        if self.texts[self.i] == "{":
            return self.braced(kind)
        self.enter(token)
        operand = self.unary()
        self.nesting -= 1
        self.grow(token)
        return self.cast(operand, kind, token)

    def cast(self, operand, kind, token):
        if isinstance(kind, Struct) and operand.type != kind:
            return self.converted(operand, kind, token)
        return check.cast(self.to_scalar(operand, kind), kind, self.at(token))

    def named_cast(self):
        token = self.next()
        self.expect("<")
        kind = self.template_type()
        self.close_angle()
        self.expect("(")
        operand = self.nested_expression(token)
        self.expect(")")
        self.grow(token)
        return self.cast(operand, kind, token)

    def nested_expression(self, token):
        """An expression in brackets, where > is an operator again."""
        self.enter(token)
        outside, self.no_greater = self.no_greater, False
        value = self.expression()
        self.no_greater = outside
        self.nesting -= 1
        return value

    # Primary expressions

    # Calls

    # Postfix operators

    # Values of a type


def _extent(expression):
    """The type whose size sizeof tells: a text in quotes is an array of characters."""
    if isinstance(expression, Literal) and isinstance(expression.value, str):
        return Array(CHAR, len(text_codes(expression.value)))
    return expression.type
