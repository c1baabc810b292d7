"""Arguments of a kernel on a real GPU: arrays are copied there, scalars get the type of the signature."""

from __future__ import annotations

import numpy as np

from ..ctypes import dtype_of
from ..errors import LaunchError


def typed(kind, value, macros=None):
    """A scalar argument as NumPy scalar of the C type `kind`; a NumPy record (a struct) stays as it is.

    >>> typed("unsigned int", 7), typed("float", 2)
    (np.uint32(7), np.float32(2.0))
    """
    kind = (macros or {}).get(kind, kind)
    if isinstance(value, (np.void, np.ndarray)):
        return value
    dtype = dtype_of(kind)
    if dtype is None:
        if isinstance(value, np.generic):
            return value
        raise LaunchError(
            f"a parameter of type {kind} needs a NumPy scalar or record of that layout, not {value!r}"
        )
    if np.issubdtype(dtype, np.integer) and not np.iinfo(dtype).min <= int(value) <= np.iinfo(dtype).max:
        raise LaunchError(
            f"{value} does not fit a parameter of type {kind} "
            f"({np.iinfo(dtype).min} to {np.iinfo(dtype).max})"
        )
    return dtype.type(value)


def host(value):
    """A NumPy array of a reader's array argument: NumPy, gpusim's device array, or CuPy's."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__cuda_array_interface__"):
        return value.get()
    import gpusim

    return np.asarray(gpusim.asnumpy(value))


def device(cupy, kernel, values, kept=None):
    """Arguments for CuPy, and copies of the arrays among them: ([argument], {place: (array, dtype, shape)}).

    An array that is passed twice is one array on the GPU as well.
    kept : dict that holds copies of arrays which the kernel cannot write, for a next launch with them
    """
    parameters = kernel.parameters
    if len(values) != len(parameters):
        wanted = ", ".join(f"{kind} {'*' * pointer}{name}" for name, kind, pointer in parameters)
        raise LaunchError(f"{kernel.name} takes {len(parameters)} arguments ({wanted}), not {len(values)}")
    arguments, arrays, seen = [], {}, {}
    for place, ((name, kind, pointer), value) in enumerate(zip(parameters, values, strict=True)):
        if not pointer:
            arguments.append(typed(kind, value, kernel.macros))
        elif value is None:
            arguments.append(None)
        else:
            if np.isscalar(value):
                raise LaunchError(
                    f"argument {name} of {kernel.name} is a pointer; an array is needed, not {value!r}"
                )
            store = seen if kept is None or kernel.outputs[place] else kept
            if id(value) not in store:
                store[id(value)] = (
                    value,
                    _copy(cupy, host(value)),
                )  # the value too, so that its id stays taken
            arrays[place] = store[id(value)][1]
            arguments.append(arrays[place][0])
    return arguments, arrays


def fetch(array, dtype, shape):
    """A device copy back as NumPy array of its own type and shape."""
    return array.get().view(dtype).reshape(shape)


def _copy(cupy, array):
    """A device copy; structs travel as bytes, since CuPy has no record types."""
    array = np.ascontiguousarray(array)
    flat = array.reshape(-1)
    return cupy.asarray(flat.view(np.uint8) if array.dtype.names else flat), array.dtype, array.shape
