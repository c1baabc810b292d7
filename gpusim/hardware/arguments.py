"""Arguments of a kernel on a real GPU: arrays are copied there, scalars get the type of the signature."""

from __future__ import annotations

import numpy as np

from ..errors import LaunchError

SCALARS = {
    "bool": np.bool_,
    "char": np.int8,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "int8_t": np.int8,
    "uint8_t": np.uint8,
    "short": np.int16,
    "short int": np.int16,
    "unsigned short": np.uint16,
    "int16_t": np.int16,
    "uint16_t": np.uint16,
    "int": np.int32,
    "signed": np.int32,
    "signed int": np.int32,
    "int32_t": np.int32,
    "long": np.int64,
    "long int": np.int64,
    "unsigned": np.uint32,
    "unsigned int": np.uint32,
    "uint32_t": np.uint32,
    "uint": np.uint32,
    "long long": np.int64,
    "long long int": np.int64,
    "int64_t": np.int64,
    "ptrdiff_t": np.int64,
    "ssize_t": np.int64,
    "unsigned long": np.uint64,
    "unsigned long long": np.uint64,
    "unsigned long long int": np.uint64,
    "uint64_t": np.uint64,
    "size_t": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "half": np.float16,
    "__half": np.float16,
}


def typed(kind, value, macros=None):
    """A scalar argument as NumPy scalar of the C type `kind`; a NumPy record (a struct) stays as it is.

    >>> typed("unsigned int", 7), typed("float", 2)
    (np.uint32(7), np.float32(2.0))
    """
    kind = (macros or {}).get(kind, kind)
    if isinstance(value, (np.void, np.ndarray)):
        return value
    dtype = SCALARS.get(" ".join(kind.split()))
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
    return dtype(value)


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
