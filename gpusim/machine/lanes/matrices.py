"""Matrices: a warp loads, multiplies and stores 16 x 16 matrices, of which each lane holds eight elements."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...errors import BarrierError, CudaUnsupported, LaunchError, OutOfBounds
from ...rules.fragments import HELD, SIZE, accesses, exchange, owned
from ...rules.products import multiply_add
from ...units import LANES
from ..memory.buffers import target
from ..values.arithmetic import lanes
from ..values.unknown import Unknown
from ..values.unknown import use as wait_for
from ..values.value import is_formula, unknown_of

ALIGNED = {"stride": 16, "matrix": 32}  # bytes, as CUDA asks of a matrix in memory


def load_matrix(m, sites, use, row_major, pointer, stride, mask):
    """The eight elements of a matrix that each lane holds, loaded as the hardware does.

    sites : of accesses by one or two elements, and by eight or None; stride : elements from line to line
    """
    site, way, moves = _moves(m, sites, use, row_major, pointer, stride, mask)
    moved = []
    for index in moves:
        value = m.load(site, pointer, index, mask)
        moved += value if site.width > 1 else [value]
    return _exchanged(m.space, moved, exchange(*way), site.dtype)


def store_matrix(m, sites, use, row_major, pointer, stride, values, mask):
    """Store the eight elements that each lane holds."""
    site, way, moves = _moves(m, sites, use, row_major, pointer, stride, mask)
    values = _exchanged(m.space, values, _inverse(*way), site.dtype)
    for k, index in enumerate(moves):
        part = values[k * site.width : (k + 1) * site.width]
        m.store(site, pointer, index, part if site.width > 1 else part[0], mask)


def multiply(m, site, a, b, c, kinds, mask):
    """a b + c, as the hardware adds it up.  kinds : dtypes of c and of the result"""
    m.whole_warps(site, mask)
    _check_card(m, site)
    m.arith(site, mask)
    unknown = unknown_of(*a, *b, *c)
    if unknown is not None:
        for x in (*a, *b, *c):
            wait_for(x)
        return [Unknown(unknown.site)] * HELD
    matrices = [
        _as_matrices(m.space, x, use) for x, use in ((a, "matrix_a"), (b, "matrix_b"), (c, "accumulator"))
    ]
    shape = np.broadcast_shapes(*(x.shape for x in matrices))
    matrices = [np.broadcast_to(x, shape).reshape(SIZE, SIZE, -1) for x in matrices]
    summed = multiply_add(*matrices, max(kinds, key=lambda kind: kind.itemsize))
    return _as_elements(m.space, summed.astype(kinds[1], copy=False), shape[2:5])


def _check_card(m, site):
    gpu = m.launch.gpu
    if float(gpu.compute_capability) < 7.0:
        raise LaunchError(
            f"the {gpu.name} has no tensor cores: those came with compute capability 7.0, and it has "
            f"{gpu.compute_capability}",
            line=site.line,
            column=site.column,
        )


# Moving.


def _moves(m, sites, use, row_major, pointer, stride, mask):
    """(site, what names the way of moving, byte offsets of each access)"""
    narrow, wide = sites
    m.whole_warps(narrow, mask)
    buffer = target(narrow, pointer)
    if buffer.space == "local":
        raise CudaUnsupported(
            f"{narrow.name} is a local array: a matrix lies in global or shared memory",
            line=narrow.line,
            column=narrow.column,
        )
    shared = wide is not None and buffer.space == "shared"
    site, size = wide if shared else narrow, narrow.dtype.itemsize
    _check_alike(m.space, site, "stride", stride, size, mask)
    _check_alike(m.space, site, "matrix", pointer.offset, 1, mask)
    way = use, size, row_major, shared
    _, start, shifts = accesses(*way)
    line, place = (_by_lane(m.space, numbers) for numbers in start)
    first, step = line * (stride * size) + place * size, stride * size
    return site, way, [first + (down * step + along * size) for down, along in shifts]


def _by_lane(space, numbers):
    """The value that each lane of a warp has in `numbers`, (32,)."""
    thread = space.variables["linear thread"].thread_array()
    return space.thread_value(numbers[np.broadcast_to(thread % LANES, space.lanes_shape)])


def _check_alike(space, site, what, value, size, mask):
    """All lanes of a warp must pass one pointer and one stride, and these must be aligned."""
    step, came = ALIGNED[what] // size, ""
    if unknown_of(value) is not None:
        return  # the access itself says so
    if type(value) is int:
        uneven, came = value % step, f", not {value * size}"
    elif is_formula(value):
        own = value.table.array if value.table is not None else np.zeros((1, 1, 1), np.int64)
        _check_same(space, site, what, own[None, None, None], True)
        uneven = any(s % step for s in value.strides) or ((own + value.c) % step).any()
    else:
        uneven = (_check_same(space, site, what, value, mask) % step).any()
    if uneven:
        _refuse_matrix(site, f"{_MUST[what]} a multiple of {ALIGNED[what]} bytes{came}", _ALIGN[what])


def _check_same(space, site, what, values, mask):
    """The rows of active warps in which all lanes have the same value, as they must."""
    blocks = np.broadcast_shapes(values.shape[:3], np.shape(mask)[:3] or (1, 1, 1))
    values = np.broadcast_to(values, np.broadcast_shapes(values.shape, (*blocks, 1, 1, 1)))
    rows = space.by_warp(values)
    if mask is not True:
        rows = rows[space.active_by_warp(mask, blocks).any(axis=1)]
    if (rows != rows[:, :1]).any():
        _refuse_matrix(site, f"the lanes of a warp pass different {_PASSED[what]}", _ALIKE)
    return rows


def _refuse_matrix(site, message, hint):
    name = f"{site.kind}_matrix_sync, {site.name}"
    raise OutOfBounds(f"{name}: {message}", line=site.line, column=site.column, hint=hint)


# Elements and matrices.


def _exchanged(space, values, source, dtype):
    """What lane l gets as its element i: values[source[i, l] // 32] of lane source[i, l] % 32."""
    slots, own = source // LANES, source % LANES == np.arange(LANES, dtype=np.int64)
    if own.all() and (slots == slots[:, :1]).all() or unknown_of(*values) is not None:
        return [values[slot] for slot in slots[:, 0]] if own.all() else list(values)
    rows, blocks = _rows_of(space, values, dtype)
    return _from_rows(space, rows.reshape(len(rows), -1)[:, source], blocks)


def _rows_of(space, values, dtype):
    """(rows of warps (R, 8, 32), block axes) of eight values."""
    arrays = [np.asarray(lanes(x, dtype), dtype) for x in values]
    shape = np.broadcast_shapes(*(x.shape for x in arrays), (1,) * 6)
    blocks = shape[:3]
    rows = [space.by_warp(np.broadcast_to(x, shape)) for x in arrays]
    return np.stack(rows, axis=1), blocks


def _from_rows(space, rows, blocks):
    return [space.from_warps(np.ascontiguousarray(rows[:, i]), blocks) for i in range(HELD)]


def _as_matrices(space, values, use):
    """The float matrices (16, 16, *blocks, warps) of which lanes hold these elements."""
    rows, blocks = _rows_of(space, values, np.dtype(np.float32))
    return rows.reshape(len(rows), -1).T[_holders(use)].reshape(SIZE, SIZE, *blocks, -1)


def _as_elements(space, matrices, blocks):
    """The way back, for accumulators (16, 16, warps of all blocks)."""
    rows, columns = owned("accumulator")
    return _from_rows(space, np.moveaxis(matrices[rows, columns], 2, 0), blocks)


# For the lanes machine; the counting machine has its own.


def whole_warps(m, site, mask):
    """Refuse a call that not all 32 lanes of a warp reach."""
    if mask is True and m.space.packed is None and m.space.thread_count % LANES == 0:
        return
    blocks = np.shape(mask)[:3] or (1, 1, 1)
    rows = m.space.active_by_warp(mask, blocks)
    some = rows.any(axis=1) & ~rows.all(axis=1)
    if not some.any():
        return
    row = int(np.argmax(some))
    where = np.zeros(rows.shape, bool)
    where[row] = rows[row]
    block, thread, _ = m.space.first(m.space.from_warps(where, blocks))
    name = site.name if site.kind not in ("load", "store") else f"{site.kind}_matrix_sync"
    raise BarrierError(
        f"wmma::{name}() is reached by {int(rows[row].sum())} of the 32 lanes of a warp, which hold the matrix "
        "together: all of them must call it",
        line=site.line,
        column=site.column,
        block=block,
        thread=thread,
        hint="branch on what a whole warp shares, such as threadIdx.x / 32, and launch blocks of whole warps",
    )


_PASSED = {"stride": "strides", "matrix": "pointers"}
_MUST = {"stride": "the stride from line to line must be", "matrix": "the matrix must start at"}
_ALIKE = "they work on one matrix: compute its place from threadIdx.x / 32, not from threadIdx.x"
_ALIGN = {
    "stride": "pad lines by 8 half or 4 float elements, not by one",
    "matrix": "let the matrix start at a multiple of 16 half or 8 float elements",
}


@lru_cache
def _inverse(*way):
    """Which lane holds what another one stores: as `exchange`, the other way round."""
    source = exchange(*way).reshape(-1)
    back = np.empty_like(source)
    back[source] = np.arange(len(source), dtype=np.int64)
    return back.reshape(HELD, LANES)


@lru_cache
def _holders(use):
    """(16, 16): element number * 32 + lane that holds each place of a matrix."""
    places = np.empty((SIZE, SIZE), np.int64)
    places[owned(use)] = np.arange(HELD * 32, dtype=np.int64).reshape(HELD, LANES)
    return places
