"""Elements: the shapes and types that an array in a GPU's memory may have, and NumPy arrays made to fit."""

from __future__ import annotations

import os

import numpy as np

from ...ctypes import NAMES
from ...inputs import shown, whole

MOST_AXES = 32
ALLOWED = "numbers (np.float32, np.int32, ...; no complex ones) or structs of numbers"


def shape_of(shape) -> tuple:
    """The shape of an array: an int, or a tuple or list of ints from 0 up.

    >>> shape_of(3), shape_of((2, 3))
    ((3,), (2, 3))
    """
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for size in sizes:
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            raise TypeError(f"a shape is a whole number or a tuple of them; got {shown(shape)}")
    if len(sizes) > MOST_AXES:
        raise ValueError(f"an array has at most {MOST_AXES} axes; the shape has {len(sizes)}")
    return tuple(whole("each size of a shape", int(size), error=ValueError) for size in sizes)


def type_of(dtype) -> np.dtype:
    """The type of an array's elements, in this machine's byte order; TypeError for what no GPU holds.

    >>> type_of("float32"), type_of(">f4")
    (dtype('float32'), dtype('float32'))
    """
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):
        raise TypeError(f"no type of elements is called {shown(dtype)}; a GPU holds {ALLOWED}") from None
    if not _fits(found):
        raise TypeError(f"a GPU holds {ALLOWED}; got the type {found}")
    return found if found.isnative else found.newbyteorder("=")


def _fits(dtype):
    """Whether CUDA C has this type: numbers of its sizes, and structs and fixed arrays of them."""
    if dtype.subdtype is not None:
        return _fits(dtype.subdtype[0])
    if dtype.fields:
        return all(_fits(field[0]) for field in dtype.fields.values())
    return dtype.newbyteorder("=") in NAMES


def host_array(array, dtype=None, what="the array") -> np.ndarray:
    """A NumPy array, laid out row by row, of elements that a GPU holds.

    array : anything NumPy takes; dtype : the type wanted, or None for its own
    Raises TypeError for texts and objects, ValueError for rows of unequal length and numbers that do not fit.
    """
    wanted = None if dtype is None else type_of(dtype)
    try:
        with np.errstate(invalid="raise", over="raise"):
            found = np.asarray(array)
            if found.dtype.names is None and not _fits(found.dtype):
                raise TypeError
            wanted = wanted or type_of(found.dtype)
            cast = np.ascontiguousarray(found, wanted).reshape(found.shape)
            if (
                found is not array
                and wanted.kind in "iu"
                and found.dtype.kind in "iu"
                and (cast != found).any()
            ):
                raise OverflowError
            return cast
    except (FloatingPointError, OverflowError):
        raise ValueError(f"{what} holds a number that {wanted} cannot hold") from None
    except MemoryError:
        raise _too_large(np.size(array) * np.dtype(wanted or float).itemsize) from None
    except ValueError as error:
        ragged = "inhomogeneous" in str(error)
        said = "its rows have different lengths" if ragged else f"got {shown(array)}"
        raise ValueError(f"{what} is no array of {wanted or 'numbers'}: {said}") from None
    except TypeError:
        raise TypeError(f"{what} holds {ALLOWED}; got {shown(array)}") from None


def check_memory(shape, dtype, bytes_each=1):
    """ValueError for an array that this computer's memory cannot hold; bytes_each : kept for each of its."""
    nbytes = dtype.itemsize * bytes_each
    for size in shape:
        nbytes *= size
    if nbytes > memory_here():
        raise _too_large(nbytes)


def memory_here() -> int:
    """Bytes of memory of this computer, or the most that NumPy can address where that is not known.

    GPUSIM_MEMORY, where it is set, says how many: a page in a browser takes no more than its part.
    """
    if "GPUSIM_MEMORY" in os.environ:
        return int(os.environ["GPUSIM_MEMORY"])
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 40


def _too_large(nbytes):
    return ValueError(
        f"the array takes {nbytes:,} bytes, more than {_whose()}: "
        "gs.spec gives gs.count a shape without data, of any size"
    )


def _whose() -> str:
    given = os.environ.get("GPUSIM_MEMORY")
    return f"the {int(given):,} that arrays may take here" if given else "this computer's memory"
