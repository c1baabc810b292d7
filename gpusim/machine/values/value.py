"""Values: what anything that a variable of a kernel holds answers, whatever it is made of.

    int, NumPy scalar    the same for all lanes
    Pattern              a formula in block, loop step and thread
    array                six axes: a number for each lane
    Condition, Logic     true for some lanes, kept as a formula (conditions.py)
    Unknown              what a load gives without data (unknown.py)

An index is an int, a Pattern or an array; of these ints and Patterns are formulas, whose bounds and strides are known.
"""

from __future__ import annotations

import numpy as np

from .pattern import Pattern
from .unknown import Unknown


def unknown_of(*values):
    """The first of some values that nobody knows, or None.

    >>> unknown_of(1, 2) is None
    True
    """
    for value in values:
        if type(value) is Unknown:
            return value
    return None


def is_formula(value):
    """Whether bounds, strides and table are known: of ints and Patterns."""
    return type(value) is int or type(value) is Pattern


def bounds(value):
    """(smallest, largest) value of a formula; (None, None) of anything else.

    >>> bounds(7), bounds(np.arange(3))
    ((7, 7), (None, None))
    """
    if type(value) is int:
        return value, value
    return (value.lo, value.hi) if type(value) is Pattern else (None, None)


def start(value):
    """The constant part of a formula."""
    return value.c if type(value) is Pattern else value


def strides(value):
    """What a formula grows by along each block and loop axis; axes that are missing have 0."""
    return value.strides if type(value) is Pattern else ()


def table(value):
    """The Table of a formula's part that differs between threads, or None."""
    return value.table if type(value) is Pattern else None


def key(value):
    """What equal formulas have in common, to look them up by."""
    return (value.c, value.strides, value.table) if type(value) is Pattern else value


def space_of(*values):
    """The space of the first Pattern among some values, or None."""
    return next((value.space for value in values if type(value) is Pattern), None)


def is_by_thread(value):
    """Whether threads alone decide a value: a formula that is the same in every block and loop step, of 63 bits."""
    return value >> 63 <= 0 if type(value) is int else type(value) is Pattern and value.only_threads()


def by_thread(value):
    """A value that threads alone decide, as an array of three axes, or of none."""
    return value.thread_array() if type(value) is Pattern else np.int64(value)


def by_lane(index):
    """An index as NumPy computes with it: an int, or an array of six axes."""
    return index.lanes() if type(index) is Pattern else index


def six_axes(index):
    """An index as an array of six axes.

    >>> six_axes(5).shape
    (1, 1, 1, 1, 1, 1)
    """
    return np.full((1,) * 6, index, np.int64) if type(index) is int else by_lane(index)
