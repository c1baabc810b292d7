"""Sparse matrices: compressed rows, when they pay, how lanes share them, and two of every four."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import GpusimError
from ..rules.coalesce import sectors
from ..units import LANES, SECTOR

TREE_ROUNDS = ("if", "load", "load", "add", "store")  # one round of a sum in shared memory


@dataclass(frozen=True)
class Csr:
    """Compressed sparse rows: row r holds data[row_ptr[r]:row_ptr[r + 1]], in the columns col_index says."""

    data: np.ndarray
    col_index: np.ndarray
    row_ptr: np.ndarray
    columns: int

    @property
    def rows(self) -> int:
        return len(self.row_ptr) - 1

    @property
    def lengths(self) -> np.ndarray:
        """Non-zeros of each row."""
        return np.diff(self.row_ptr)

    def dense(self) -> np.ndarray:
        """The whole matrix, (rows, columns)."""
        whole = np.zeros((self.rows, self.columns), self.data.dtype)
        whole[np.repeat(np.arange(self.rows), self.lengths), self.col_index] = self.data
        return whole

    def dot(self, x) -> np.ndarray:
        """The product with a vector."""
        products = self.data * np.asarray(x)[self.col_index]
        return np.bincount(np.repeat(np.arange(self.rows), self.lengths), products, self.rows)


def csr(matrix) -> Csr:
    """Compress a dense matrix.

    >>> a = csr([[0, 5, 0], [7, 0, 0], [0, 0, 0], [1, 2, 3]])
    >>> a.data.tolist(), a.col_index.tolist(), a.row_ptr.tolist()
    ([5, 7, 1, 2, 3], [1, 0, 0, 1, 2], [0, 1, 2, 2, 5])
    """
    matrix = np.asarray(matrix)
    if matrix.ndim != 2:
        raise GpusimError(f"a matrix has two dimensions, not {matrix.ndim}")
    row, column = np.nonzero(matrix)
    row_ptr = np.concatenate([[0], np.cumsum(np.count_nonzero(matrix, axis=1))])
    return Csr(matrix[row, column], column.astype(np.int32), row_ptr.astype(np.int32), matrix.shape[1])


def random_csr(lengths, columns, seed=0) -> Csr:
    """A matrix with so many non-zeros in each row, in sorted random columns.

    >>> random_csr([3, 0, 2], 8).lengths.tolist()
    [3, 0, 2]
    """
    lengths = np.asarray(lengths)
    if lengths.min() < 0 or lengths.max() > columns:
        raise GpusimError(f"rows of 0 to {columns} non-zeros fit, not {lengths.min()} to {lengths.max()}")
    rng = np.random.default_rng(seed)
    picked = [np.sort(rng.choice(columns, length, replace=False)) for length in lengths]
    row_ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    data = rng.random(row_ptr[-1]).astype(np.float32)
    return Csr(data, np.concatenate(picked).astype(np.int32), row_ptr, columns)


def break_even_density(value_bytes=4, index_bytes=4, gather_bytes=0) -> float:
    """The density at which CSR moves as many bytes as the dense matrix; `gather_bytes` for each read of x.

    >>> break_even_density(), break_even_density(gather_bytes=32)
    (0.5, 0.1)
    """
    return value_bytes / (value_bytes + index_bytes + gather_bytes)


def matvec_seconds(n, density, bandwidth, x_cached=True) -> tuple[float, float]:
    """Seconds that an n x n matrix-vector product needs for its bytes: (dense, CSR), FP32, 4-byte indices.

    bandwidth : bytes/s;  x_cached : x moves once, else every read of it moves a sector
    """
    nonzeros = density * n * n
    gather = 4 * n if x_cached else SECTOR * nonzeros
    dense_bytes = 4 * n * n + 8 * n
    return dense_bytes / bandwidth, (8 * nonzeros + 4 * (n + 1) + 4 * n + gather) / bandwidth


@dataclass(frozen=True)
class SpmvCounts:
    """sectors : array -> 32-byte sectors read;  instructions : of warps;  simd_efficiency : of the loop."""

    sectors: dict
    instructions: int
    simd_efficiency: float


def spmv_counts(matrix, lanes_per_row=1) -> SpmvCounts:
    """Count y += A x with 1, 2, 4, ... or 32 lanes sharing a row: from "a thread a row" to "a warp a row".

    Reads of row_ptr (twice), data, col_index, x and y; the lanes of a row add up by a tree in shared memory.

    >>> even = random_csr([64] * 256, 1024)
    >>> thread, warp = spmv_counts(even, 1).sectors, spmv_counts(even, 32).sectors
    >>> thread["data"] + thread["col_index"], warp["data"] + warp["col_index"]
    (32768, 4096)
    """
    if lanes_per_row not in (1, 2, 4, 8, 16, 32):
        raise GpusimError(f"1, 2, 4, 8, 16 or 32 lanes share a row, not {lanes_per_row}")
    thread = np.arange(-(-matrix.rows * lanes_per_row // LANES) * LANES).reshape(-1, LANES)
    row, part = thread // lanes_per_row, thread % lanes_per_row
    inside = row < matrix.rows
    row = np.minimum(row, matrix.rows - 1)
    read = dict.fromkeys(("row_ptr", "data", "col_index", "x", "y"), 0)
    for offset in (0, 1):
        read["row_ptr"] += int(sectors(4 * (row + offset), inside, 4).sum())
    read["y"] += int(sectors(4 * row, inside & (part == 0), 4).sum())

    element, end = matrix.row_ptr[row] + part, matrix.row_ptr[row + 1]
    steps = lane_steps = 0
    while (active := inside & (element < end)).any():
        at = np.where(active, element, 0)
        for name, address in (("data", at), ("col_index", at), ("x", matrix.col_index[at])):
            read[name] += int(sectors(4 * address, active, 4).sum())
        steps, lane_steps = steps + int(active.any(axis=1).sum()), lane_steps + int(active.sum())
        element = element + lanes_per_row
    rounds = lanes_per_row.bit_length() - 1
    # if, row_ptr twice, y += dot (load, add, store); for a tree also: store, its rounds, if, load
    frame = 6 + ((1 + len(TREE_ROUNDS) * rounds + 2) if rounds else 0)
    return SpmvCounts(read, len(thread) * frame + 4 * steps, lane_steps / (LANES * steps) if steps else 1.0)


def prune24(weights) -> np.ndarray:
    """Keep the two largest of every four neighbours of a row, set the others to 0."""
    groups = _groups(weights)
    keep = np.argsort(-np.abs(groups), axis=-1, kind="stable")[..., :2]
    pruned = np.zeros_like(groups)
    np.put_along_axis(pruned, keep, np.take_along_axis(groups, keep, axis=-1), axis=-1)
    return pruned.reshape(np.shape(weights))


def compress24(weights) -> tuple[np.ndarray, np.ndarray]:
    """The values, and the 2-bit positions in their groups of four, of a 2:4 matrix: both (rows, columns / 2).

    >>> compress24(prune24([[1, -4, 0, 3, 0, 0, 2, 0]]))
    (array([[-4,  3,  0,  2]]), array([[1, 3, 0, 2]]))
    """
    groups = _groups(weights)
    if (np.count_nonzero(groups, axis=-1) > 2).any():
        raise GpusimError("more than two of four neighbours are not zero; prune24 makes such a matrix")
    position = np.sort(np.argsort(groups == 0, axis=-1, kind="stable")[..., :2], axis=-1)
    values = np.take_along_axis(groups, position, axis=-1)
    half = np.shape(weights)[0], np.shape(weights)[1] // 2
    return values.reshape(half), position.reshape(half)


def multiply24(values, positions, x) -> np.ndarray:
    """The product of a compressed 2:4 matrix with a vector: each value picks its x by the 2-bit position."""
    group = np.arange(values.shape[1]) // 2 * 4
    return (values * np.asarray(x)[group + positions]).sum(axis=1)


def bits24(value_bits=16) -> float:
    """Bits for each weight of the original matrix: two values and two 2-bit positions for every four.

    >>> bits24()
    9.0
    """
    return (2 * value_bits + 2 * 2) / 4


def _groups(weights):
    weights = np.asarray(weights)
    if weights.ndim != 2 or weights.shape[1] % 4:
        raise GpusimError(f"2:4 needs rows whose length is a multiple of 4, not shape {weights.shape}")
    return weights.reshape(weights.shape[0], -1, 4)
