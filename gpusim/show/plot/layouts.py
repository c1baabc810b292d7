"""A strip of linear memory, and the matrix that a library sees in it."""

import numpy as np

from ..written import plural
from .paper import begin, center, fit, headline, write
from .shapes import cells
from .theme import MARGIN, NOTE, TINT, VALUE, WIDTH, identity

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
    across = min(length, 24, max(1, int((WIDTH - 2 * MARGIN) // 13)))
    lines = -(-length // across)
    low = 60 + lines * (CELL + 2) + 30
    ax, width, _ = begin(ax, height or low + rows * CELL + 12)
    step = min((width - 2 * MARGIN) / across, 20.0)
    place = np.arange(length)
    group, within = (place - offset) // ld, (place - offset) % ld
    used = (place >= offset) & (within < inner) & (group < outer)
    write(ax, MARGIN, 54, "memory", NOTE, "muted")
    strip = np.stack(
        [
            MARGIN + place % across * step + 0.5,
            60 + place // across * (CELL + 2),
            np.full(length, step - 1),
            np.full(length, CELL),
        ],
        1,
    )
    _tinted(ax, strip, place, group, used)
    write(ax, MARGIN, low - 8, f"seen as {rows} × {columns}, {layout} major, ld {ld}", NOTE, "muted")
    i, j = np.indices((rows, columns))
    index = offset + (i + j * ld if layout == "column" else i * ld + j)
    side = min(26.0, (width - 2 * MARGIN - 20) / columns)
    matrix = np.stack(
        [
            MARGIN + 14 + j * side + 0.5,
            low + i * CELL + 0.5,
            np.full(i.shape, side - 1),
            np.full(i.shape, CELL - 1),
        ],
        -1,
    ).reshape(-1, 4)
    _tinted(ax, matrix, index.ravel(), (j if layout == "column" else i).ravel(), np.ones(index.size, bool))
    inner_name, outer_name = ("i", "j") if layout == "column" else ("j", "i")
    where = " + ".join(filter(None, [str(offset) if offset else "", inner_name, f"{ld} {outer_name}"]))
    skipped = int(last - offset - rows * columns)
    headline(
        ax,
        title or f"element (i, j) is at {where}",
        note or f"{plural(rows * columns, 'element')}, {plural(skipped, 'place')} skipped between them",
        "Strip of memory and the matrix seen in it",
        f"the matrix has {rows} rows and {columns} columns",
    )
    return ax


def _tinted(ax, boxes, numbers, group, used):
    for color in range(4):
        cells(ax, boxes[used & (group % 4 == color)], identity(color), alpha=TINT)
    cells(ax, boxes[~used] + (0.3, 0.3, -0.6, -0.6), None, "idle", 0.6, 0.6)
    size = fit(str(int(numbers.max())), VALUE, boxes[0, 2] - 1.5, least=4)
    for (x, y, wide, high), number, solid in zip(boxes, numbers, used, strict=True):
        center(ax, x + wide / 2, y + high / 2, str(number), size, "ink" if solid else "idle")
