"""Products of floats, fast where a row of numbers meets a column of them, as in every matrix multiplication.

The element of A that a lane multiplies depends on its row, that of B on its column.  In the order of the six axes
(blocks, then threads) rows and columns alternate, and NumPy would walk the product in pieces as short as the block
is wide.  Laid out in memory with all row axes before all column axes, the pieces are as long as the grid is wide.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

FEW = 1 << 13  # of fewer, the pieces do not matter


def times(a, b):
    """a * b

    >>> rows, columns = np.ones((1, 64, 1, 1, 16, 1)), np.ones((1, 1, 64, 1, 1, 16))
    >>> product = times(rows, columns)
    >>> product.shape, product.strides[1] > product.strides[4] > product.strides[2]
    ((1, 64, 64, 1, 16, 16), True)
    """
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.size * b.size < FEW:
        return a * b
    order = _order(a.shape, b.shape)
    if order is None:
        return a * b
    there, back = order
    return (a.transpose(there) * b.transpose(there)).transpose(back)


@lru_cache(maxsize=256)
def _order(a, b):
    """(axes in the order for memory, the way back) for an outer product that alternates; else None."""
    if len(a) != len(b) or any(x > 1 and y > 1 for x, y in zip(a, b)):
        return None
    varying = [axis for axis in range(len(a)) if a[axis] > 1 or b[axis] > 1]
    last = a if a[varying[-1]] > 1 else b  # what varies from lane to lane stays innermost
    there = sorted(range(len(a)), key=lambda axis: last[axis] > 1)
    if [axis for axis in there if axis in varying] == varying:
        return None
    return tuple(there), tuple(np.argsort(there).tolist())
