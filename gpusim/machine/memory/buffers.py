"""Memory: buffers of bytes, pointers into them, and how lanes read and write them.

A pointer is (buffer, byte offset): it remembers the array it came from, so an index past the end is found
even where the next array begins.  Offsets are ints, patterns or arrays of lanes, like any other value.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ...errors import CudaUnsupported, OutOfBounds
from ..values.arithmetic import lanes
from ..values.pattern import Irregular
from ..values.value import is_formula, start, strides, table, unknown_of


class Pointer:
    """A byte offset into a buffer; immutable."""

    __slots__ = ("buffer", "offset")

    def __init__(self, buffer, offset=0):
        self.buffer, self.offset = buffer, offset

    def moved(self, distance):
        """The pointer `distance` bytes further on."""
        return Pointer(self.buffer, self.offset + distance)


class Memory:
    """Bytes (None: only their number is known), with typed views made once; `unset`, `late` : see check.unset."""

    __slots__ = ("data", "views", "unset", "late")

    def __init__(self, data):
        self.data, self.views, self.unset, self.late = data, {}, None, []


class Buffer:
    """A piece of global or constant memory by one name; buffers of the same memory are equal.

    columns : elements in a row, of a matrix, or None
    """

    space, dynamic = "global", False

    def __init__(self, name, nbytes, data=None, columns=None):
        self.name, self.nbytes, self.columns, self.memory = name, nbytes, columns, Memory(data)

    def called(self, name, columns=None):
        """The same memory by another name, as a parameter has for the array that it is given."""
        other = Buffer(name, self.nbytes, columns=columns)
        other.space, other.memory = self.space, self.memory
        return other

    def __eq__(self, other):
        return isinstance(other, Buffer) and other.memory is self.memory

    def __hash__(self):
        return hash(self.memory)

    @property
    def data(self):
        return self.memory.data

    @data.setter
    def data(self, data):
        self.memory.data = data

    def view(self, dtype, width=1):
        """The bytes as elements of `dtype`, in rows of `width` where width > 1."""
        key, memory = (dtype, width), self.memory
        view = memory.views.get(key)
        if view is None:
            whole = memory.data[: self.nbytes - self.nbytes % (dtype.itemsize * width)]
            view = whole.view(dtype)
            view = memory.views[key] = view if width == 1 else view.reshape(-1, width)
        return view


class NoPointer:
    """What a pointer variable holds before it is given a value; a null pointer is None."""

    buffer, offset = None, 0

    def moved(self, distance):
        return self


NOWHERE = NoPointer()


def target(site, pointer):
    """The buffer behind a pointer; an error that says why where there is none."""
    if isinstance(pointer, Pointer):
        return pointer.buffer
    if pointer is None:
        raise OutOfBounds(f"{site.name} is a null pointer", line=site.line, column=site.column)
    if pointer is NOWHERE:
        raise OutOfBounds(f"{site.name} is used before it leads anywhere", line=site.line, column=site.column)
    if unknown_of(pointer) is not None:
        raise Irregular("a pointer that the machine has not followed")
    raise CudaUnsupported(
        f"{site.name} is a pointer that was loaded from memory: only pointers that a kernel gets as arguments, or "
        "makes of them, are supported",
        line=site.line,
        column=site.column,
    )


def stored_target(site, pointer):
    """The buffer of a store, which is not constant memory."""
    buffer = target(site, pointer)
    if buffer.space == "constant":
        raise CudaUnsupported(
            f"a store into {buffer.name}, which lies in constant memory: only the host writes it",
            line=site.line,
            column=site.column,
        )
    return buffer


def atomic_target(site, pointer):
    """The buffer of an atomic, which is global or shared."""
    buffer = target(site, pointer)
    if buffer.space not in ("global", "shared"):
        raise CudaUnsupported(
            f"an atomic on {buffer.name}, which lies in {buffer.space} memory: atomics work on global and shared memory",
            line=site.line,
            column=site.column,
        )
    return buffer


def element(site, pointer, index):
    """The index of the accessed element, counted from the start of the buffer in units of the access's size.

    Raises OutOfBounds (as a misaligned address) if the address is no multiple of the size.
    """
    offset = pointer.offset
    if type(offset) is int and site.step is not None:
        whole, rest = divmod(offset + site.displacement, site.size)
        if rest == 0:
            if type(index) is np.ndarray:
                index = index.astype(np.int64, copy=False)
            if site.step != 1:
                index = index * site.step
            return index + whole if whole else index
    if type(index) is np.ndarray:
        index = index.astype(np.int64, copy=False)
    address = offset + index * site.stride + site.displacement
    check_alignment(site, address)
    return address // site.size


def check_alignment(site, address):
    """Refuse an address that is no multiple of the access's size."""
    size = site.size
    if unknown_of(address) is not None:
        return
    if is_formula(address):  # the constant part may make up for the table's
        own = 0 if table(address) is None else table(address).array
        wrong = any(s % size for s in strides(address)) or np.any((own + start(address)) % size)
    else:
        wrong = (address % size).any()
    if wrong:
        raise Misaligned(site, address)


