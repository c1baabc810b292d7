"""Matrices: a warp loads, multiplies and stores 16 x 16 matrices, of which each lane holds eight elements."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...errors import BarrierError, CudaUnsupported, LaunchError, OutOfBounds
from ...rules.fragments import HELD, SIZE, accesses, exchange, owned
from ...rules.products import multiply_add
from ...units import LANES
from ..count.symbolic import use as wait_for
from ..memory.buffers import target
from ..values.arithmetic import Unknown, lanes
from ..values.pattern import Pattern

ALIGNED = {"stride": 16, "matrix": 32}  # bytes, as CUDA asks of a matrix in memory


class Matrices:
    """Part of both machines: wmma's operations; needs `load`, `store`, `arith` and `whole_warps`."""

    def load_matrix(self, sites, use, row_major, pointer, stride, mask):
        """The eight elements of a matrix that each lane holds, loaded as the hardware does.

        sites : of accesses by one or two elements, and by eight or None; stride : elements from line to line
        """
        site, way, moves = self._moves(sites, use, row_major, pointer, stride, mask)
        moved = []
        for index in moves:
            value = self.load(site, pointer, index, mask)
            moved += value if site.width > 1 else [value]
        return self._exchanged(moved, exchange(*way), site.dtype)

    def store_matrix(self, sites, use, row_major, pointer, stride, values, mask):
        """Store the eight elements that each lane holds."""
        site, way, moves = self._moves(sites, use, row_major, pointer, stride, mask)
        values = self._exchanged(values, _inverse(*way), site.dtype)
        for k, index in enumerate(moves):
            part = values[k * site.width : (k + 1) * site.width]
            self.store(site, pointer, index, part if site.width > 1 else part[0], mask)

    def multiply(self, site, a, b, c, kinds, mask):
        """a b + c, as the hardware adds it up.  kinds : dtypes of c and of the result"""
        self.whole_warps(site, mask)
        self._check_card(site)
        if self.tally is not None:
            self.arith(site, mask)
        unknown = next((x for x in (*a, *b, *c) if type(x) is Unknown), None)
        if unknown is not None:
            for x in (*a, *b, *c):
                wait_for(x)
            return [Unknown(unknown.site)] * HELD
        matrices = [
            self._as_matrices(x, use) for x, use in ((a, "matrix_a"), (b, "matrix_b"), (c, "accumulator"))
        ]
        shape = np.broadcast_shapes(*(x.shape for x in matrices))
        matrices = [np.broadcast_to(x, shape).reshape(SIZE, SIZE, -1) for x in matrices]
        summed = multiply_add(*matrices, max(kinds, key=lambda kind: kind.itemsize))
        return self._as_elements(summed.astype(kinds[1], copy=False), shape[2:5])

    def _check_card(self, site):
        gpu = self.launch.gpu
        if float(gpu.compute_capability) < 7.0:
            raise LaunchError(
                f"the {gpu.name} has no tensor cores: those came with compute capability 7.0, and it has "
                f"{gpu.compute_capability}",
                line=site.line,
                column=site.column,
            )

    # Moving.

    def _moves(self, sites, use, row_major, pointer, stride, mask):
        """(site, what names the way of moving, byte offsets of each access)"""
        narrow, wide = sites
        self.whole_warps(narrow, mask)
        buffer = target(narrow, pointer)
        if buffer.space == "local":
            raise CudaUnsupported(
                f"{narrow.name} is a local array: a matrix lies in global or shared memory",
                line=narrow.line,
                column=narrow.column,
            )
        shared = wide is not None and buffer.space == "shared"
        site, size = wide if shared else narrow, narrow.dtype.itemsize
        self._check_alike(site, "stride", stride, size, mask)
        self._check_alike(site, "matrix", pointer.offset, 1, mask)
        way = use, size, row_major, shared
        _, start, shifts = accesses(*way)
        line, place = (self._by_lane(numbers) for numbers in start)
        first, step = line * (stride * size) + place * size, stride * size
        return site, way, [first + (down * step + along * size) for down, along in shifts]

    def _by_lane(self, numbers):
        """The value that each lane of a warp has in `numbers`, (32,)."""
        thread = self.space.variables["linear thread"].thread_array()
        return self.space.thread_value(numbers[np.broadcast_to(thread % LANES, self.space.lanes_shape)])

    def _check_alike(self, site, what, value, size, mask):
        """All lanes of a warp must pass one pointer and one stride, and these must be aligned."""
        step, came = ALIGNED[what] // size, ""
        if type(value) is int:
            uneven, came = value % step, f", not {value * size}"
        elif type(value) is Pattern:
            own = value.table.array if value.table is not None else np.zeros((1, 1, 1), np.int64)
            self._check_same(site, what, own[None, None, None], True)
            uneven = any(s % step for s in value.strides) or ((own + value.c) % step).any()
        elif type(value) is np.ndarray:
            uneven = (self._check_same(site, what, value, mask) % step).any()
        else:
            return  # not known: the access itself says so
        if uneven:
            self._refuse_matrix(
                site, f"{_MUST[what]} a multiple of {ALIGNED[what]} bytes{came}", _ALIGN[what]
            )

    def _check_same(self, site, what, values, mask):
        """The rows of active warps in which all lanes have the same value, as they must."""
        blocks = np.broadcast_shapes(values.shape[:3], np.shape(mask)[:3] or (1, 1, 1))
        values = np.broadcast_to(values, np.broadcast_shapes(values.shape, (*blocks, 1, 1, 1)))
        rows = self.space.by_warp(values)
        if mask is not True:
            rows = rows[self.space.active_by_warp(mask, blocks).any(axis=1)]
        if (rows != rows[:, :1]).any():
            self._refuse_matrix(site, f"the lanes of a warp pass different {_PASSED[what]}", _ALIKE)
        return rows

    @staticmethod
    def _refuse_matrix(site, message, hint):
        name = f"{site.kind}_matrix_sync, {site.name}"
        raise OutOfBounds(f"{name}: {message}", line=site.line, column=site.column, hint=hint)

    # Elements and matrices.

    def _exchanged(self, values, source, dtype):
        """What lane l gets as its element i: values[source[i, l] // 32] of lane source[i, l] % 32."""
        slots, own = source // LANES, source % LANES == np.arange(LANES, dtype=np.int64)
        if own.all() and (slots == slots[:, :1]).all() or any(type(x) is Unknown for x in values):
            return [values[slot] for slot in slots[:, 0]] if own.all() else list(values)
        rows, blocks = self._rows_of(values, dtype)
        return self._from_rows(rows.reshape(len(rows), -1)[:, source], blocks)

    def _rows_of(self, values, dtype):
        """(rows of warps (R, 8, 32), block axes) of eight values."""
        arrays = [np.asarray(lanes(x, dtype), dtype) for x in values]
        shape = np.broadcast_shapes(*(x.shape for x in arrays), (1,) * 6)
        blocks = shape[:3]
        rows = [self.space.by_warp(np.broadcast_to(x, shape)) for x in arrays]
        return np.stack(rows, axis=1), blocks

    def _from_rows(self, rows, blocks):
        return [self.space.from_warps(np.ascontiguousarray(rows[:, i]), blocks) for i in range(HELD)]

    def _as_matrices(self, values, use):
        """The float matrices (16, 16, *blocks, warps) of which lanes hold these elements."""
        rows, blocks = self._rows_of(values, np.dtype(np.float32))
        return rows.reshape(len(rows), -1).T[_holders(use)].reshape(SIZE, SIZE, *blocks, -1)

    def _as_elements(self, matrices, blocks):
        """The way back, for accumulators (16, 16, warps of all blocks)."""
        rows, columns = owned("accumulator")
        return self._from_rows(np.moveaxis(matrices[rows, columns], 2, 0), blocks)

    # For the lanes machine; the counting machine has its own.

    def whole_warps(self, site, mask):
        """Refuse a call that not all 32 lanes of a warp reach."""
        if mask is True and self.space.packed is None and self.space.thread_count % LANES == 0:
            return
        blocks = np.shape(mask)[:3] or (1, 1, 1)
        rows = self.space.active_by_warp(mask, blocks)
        some = rows.any(axis=1) & ~rows.all(axis=1)
        if not some.any():
            return
        row = int(np.argmax(some))
        where = np.zeros(rows.shape, bool)
        where[row] = rows[row]
        block, thread, _ = self.first(self.space.from_warps(where, blocks))
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
