"""Warps of one block: its threads in the order x, y, z, cut every 32."""

import numpy as np

from ...units import LANES, dim3, warps_of
from ..written import integer, percent, plural
from .paper import begin, center, fit, headline, write
from .shapes import cells, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, WIDTH, identity

TOP = 42.0  # points: where the map starts
LAYER = 4.0  # points between the layers of a three-dimensional block


def block_warps(block, *, title=None, note=None, height=None, ax=None):
    """Draw the threads of one block, tinted by warp and numbered by lane; x runs fastest, then y, then z.

    block : int or up to 3 ints, blockDim;  height : points of the map, None for what it needs
    return : ax

    >>> block_warps((8, 8)).headline
    '2 warps: 64 of 64 lanes have a thread'
    >>> block_warps(33).headline
    '2 warps: 33 of 64 lanes have a thread'
    """
    bx, by, bz = dim3(block)
    plan = _WarpPlan((bx, by, bz), WIDTH if ax is None else float(ax.get_xlim()[1]), height)
    ax, *_ = begin(ax, TOP + (height or plan.tall + 14) + 20)
    gap = np.array([0.4, 0.4, -0.8, -0.8])
    for color in range(4):
        cells(ax, plan.boxes[plan.linear // LANES % 4 == color] + gap, identity(color), alpha=TINT)
    _draw_borders(ax, plan)
    _draw_numbers(ax, plan)
    for z in range(bz if bz > 1 else 0):
        write(ax, MARGIN, TOP + z * (by * plan.high + LAYER) + 8, f"z{z}", VALUE, "muted")
    key = "w: first lane of a warp, with its number; other numbers are lanes"
    write(ax, MARGIN, TOP + plan.tall + 14, "one tint, one warp" if plan.flat else key, NOTE, "muted")
    have = len(plan.linear)
    warps = warps_of(have)
    size = f"({bx}, {by}, {bz})" if bz > 1 else f"({bx}, {by})" if by > 1 else str(bx)
    sentence = f"{plural(warps, 'warp')}: {integer(have)} of {integer(LANES * warps)} lanes have a thread"
    headline(ax, title or sentence, note or f"block {size}: threads in the order x, y, z, cut every {LANES}",
             "Map of a block's threads by warp and lane",
             f"{percent(have / (LANES * warps))} of the lanes have a thread")  # fmt: skip
    return ax


class _WarpPlan:
    """Where each thread's cell stands: a row for each y, layers for z; a long row is broken every 32."""

    def __init__(self, block, width, height):
        bx, by, bz = block
        self.row = bx if by * bz > 1 or bx <= LANES else LANES
        lines = -(-bx // self.row) * by * bz
        self.left = MARGIN + (16 if bz > 1 else 0)
        self.cell = min((width - MARGIN - self.left) / self.row, 21.0)
        room = (height or 300.0) - 14 - LAYER * (bz - 1)
        self.high = min(self.cell if self.cell > 8 else 8.0, room / lines, 16.0)
        self.tall = lines * self.high + LAYER * (bz - 1)
        self.flat = self.cell < 11 or self.high < 8  # too small for the numbers of lanes
        self.linear = np.arange(bx * by * bz)
        line = self.linear // self.row
        layer = line // (by if bz > 1 else lines)
        self.x = self.left + self.linear % self.row * self.cell
        self.y = TOP + line * self.high + LAYER * layer
        whole = np.ones(len(self.linear))
        self.boxes = np.stack([self.x, self.y, whole * self.cell, whole * self.high], 1)


def _draw_borders(ax, plan):
    """Part the warps by a line where one ends and the next begins, also within a row."""
    segments = []
    for number in plan.linear[::LANES][1:]:
        start = number - number % plan.row
        end = min(start + plan.row, len(plan.linear)) - 1
        x, y, low = plan.x[number], plan.y[number], plan.y[number] + plan.high
        segments.append((x, y, plan.x[end] + plan.cell, y))
        if number > start:
            segments += [(plan.x[start], low, x, low), (x, y, x, low)]
    strokes(ax, segments, "muted", 1.1)


def _draw_numbers(ax, plan):
    """Write each warp's number at its first lane, or beside it, and other lanes' where they fit."""
    beside = plan.high < 8 and plan.row * plan.cell < 240
    for number in plan.linear:
        x, y, lane = plan.x[number], plan.y[number], int(number % LANES)
        if lane == 0 and beside:
            low = plan.y[min(number + LANES - 1, len(plan.linear) - 1)] + plan.high
            right = plan.left + plan.row * plan.cell
            write(ax, right + 5, (y + low) / 2 + 3, f"warp {number // LANES}", VALUE)
        elif lane == 0:
            reach = min(plan.row - number % plan.row, 3) if plan.flat else 1  # it may cover three flat cells
            wide = reach * plan.cell
            text = f"warp {number // LANES}" if wide > 34 else f"{'' if plan.flat else 'w'}{number // LANES}"
            size = min(fit(text, VALUE, wide - 1, bold=True, least=4), plan.high)
            center(ax, x + wide / 2, y + plan.high / 2, text, size, bold=True)
        elif not plan.flat:
            size = fit("31", VALUE, plan.cell - 2.5, least=4)
            center(ax, x + plan.cell / 2, y + plan.high / 2, str(lane), size)
