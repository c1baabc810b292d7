"""Who owns what: the threads of a grid laid over the elements of an array, and the guard at its edge."""

import numpy as np

from ...units import dim3
from ..written import integer, plural
from .paper import begin, center, fit, headline, write
from .shapes import cells, crosses, merged, rounded, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, identity

TOP = 42.0  # points: where a map starts


def ownership_map(
    grid, block, shape, *, guard=True, per_thread=1, title=None, note=None, height=None, ax=None
):
    """Draw which thread owns which element of an array, and which threads have none.

    grid, block : int or up to 2 ints (x, y), as in a launch;  shape : elements (columns, rows) or a number
    guard : threads outside stop; without it they touch another row, or leave the array (a cross)
    per_thread : elements (x, y) of one thread, neighbours in a rectangle
    height : points of the map, None for what it needs; fix it for a slider
    return : ax

    >>> ownership_map((2, 2), (8, 4), (12, 6)).headline
    '72 threads own an element, 56 stop at the guard'
    >>> ownership_map((2, 2), (8, 4), (12, 6), guard=False).headline
    '20 threads touch a wrong element, 36 are out of bounds'
    """
    flat = np.ndim(shape) == 0
    grid, block, each = dim3(grid)[:2], dim3(block)[:2], dim3(per_thread)[:2]
    columns, rows = (int(shape), 1) if flat else map(int, shape)
    tile = block[0] * each[0], block[1] * each[1]
    across, down = max(grid[0] * tile[0], columns), max(grid[1] * tile[1], rows)
    wrap = grid[0] if flat and grid[0] > 1 else 0  # a one-dimensional grid: a row for each block
    if wrap:
        across, down = tile[0], max(grid[0], -(-columns // tile[0]))
    room = 345.6 - 2 * MARGIN if ax is None else float(ax.get_xlim()[1]) - 2 * MARGIN
    plan = _OwnershipPlan(room, height, across, down, (tile[0], 1) if wrap else tile, 38.0 if wrap else 0.0)
    ax, width, _ = begin(ax, TOP + (height or plan.tall) + 32)
    lot = _Lot(grid, block, each, (columns, rows))
    counts = _draw_elements(ax, plan, lot, guard, wrap)
    _draw_blocks(ax, plan, lot, wrap)
    _draw_edge(ax, plan, lot, wrap)
    text = "heavy line: edge of the array"
    write(ax, width - MARGIN, plan.bottom + 14, text, NOTE, "muted", "right")
    what = f"{integer(columns)} elements" if flat else f"{columns} × {rows} elements"
    many = f", {each[0]} × {each[1]} elements a thread" if each != (1, 1) else ""
    headline(
        ax,
        title or _sentence(counts, guard),
        note or f"{what}, grid {_pair(grid)}, block {_pair(block)}{many}",
        "Map of the elements that each thread owns",
        f"{counts['own']} threads own, {counts['idle']} do not, {counts['missing']} elements have no thread",
    )
    return ax


def _pair(sizes):
    return f"({sizes[0]}, {sizes[1]})" if sizes[1] > 1 else str(sizes[0])


def _sentence(counts, guard):
    own, idle, missing = counts["own"], counts["idle"], counts["missing"]
    if missing:
        return f"{plural(missing, 'element')} {'has' if missing == 1 else 'have'} no thread"
    if guard or not idle:
        stop = f"{integer(idle)} stop{'s' if idle == 1 else ''} at the guard" if idle else "none is idle"
        return f"{plural(own, 'thread')} own{'s' if own == 1 else ''} an element, {stop}"
    if not counts["alias"]:
        return f"{plural(idle, 'thread')} {'is' if idle == 1 else 'are'} out of bounds"
    wrong = f"{plural(counts['alias'], 'thread')} touch{'es' if counts['alias'] == 1 else ''} a wrong element"
    return wrong + (f", {integer(counts['outside'])} are out of bounds" if counts["outside"] else "")


class _Lot:
    """What every element of a launch is, (rows, columns): 0 to 3 owned, ALIAS of another row, or OUTSIDE."""

    ALIAS, OUTSIDE = 5, 6

    def __init__(self, grid, block, each, shape):
        self.grid, self.block, self.each, self.shape = grid, block, each, shape
        self.tile = block[0] * each[0], block[1] * each[1]
        self.x, self.y = np.meshgrid(np.arange(grid[0] * self.tile[0]), np.arange(grid[1] * self.tile[1]))
        self.inside = (self.x < shape[0]) & (self.y < shape[1])
        alias = self.y * shape[0] + self.x < shape[0] * shape[1]
        tint = (self.x // self.tile[0] + 2 * (self.y // self.tile[1])) % 4
        self.kind = np.where(self.inside, tint, np.where(alias, self.ALIAS, self.OUTSIDE))

    def counts(self):
        """Return how many threads do what; a thread is judged by its first element."""
        first = (self.x % self.each[0] == 0) & (self.y % self.each[1] == 0)
        own, alias = int((first & self.inside).sum()), int((first & (self.kind == self.ALIAS)).sum())
        outside = int((first & (self.kind == self.OUTSIDE)).sum())
        missing = self.shape[0] * self.shape[1] - int(self.inside.sum())
        return {"own": own, "idle": alias + outside, "alias": alias, "outside": outside, "missing": missing}

    def thread(self):
        """Return the number of each element's thread within its block."""
        x, y = self.x // self.each[0] % self.block[0], self.y // self.each[1] % self.block[1]
        return x + self.block[0] * y


class _OwnershipPlan:
    """Where the cell of an element is drawn: cells as large as fit, a gap between blocks."""

    def __init__(self, room, height, across, down, tile, gutter):
        self.tile, self.left = tile, MARGIN + 1 + gutter
        blocks = -(-across // tile[0]), -(-down // tile[1])
        self.gap = 3.0 if max(blocks) <= 16 else 1.0 if max(blocks) <= 40 else 0.0
        self.cell = min((room - gutter - self.gap * (blocks[0] - 1) - 2) / across, 21.0)
        tallest = ((height or 290.0) - self.gap * (blocks[1] - 1) - 2) / down
        self.high = min(self.cell, tallest) if down > 1 and tile[1] > 1 else min(tallest, 16.0)
        if self.cell > self.high and self.cell >= 6 and tile[1] > 1:
            self.cell = max(self.high, min(self.cell, self.high * 1.6))
        self.tall = self.high * down + self.gap * (blocks[1] - 1) + 2
        self.bottom = TOP + self.tall

    def x(self, column):
        return self.left + column * self.cell + np.asarray(column) // self.tile[0] * self.gap

    def y(self, row):
        return TOP + 1 + row * self.high + np.asarray(row) // self.tile[1] * self.gap


def _draw_elements(ax, plan, lot, guard, wrap):
    """Draw the elements, as cells or, where there are many, as areas ruled into cells; return the counts."""
    x, y = (lot.x % lot.tile[0], lot.x // lot.tile[0]) if wrap else (lot.x, lot.y)
    few = lot.x.size <= 400
    boxes, kinds = _cell_boxes(plan, x, y, lot.kind) if few else _areas(plan, x, y, lot)
    for color in range(4):
        cells(ax, boxes[kinds == color], identity(color), alpha=TINT)
    idle, outside = boxes[kinds > 3], boxes[kinds == lot.OUTSIDE]
    if guard and few:
        cells(ax, idle + (0.3, 0.3, -0.6, -0.6), None, "idle", 0.6, 0.75)
    elif guard:
        cells(ax, idle, "idle", alpha=0.3)
    else:
        cells(ax, boxes[kinds == lot.ALIAS], "bad", alpha=TINT)
        cells(ax, outside, None if few else "bad", "bad" if few else None, 0.6, None if few else 0.75)
        crosses(ax, outside if few else [], min(1.3, plan.cell / 8))
    if not few and min(plan.cell, plan.high) >= 2.5:
        _rule(ax, plan, int(x.max()) + 1, int(y.max()) + 1)
    if few and plan.cell >= 11 and plan.high >= 8:
        thread = lot.thread()
        size = fit(str(int(thread.max())), VALUE, plan.cell - 2.5, least=4)
        for (left, top, wide, high), number, kind in zip(boxes, thread.flat, kinds, strict=True):
            if kind != lot.OUTSIDE or guard:
                color = "idle" if guard and kind > 3 else "ink"
                center(ax, left + wide / 2, top + high / 2, str(number), size, color)
    return lot.counts()


def _cell_boxes(plan, x, y, kind):
    gap = min(1.0, plan.cell * 0.12)
    wide, high = np.full(x.shape, plan.cell - gap), np.full(x.shape, plan.high - gap)
    return np.stack([plan.x(x) + gap / 2, plan.y(y) + gap / 2, wide, high], -1).reshape(-1, 4), kind.ravel()


def _areas(plan, x, y, lot):
    """Merge equal neighbours within a block into one box."""
    found = merged(lot.kind, lot.tile)
    boxes = [
        (plan.x(x[top, left]), plan.y(y[top, left]), (right - left) * plan.cell, (low - top) * plan.high)
        for top, low, left, right, _ in found
    ]
    return np.array(boxes, float), np.array([kind for *_, kind in found])


def _rule(ax, plan, across, down):
    """Rule areas into cells with page-coloured lines."""
    right, low = float(plan.x(across - 1)) + plan.cell, float(plan.y(down - 1)) + plan.high
    width = min(0.8, plan.cell * 0.14)
    strokes(ax, [(x, TOP + 1, x, low) for x in plan.x(np.arange(1, across))], "bg", width)
    strokes(ax, [(plan.left, y, right, y) for y in plan.y(np.arange(1, down))], "bg", width)


def _draw_blocks(ax, plan, lot, wrap):
    """Outline the blocks and name them: inside if threads have no numbers, at the left if each is a row."""
    grid, tile = lot.grid, lot.tile
    high = (1 if wrap else tile[1]) * plan.high + 2
    numbers = [(bx, by) for by in range(grid[1]) for bx in range(grid[0])]
    boxes = [
        (
            float(plan.x(0 if wrap else bx * tile[0])) - 1,
            float(plan.y(bx if wrap else by * tile[1])) - 1,
            tile[0] * plan.cell + 2,
            high,
        )
        for bx, by in numbers
    ]
    if len(boxes) <= 1024:
        rounded(ax, boxes, 2.5 if plan.gap > 1 else 1, None, "muted", 0.9 if plan.gap else 0.4)
    every = max(1, -(-9 // max(1, int(high + plan.gap)))) if wrap else 1
    numbered = lot.x.size <= 400 and plan.cell >= 11 and plan.high >= 8
    for (bx, by), (x, y, wide, high) in zip(numbers, boxes, strict=True):
        text = f"({bx}, {by})" if grid[1] > 1 else f"block {bx}"
        if wrap and bx % every == 0:
            size = fit(text, NOTE, plan.left - MARGIN - 6)
            write(ax, plan.left - 5, y + high / 2 + 3, text, size, "muted", "right")
        elif not wrap and not numbered and fit(text, VALUE, wide - 4, least=1) >= 5 and high >= 9:
            center(ax, x + wide / 2, y + high / 2, text, fit(text, VALUE, wide - 4, least=5))


def _draw_edge(ax, plan, lot, wrap):
    """Draw the edge of the array, heavy, and tint the elements that no block covers."""
    (columns, rows), tile = lot.shape, lot.tile
    if wrap:
        full, rest = divmod(min(columns, lot.x.size), tile[0])
        if rest:
            right, left = float(plan.x(tile[0] - 1)) + plan.cell + 0.5, plan.left - 0.5
            x, top = float(plan.x(rest)), float(plan.y(full)) - 0.5
            low = top + plan.high + 1
            strokes(ax, [(left, low, x, low), (x, low + 1, x, top - 1), (x, top, right, top)], "ink", 2)
        return
    right, low = float(plan.x(columns - 1)) + plan.cell + 0.5, float(plan.y(rows - 1)) + plan.high + 0.5
    end = lot.x.shape[1], lot.x.shape[0]
    if columns > end[0]:
        left = float(plan.x(end[0]))
        cells(ax, [(left, TOP + 1, right - left, low - TOP - 1)], "bad", alpha=TINT)
    if rows > end[1]:
        top, wide = float(plan.y(end[1])), float(plan.x(min(columns, end[0]) - 1)) + plan.cell - plan.left
        cells(ax, [(plan.left, top, wide, low - top)], "bad", alpha=TINT)
    strokes(ax, [(right, TOP, right, low + 1), (MARGIN, low, right + 1, low)], "ink", 2)
