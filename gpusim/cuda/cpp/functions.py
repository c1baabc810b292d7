"""Functions as values while reading: `use<sq>`, `apply(sq, x)`.  A name stands for its function; no pointer is kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..typing.scope import Overloads


@dataclass(frozen=True)
class FunctionType:
    """The type of a function's name; explicit : template arguments that stand behind it, or None"""

    overloads: Overloads
    explicit: tuple | None = None
    ghost = True
    size = align = 1

    def __str__(self):
        return f'function "{self.overloads.name}"'


@dataclass(frozen=True)
class FunctionValue:
    """A function as an argument of a template or of a function."""

    type: FunctionType
    at: object = field(compare=False)


def is_function(value):
    """True for a function's name as a value.

    >>> is_function(FunctionValue(FunctionType(Overloads("f")), None)), is_function(4)
    (True, False)
    """
    return isinstance(value, FunctionValue)
