"""The integer expressions of #if and #elif."""

from __future__ import annotations

from ..tree.fold import COMPARE, convert_value, operate
from ..tree.types import LONGLONG, ULONGLONG, is_float
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
    value, _ = reader.choice(0)
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
    """Reads an expression by its operators' levels; names that are no macros count as 0.

    A value is (number, type), the type long long or unsigned long long.  What C does not evaluate, as the right side
    of 0 && ..., may divide by zero.
    """

    def __init__(self, tokens):
        self.tokens, self.i, self.asleep = tokens, 0, 0

    @property
    def here(self):
        return self.tokens[self.i]

    def unless(self, decided, read, *arguments):
        """What `read` reads; where the value is decided without it, it is not evaluated."""
        self.asleep += bool(decided)
        value = read(*arguments)
        self.asleep -= bool(decided)
        return value

    def choice(self, depth):
        test = self.binary(1, depth)
        if self.here.text == "?":
            self.i += 1
            then = self.unless(not test[0], self.choice, depth + 1)
            self.close(":")
            other = self.unless(test[0], self.choice, depth + 1)
            kind = _common(then, other)
            return convert_value((then if test[0] else other)[0], kind), kind
        return test

    def binary(self, level, depth):
        left = self.unary(depth)
        while LEVELS.get(self.here.text, 0) >= level and self.here.kind == "op":
            token = self.here
            self.i += 1
            level_here = LEVELS[token.text] + 1
            if token.text in ("||", "&&"):
                decided = bool(left[0]) == (token.text == "||")
                right = self.unless(decided, self.binary, level_here, depth)
                left = int(bool(left[0] if decided else right[0])), LONGLONG
                continue
            left = self.operated(token, left, self.binary(level_here, depth))
        return left

    def operated(self, token, left, right):
        op = token.text
        kind = left[1] if op in ("<<", ">>") else _common(left, right)
        other = right[0] if op in ("<<", ">>") else convert_value(right[0], kind)
        value = operate(op, convert_value(left[0], kind), other, kind)
        if value is None:
            if not self.asleep:
                shift = "a shift by less than 0 or more than 63" if op in ("<<", ">>") else "division by zero"
                raise Mistake(f"{shift} in #if", token)
            value = 0
        return int(value), LONGLONG if op in COMPARE else kind

    def unary(self, depth):
        token = self.here
        if depth > _DEEPEST:
            raise Mistake("#if is nested too deeply", token, unsupported=True)
        self.i += token.kind != "end"
        if token.text in ("!", "-", "+", "~") and token.kind == "op":
            value, kind = self.unary(depth + 1)
            if token.text == "!":
                return int(not value), LONGLONG
            return convert_value({"-": -value, "+": value, "~": ~value}[token.text], kind), kind
        if token.text == "(":
            value = self.choice(depth + 1)
            self.close(")")
            return value
        if token.kind == "number":
            kind, value = number(token)
            if is_float(kind):
                raise Mistake("floating-point number in #if", token)
            kind = ULONGLONG if kind.kind == "uint" else LONGLONG
            return int(convert_value(value, kind)), kind
        if token.kind == "char":
            return character(token)[1], LONGLONG
        if token.kind == "name":
            if self.here.text == "(" and token.text.startswith("__has_"):
                while self.here.kind != "end" and self.here.text != ")":
                    self.i += 1
                self.close(")")
                return 0, LONGLONG
            if self.here.text == "(":
                raise Mistake(f'"{token.text}" is no macro of this text', token)
            return int(token.text == "true"), LONGLONG
        raise Mistake("expected an expression", token)

    def close(self, text):
        if self.here.text != text:
            raise Mistake(f'expected a "{text}"', self.here)
        self.i += 1


def _common(left, right):
    """The type that two values have together: unsigned where one of them is."""
    return ULONGLONG if ULONGLONG in (left[1], right[1]) else LONGLONG
