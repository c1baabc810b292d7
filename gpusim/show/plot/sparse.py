"""Sparse matrices: the three arrays of CSR, and 2:4 sparsity."""

import numpy as np

from ..written import integer, percent, plural, three
from .paper import begin, center, fit, headline, write
from .shapes import cells, rounded, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, identity

TOP, LEFT = 46.0, MARGIN + 66  # points: first row of the matrix, first element of the arrays
CELL, ARRAY = 15.0, 26.0  # points: height of an element, array to array


def csr(matrix, *, value_bytes=4, index_bytes=4, row=None, title=None, note=None, height=None, ax=None):
    """Draw a sparse matrix and the three arrays that store it.

    matrix : (rows, columns) float, at most about 10 x 16, or a Csr
    row : one whose place in the arrays is edged;  height : of the figure, points, or None
    return : ax

    >>> csr([[5, 0, 0, 2], [0, 0, 0, 0], [0, 1, 0, 0]]).headline
    '3 of 12 stored: 40 bytes instead of 48'
    """
    matrix = matrix.dense() if hasattr(matrix, "dense") else matrix
    matrix = np.atleast_2d(np.asarray(matrix, float))
    rows, columns = matrix.shape
    i, j = np.nonzero(matrix)
    starts = np.r_[0, np.cumsum((matrix != 0).sum(1))]
    ax, width, _ = begin(ax, height or TOP + rows * CELL + 3 * ARRAY + 16)
    _draw_matrix(ax, matrix, width)
    step = min(17.0, (width - MARGIN - LEFT) / max(len(i), rows + 1, 1))
    stored = ("row_ptr", starts, np.arange(rows + 1)), ("col_index", j, i), ("data", matrix[i, j], i)
    for place, (name, numbers, owner) in enumerate(stored):
        top = TOP + rows * CELL + 18 + ARRAY * place
        _draw_array(ax, name, numbers, owner, top, step)
        if row is not None:
            first, end = (row, row + 2) if place == 0 else (starts[row], starts[row + 1])
            part = LEFT + first * step, top - 1, max(end - first, 0.08) * step, CELL + 2
            rounded(ax, [part], 1, None, "ink", 1.4)
    size = len(i) * (value_bytes + index_bytes) + (rows + 1) * index_bytes
    dense = integer(matrix.size * value_bytes)
    sentence = f"{len(i)} of {matrix.size} stored: {integer(size)} bytes instead of {dense}"
    headline(ax, title or sentence, note or "a tint is a row; each row's values lie together",
             "Sparse matrix in CSR form",
             f"its arrays: row_ptr {starts.tolist()}, col_index {j.tolist()}")  # fmt: skip
    return ax


def _draw_matrix(ax, matrix, width):
    """Draw the matrix: a grid, its non-zeros tinted by row, and the numbers of the rows."""
    (rows, columns), left = matrix.shape, MARGIN + 16
    side = min(22.0, (width - 2 * MARGIN - 20) / columns)
    right, low = left + columns * side, TOP + rows * CELL
    grid = [(left + k * side, TOP, left + k * side, low) for k in range(columns + 1)]
    grid += [(left, TOP + k * CELL, right, TOP + k * CELL) for k in range(rows + 1)]
    strokes(ax, grid, "idle", 0.5, 0.5)
    i, j = np.nonzero(matrix)
    boxes = _squares(left + j * side, TOP + 0.5 + i * CELL, side, CELL - 1)
    _tint(ax, boxes, i, matrix[i, j])
    for k in range(rows):
        write(ax, MARGIN + 12, TOP + (k + 0.5) * CELL + 3, str(k), VALUE, "muted", "right")


def _draw_array(ax, name, numbers, owner, top, step):
    write(ax, MARGIN, top + 10.5, name, NOTE)
    _tint(ax, _squares(LEFT + np.arange(len(numbers)) * step, top, step, CELL), owner, numbers)


