"""Requests seen in their matrices: the elements that a warp touches, and the sectors that move for them."""

import numpy as np

from ...rules.coalesce import sector_ids
from ...units import SECTOR, WORD
from ..written import plural, three
from .paper import begin, fit, headline, write
from .requests import one_request
from .shapes import cells, rounded, strokes
from .theme import KINDS, LABEL, MARGIN, NOTE, TINT

TOP, GAP, WIDEST = 62.0, 16.0, 128.0  # points: top of the matrices, between two, side of the largest
EACH = SECTOR // WORD  # elements, 4 bytes each, of a sector


def matrix_sectors(requests, columns, *, size=(32, 32), title=None, note=None, ax=None):
    """Draw one request each of a warp in row-major matrices, side by side: up to four of them.

    requests : {name: event of `run.trace`}, or {name: (addresses (32,), active (32,), bytes a lane, kind)}
    columns : elements in a row of the matrices, or {name: elements};  size : (rows, columns) that are drawn
    return : ax, of one height for one number of matrices and one size; drawn is the piece of that size
        in which the first touched element lies

    A deep cell is an element that some lane asks for; a red tint moves in the same sector for nothing.

    >>> lane = np.arange(32)
    >>> row, column = (lane * 4, lane >= 0, 4, "load"), (lane * 1024, lane >= 0, 4, "store")
    >>> matrix_sectors({"in": row, "out": column}, 256).headline
    'in: 4 sectors; out: 32 sectors'
    """
    count, (down, across) = len(requests), size
    width = 345.6 if ax is None else float(ax.get_xlim()[1])
    step = min((width - 2 * MARGIN - GAP * (count - 1)) / count, WIDEST) / across
    ax, width, _ = begin(ax, TOP + down * step + 34)
    inset = max(MARGIN, (width - count * across * step - (count - 1) * GAP) / 2)
    told = []
    for place, (name, request) in enumerate(requests.items()):
        left = inset + place * (across * step + GAP)
        many = columns[name] if isinstance(columns, dict) else columns
        request = one_request(*(request if isinstance(request, tuple) else (request,)))
        told.append(_draw_matrix(ax, name, request, many, size, left, step))
    headline(ax, title or "; ".join(f"{name}: {plural(sectors, 'sector')}" for name, sectors, _ in told),
             note or "deep: an element that a lane asks for; red: moved in the same sector for nothing",
             "Elements of each matrix that one request of a warp touches",
             "; ".join(f"{name}: {sentence}" for name, _, sentence in told))  # fmt: skip
    return ax


def _draw_matrix(ax, name, request, columns, size, left, step):
    """One matrix with its request; return (name, sectors, what else is to say)."""
    address, active, wide, kind = request
    (down, across), color = size, KINDS.get(kind, "load")
    touched = np.unique(address[active, None] + np.arange(0, max(wide, WORD), WORD)) // WORD
    moved = sector_ids(address, active, wide)
    moved = moved[moved >= 0]
    row0 = int((touched // columns).min()) // down * down if len(touched) else 0
    column0 = int((touched % columns).min()) // across * across if len(touched) else 0

    def boxes(elements, run=1):
        row, column = elements // columns - row0, elements % columns - column0
        seen = (row < down) & (column >= 0) & (column < across)
        x, y = left + column[seen] * step, TOP + row[seen] * step
        return np.stack([x, y, np.full(x.shape, run * step), np.full(x.shape, step)], 1)

    inner = np.array([0.25, 0.25, -0.5, -0.5])
    rounded(ax, [(left, TOP, across * step, down * step)], 1.6, None, "muted", 0.8)
    if columns % EACH == 0:
        at = [left + column * step for column in range(EACH, across, EACH)]
        strokes(ax, [(x, TOP, x, TOP + down * step) for x in at], "idle", 0.5, 0.35)
    around = (moved[:, None] * EACH + np.arange(EACH)).ravel()
    cells(ax, boxes(np.setdiff1d(around, touched)) + inner, "bad", alpha=TINT)
    cells(ax, boxes(touched) + inner, color)
    if columns % EACH == 0:
        rounded(ax, boxes(moved * EACH, run=EACH), 1.2, None, color, 0.6)
    used = len(touched) * WORD / (len(moved) * SECTOR) if len(moved) else 0.0
    verb = {"store": "stored", "atomic": "changed"}.get(kind, "read")
    sentence = f"{plural(len(touched), 'element')} {verb}, {three(100 * used)} % used"
    write(ax, left, TOP - 6, name, fit(name, LABEL, across * step, bold=True), bold=True)
    low = TOP + down * step + 13
    what = plural(len(moved), "sector")
    write(ax, left, low, what, LABEL, "bad" if used < 0.5 and len(moved) >= 8 else "ink", bold=True)
    write(ax, left, low + 12, sentence, min(NOTE, fit(sentence, NOTE, across * step)), "muted")
    return name, len(moved), f"{what}, {sentence}"
