"""Arrays in memory: a strip and the matrix seen in it, the three arrays of CSR, 2:4 sparsity."""

import numpy as np

from .paper import begin, center, fit, headline, write
from .shapes import cells, rounded, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, identity, integer, percent, plural, three

CELL = 15.0  # points: side of an element


def memory_strip(rows, columns, ld=None, *, layout="column", offset=0, length=None, title=None, note=None,
                 height=None, ax=None):  # fmt: skip
    """Draw linear memory as a strip, and the matrix that (rows, columns, ld, offset) picks out of it.

    ld : leading dimension, elements from column to column (layout "column") or row to row ("row")
    offset : elements before the first;  length : elements of memory, None for as many as are used
    height : of the figure in points, None for what it needs; fix it for a slider
    return : ax; tints tell columns (or rows) of memory apart, the number is the place in memory

    >>> memory_strip(3, 4, ld=5).headline
    'element (i, j) is at i + 5 j'
    """
    inner, outer = (rows, columns) if layout == "column" else (columns, rows)
    ld = inner if ld is None else ld
    if ld < inner:
        raise ValueError(f"ld is at least {inner}, the elements of one {layout}; got {ld}")
    last = offset + (outer - 1) * ld + inner
    length = max(length or 0, last)
    across = min(length, 24, max(1, int((345.6 - 2 * MARGIN) // 13)))
    lines = -(-length // across)
    low = 60 + lines * (CELL + 2) + 30
    ax, width, _ = begin(ax, height or low + rows * CELL + 12)
    step = min((width - 2 * MARGIN) / across, 20.0)
    place = np.arange(length)
    group, within = (place - offset) // ld, (place - offset) % ld
    used = (place >= offset) & (within < inner) & (group < outer)
    write(ax, MARGIN, 54, "memory", NOTE, "muted")
    strip = np.stack([MARGIN + place % across * step + 0.5, 60 + place // across * (CELL + 2),
                      np.full(length, step - 1), np.full(length, CELL)], 1)
    _tinted(ax, strip, place, group, used)
    write(ax, MARGIN, low - 8, f"seen as {rows} × {columns}, {layout} major, ld {ld}", NOTE, "muted")
    i, j = np.indices((rows, columns))
    index = offset + (i + j * ld if layout == "column" else i * ld + j)
    side = min(26.0, (width - 2 * MARGIN - 20) / columns)
    matrix = np.stack([MARGIN + 14 + j * side + 0.5, low + i * CELL + 0.5,
                       np.full(i.shape, side - 1), np.full(i.shape, CELL - 1)], -1).reshape(-1, 4)
    _tinted(ax, matrix, index.ravel(), (j if layout == "column" else i).ravel(), np.ones(index.size, bool))
    inner_name, outer_name = ("i", "j") if layout == "column" else ("j", "i")
    where = " + ".join(filter(None, [str(offset) if offset else "", inner_name, f"{ld} {outer_name}"]))
    skipped = int(last - offset - rows * columns)
    headline(ax, title or f"element (i, j) is at {where}",
             note or f"{plural(rows * columns, 'element')}, {plural(skipped, 'place')} skipped between them",
             "Strip of memory and the matrix seen in it", f"the matrix has {rows} rows and {columns} columns")
    return ax


def _tinted(ax, boxes, numbers, group, used):
    for color in range(4):
        cells(ax, boxes[used & (group % 4 == color)], identity(color), alpha=TINT)
    cells(ax, boxes[~used] + (0.3, 0.3, -0.6, -0.6), None, "idle", 0.6, 0.6)
    size = fit(str(int(numbers.max())), VALUE, boxes[0, 2] - 1.5, least=4)
    for (x, y, wide, high), number, solid in zip(boxes, numbers, used, strict=True):
        center(ax, x + wide / 2, y + high / 2, str(number), size, "ink" if solid else "idle")


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
    ax, width, _ = begin(ax, height or 48 + rows * CELL + 3 * 26 + 14)
    side = min(22.0, (width - 2 * MARGIN - 20) / columns)
    x, y = MARGIN + 16 + j * side + 0.5, 46 + i * CELL + 0.5
    edge, end = MARGIN + 16, MARGIN + 16 + columns * side
    grid = [(edge + k * side, 46, edge + k * side, 46 + rows * CELL) for k in range(columns + 1)]
    grid += [(edge, 46 + k * CELL, end, 46 + k * CELL) for k in range(rows + 1)]
    strokes(ax, grid, "idle", 0.5, 0.5)
    boxes = np.stack([x, y, np.full(len(i), side - 1), np.full(len(i), CELL - 1)], 1)
    _row_tints(ax, boxes, i, [three(value) for value in matrix[i, j]])
    for k in range(rows):
        write(ax, MARGIN + 12, 46 + (k + 0.5) * CELL + 3, str(k), VALUE, "muted", "right")
    low, left = 46 + rows * CELL + 18, MARGIN + 66
    step = min(17.0, (width - MARGIN - left) / max(len(i), rows + 1, 1))
    for place, (name, numbers, owner) in enumerate((
        ("row_ptr", starts, np.arange(rows + 1)), ("col_index", j, i), ("data", matrix[i, j], i),
    )):
        top = low + 26 * place
        write(ax, MARGIN, top + 10.5, name, NOTE)
        k = np.arange(len(numbers))
        boxes = np.stack([left + k * step + 0.5, np.full(len(k), top), np.full(len(k), step - 1),
                          np.full(len(k), CELL)], 1)
        _row_tints(ax, boxes, owner, [three(value) for value in numbers])
        if row is not None:
            first, end = (row, row + 2) if place == 0 else (starts[row], starts[row + 1])
            part = left + first * step, top - 1, max(end - first, 0.08) * step, CELL + 2
            rounded(ax, [part], 1, None, "ink", 1.4)
    stored = len(i) * (value_bytes + index_bytes) + (rows + 1) * index_bytes
    dense = integer(matrix.size * value_bytes)
    sentence = f"{len(i)} of {matrix.size} stored: {integer(stored)} bytes instead of {dense}"
    headline(ax, title or sentence, note or "a tint is a row; each row's values lie together",
             "Sparse matrix in CSR form", f"its arrays: row_ptr {starts.tolist()}, col_index {j.tolist()}")
    return ax


def _row_tints(ax, boxes, owner, texts):
    for color in range(4):
        cells(ax, boxes[owner % 4 == color], identity(color), alpha=TINT)
    for (x, y, wide, high), text in zip(boxes, texts, strict=True):
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
    if columns % 4:
        raise ValueError(f"2:4 sparsity needs a multiple of 4 columns; got {columns}")
    groups = np.abs(weights).reshape(rows, -1, 4)
    order = np.argsort(-groups, axis=2, kind="stable")[:, :, :2]
    kept = np.zeros(groups.shape, bool)
    np.put_along_axis(kept, order, True, axis=2)
    kept = kept.reshape(rows, columns)
    ax, width, _ = begin(ax, 66 + rows * (CELL + 2) + 34 + rows * (CELL + 2) + 8)
    step = min(20.0, (width - 2 * MARGIN) / columns)
    high = CELL + 2
    write(ax, MARGIN, 54, "weights: two of each four are kept", NOTE, "muted")
    for (r, c), value in np.ndenumerate(weights):
        x, y, text = MARGIN + c * step, 60 + r * high, _short(value)
        style = ("load", None, 0, TINT) if kept[r, c] else (None, "idle", 0.6, 0.6)
        cells(ax, [(x + 0.7, y, step - 1.4, CELL)], *style)
        center(ax, x + step / 2, y + CELL / 2, text, fit(text, VALUE, step - 2.5, least=4),
               "ink" if kept[r, c] else "idle")
    fours = [(MARGIN + g * 4 * step, 60 + r * high - 1, 4 * step, CELL + 2)
             for r in range(rows) for g in range(columns // 4)]  # fmt: skip
    rounded(ax, fours, 2, None, "muted", 0.8)
    low = 60 + rows * high + 28
    write(ax, MARGIN, low - 6, "stored: values, and which of the four each was", NOTE, "muted")
    half, small = columns // 2, min(14.0, (width - 2 * MARGIN) / columns - 3)
    for r in range(rows):
        for k, c in enumerate(np.flatnonzero(kept[r])):
            x, text = MARGIN + k * step, _short(weights[r, c])
            cells(ax, [(x + 0.7, low + r * high, step - 1.4, CELL)], "load", alpha=TINT)
            center(ax, x + step / 2, low + r * high + CELL / 2, text, fit(text, VALUE, step - 2.5, least=4))
            x = MARGIN + half * step + 14 + k * small
            cells(ax, [(x + 0.5, low + r * high, small - 1, CELL)], "store", alpha=TINT)
            center(ax, x + small / 2, low + r * high + CELL / 2, str(c % 4), 7)
    bits = (value_bits + 2) / 2
    sentence = f"{kept.sum()} of {kept.size} weights kept, {three(bits)} bits for each of the {kept.size}"
    what = f"{value_bits}-bit values with 2-bit positions: {percent(bits / value_bits)} of the dense storage"
    headline(ax, title or sentence, note or what, "Picture of 2:4 structured sparsity",
             plural(rows * columns // 4, "group") + " of four")
    return ax


def _short(value):
    """Write a weight in few characters.

    >>> _short(0.456), _short(-1.27)
    ('.46', '−1.3')
    """
    return three(round(float(value), 2 if abs(value) < 1 else 1)).replace("0.", ".")
