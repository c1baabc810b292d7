"""The correctness map: which elements of a result are right, which are wrong, which were never written."""

import numpy as np

from ..written import integer, plural
from .paper import begin, headline, write
from .shapes import cells, crosses, merged, rounded, strokes
from .theme import MARGIN, NOTE, WIDTH

TOP = 42.0  # points: where the elements start
RIGHT, NAN, WRONG = 0, 1, 2
KEY = (("shared", None, "right"), ("bad", None, "wrong value"), (None, "bad", "NaN: never written"))


def correctness_map(result, expected, *, tile=None, tolerance=1e-5, title=None, note=None, height=None,
                    ax=None):  # fmt: skip
    """Draw which elements of a result are right, wrong, or not a number.

    result, expected : (rows, columns) float, or (n,)
    tile : (columns, rows) of a block's tile, outlined, or one int
    tolerance : relative error that still counts as right;  height : points of the map, or None
    return : ax

    >>> wrong = np.eye(4); wrong[0, 1] = 7; wrong[2, 2] = np.nan
    >>> correctness_map(wrong, np.eye(4)).headline
    '14 of 16 right, 1 wrong, 1 NaN'
    """
    state = _judge(result, expected, tolerance)
    rows, columns = state.shape
    width = WIDTH if ax is None else float(ax.get_xlim()[1])
    cell = min((width - 2 * MARGIN) / columns, (height or 240.0) / rows, 20.0)
    ax, _, bottom = begin(ax, 44 + (height or cell * rows) + 24)
    _draw_elements(ax, state, cell)
    if tile:
        _draw_tiles(ax, state, cell, (tile, tile) if np.ndim(tile) == 0 else tile)
    _draw_key(ax, bottom)
    right, wrong, nan = (int((state == what).sum()) for what in (RIGHT, WRONG, NAN))
    bad = ", ".join(f"{integer(n)} {what}" for n, what in ((wrong, "wrong"), (nan, "NaN")) if n)
    of = f"{integer(right)} of {integer(state.size)} right"
    sentence = f"{of}, {bad}" if bad else f"all {integer(right)} right"
    what = f"{rows} × {columns} elements" + (f", tiles of {tile}" if tile else "")
    headline(ax, title or sentence, note or what, "Map of right and wrong elements",
             plural(state.size - right, "bad element"), "bad" if bad else "ink")  # fmt: skip
    return ax


def _judge(result, expected, tolerance):
    """Return RIGHT, WRONG or NAN for each element."""
    result, expected = (np.atleast_2d(np.asarray(one, float)) for one in (result, expected))
    if result.shape != expected.shape:
        raise ValueError(f"result has shape {result.shape}, expected has shape {expected.shape}")
    with np.errstate(invalid="ignore"):
        near = np.abs(result - expected) <= tolerance * np.maximum(1, np.abs(expected))
    return np.where(np.isnan(result) & ~np.isnan(expected), NAN, np.where(near, RIGHT, WRONG))


def _draw_elements(ax, state, cell):
    """Draw the elements one by one, or as ruled areas where there are many."""
    gap, many = min(1.0, cell * 0.14), state.size > 1024
    single = ((r, r + 1, c, c + 1, state[r, c]) for r, c in np.ndindex(state.shape))
    boxes = {RIGHT: [], WRONG: [], NAN: []}
    for top, low, left, right, kind in merged(state) if many else single:
        corner = MARGIN + left * cell + gap / 2, TOP + top * cell + gap / 2
        boxes[int(kind)].append((*corner, (right - left) * cell - gap, (low - top) * cell - gap))
    cells(ax, boxes[RIGHT], "shared")
    cells(ax, boxes[WRONG], "bad")
    inset = [(x + 0.3, y + 0.3, w - 0.6, h - 0.6) for x, y, w, h in boxes[NAN]]
    cells(ax, inset, None, "bad", min(0.8, cell / 6))
    crosses(ax, boxes[NAN], min(1.2, cell / 6))
    if many and cell > 2.5:
        _rule(ax, state.shape, cell, gap)


def _rule(ax, shape, cell, gap):
    rows, columns = shape
    right, low = MARGIN + columns * cell, TOP + rows * cell
    lines = [(MARGIN + c * cell, TOP, MARGIN + c * cell, low) for c in range(1, columns)]
    lines += [(MARGIN, TOP + r * cell, right, TOP + r * cell) for r in range(1, rows)]
    strokes(ax, lines, "bg", gap)


def _draw_tiles(ax, state, cell, tile):
    (rows, columns), (across, down) = state.shape, tile
    outlines = [
        (MARGIN + c * cell, TOP + r * cell, min(across, columns - c) * cell, min(down, rows - r) * cell)
        for r in range(0, rows, down) for c in range(0, columns, across)
    ]  # fmt: skip
    rounded(ax, outlines, 1, None, "muted", 0.9)


def _draw_key(ax, bottom):
    x = MARGIN
    for face, edge, text in KEY:
        cells(ax, [(x, bottom - 14.5, 7, 7)], face, edge, 0.8)
        crosses(ax, [(x, bottom - 14.5, 7, 7)] if edge else [], 0.9)
        write(ax, x + 11, bottom - 8, text, NOTE, "muted")
        x += 11 + 6 * len(text) + 8
