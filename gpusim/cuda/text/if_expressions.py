"""The integer expressions of #if and #elif."""

from __future__ import annotations

from ..tree.fold import convert_value, operate
from ..tree.types import LONGLONG
from .literals import character, number
from .mistakes import Mistake
from .tokens import LEVELS, Token

_DEEPEST = 80


def evaluate(line, macros, expander, used):
    """The truth of an #if line; `used` gathers the names that it asks for."""
    tokens = expander.expand_all(_replace_defined(line[1:], macros, used))
    used.update(token.text for token in line if token.kind == "name")
    if not tokens:
        raise Mistake("#if needs an expression", line[0])
    reader = _Reader([*tokens, Token("end", "", line[-1].line, line[-1].column + len(line[-1].text))])
    value = reader.choice(0)
    if reader.here.kind != "end":
        raise Mistake("extra text after the expression of #if", reader.here)
    return bool(value)


def _replace_defined(tokens, macros, used):
    out, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        if token.text == "defined" and token.kind == "name":
            bracketed = i + 1 < len(tokens) and tokens[i + 1].text == "("
            place = i + 1 + bracketed
            if place >= len(tokens) or tokens[place].kind != "name":
                raise Mistake('"defined" needs a name', token)
            used.add(tokens[place].text)
            token = token._replace(kind="number", text=str(int(tokens[place].text in macros)))
            i = place + bracketed
        out.append(token)
        i += 1
    return out


class _Reader:
    """Reads an expression by its operators' levels; names that are no macros count as 0."""

    def __init__(self, tokens):
        self.tokens, self.i = tokens, 0

    @property
    def here(self):
        return self.tokens[self.i]

    def choice(self, depth):
        value = self.binary(1, depth)
        if self.here.text == "?":
            self.i += 1
            then = self.choice(depth + 1)
            self.close(":")
            other = self.choice(depth + 1)
            return then if value else other
        return value

    def binary(self, level, depth):
        left = self.unary(depth)
        while LEVELS.get(self.here.text, 0) >= level and self.here.kind == "op":
            token = self.here
            self.i += 1
            right = self.binary(LEVELS[token.text] + 1, depth)
            if token.text in ("||", "&&"):
                left = int(bool(left or right) if token.text == "||" else bool(left and right))
                continue
            left = operate(token.text, left, right, LONGLONG)
            if left is None:
                raise Mistake("division by zero in #if", token)
            left = int(left)
        return left

    def unary(self, depth):
        token = self.here
        if depth > _DEEPEST:
            raise Mistake("#if is nested too deeply", token, unsupported=True)
        self.i += token.kind != "end"
        if token.text in ("!", "-", "+", "~") and token.kind == "op":
            value = self.unary(depth + 1)
            return {"!": int(not value), "-": convert_value(-value, LONGLONG), "+": value, "~": ~value}[
                token.text
            ]
        if token.text == "(":
            value = self.choice(depth + 1)
            self.close(")")
            return value
        if token.kind == "number":
            return int(convert_value(number(token)[1], LONGLONG))
        if token.kind == "char":
            return character(token)[1]
        if token.kind == "name":
            if self.here.text == "(" and token.text.startswith("__has_"):
                while self.here.kind != "end" and self.here.text != ")":
                    self.i += 1
                self.close(")")
                return 0
            if self.here.text == "(":
                raise Mistake(f'"{token.text}" is no macro of this text', token)
            return int(token.text == "true")
        raise Mistake("expected an expression", token)

    def close(self, text):
        if self.here.text != text:
            raise Mistake(f'expected a "{text}"', self.here)
        self.i += 1
