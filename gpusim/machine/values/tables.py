"""Tables: what differs between the threads of a block, kept once for all launches with what was worked out from it."""

from __future__ import annotations

import operator
from functools import lru_cache

import numpy as np


class Table:
    """One integer (or boolean) for each thread of a block: a three-axis array, with its bounds and a memory
    of what was computed."""

    __slots__ = ("array", "lo", "hi", "memo")

    def __init__(self, array):
        self.array, self.memo = array, {}
        self.lo, self.hi = int(array.min()), int(array.max())


_TABLES = {}


def table_of(array):
    """The one Table with these contents, so that what was worked out for it once serves every launch."""
    key = array.shape, array.dtype.char, array.tobytes()
    table = _TABLES.get(key)
    if table is None:
        if len(_TABLES) > 20000:
            _TABLES.clear()
        table = _TABLES[key] = Table(np.ascontiguousarray(array))
    return table


def combine(space, op, left, right):
    """op(left, right) of two Tables, add or sub; None stands for zeros."""
    if right is None:
        return left
    if left is None:
        return right if op is operator.add else with_number(space, operator.mul, right, -1)
    key = (op, right)
    table = left.memo.get(key)
    if table is None:
        table = left.memo[key] = space.intern(op(left.array, right.array))
    return table


def with_number(space, op, table, number):
    """op(table, number)"""
    key = (op, number)
    result = table.memo.get(key)
    if result is None:
        result = table.memo[key] = space.intern(op(table.array, number))
    return result


@lru_cache
def swapped(op):
    """op with its operands the other way round; one function each, as tables remember results by it."""
    return lambda a, b: op(b, a)


def add_strides(a, b):
    """The sums of the strides of two patterns, of which one may have fewer axes."""
    if len(a) < len(b):
        a, b = b, a
    return tuple(x + y for x, y in zip(a, b)) + a[len(b) :] if b else a
