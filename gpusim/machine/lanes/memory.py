"""Memory of the lanes machine: pointers to what a kernel declares, loads and stores."""

from __future__ import annotations

import numpy as np

from ..memory.buffers import Pointer, SharedBuffer, element, stored_target, target
from ..memory.moves import read, read_shared, write, write_shared
from ..values.arithmetic import Unknown, lanes
from .bounds import inside
from .local import load_local, store_local


def special(m, name):
    """threadIdx.x and its kin."""
    return m.space.variables[name]


def shared(m, name, nbytes):
    """A pointer to the block's __shared__ array `name`, filled at first with bytes that read as NaN."""
    return _shared(m, name, nbytes, dynamic=False)


def _shared(m, name, nbytes, dynamic):
    buffer = m.shared_buffers.get(name)
    if buffer is None:
        unset = np.full(nbytes, 0xFF, np.uint8)
        buffer = m.shared_buffers[name] = SharedBuffer(name[0], nbytes, unset, dynamic)
    return Pointer(buffer)


def dynamic(m, name):
    """A pointer to the block's dynamic shared memory: all such arrays of a text are one."""
    return _shared(m, (name, "dynamic"), m.launch.shared_bytes, dynamic=True)


def variable(m, name):
    """A pointer to a __constant__ or __device__ variable."""
    return m.launch.variable(name)


def load(m, site, pointer, index, mask):
    """What the lanes of `mask` read; a list of components for vector types."""
    buffer = target(site, pointer)
    if buffer.space == "local":
        return load_local(m, site, pointer, index, mask)
    asked = mask
    at, mask = inside(m, site, buffer, element(site, pointer, index), mask)
    if mask is False:
        return _components(site, site.dtype.type(0))
    if m.counter is not None:
        m.counter.access(m.space, site, buffer, "load", at, mask)
    if m.checks is not None:
        m.checks.access(m, site, buffer, "load", at, mask)
    if m.dataless:
        return _components(site, Unknown(site))
    view = buffer.view(site.dtype, site.width)
    gather = read_shared if buffer.space == "shared" else read
    value = gather(m.space, view, at, mask)
    if mask is not asked:  # lanes that missed the array read 0
        value = np.where(mask[..., None] if site.width > 1 else mask, value, np.zeros((), view.dtype))
    return _components(site, value)


def _components(site, value):
    if site.width > 1:
        return [_scalar(value[..., part]) if np.ndim(value) else value for part in range(site.width)]
    return _scalar(value)


def _scalar(value):
    """A NumPy integer as a Python int, a NumPy bool as a bool; arrays and floats as they are."""
    if isinstance(value, np.ndarray) and value.ndim:
        return value
    if isinstance(value, np.integer):
        return int(value)
    return bool(value) if isinstance(value, np.bool_) else value


def store(m, site, pointer, index, value, mask):
    """Write for the lanes of `mask`; value is a list for vector types."""
    buffer = stored_target(site, pointer)
    if buffer.space == "local":
        return store_local(m, site, pointer, index, value, mask)
    at, mask = inside(m, site, buffer, element(site, pointer, index), mask)
    if mask is False:
        return
    if m.counter is not None and buffer.space != "constant":
        m.counter.access(m.space, site, buffer, "store", at, mask)
    if m.dataless:
        return
    value = _row(site, value)
    if m.checks is not None:
        m.checks.access(m, site, buffer, "store", at, mask, value)
    if buffer.space != "shared":
        write(m.space, buffer.view(site.dtype, site.width), at, value, mask)
    else:
        write_shared(m.space, buffer, site.dtype, site.width, at, value, mask)


def _row(site, value):
    if site.width == 1:
        return lanes(value, site.dtype)
    parts = [np.asarray(lanes(part, site.dtype), site.dtype) for part in value]
    parts = [part if part.ndim else part.reshape((1,) * 6) for part in parts]
    return np.stack(np.broadcast_arrays(*parts), axis=-1)
