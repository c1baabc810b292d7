"""Device arrays: what `gs.asarray` and its kin give; as in CuPy, the host cannot look inside without copying
back."""

from __future__ import annotations

import numpy as np

from ..errors import HostAccessError
from .memory import Buffer, Pointer


class DeviceArray:
    """An array in the simulated GPU's memory: shape and dtype, and a pointer to its first element.

    `a[100:]` is a view, a pointer with an offset; `gs.asnumpy(a)` copies it to the host.
    """

    def __init__(self, buffer, dtype, shape, offset=0):
        self.buffer, self.dtype, self.shape, self.offset = buffer, np.dtype(dtype), tuple(shape), offset

    @property
    def size(self):
        """Number of elements."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def name(self):
        """What reports call the array: the name of the parameter that it was last passed to."""
        return self.buffer.name

    def pointer(self):
        """A pointer to the first element."""
        return Pointer(self.buffer, self.offset)

    def _refuse(self, what):
        raise HostAccessError(
            f"{what} happens on the host, but the array lives in the GPU's memory",
            hint="copy it back with gs.asnumpy(array), or read it in a kernel",
        )

    def __getitem__(self, index):
        if not isinstance(index, slice) or index.step not in (None, 1) or index.stop is not None:
            self._refuse("reading an element of a device array")
        start = index.start or 0
        start = start + self.shape[0] if start < 0 else start
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
        return self.shape[0]

    def __bool__(self):
        self._refuse("testing a device array")

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
    host = np.ascontiguousarray(asnumpy(array) if isinstance(array, DeviceArray) else array, dtype=dtype)
    if host.dtype.hasobject:
        raise TypeError(
            f"a GPU holds numbers and structs of numbers, not Python objects (dtype {host.dtype})"
        )
    return DeviceArray(
        Buffer(
            "array",
            host.nbytes,
            host.reshape(-1).view(np.uint8).copy() if host.nbytes else np.zeros(0, np.uint8),
        ),
        host.dtype,
        np.shape(array),
    )


def asnumpy(array):
    """Copy a device array back to the host.

    >>> asnumpy(zeros(2, np.int32))
    array([0, 0], dtype=int32)
    """
    if not isinstance(array, DeviceArray):
        return np.asarray(array)
    if array.buffer.data is None:
        raise HostAccessError("gs.spec gives a shape without data: there is nothing to copy back")
    raw = array.buffer.data[array.offset : array.offset + array.nbytes]
    return raw.copy().view(array.dtype).reshape(array.shape)


def full(shape, value, dtype=None):
    """A device array filled with one value."""
    return asarray(np.full(shape, value, dtype))


def zeros(shape, dtype=np.float64):
    """A device array of zeros (float64 unless told, as in NumPy and CuPy)."""
    return asarray(np.zeros(shape, dtype))


def empty(shape, dtype=np.float64):
    """A device array that nobody has set: its bytes read as NaN, and reading them is reported."""
    array = zeros(shape, dtype)
    array.buffer.data[:] = 0xFF
    array.buffer.unset = np.ones(array.buffer.nbytes, bool)
    return array


def spec(shape, dtype=np.float32):
    """The shape and dtype of an array without its data, for `gs.count`.

    >>> spec((8192, 8192)).nbytes
    268435456
    """
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    dtype = np.dtype(dtype)
    return DeviceArray(Buffer("array", int(np.prod(shape, dtype=object)) * dtype.itemsize), dtype, shape)
