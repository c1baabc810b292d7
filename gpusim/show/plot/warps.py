"""Warps of one block: its threads in the order x, y, z, cut every 32."""

import numpy as np

from ...rules.warps import dim3, layout
from .paper import begin, center, fit, headline, write
from .shapes import cells, strokes
from .theme import MARGIN, NOTE, TINT, VALUE, WIDTH, identity, integer, percent, plural

TOP = 42.0  # points: where the map starts


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
    warps = layout(block)
    wrapped = bx if by * bz > 1 or bx <= 32 else 32  # a long row is broken every 32 threads
    lines = (-(-bx // wrapped)) * by * bz
    ax_width = WIDTH if ax is None else float(ax.get_xlim()[1])
    cell = min((ax_width - 2 * MARGIN - (16 if bz > 1 else 0)) / wrapped, 21.0)
    high = min(cell if cell > 8 else 8.0, ((height or 300.0) - 14 - 4 * (bz - 1)) / lines, 16.0)
    tall = lines * high + 4 * (bz - 1)
    ax, width, _ = begin(ax, TOP + (height or tall + 14) + 20)
    left = MARGIN + (16 if bz > 1 else 0)
    linear = np.arange(warps.active.size)[: bx * by * bz]
    row, column = linear // wrapped, linear % wrapped
    layer = row // (by if bz > 1 else lines)
    x, y = left + column * cell, TOP + row * high + 4 * layer
    boxes = np.stack([x + 0.4, y + 0.4, np.full(x.shape, cell - 0.8), np.full(x.shape, high - 0.8)], 1)
    for color in range(4):
        cells(ax, boxes[linear // 32 % 4 == color], identity(color), alpha=TINT)
    _warp_borders(ax, linear, wrapped, x, y, cell, high)
    beside = high < 8 and wrapped * cell < 240  # flat cells: the warps are named at the right
    for number in linear:
        lane, middle = int(number % 32), (x[number] + cell / 2, y[number] + high / 2)
        if lane == 0 and beside:
            last = min(number + 31, len(linear) - 1)
            write(
                ax,
                left + wrapped * cell + 5,
                (y[number] + y[last] + high) / 2 + 3,
                f"warp {number // 32}",
                VALUE,
            )
        elif lane == 0:
            flat = cell < 11 or high < 8  # too small for lanes: the number may cover three cells
            wide = min(wrapped - column[number], 3) * cell if flat else cell
            text = f"warp {number // 32}" if wide > 34 else f"{'' if flat else 'w'}{number // 32}"
            size = min(fit(text, VALUE, wide - 1, bold=True, least=4), high)
            center(ax, x[number] + wide / 2, middle[1], text, size, bold=True)
        elif cell >= 11 and high >= 8:
            center(ax, *middle, str(lane), fit("31", VALUE, cell - 2.5, least=4))
    for z in range(bz if bz > 1 else 0):
        write(ax, MARGIN, TOP + z * (by * high + 4) + 8, f"z{z}", VALUE, "muted")
    have, slots = bx * by * bz, int(warps.active.size)
    size = f"({bx}, {by}, {bz})" if bz > 1 else f"({bx}, {by})" if by > 1 else str(bx)
    key = "w: first lane of a warp, with its number; other numbers are lanes"
    write(
        ax, MARGIN, TOP + tall + 14, key if cell >= 11 and high >= 8 else "one tint, one warp", NOTE, "muted"
    )
    sentence = f"{plural(slots // 32, 'warp')}: {integer(have)} of {integer(slots)} lanes have a thread"
    headline(
        ax,
        title or sentence,
        note or f"block {size}: threads in the order x, y, z, cut every 32",
        "Map of a block's threads by warp and lane",
        f"{percent(have / slots)} of the lanes have a thread",
    )
    return ax


def _warp_borders(ax, linear, wrapped, x, y, cell, high):
    """Part the warps by a line where one ends and the next begins, also within a row."""
    segments = []
    for number in linear[::32][1:]:
        start, end = number - number % wrapped, min(number - number % wrapped + wrapped, len(linear)) - 1
        segments.append((x[number], y[number], x[end] + cell, y[number]))
        if number > start:
            segments += [
                (x[start], y[number] + high, x[number], y[number] + high),
                (x[number], y[number], x[number], y[number] + high),
            ]
    strokes(ax, segments, "muted", 1.1)
