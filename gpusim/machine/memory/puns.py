"""The bytes of local arrays: an access that is no single element of the array, as by another type, reads and writes
those of the elements that it overlaps."""

from __future__ import annotations

import numpy as np

from ...errors import CudaUnsupported
from ..values.arithmetic import lanes
from ..values.unknown import Unknown
from .buffers import Pointer


def overlapped(buffer, address, size):
    """The numbers of the elements that `size` bytes from `address` touch."""
    places = enumerate(zip(buffer.offsets, buffer.dtypes))
    return [k for k, (at, kind) in places if at < address + size and address < at + kind.itemsize]


def read(buffer, address, dtype):
    """The value of type `dtype` at a byte address: an int, or an array with an address for each lane."""
    if type(address) is int:
        touched = overlapped(buffer, address, dtype.itemsize)
        first = min([address, *(buffer.offsets[k] for k in touched)])
        end = max(
            [address + dtype.itemsize, *(buffer.offsets[k] + buffer.dtypes[k].itemsize for k in touched)]
        )
        bytes_ = _bytes(buffer, touched, first, end - first)
        bytes_ = bytes_ if type(bytes_) is Unknown else bytes_[address - first :][: dtype.itemsize]
    else:
        bytes_ = _bytes(buffer, range(len(buffer.values)), 0, buffer.nbytes)
        if type(bytes_) is not Unknown:
            rows = address[None] + np.arange(dtype.itemsize, dtype=np.int64).reshape(-1, *(1,) * address.ndim)
            bytes_ = bytes_.reshape(-1, *(bytes_.shape[1:] or (1,) * address.ndim))
            bytes_ = np.take_along_axis(bytes_, rows, axis=0)
    if type(bytes_) is Unknown:
        return bytes_
    value = np.ascontiguousarray(np.moveaxis(bytes_, 0, -1)).view(dtype)[..., 0]
    if value.ndim:
        return value
    return value[()] if dtype.kind == "f" else value.item()


def changed(buffer, address, dtype, value):
    """[(number, its new value)] of the elements that a store of `value` at a byte address (an int) changes."""
    if type(value) is Unknown:
        return [(k, value) for k in overlapped(buffer, address, dtype.itemsize)]
    new, found = _as_bytes(value, dtype), []
    for k in overlapped(buffer, address, dtype.itemsize):
        kind, start = buffer.dtypes[k], buffer.offsets[k]
        old = _bytes(buffer, [k], start, kind.itemsize)
        if type(old) is Unknown:
            found.append((k, old))
            continue
        both = np.broadcast_arrays(old[0], new[0])[0].shape
        bytes_ = np.array(np.broadcast_to(old.reshape(len(old), *_spread(old, both)), (len(old), *both)))
        low, high = max(start, address), min(start + kind.itemsize, address + dtype.itemsize)
        part = new[low - address : high - address]
        bytes_[low - start : high - start] = part.reshape(len(part), *_spread(part, both))
        found.append((k, np.ascontiguousarray(np.moveaxis(bytes_, 0, -1)).view(kind)[..., 0]))
    return found


def _spread(bytes_, shape):
    """The axes of lanes of `bytes_`, as many as `shape` has."""
    return (1,) * (len(shape) - bytes_.ndim + 1) + bytes_.shape[1:]


def _bytes(buffer, numbers, start, count):
    """`count` bytes from `start`, of these elements, as an array (bytes, *lanes); Unknown if one of them is."""
    values = [buffer.values[k] for k in numbers]
    unknown = next((value for value in values if type(value) is Unknown), None)
    if unknown is not None:
        return unknown
    parts = [_as_bytes(value, buffer.dtypes[k]) for k, value in zip(numbers, values)]
    shape = np.broadcast_shapes(*(part.shape[1:] for part in parts))
    whole = np.zeros((count, *shape), np.uint8)
    for k, part in zip(numbers, parts):
        at = buffer.offsets[k] - start
        whole[at : at + len(part)] = part.reshape(len(part), *_spread(part, shape))
    return whole


def _as_bytes(value, dtype):
    """A value as an array (bytes, *lanes)."""
    if isinstance(value, Pointer):
        raise CudaUnsupported("a pointer read or written through another type is not supported")
    value = lanes(value, dtype)
    if isinstance(value, int) and dtype.kind in "iu":
        value = value & (1 << 8 * dtype.itemsize) - 1
        value = np.array(value, f"u{dtype.itemsize}").view(dtype)
    value = np.asarray(value).astype(dtype, order="C")
    return np.moveaxis(value[..., None].view(np.uint8), -1, 0)
