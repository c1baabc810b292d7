"""BLAS as cuBLAS speaks it: column-major matrices with a leading dimension, and the swap for row-major ones.

A matrix is a flat array; element (row, column) stands at row + column * ld.  A submatrix is the same array
from a later element on, with the same ld.
"""

from __future__ import annotations

import numpy as np

from ..errors import GpusimError, is_whole


def view(buffer, rows, columns, ld, name="matrix"):
    """The (rows, columns) matrix that a column-major library sees in a flat array.

    >>> view(np.arange(1, 7), 3, 2, ld=3).tolist()
    [[1, 4], [2, 5], [3, 6]]
    """
    buffer = _flat(buffer, name)
    if ld < max(1, rows):
        raise GpusimError(
            f"ld of {name} is {ld}; it must be at least its {rows} rows as stored",
            hint="in column-major order, ld is the distance between columns",
        )
    needed = (columns - 1) * ld + rows if rows and columns else 0
    if needed > len(buffer):
        raise GpusimError(
            f"{name} of {rows} x {columns} with ld {ld} spans {needed} elements; the array has {len(buffer)}"
        )
    step = buffer.strides[0]
    return np.lib.stride_tricks.as_strided(buffer, (rows, columns), (step, ld * step))


def sgemm(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc):
    """C = alpha op(A) op(B) + beta C, in place; op(A) is m x k, op(B) k x n.  op : "N", "T" or "C".

    >>> a, b, c = np.float32([1, 2, 3, 4]), np.float32([1, 0, 0, 1]), np.zeros(4, np.float32)
    >>> sgemm("T", "N", 2, 2, 2, 1.0, a, 2, b, 2, 0.0, c, 2)
    >>> c.tolist()
    [1.0, 3.0, 2.0, 4.0]
    """
    _sizes(m=m, n=n, k=k)
    left = _operand(op_a, a, m, k, lda, "A")
    right = _operand(op_b, b, k, n, ldb, "B")
    _update(view(c, m, n, ldc, "C"), alpha, left @ right, beta)


def sgemv(op, m, n, alpha, a, lda, x, incx, beta, y, incy):
    """y = alpha op(A) x + beta y, in place; A is m x n as stored, `inc` is the step between elements."""
    _sizes(m=m, n=n)
    matrix = view(a, m, n, lda, "A")
    matrix = matrix if _op(op) == "N" else matrix.T
    target = vector(y, matrix.shape[0], incy, "y")
    _update(target, alpha, matrix @ vector(x, matrix.shape[1], incx, "x"), beta)


def sdot(n, x, incx, y, incy) -> float:
    """The sum of x[i] * y[i].

    >>> sdot(2, np.float32([1, 9, 2]), 2, np.float32([3, 4]), -1)  # -1: backwards
    10.0
    """
    _sizes(n=n)
    return float(vector(x, n, incx, "x") @ vector(y, n, incy, "y"))


def vector(buffer, n, inc, name="x"):
    """n elements of a flat array, `inc` apart; a negative `inc` starts from the far end."""
    buffer = _flat(buffer, name)
    if not is_whole(abs(inc), 1):
        raise GpusimError(f"inc of {name} is {inc}; it is a distance, positive or negative")
    needed = (n - 1) * abs(inc) + 1 if n else 0
    if needed > len(buffer):
        raise GpusimError(f"{n} elements of {name} with inc {inc} span {needed}; the array has {len(buffer)}")
    return buffer[:needed:inc] if inc > 0 else buffer[:needed][::inc]


def row_major_call(op_a, op_b, m, n, k) -> dict:
    """The arguments of a column-major sgemm that computes the row-major C = op(A) op(B), C being m x n.

    A row-major matrix is its own transpose in column-major eyes, so C^T = op(B)^T op(A)^T: swap the operands,
    swap m and n, and keep each operand's own op and row length.

    >>> call = row_major_call("N", "T", 2, 3, 4)
    >>> call["ops"], call["m"], call["n"], call["k"], call["ld_first"], call["ld_second"], call["ldc"]
    (('T', 'N'), 3, 2, 4, 4, 4, 3)
    """
    return {
        "ops": (_op(op_b), _op(op_a)),
        "m": n,
        "n": m,
        "k": k,
        "first": "B",
        "ld_first": n if _op(op_b) == "N" else k,
        "second": "A",
        "ld_second": k if _op(op_a) == "N" else m,
        "ldc": n,
    }


def row_major_sgemm(op_a, op_b, m, n, k, a, b):
    """C = op(A) op(B) for row-major arrays, by the swap; returns C, (m, n)."""
    call, c = row_major_call(op_a, op_b, m, n, k), np.zeros(m * n, np.float32)
    sgemm(
        *call["ops"],
        call["m"],
        call["n"],
        k,
        1.0,
        np.ravel(b),
        call["ld_first"],
        np.ravel(a),
        call["ld_second"],
        0.0,
        c,
        call["ldc"],
    )
    return c.reshape(m, n)


def _operand(op, buffer, rows, columns, ld, name):
    if _op(op) == "N":
        return view(buffer, rows, columns, ld, name)
    return view(buffer, columns, rows, ld, name).T


def _update(target, alpha, product, beta):
    scaled = np.float32(alpha) * product
    target[...] = scaled if beta == 0 else scaled + np.float32(beta) * target  # beta 0: C is not read


def _op(op):
    if op not in ("N", "T", "C"):
        raise GpusimError(f"op is 'N' (as it is), 'T' or 'C' (transposed), not {op!r}")
    return "N" if op == "N" else "T"


def _sizes(**sizes):
    for name, size in sizes.items():
        if not is_whole(size):
            raise GpusimError(f"{name} is {size}; it must be a whole number from 0")


def _flat(buffer, name):
    buffer = np.asarray(buffer)
    if buffer.ndim != 1:
        raise GpusimError(
            f"{name} is a flat array, as memory is; got {buffer.ndim} dimensions",
            hint="np.ravel gives it in row-major order, np.ravel(..., order='F') column-major",
        )
    return buffer
