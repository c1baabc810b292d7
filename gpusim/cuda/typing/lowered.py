"""Functions of CUDA that are another way to write C: each becomes an operator, a cast, a load or a store."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import (
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    SHORT,
    UINT,
    ULONGLONG,
    USHORT,
    VECTORS,
    Pointer,
    Scalar,
)
from . import operators as check
from .conversions import assignable, cast, decay


@dataclass(frozen=True)
class Lowered:
    """A function to replace.

    how : "operator" (op on values of `type`), "negate", "invert", "cast" (to `type`), "load", "store", "copy"
        (an asynchronous one, done at once), "nothing" or "first" (its first argument)
    count : of its arguments
    """

    name: str
    how: str
    count: int
    op: str = ""
    type: Scalar | None = None


def _table():
    table = {}

    def add(names, how, count, op="", kind=None):
        for name in names.split():
            table[name] = Lowered(name, how, count, op, kind)

    for letter, kind in (("f", FLOAT), ("d", DOUBLE)):
        for word, op in (("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/")):
            add(f"__{letter}{word}_rn", "operator", 2, op, kind)
        add(f"__{letter}rcp_rn", "invert", 1, "/", kind)
    add("__fdividef fdividef", "operator", 2, "/", FLOAT)
    for word, op in (
        ("add", "+"),
        ("sub", "-"),
        ("mul", "*"),
        ("div", "/"),
        ("eq", "=="),
        ("ne", "!="),
        ("lt", "<"),
        ("le", "<="),
        ("gt", ">"),
        ("ge", ">="),
    ):
        add(f"__h{word}", "operator", 2, op, HALF)
        if op in "+-*":
            add(f"__h{word}_rn", "operator", 2, op, HALF)
    add("__hneg", "negate", 1, "-", HALF)
    add("hrcp", "invert", 1, "/", HALF)
    numbers = {
        "int": INT,
        "uint": UINT,
        "ll": LONGLONG,
        "ull": ULONGLONG,
        "float": FLOAT,
        "double": DOUBLE,
        "half": HALF,
        "short": SHORT,
        "ushort": USHORT,
    }
    for source, given in numbers.items():
        for target, to in numbers.items():
            if source != target:
                whole = given.kind == "float" and to.kind != "float"
                add(f"__{source}2{target}_{'rz' if whole else 'rn'}", "cast", 1, "", to)
    add("__float2half", "cast", 1, "", HALF)
    add("__half2float", "cast", 1, "", FLOAT)
    add("__double2half", "cast", 1, "", HALF)
    add("__ldg __ldca __ldcg __ldcs __ldlu __ldcv", "load", 1)
    add("__stwb __stcg __stcs __stwt", "store", 2)
    add("__pipeline_memcpy_async", "copy", 3)
    add("__pipeline_commit", "nothing", 0)
    add("__pipeline_wait_prior", "nothing", 1)
    add("__builtin_expect", "first", 2)
    add("__builtin_assume_aligned", "first", 2)
    return table


LOWERED = _table()


def lower(function, given, at):
    """The expression that a call of a Lowered function is."""
    if len(given) != function.count:
        raise Mistake(
            f"too {'few' if len(given) < function.count else 'many'} arguments in function call",
            at,
            hint=f"{function.name} takes {function.count}, {len(given)} given",
        )
    if function.how in ("operator", "negate", "invert"):
        values = [assignable(value, function.type, "argument") for value in given]
        if function.how == "negate":
            return check.unary("-", values[0], at)
        if function.how == "invert":
            values.insert(0, Literal(at, function.type, 1.0))
        return check.binary(function.op, *values, at)
    if function.how == "cast":
        return cast(assignable(given[0], function.type, "argument"), function.type, at)
    if function.how == "load":
        return check.dereference(given[0], at)
    if function.how == "store":
        return check.assign(check.dereference(given[0], at), given[1], at)
    if function.how == "copy":
        return _copy(*map(decay, given), at)
    return decay(given[0]) if function.how == "first" else Literal(at, INT, 0)


def _copy(to, source, size, at):
    """cp.async of 4, 8 or 16 bytes is a load and a store of that width."""
    kind = {4: INT, 8: VECTORS["int2"], 16: VECTORS["int4"]}.get(getattr(size, "value", None))
    if kind is None:
        raise Mistake("an asynchronous copy moves 4, 8 or 16 bytes, known before the run", size.at)
    target = check.dereference(cast(to, Pointer(kind), at), at)
    return check.assign(target, check.dereference(cast(source, Pointer(kind, const=True), at), at), at)
