"""Who takes part: masks of the lanes machine are True (all), False (none) or six-axis boolean arrays."""

from __future__ import annotations

import numpy as np

from ...errors import CudaUnsupported
from ..memory.buffers import NOWHERE, Pointer
from ..values.arithmetic import lanes, truth
from ..values.space import settle
from ..values.value import unknown_of

INDEX = np.dtype(np.int64)


def split(m, site, mask, condition):
    """The lanes of `mask` for which the condition holds, and those for which it does not."""
    condition = _certain(m, site, condition)
    if condition is True or condition is False:
        sides = (mask, False) if condition else (False, mask)
    else:
        sides = settle(mask & condition), settle(mask & ~condition)
    if m.counter is not None:
        m.counter.branch(m.space, site, mask, sides[0])
    return sides


def _certain(m, site, condition):
    """A condition as True, False or a boolean array; without data, one that a load decides cannot be counted."""
    if unknown_of(condition) is not None:
        raise m.launch.not_countable(site, condition)
    return truth(condition)


def meet(m, mask, condition):
    """The lanes of `mask` for which the condition holds; not counted as a branch."""
    condition = _certain(m, None, condition)
    if condition is True:
        return mask
    return False if condition is False else settle(mask & condition)


def loop(m, site, mask, condition):
    """The lanes that go round once more."""
    m.progress.step(m, site, mask)
    condition = _certain(m, site, condition)
    if condition is True or condition is False:
        going = mask if condition else False
    else:
        going = settle(mask & condition)
    if m.counter is not None:
        m.counter.branch(m.space, site, mask, going)
    return going


def arith(m, site, mask):
    """Count a statement's arithmetic on data."""
    if m.counter is not None:
        m.counter.arith(m.space, site, mask)


def without(mask, gone):
    """`mask` less the lanes that are gone."""
    if gone is False or mask is False:
        return mask
    return False if gone is True else settle(mask & ~gone)


def join(a, b):
    """Lanes of either mask."""
    if a is False or b is True:
        return b
    return a if b is False or a is True else settle(a | b)


def merge(mask, new, old, dtype):
    """A variable after an assignment by the lanes of `mask`."""
    if mask is True or old is None:
        return new
    unknown = unknown_of(new, old)
    if unknown is not None:
        return unknown
    return np.where(mask, lanes(new, dtype), lanes(old, dtype)).astype(dtype, copy=False)


def merge_pointer(mask, new, old):
    """A pointer variable after an assignment by the lanes of `mask`."""
    if mask is True or old is NOWHERE or new is old:
        return new
    if new is NOWHERE:
        return old
    if new is None or old is None:
        raise null_for_some()
    if new.buffer == old.buffer:
        return Pointer(new.buffer, merge(mask, new.offset, old.offset, INDEX))
    raise different_arrays()


def null_for_some():
    """The refusal of a pointer that is null here and there."""
    return CudaUnsupported(
        "a pointer that is null in some threads and not in others is not supported",
        hint="keep a flag beside the pointer",
    )


def different_arrays():
    """The refusal of a pointer that is no longer one."""
    return CudaUnsupported(
        "a pointer that leads to different arrays in different threads is not supported",
        hint="keep one pointer for each array and choose between the loaded values",
    )
