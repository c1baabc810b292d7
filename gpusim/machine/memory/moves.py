"""Moves: how lanes read and write the bytes of buffers.

`where` is True or a six-axis boolean array: the lanes that take part; an index is an int, a Pattern or an array.
"""

from __future__ import annotations

import numpy as np

from ..values.value import bounds, by_lane, by_thread, is_by_thread


def read(space, view, index, where):
    """Gather view[index] for the lanes `where`; other lanes get some value.  Bounds are the caller's
    business."""
    if type(index) is int:
        return view[index].copy()  # a row of several words would go on following the memory
    low, high = bounds(index)
    if low is not None and low >= 0 and high < len(view):
        return view[low:].take(space.offsets(index), axis=0)
    lanes = by_lane(index)
    if where is not True:
        lanes = np.where(where, lanes, 0)
    return view.take(lanes, axis=0)


def write(space, view, index, value, where):
    """view[index] = value for the lanes `where`; of several lanes that write one element, the last one
    wins."""
    if type(index) is int:
        view[index] = last(value, where, view.ndim - 1)
        return
    lanes = by_lane(index)
    if where is True:
        shape = np.broadcast_shapes(lanes.shape, np.shape(value)[:6] if np.ndim(value) else ())
        view[np.broadcast_to(lanes, shape)] = value
        return
    shape = np.broadcast_shapes(lanes.shape, where.shape, np.shape(value)[:6] if np.ndim(value) else ())
    where = np.broadcast_to(where, shape)
    if np.ndim(value):
        value = np.broadcast_to(value, shape + np.shape(value)[6:])[where]
    view[np.broadcast_to(lanes, shape)[where]] = value


def last(value, where, row_axes):
    """What the last of the lanes `where` holds."""
    if np.ndim(value) <= row_axes:
        return value
    if where is True:
        return value.reshape(-1, *value.shape[6:])[-1]
    shape = np.broadcast_shapes(where.shape, value.shape[:6])
    return np.broadcast_to(value, shape + value.shape[6:])[np.broadcast_to(where, shape)][-1]


def read_shared(space, view, index, where):
    """Gather from each block's copy; index as in `read`."""
    if type(index) is int and space.packed is None:
        return view[:, :, :, index].copy().reshape(*view.shape[:3], 1, 1, 1, *view.shape[4:])
    threads = _thread_index(space, index, where)
    if threads is not None:
        return view.take(threads.reshape(-1), axis=3).reshape(
            *view.shape[:3], *threads.shape, *view.shape[4:]
        )
    lanes = by_lane(index)
    if where is not True:
        lanes = np.where(where, lanes, 0)
    lanes = np.asarray(lanes).reshape(np.shape(lanes) or (1,) * 6)
    return view[(*_block_indices(space, view), lanes)]


def write_shared(space, buffer, dtype, width, index, value, where):
    """Scatter into each block's copy."""
    lanes = by_lane(index)
    shape = np.broadcast_shapes(*(np.shape(x)[:6] for x in (lanes, value, where) if np.ndim(x)), (1,) * 6)
    if space.packed is None:
        buffer.grow(shape[:3])
        shape = (*buffer.cells.shape[:3], *shape[3:])
    else:
        buffer.grow(space.block_shape)
    view = buffer.view(dtype, width)
    rows = (view.shape[4],) if width > 1 else ()
    if np.ndim(value):
        value = np.broadcast_to(value, shape + rows)
    threads = _thread_index(space, index, where)
    if threads is not None:
        places = np.broadcast_to(threads, shape[3:]).reshape(-1)
        value = value.reshape(*shape[:3], -1, *rows) if np.ndim(value) else value
        if where is not True:
            some = np.broadcast_to(where[0, 0, 0], shape[3:]).reshape(-1)
            places, value = places[some], value[:, :, :, some] if np.ndim(value) else value
        view[:, :, :, places] = value
        return
    lanes = np.broadcast_to(lanes, shape)
    blocks = [np.broadcast_to(b, shape) for b in _block_indices(space, view)]
    if where is not True:
        where = np.broadcast_to(where, shape)
        lanes, blocks = lanes[where], [b[where] for b in blocks]
        value = value[where] if np.ndim(value) else value
    view[(*blocks, lanes)] = value


def _thread_index(space, index, where):
    """The index as a three-axis array where neither it nor the mask differs between blocks, else None; idle
    threads have 0."""
    if space.packed is not None or (where is not True and where.shape[:3] != (1, 1, 1)):
        return None
    if not is_by_thread(index):
        return None
    threads = np.reshape(by_thread(index), (1, 1, 1)) if type(index) is int else by_thread(index)
    return threads if where is True else np.where(where[0, 0, 0], threads, 0)


def _block_indices(space, view):
    """Three index arrays that address each lane's own block in a view whose equal copies are kept once."""
    return [
        own if view.shape[axis] > 1 else np.zeros((1,) * 6, np.int64)
        for axis, own in enumerate(space.block_index)
    ]
