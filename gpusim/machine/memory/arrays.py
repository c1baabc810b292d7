"""Device arrays: what `gs.asarray` and its kin give; as in CuPy, the host cannot look inside without copying
back."""

from __future__ import annotations

import math

import numpy as np

from ...errors import HostAccessError, LaunchError
from ...inputs import shown
from .buffers import Buffer, Pointer
from .elements import check_memory, host_array, shape_of, type_of


class DeviceArray:
    """An array in the simulated GPU's memory: shape and dtype, and a pointer to its first element.

    `a[100:]` is a view, a pointer with an offset; `gs.asnumpy(a)` copies it to the host.
    """

    def __init__(self, buffer, dtype, shape, offset=0):
        self.buffer, self.dtype, self.shape, self.offset = buffer, np.dtype(dtype), tuple(shape), offset

    @property
    def size(self):
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def ndim(self):
        return len(self.shape)

    def pointer(self, name):
        """A pointer to the first element, for a parameter of this name: so messages call the array."""
        return Pointer(self.buffer.called(name, self.shape[-1] if self.ndim > 1 else None), self.offset)

    def _refuse(self, what):
        raise HostAccessError(
            f"{what} happens on the host; the array lives in the GPU's memory",
            hint="copy it back with gs.asnumpy(array), or read it in a kernel",
        )

    def __getitem__(self, index):
        if not isinstance(index, slice) or index.step not in (None, 1) or index.stop is not None:
            self._refuse("reading an element of a device array")
        if not self.shape:
            raise IndexError("a single number has no rows that a view could start at")
        start = 0 if index.start is None else index.start
        if isinstance(start, bool) or not hasattr(start, "__index__"):
            raise TypeError(f"a view starts at a whole number; got {shown(start)}")
        start = int(start) + (self.shape[0] if start < 0 else 0)
        if not 0 <= start <= self.shape[0]:
            raise IndexError(f"a view cannot start at {index.start}: the array has {self.shape[0]} rows")
        row = self.nbytes // max(1, self.shape[0])
        return DeviceArray(
            self.buffer, self.dtype, (self.shape[0] - start, *self.shape[1:]), self.offset + start * row
        )

    def __setitem__(self, index, value):
        self._refuse("writing an element of a device array")

    def __iter__(self):
        self._refuse("iterating over a device array")

    def __array__(self, *_, **__):
        self._refuse("turning a device array into a NumPy array")

    def __len__(self):
        if not self.shape:
            raise TypeError("a single number has no len()")
        return self.shape[0]

    def __bool__(self):
        self._refuse("testing a device array")

    __hash__ = object.__hash__

    def get(self):
        """The same as gs.asnumpy(array)."""
        return asnumpy(self)

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype})"


def asarray(array, dtype=None):
    """Copy an array to the simulated GPU.

    array : anything NumPy takes; structured dtypes are C structs

    >>> asarray([1, 2, 3], np.float32)
    DeviceArray(shape=(3,), dtype=float32)
    """
    host = host_array(asnumpy(array) if isinstance(array, DeviceArray) else array, dtype)
    raw = host.reshape(-1).view(np.uint8).copy() if host.nbytes else np.zeros(0, np.uint8)
    return DeviceArray(Buffer("array", host.nbytes, raw), host.dtype, np.shape(array))


def asnumpy(array):
    """Copy a device array back to the host.

    >>> asnumpy(zeros(2, np.int32))
    array([0, 0], dtype=int32)
    """
    if not isinstance(array, DeviceArray):
        return array if isinstance(array, np.ndarray) else host_array(array)
    if array.buffer.data is None:
        raise HostAccessError("gs.spec gives a shape without data: there is nothing to copy back")
    raw = array.buffer.data[array.offset : array.offset + array.nbytes]
    return raw.copy().view(array.dtype).reshape(array.shape)


def check_data(arguments):
    """LaunchError if one of these is a shape without data."""
    for value in arguments:
        if isinstance(value, DeviceArray) and value.buffer.data is None:
            raise LaunchError(
                "gs.spec gives a shape without data: a run needs data",
                hint="gs.count(kernel, grid, block, ...) counts without; gs.asarray and gs.zeros have data",
            )


def full(shape, value, dtype=None):
    """A device array filled with one value, a number (or a record of a structured dtype)."""
    shape, value = shape_of(shape), host_array(value, what="the value")
    dtype = value.dtype if dtype is None else type_of(dtype)
    check_memory(shape, dtype, 2)
    cast = host_array(value, dtype, "the value")
    if dtype.kind in "iu" and (cast != value).any():
        raise ValueError(f"the value {value} is none that {dtype} can hold")
    try:
        return asarray(np.full(shape, cast, dtype))
    except ValueError:
        raise ValueError(f"the value has shape {value.shape}: it does not fill an array of {shape}") from None


def zeros(shape, dtype=np.float64):
    """A device array of zeros (float64 unless told, as in NumPy and CuPy)."""
    array = spec(shape, dtype)
    check_memory(array.shape, array.dtype)
    array.buffer.data = np.zeros(array.nbytes, np.uint8)
    return array


def empty(shape, dtype=np.float64):
    """A device array that nobody has set: its bytes read as NaN, and reading them is reported."""
    array = spec(shape, dtype)
    check_memory(array.shape, array.dtype, 2)
    array.buffer.data = np.full(array.nbytes, 0xFF, np.uint8)
    array.buffer.memory.unset = np.ones(array.nbytes, bool)
    return array


def spec(shape, dtype=np.float32):
    """The shape and dtype of an array without its data, for `gs.count`, which takes it for an array of its own
    in each parameter.

    >>> spec((8192, 8192)).nbytes
    268435456
    """
    shape, dtype = shape_of(shape), type_of(dtype)
    return DeviceArray(Buffer("array", math.prod(shape) * dtype.itemsize), dtype, shape)


def spec_like(array):
    """Another array of its own with the shape, the dtype and the place in its buffer of one without data."""
    return DeviceArray(Buffer("array", array.buffer.nbytes), array.dtype, array.shape, array.offset)


def _on_the_host(name):
    def refuse(self, *_):
        self._refuse(f"{name} of a device array")

    return refuse


for _name in "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor".split():
    for _form in (f"__{_name}__", f"__r{_name}__", f"__i{_name}__"):
        setattr(DeviceArray, _form, _on_the_host("arithmetic"))
for _name in "eq ne lt le gt ge".split():
    setattr(DeviceArray, f"__{_name}__", _on_the_host("comparing elements"))
for _name in "neg abs invert float int".split():
    setattr(DeviceArray, f"__{_name}__", _on_the_host("arithmetic"))