class Misaligned(OutOfBounds):
    """An address that is no multiple of the size of the access."""

    def __init__(self, site, address):
        first = address if type(address) is int else None
        where = f"byte {first}" if first is not None else "an address"
        super().__init__(
            f"misaligned address: {where} of {site.name} for an access of {site.size} bytes, "
            f"which must start at a multiple of {site.size}",
            line=site.line,
            column=site.column,
        )


class SharedBuffer:
    """One __shared__ array: a copy for each block, kept once along the block axes on which the copies still
    agree.

    dynamic : whether the launch says how much there is
    `cells` has shape (Bz, By, Bx, n) with an extent of 1 along such an axis.
    """

    space, columns = "shared", None

    def __init__(self, name, nbytes, fill, dynamic=False):
        self.name, self.nbytes, self.dynamic = name, nbytes, dynamic
        self.cells = fill.reshape(1, 1, 1, -1)  # uint8

    def view(self, dtype, width=1):
        whole = self.nbytes - self.nbytes % (dtype.itemsize * width)
        view = self.cells[..., :whole].view(dtype)
        return view if width == 1 else view.reshape(*view.shape[:3], -1, width)

    def grow(self, blocks):
        """Give each block its own copy along the axes where `blocks` (Bz, By, Bx) asks for it."""
        shape = np.broadcast_shapes(self.cells.shape[:3], blocks)
        if shape != self.cells.shape[:3]:
            self.cells = np.ascontiguousarray(np.broadcast_to(self.cells, (*shape, self.nbytes)))


def layout(dtype, start=0):
    """[(offset, dtype)] of the scalars in a structured dtype, in order.

    >>> layout(np.dtype([("a", "i1"), ("b", "f4", 2)], align=True))
    [(0, dtype('int8')), (4, dtype('float32')), (8, dtype('float32'))]
    """
    if dtype.subdtype:
        base, shape = dtype.subdtype
        places = range(start, start + math.prod(shape) * base.itemsize, base.itemsize)
        return [part for place in places for part in layout(base, place)]
    if dtype.fields:
        fields = sorted(dtype.fields.values(), key=lambda field: field[1])
        return [part for kind, offset, *_ in fields for part in layout(kind, start + offset)]
    return [(start, dtype)]


class LocalBuffer:
    """An array in the registers of each thread: one value for each element, of any kind.

    dtype : of the elements, or a structured one where they differ;  offsets, dtypes : of each element
    """

    space, columns, dynamic = "local", None, False

    def __init__(self, name, dtype, values):
        self.name, self.dtype, self.values, self.unset = name, dtype, values, None

    @cached_property
    def _layout(self):
        if self.dtype.names is None and self.dtype.subdtype is None:
            return [(k * self.dtype.itemsize, self.dtype) for k in range(len(self.values))]
        return layout(self.dtype)

    @cached_property
    def offsets(self):
        return [offset for offset, _ in self._layout]

    @cached_property
    def dtypes(self):
        return [dtype for _, dtype in self._layout]

    @property
    def nbytes(self):
        plain = self.dtype.names is None and self.dtype.subdtype is None
        return self.dtype.itemsize * (len(self.values) if plain else 1)

    def element_at(self, address, dtype):
        """The number of the element of this type at a byte address, or None."""
        if self.dtype == dtype:
            return address // dtype.itemsize
        k = self._numbers.get(address)
        return k if k is not None and self.dtypes[k] == dtype else None

    @cached_property
    def _numbers(self):
        return {offset: k for k, offset in enumerate(self.offsets)}

    def like(self, values):
        """A buffer with the same elements and other values."""
        return LocalBuffer(self.name, self.dtype, values)

    def get(self, index):
        """The element at an int or pattern index, for all lanes."""
        if type(index) is int:
            return self.values[index]
        if any(isinstance(value, Pointer) for value in self.values):
            return self._pointers(index)
        stack = self.stacked()
        return stack.take(index) if stack.ndim == 1 else np.take_along_axis(stack, index[None], axis=0)[0]

    def _pointers(self, index):
        """What lanes choose among the pointers of an array: all lead into one buffer."""
        buffers = {id(getattr(value, "buffer", None)): value for value in self.values}
        if len(buffers) > 1:
            raise CudaUnsupported(
                f"each thread chooses among the pointers in {self.name}, which lead into several arrays: that does "
                "not run here",
                hint="choose the value, not the pointer: i ? a[0] : b[0]",
            )
        offsets = LocalBuffer(self.name, np.dtype(np.int64), [value.offset for value in self.values])
        return Pointer(next(iter(buffers.values())).buffer, offsets.get(index))

    def stacked(self):
        """All elements as an array (count, *lanes)."""
        arrays = [np.asarray(lanes(x, self.dtype), self.dtype) for x in self.values]
        return np.stack(np.broadcast_arrays(*arrays))
