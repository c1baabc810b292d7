"""What a Python kernel hands to `t`: indices, values and conditions, refused with a sentence where they are none."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np

from ..errors import LaunchError
from ..inputs import shown
from .values.arithmetic import Unknown
from .values.conditions import Condition, Logic
from .values.pattern import Pattern

BY_LANE = (Pattern, Unknown)


def index_of(array, index):
    """Refuse what is no whole number, or no tuple of as many as the array has axes."""
    for part in index if isinstance(index, tuple) else (index,):
        numbers = isinstance(part, np.ndarray) and part.dtype.kind in "iu"
        if isinstance(part, bool) or not (numbers or isinstance(part, (Integral, *BY_LANE))):
            raise LaunchError(
                f"an index of {array.name} is a whole number for each thread; got {shown(part)}"
            )


def value_of(array, value, width):
    """Refuse what is no number, or no list of as many as an access moves."""
    parts = [value] if width == 1 else value
    if not isinstance(parts, (list, tuple)) or len(parts) != width:
        raise LaunchError(f"a store of vec={width} takes a list of {width} values; got {shown(value)}")
    for part in parts:
        numbers = isinstance(part, (np.ndarray, np.generic)) and part.dtype.kind in "biuf"
        if not (numbers or isinstance(part, (Real, Condition, Logic, *BY_LANE)) or array.dtype.names):
            raise LaunchError(f"a value for {array.name} is a number for each thread; got {shown(part)}")


def width_of(array, width):
    """Refuse a number of neighbours that no instruction moves."""
    if width not in (1, 2, 4) or (width > 1 and width * array.dtype.itemsize > 16):
        raise LaunchError(
            f"vec is 1, 2 or 4, at most 16 bytes together; got {shown(width)} of {array.dtype.itemsize} bytes"
        )


def condition_of(condition):
    """A condition as it is; LaunchError for anything that is neither true nor false."""
    yes_or_no = isinstance(condition, (np.ndarray, np.bool_)) and condition.dtype == bool
    if not (yes_or_no or isinstance(condition, (bool, Condition, Logic, Unknown))):
        raise LaunchError(f"a condition compares values, as in i < n; got {shown(condition)}")
    return condition


def check_shared(machine, nbytes):
    """LaunchError for shared memory that the card does not have."""
    gpu, had = machine.launch.gpu, sum(buffer.nbytes for buffer in machine.shared_buffers.values())
    if nbytes > gpu.shared_per_block_optin or had > gpu.shared_per_block_optin:
        raise LaunchError(
            f"the block asks for {max(had, nbytes):,} bytes of shared memory; {gpu.name} allows at most "
            f"{gpu.shared_per_block_optin:,}"
        )