def _squares(x, y, wide, high):
    """Return boxes (n, 4), half a point apart from what stands at their sides."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    return np.stack([x + 0.5, y, np.full(x.shape, wide - 1), np.full(x.shape, high)], 1)


def _tint(ax, boxes, owner, numbers):
    """Draw cells in the tint of the row that owns them, with their numbers."""
    for color in range(4):
        cells(ax, boxes[owner % 4 == color], identity(color), alpha=TINT)
    for (x, y, wide, high), number in zip(boxes, numbers, strict=True):
        text = three(number)
        center(ax, x + wide / 2, y + high / 2, text, fit(text, VALUE, wide - 1.5, least=4))


def two_in_four(weights, *, value_bits=16, title=None, note=None, ax=None):
    """Draw 2:4 sparsity: of each four neighbours in a row, the two largest are kept, with 2-bit positions.

    weights : (rows, columns) float, columns a multiple of 4, at most about 6 x 16
    return : ax

    >>> two_in_four([[.9, .1, -.4, .2, .3, .7, .6, 0]]).headline
    '4 of 8 weights kept, 9 bits for each of the 8'
    """
    weights = np.atleast_2d(np.asarray(weights, float))
    rows, columns = weights.shape
    kept = _largest_two(weights)
    high = CELL + 2
    ax, width, _ = begin(ax, 108 + 2 * rows * high)
    step = min(20.0, (width - 2 * MARGIN) / columns)
    write(ax, MARGIN, 54, "weights: two of each four are kept", NOTE, "muted")
    for (r, c), value in np.ndenumerate(weights):
        x, y = MARGIN + c * step, 60 + r * high
        _draw_weight(ax, x, y, step, value, kept[r, c])
    fours = [(MARGIN + g * 4 * step, 59 + r * high, 4 * step, high)
             for r in range(rows) for g in range(columns // 4)]  # fmt: skip
    rounded(ax, fours, 2, None, "muted", 0.8)
    low = 88 + rows * high
    write(ax, MARGIN, low - 6, "stored: values, and which of the four each was", NOTE, "muted")
    left, small = MARGIN + columns // 2 * step + 14, min(14.0, (width - 2 * MARGIN) / columns - 3)
    for r in range(rows):
        for k, c in enumerate(np.flatnonzero(kept[r])):
            _draw_weight(ax, MARGIN + k * step, low + r * high, step, weights[r, c])
            x = left + k * small
            cells(ax, [(x + 0.5, low + r * high, small - 1, CELL)], "store", alpha=TINT)
            center(ax, x + small / 2, low + r * high + CELL / 2, str(c % 4), 7)
    bits = (value_bits + 2) / 2
    sentence = f"{kept.sum()} of {kept.size} weights kept, {three(bits)} bits for each of the {kept.size}"
    what = f"{value_bits}-bit values with 2-bit positions: {percent(bits / value_bits)} of the dense storage"
    headline(ax, title or sentence, note or what, "Picture of 2:4 structured sparsity",
             plural(rows * columns // 4, "group") + " of four")  # fmt: skip
    return ax


def _largest_two(weights):
    """Return a mask of the two largest of each four neighbours in a row; the first of equals."""
    rows, columns = weights.shape
    if columns % 4:
        raise ValueError(f"2:4 sparsity needs a multiple of 4 columns; got {columns}")
    groups = np.abs(weights).reshape(rows, -1, 4)
    kept = np.zeros(groups.shape, bool)
    np.put_along_axis(kept, np.argsort(-groups, axis=2, kind="stable")[:, :, :2], True, axis=2)
    return kept.reshape(rows, columns)


def _draw_weight(ax, x, y, step, value, kept=True):
    text, style = _short(value), ("load", None, 0, TINT) if kept else (None, "idle", 0.6, 0.6)
    cells(ax, [(x + 0.7, y, step - 1.4, CELL)], *style)
    size = fit(text, VALUE, step - 2.5, least=4)
    center(ax, x + step / 2, y + CELL / 2, text, size, "ink" if kept else "idle")


def _short(value):
    """Write a weight in few characters.

    >>> _short(0.456), _short(-1.27)
    ('.46', '−1.3')
    """
    return three(round(float(value), 2 if abs(value) < 1 else 1)).replace("0.", ".")
