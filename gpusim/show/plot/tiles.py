"""Tiled multiplication: which tiles a block holds in which phase, and which thread fetches which element."""

import numpy as np

from ...rules import coalesce
from .paper import begin, center, fit, headline, write
from .shapes import arrows, cells, merged, rounded, strokes
from .theme import LABEL, MARGIN, NOTE, TINT, VALUE, identity, integer, plural, three

TOP = 58.0  # points: top of B


def tile_phases(n, tile, phase, block=(0, 0), *, title=None, note=None, ax=None):
    """Draw one phase of a tiled multiplication C = A B: the tiles loaded now, those done, the result's tile.

    n : rows and columns of the matrices;  tile : TILE;  phase : from 0;  block : (x, y) of the block
    return : ax, always of one height; of a tile that stands over the edge the zero-filled part is dashed

    >>> tile_phases(64, 16, 1).headline
    'phase 2 of 4: each of 512 values feeds 16 multiply-adds'
    """
    phases = -(-n // tile)
    side, gap = 122.0, 16.0
    ax, width, _ = begin(ax, TOP + 2 * side + gap + 12)
    left = MARGIN + 26
    low, right = TOP + side + gap, left + side + gap
    places = {"A": (left, low), "B": (right, TOP), "C": (right, low)}
    step = side / (phases * tile) * tile
    edge = side * n / (phases * tile)
    for name, (x, y) in places.items():
        rounded(ax, [(x, y, edge, edge)], 1, None, "muted", 1)
        lines = [k * step for k in range(1, phases) if k * step < edge]
        strokes(ax, [(x + at, y, x + at, y + edge) for at in lines], "idle", 0.5, 0.5)
        strokes(ax, [(x, y + at, x + edge, y + at) for at in lines], "idle", 0.5, 0.5)
        write(ax, x - 6, y + 8, name, LABEL, align="right", bold=True)

    def box(name, row, column):
        x, y = places[name]
        wide, high = min(step, edge - column * step), min(step, edge - row * step)
        return x + column * step, y + row * step, wide, high
    bx, by = block
    done = [box("A", by, k) for k in range(phase)] + [box("B", k, bx) for k in range(phase)]
    cells(ax, done, "load", alpha=TINT)
    now = [box("A", by, phase), box("B", phase, bx)]
    cells(ax, now, "load")
    over = [(x, y, step, step) for x, y, wide, high in now if wide < step - 0.01 or high < step - 0.01]
    cells(ax, over, None, "load", 0.8, None, (2, 1.5))
    target = box("C", by, bx)
    cells(ax, [target], "compute", alpha=TINT + (1 - TINT) * (phase + 1) / phases)
    rounded(ax, [target], 1, None, "ink", 1.4)
    (ax0, ay0, aw, ah), (bx0, by0, bw, bh), (cx, cy, cw, ch) = now[0], now[1], target
    arrows(ax, [(ax0 + aw + 1, ay0 + ah / 2, cx - 1.5, cy + ch / 2),
                (bx0 + bw / 2, by0 + bh + 1, cx + cw / 2, cy - 1.5)])  # fmt: skip
    for row, text in enumerate((
        f"load tile A({by}, {phase})", f"load tile B({phase}, {bx})", "barrier",
        f"{tile} multiply-adds a thread", "barrier",
    )):
        text = f"{row + 1}. {text}"
        write(ax, MARGIN, TOP + 12 + 15 * row, text, fit(text, NOTE, left + side - MARGIN - 4))
    valid = _valid(n, tile, by) * _valid(n, tile, phase) + _valid(n, tile, phase) * _valid(n, tile, bx)
    sentence = f"phase {phase + 1} of {phases}: each of {valid} values feeds {tile} multiply-adds"
    what = f"{n} × {n} in tiles of {tile} × {tile}; block ({bx}, {by}) computes C({by}, {bx})"
    if valid < 2 * tile * tile:
        what += f"; {2 * tile * tile - valid} zeros fill the edge"
    headline(ax, title or sentence, note or what, "Phases of a tiled matrix multiplication",
             f"{plural(phase, 'phase')} done, {plural(phases - phase - 1, 'phase')} to come")
    return ax


def _valid(n, tile, place):
    return max(0, min(tile, n - place * tile))


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
    r, c = np.indices(thread.shape)
    requests, total = _count(thread, turn, (r * (leading or columns) + c) * size, size)
    room = 345.6 - 2 * MARGIN if ax is None else float(ax.get_xlim()[1]) - 2 * MARGIN
    cell = min(room / columns, 20.0)
    high = min((height or 240.0) / rows, 16.0, max(cell, 8.0))
    ax, width, bottom = begin(ax, 44 + (height or high * rows) + 24)
    first = (thread // 32 == warp) & (turn == 0)
    for color in range(4):
        tint = np.where((thread // 32 % 4 == color) & ~first, 1, 0)
        cells(ax, _boxes(tint, cell, high), identity(color), alpha=TINT)
    cells(ax, _boxes(first.astype(int), cell, high), "load")
    gap = min(0.9, cell * 0.14, high * 0.14)
    right, low = MARGIN + columns * cell, 42 + rows * high
    strokes(ax, [(MARGIN + k * cell, 42, MARGIN + k * cell, low) for k in range(1, columns)], "bg", gap)
    strokes(ax, [(MARGIN, 42 + k * high, right, 42 + k * high) for k in range(1, rows)], "bg", gap)
    if cell >= 9 and high >= 7.5 and thread.size <= 600:
        text = fit(str(int(thread.max())), VALUE, cell - 1.4, least=3.5)
        for (row, column), number in np.ndenumerate(thread):
            on = "bg" if first[row, column] else "ink"
            x, y = MARGIN + (column + 0.5) * cell, 42 + (row + 0.5) * high
            center(ax, x, y, str(number), min(text, high - 1), on)
    cells(ax, [(MARGIN, bottom - 14.5, 7, 7)], "load")
    key = f"the first load of warp {warp}; other tints: other warps or loads"
    write(ax, MARGIN + 11, bottom - 8, key, NOTE, "muted")
    lanes = min(32, thread.max() + 1)
    fewest = -(-lanes * size // 32)
    each = total / requests if requests else 0
    sentence = f"{three(each)} sectors a request; {fewest} is the fewest"
    threads = len(np.unique(thread))
    what = f"{rows} × {columns} elements by {plural(threads, 'thread')}: {plural(requests, 'request')}, "
    headline(ax, title or sentence, note or what + plural(total, "sector"),
             "Map of which thread fetches which element",
             f"numbers are threads; {integer(total)} sectors in {integer(requests)} requests",
             "bad" if each > fewest else "ink")
    return ax


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
    key = thread.ravel() // 32 * (turn.max() + 1) + turn.ravel()
    _, request = np.unique(key, return_inverse=True)
    addresses = np.zeros((request.max() + 1, 32), np.int64)
    active = np.zeros(addresses.shape, bool)
    addresses[request, thread.ravel() % 32] = address.ravel()
    active[request, thread.ravel() % 32] = True
    return len(active), int(coalesce.sectors(addresses, active, size).sum())


def _boxes(kinds, cell, high):
    return [(MARGIN + left * cell, 42 + top * high, (right - left) * cell, (low - top) * high)
            for top, low, left, right, kind in merged(kinds) if kind]
