"""The fetch map: which thread fetches which element of a tile, and how many sectors its loads touch."""

import numpy as np

from ...rules import coalesce
from ...units import LANES, SECTOR
from ..written import integer, plural, three
from .paper import begin, center, fit, headline, write
from .shapes import cells, merged, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, WIDTH, identity

TOP = 42.0  # points: where the tile starts


def fetch_map(thread, turn=None, *, leading=None, size=4, warp=0, title=None, note=None, height=None,
              ax=None):  # fmt: skip
    """Draw which thread fetches which element of a tile, and count the sectors of its loads.

    thread : (rows, columns) int, the thread that fetches each element
    turn : (rows, columns) int, its how-manieth load that is; None for 0, or for the order in memory
    leading : elements from row to row in memory, None for the tile's columns;  size : bytes an element
    warp : whose first load is drawn deep;  height : points of the map, None for what it needs
    return : ax

    >>> rows, columns = np.mgrid[:8, :32]
    >>> fetch_map(rows * 32 + columns).headline
    '4 sectors a request; 4 is the fewest'
    >>> fetch_map(columns * 8 + rows).headline
    '8 sectors a request; 4 is the fewest'
    """
    thread = np.asarray(thread, int)
    rows, columns = thread.shape
    turn = _turns(thread) if turn is None else np.asarray(turn, int)
    row, column = np.indices(thread.shape)
    requests, sectors = _count(thread, turn, (row * (leading or columns) + column) * size, size)
    width = WIDTH if ax is None else float(ax.get_xlim()[1])
    cell = min((width - 2 * MARGIN) / columns, 20.0)
    high = min((height or 240.0) / rows, 16.0, max(cell, 8.0))
    ax, _, bottom = begin(ax, 44 + (height or high * rows) + 24)
    first = (thread // LANES == warp) & (turn == 0)
    _draw_tints(ax, thread, first, cell, high)
    if cell >= 9 and high >= 7.5 and thread.size <= 600:
        _draw_threads(ax, thread, first, cell, high)
    cells(ax, [(MARGIN, bottom - 14.5, 7, 7)], "load")
    key = f"the first load of warp {warp}; other tints: other warps or loads"
    write(ax, MARGIN + 11, bottom - 8, key, NOTE, "muted")
    fewest = -(-min(LANES, int(thread.max()) + 1) * size // SECTOR)
    each = sectors / requests if requests else 0
    what = f"{rows} × {columns} elements by {plural(len(np.unique(thread)), 'thread')}"
    headline(ax, title or f"{three(each)} sectors a request; {fewest} is the fewest",
             note or f"{what}: {plural(requests, 'request')}, {plural(sectors, 'sector')}",
             "Map of which thread fetches which element",
             f"numbers are threads; {integer(sectors)} sectors in {integer(requests)} requests",
             "bad" if each > fewest else "ink")  # fmt: skip
    return ax


def _draw_tints(ax, thread, first, cell, high):
    """Tint the elements by warp, the first load of one warp deep, and rule them into cells."""
    rows, columns = thread.shape
    for color in range(4):
        tinted = (thread // LANES % 4 == color) & ~first
        cells(ax, _boxes(tinted, cell, high), identity(color), alpha=TINT)
    cells(ax, _boxes(first, cell, high), "load")
    gap = min(0.9, cell * 0.14, high * 0.14)
    right, low = MARGIN + columns * cell, TOP + rows * high
    strokes(ax, [(MARGIN + k * cell, TOP, MARGIN + k * cell, low) for k in range(1, columns)], "bg", gap)
    strokes(ax, [(MARGIN, TOP + k * high, right, TOP + k * high) for k in range(1, rows)], "bg", gap)


def _draw_threads(ax, thread, first, cell, high):
    size = min(fit(str(int(thread.max())), VALUE, cell - 1.4, least=3.5), high - 1)
    for (row, column), number in np.ndenumerate(thread):
        x, y = MARGIN + (column + 0.5) * cell, TOP + (row + 0.5) * high
        center(ax, x, y, str(number), size, "bg" if first[row, column] else "ink")


def _turns(thread):
    """Number the elements of each thread in the order of memory."""
    flat = thread.ravel()
    order = np.argsort(flat, kind="stable")
    ranked = flat[order]
    starts = np.r_[0, np.flatnonzero(np.diff(ranked)) + 1]
    turn = np.empty(len(flat), int)
    turn[order] = np.arange(len(flat)) - np.repeat(starts, np.diff(np.r_[starts, len(flat)]))
    return turn.reshape(thread.shape)


def _count(thread, turn, address, size):
    """Return (requests, sectors) of all loads: one request a warp and turn."""
    key = thread.ravel() // LANES * (turn.max() + 1) + turn.ravel()
    _, request = np.unique(key, return_inverse=True)
    addresses = np.zeros((request.max() + 1, LANES), np.int64)
    active = np.zeros(addresses.shape, bool)
    addresses[request, thread.ravel() % LANES] = address.ravel()
    active[request, thread.ravel() % LANES] = True
    return len(active), int(coalesce.sectors(addresses, active, size).sum())


def _boxes(wanted, cell, high):
    return [(MARGIN + left * cell, TOP + top * high, (right - left) * cell, (low - top) * high)
            for top, low, left, right, kind in merged(wanted.astype(int)) if kind]  # fmt: skip
