"""Conditions on patterns: true for some blocks, loop steps or threads, false for others, and kept as a
formula too."""

from __future__ import annotations

import numpy as np

from ...errors import GpusimError


class Joinable:
    """Conditions join by & and |, and turn round by ~."""

    __slots__ = ()

    def __and__(self, other):
        return _join("&", self, other)

    def __or__(self, other):
        return _join("|", self, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self):
        return negate(self)

    def __bool__(self):
        raise GpusimError(
            "a condition that differs between threads cannot decide an `if` of Python: use `with t.where(...)`"
        )


def _join(op, a, b):
    if b is True or b is False:
        return (a if b else False) if op == "&" else (True if b else a)
    if isinstance(b, Joinable):
        return Logic(op, a, b)
    whole = a.space.truth(a)
    return whole & b if op == "&" else whole | b


class Condition(Joinable):
    """`pattern` < 0, or `pattern` == 0: true for some blocks, loop steps or threads, false for others."""

    __slots__ = ("pattern", "kind")
    __array_ufunc__ = None

    def __init__(self, pattern, kind):
        self.pattern, self.kind = pattern, kind

    @property
    def space(self):
        return self.pattern.space

    def key(self):
        p = self.pattern
        return self.kind, p.c, p.strides, p.table

    def evaluate(self):
        """The condition as a six-axis boolean array."""
        lanes = self.space.offsets(self.pattern)
        return lanes < -self.pattern.lo if self.kind == "<" else lanes == -self.pattern.lo


class Logic(Joinable):
    """Conditions joined by "&", "|" or negated by "!"."""

    __slots__ = ("op", "parts")
    __array_ufunc__ = None

    def __init__(self, op, *parts):
        self.op, self.parts = op, parts

    @property
    def space(self):
        return self.parts[0].space

    def key(self):
        return (self.op, *(part.key() for part in self.parts))

    def evaluate(self):
        """The condition as True, False or a six-axis boolean array."""
        values = [self.space.truth(part) for part in self.parts]
        if self.op == "!":
            return np.logical_not(values[0]) if isinstance(values[0], np.ndarray) else not values[0]
        return values[0] & values[1] if self.op == "&" else values[0] | values[1]


def negate(condition):
    """`not condition`, for True, False, conditions and boolean arrays."""
    if condition is True or condition is False:
        return not condition
    if isinstance(condition, (Condition, Logic)):
        return condition.parts[0] if getattr(condition, "op", None) == "!" else Logic("!", condition)
    return condition if condition is NotImplemented else ~condition


def decided(difference, kind):
    """Whether a difference is < 0, or == 0: True or False where its bounds decide it, else a Condition.

    difference : an int or a Pattern;  kind : "<" or "=="
    """
    if type(difference) is int:
        return difference < 0 if kind == "<" else difference == 0
    if kind == "<" and difference.hi < 0:
        return True
    if difference.lo > 0 or (difference.lo == 0 if kind == "<" else difference.hi < 0):
        return False
    return Condition(difference, kind)
