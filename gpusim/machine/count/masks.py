"""Who takes part, counted at once for all blocks and loop steps: masks are True, False or Pieces."""

from __future__ import annotations

import math

import numpy as np

from ..memory.buffers import NOWHERE, Pointer
from ..values.pattern import Irregular
from ..values.unknown import UNKNOWN
from ..values.value import by_thread, is_by_thread, unknown_of
from .counting import count_branch, population
from .regions import Pieces, evaluate, items_of, subtract, unite, volume


def split(m, site, mask, condition):
    """The pieces of `mask` for which the condition holds, and those for which it does not."""
    yes, no = _sides(m, site, mask, condition)
    count_branch(m, site, mask, yes, no)
    return yes, no


def meet(m, mask, condition):
    """The pieces of `mask` for which the condition holds; not counted as a branch."""
    return _sides(m, None, mask, condition)[0]


def loop(m, site, mask, condition):
    """The pieces that go round once more."""
    m.progress.step(m, site, mask)
    yes, no = _sides(m, site, mask, condition)
    count_branch(m, site, mask, yes, no)
    return yes


def _sides(m, site, mask, condition):
    if unknown_of(condition) is not None:
        if condition.site is not None:
            raise m.launch.not_countable(site, condition)
        raise Irregular("a branch on a value that the machine has not followed")
    if condition is True or condition is False or isinstance(condition, np.bool_):
        return (mask, False) if condition else (False, mask)
    yes, no = evaluate(m.space, items_of(mask), condition)
    if not yes or not no:
        return (mask, False) if yes else (False, mask)
    return Pieces(yes), Pieces(no)


def without(m, mask, gone):
    """`mask` less those that are gone."""
    if gone is False or mask is False:
        return mask
    if gone is True:
        return False
    left = subtract(m.space, items_of(mask), items_of(gone))
    return Pieces(left) if left else False


def join(m, a, b):
    """The pieces of either mask."""
    if a is False or b is True:
        return b
    if b is False or a is True:
        return a
    items = unite(m.space, a.items, b.items)
    lanes = sum(volume(m.space, box) * population(m.space, threads)[1] for box, threads in items)
    return True if lanes == math.prod(m.space.extents) * m.space.thread_count else Pieces(items)


def merge(m, mask, new, old, dtype):
    """A variable after an assignment by those of `mask`; a value that must not reach an address where they differ
    by more than the thread."""
    if mask is True or old is None:
        return new
    if new is old or (type(new) is type(old) is int and new == old):
        return new
    unknown = unknown_of(new, old)
    if unknown is not None:
        return unknown
    items = mask.items
    threads = items[0][1] if len(items) == 1 and not items[0][0] else None
    plain = threads is not None and is_by_thread(new) and is_by_thread(old)
    if plain and np.dtype(dtype).kind in "iu":
        return m.space.thread_value(np.where(threads.array, by_thread(new), by_thread(old)))
    return UNKNOWN


def merge_pointer(m, mask, new, old):
    """The same for a pointer."""
    if mask is True or old is NOWHERE or new is old:
        return new
    if new is not None and old is not None and new.buffer == old.buffer:
        return Pointer(new.buffer, merge(m, mask, new.offset, old.offset, np.int64))
    raise Irregular("a pointer that leads to different arrays in different threads")
