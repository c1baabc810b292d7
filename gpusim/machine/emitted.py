"""The names that emitted code uses beside the machine's verbs: C's operators on values of any kind."""

from __future__ import annotations

import numpy as np

from ..cuda.tree.fold import COMPARE
from ..errors import CudaUnsupported
from .memory.buffers import NOWHERE, Pointer
from .values import arithmetic as values
from .values.conditions import Condition
from .values.functions import OPERATIONS, function
from .values.outer import times

NAMES = (
    "i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 to_bool both either opposite divide remainder shift_left shift_right "
    "select"
).split()


def any_of(*conditions):
    """Conditions joined by ||."""
    result = False
    for condition in conditions:
        result = values.either(result, condition)
    return result


def all_of(*conditions):
    """Conditions joined by &&."""
    result = True
    for condition in conditions:
        result = values.both(result, condition)
    return result


def compare_pointers(a, b, op):
    """a op b for pointers; null is None, pointers into different arrays are only ever unequal."""
    if a is None or b is None or a.buffer != b.buffer:
        return {"==": a is b, "!=": a is not b}.get(op, False)
    return COMPARE[op](a.offset, b.offset)


def pointer_difference(a, b, size):
    """a - b in elements of `size` bytes."""
    return (a.offset - b.offset) // size


def pointer_number(pointer):
    """A pointer as an integer: its offset in its own array, which starts at a multiple of 256 bytes."""
    return 0 if pointer is None else pointer.offset


def choose_pointer(condition, a, b):
    """condition ? a : b for pointers."""
    condition = (
        values.truth(condition)
        if not isinstance(condition, Condition) or not condition.space.symbolic
        else condition
    )
    if condition is True or condition is False:
        return a if condition else b
    if a is not None and b is not None and a.buffer == b.buffer:
        return Pointer(a.buffer, values.select(condition, a.offset, b.offset, np.dtype(np.int64)))
    raise CudaUnsupported(
        "a pointer that leads to different arrays in different threads is not supported",
        hint="choose between the loaded values instead",
    )


HELPERS = {name: getattr(values, name) for name in NAMES} | {
    "UNKNOWN": values.Unknown(None),
    "NOWHERE": NOWHERE,
    "times": times,
    "any_of": any_of,
    "all_of": all_of,
    "compare_pointers": compare_pointers,
    "pointer_difference": pointer_difference,
    "pointer_number": pointer_number,
    "choose_pointer": choose_pointer,
}


def made(emitted, name, file):
    """The Python function of an Emitted kernel.  Raises CudaUnsupported where it calls what no NumPy function does."""
    names = {**HELPERS, **emitted.constants}
    for called, (operation, dtypes) in emitted.functions.items():
        if operation not in OPERATIONS:
            raise CudaUnsupported(f"the function {operation} is not supported", file=file)
        names[called] = function(operation, tuple(d.type for d in dtypes))
    exec(compile(emitted.source, f"<{name}>", "exec"), names)
    return names["kernel"]
