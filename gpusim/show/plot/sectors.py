"""The sector map: which 32-byte sectors one request touches, and which lane uses which of their bytes."""

from itertools import pairwise

import numpy as np

from ...rules import coalesce
from ...units import LINE, SECTOR
from ..written import integer, percent, plural
from .paper import begin, center, fit, headline, text_width, write
from .requests import lane_row, one_request, request_words
from .shapes import cells, rounded
from .theme import CELL, KINDS, MARGIN, NOTE, TINT, VALUE

LEFT, TOP, PITCH, BOX = (
    44.0,
    91.0,
    27.0,
    17.6,
)  # points: first sector, first row, row to row, height of a sector


def sector_map(addresses, active=None, size=4, kind="load", *, title=None, note=None, rows=None, ax=None):
    """Draw the sectors of one warp's request to global memory.

    addresses : (32,) int, byte address of each lane; or a load or store event of `run.trace`
    active : (32,) bool, None for all;  size : bytes a lane;  kind : "load", "store", "atomic"
    rows : rows of four sectors to leave room for; 32 sectors fit in 8, the same height at all settings
    return : ax

    A row is one 128-byte line of memory; beyond 8 lines only touched sectors are drawn, four in a row.

    >>> sector_map((3 * np.arange(32) + 1) * 4).headline
    '12 sectors move 384 bytes; 128 are used'
    """
    address, active, size, kind = one_request(addresses, active, size, kind)
    pieces = _pieces(address, active, size)
    grid = _Grid(sorted({piece[0] for piece in pieces}))
    ax, width, height = begin(ax, TOP + PITCH * max(rows or 1, grid.rows) + 46)
    right = width - MARGIN
    write(ax, MARGIN, TOP - 38, "lanes", NOTE, "muted")
    lane_row(ax, LEFT, right, TOP - 46, active, kind)
    write(ax, MARGIN, TOP - 13, "bytes", NOTE, "muted")
    caption = grid.caption(size)
    write(ax, LEFT, TOP - 13, caption, fit(caption, NOTE, right - LEFT), "muted")
    _draw_sectors(ax, grid, pieces, size, kind, right)
    count = int(coalesce.sectors(address[None], active[None], size, kind)[0])
    used = len({byte for start, first, n, _ in pieces for byte in range(start + first, start + first + n)})
    _draw_moved(ax, right, height - 42, count * SECTOR, used, kind)
    headline(
        ax,
        title or _sentence(count, used, kind),
        note or request_words(kind, size, active),
        "Sector map of one request to global memory",
        grid.words(),
    )
    return ax


def _pieces(address, active, size):
    """What the lanes ask for, cut at sector boundaries: [(sector's byte, first byte in it, bytes, lanes)]."""
    lanes_at = {}
    for lane in np.flatnonzero(active):
        lanes_at.setdefault(int(address[lane]), []).append(int(lane))
    pieces = []
    for byte, lanes in sorted(lanes_at.items()):
        end = byte + size
        while byte < end:
            start = byte // SECTOR * SECTOR
            stop = min(end, start + SECTOR)
            pieces.append((start, byte - start, stop - byte, lanes))
            byte = stop
    return pieces


class _Grid:
    """Where the sectors stand: by lines of 128 bytes while these are few, else packed four in a row."""

    def __init__(self, sectors):
        self.sectors = sectors
        self.lines = sorted({start // LINE for start in sectors})
        self.by_line = len(self.lines) <= 8
        self.rows = len(self.lines) if self.by_line else -(-len(sectors) // 4)
        self.base = self.lines[0] * LINE if sectors and sectors[-1] >= 10**6 else 0

    def place(self, start):
        """Return (row, column) of the sector at this byte."""
        if self.by_line:
            return self.lines.index(start // LINE), start % LINE // SECTOR
        return divmod(self.sectors.index(start), 4)

    def caption(self, size):
        """Return the line above the rows."""
        unit = "the number is the lane" if size >= 4 else "a bar is one lane"
        row = "a row is one 128-byte line" if self.by_line else "touched sectors only, each with its address"
        return f"{row}; {unit}" + (f"; from byte {integer(self.base)}" if self.base else "")

    def words(self):
        """Return a sentence about where the sectors lie."""
        if not self.sectors:
            return ""
        return (
            f"They lie in {plural(len(self.lines), 'line')} of 128 bytes, "
            f"between byte {integer(self.sectors[0])} "
            f"and byte {integer(self.sectors[-1] + SECTOR - 1)}"
        )


def _draw_sectors(ax, grid, pieces, size, kind, right):
    wide = (right - LEFT) / 4
    color, unit = KINDS.get(kind, "load"), min(4, size)
    gap = {1: 0.4, 2: 0.6, 4: 0.9}.get(unit, 0.9)

    def box(start, first=0, n=SECTOR):
        row, column = grid.place(start)
        step = (wide - 2.6) / SECTOR
        return (
            LEFT + column * wide + 1.3 + first * step + gap / 2,
            TOP + row * PITCH + 1,
            n * step - gap,
            BOX - 2,
        )

    wasted = {(start, first) for start in grid.sectors for first in range(0, SECTOR, unit)}
    for start, first, n, _ in pieces:
        wasted -= {(start, cell) for cell in range(first // unit * unit, first + n, unit)}
    cells(ax, [box(start, first, unit) for start, first in sorted(wasted)], "bad", alpha=TINT)
    cells(ax, [box(start, first, n) for start, first, n, _ in pieces], color)
    outlines = [
        (LEFT + column * wide + 0.45, TOP + row * PITCH, wide - 0.9, BOX)
        for row, column in map(grid.place, grid.sectors)
    ]
    if grid.by_line:
        every = [
            (LEFT + column * wide + 0.45, TOP + row * PITCH, wide - 0.9, BOX)
            for row in range(grid.rows)
            for column in range(4)
        ]
        rounded(ax, [one for one in every if one not in outlines], 2.6, None, "idle", 0.7, 0.35)
    rounded(ax, outlines, 2.6, None, color, 0.9)
    _draw_numbers(ax, pieces, box)
    _draw_addresses(ax, grid, wide)


def _draw_numbers(ax, pieces, box):
    """The lane of each piece: beside it if the sectors' unused cells have room for all, else in its own cells."""
    shown = [piece for piece in pieces if piece[2] >= 4]
    if all(_room_beside(*pair, box) for pair in pairwise([*shown, None])):
        for start, first, n, lanes in shown:
            x, y, w, h = box(start, first, n)
            write(ax, x + w + 1.4, y + h / 2 + 0.365 * NOTE, _lanes(lanes), NOTE)
        return
    for start, first, n, lanes in shown:
        x, y, w, h = box(start, first, n)
        text = str(lanes[0]) if len(lanes) == 1 else f"×{len(lanes)}"
        room = fit(text, VALUE, w + 0.3, least=1)
        if room >= 5 or len(lanes) == 1 and w > 7:
            center(ax, x + w / 2, y + h / 2, text, max(room, 5), "bg")
        elif len(lanes) > 1 and len(pieces) <= 8:  # the cell is too narrow: the number of lanes goes below it
            half = text_width(_lanes(lanes), CELL) / 2
            write(ax, max(x + w / 2, LEFT + half), y + h + 7.5, _lanes(lanes), CELL, "ink", "center")


def _lanes(lanes):
    return str(lanes[0]) if len(lanes) == 1 else f"{len(lanes)} lanes"


def _room_beside(piece, after, box):
    """True if a piece is one cell and its number fits between it and what follows in its sector."""
    start, first, n, lanes = piece
    free = (after[1] if after and after[0] == start else SECTOR) - first - n
    return n <= 4 and free > 0 and text_width(_lanes(lanes), NOTE) + 1.6 < box(start, 0, free)[2]


def _draw_addresses(ax, grid, wide):
    if grid.by_line:
        for row, line in enumerate(grid.lines):
            text = integer(line * LINE - grid.base)
            write(
                ax,
                LEFT - 4,
                TOP + row * PITCH + BOX / 2 + 3.2,
                text,
                fit(text, NOTE, LEFT - 8),
                "muted",
                "right",
            )
        return
    for start in grid.sectors:
        row, column = grid.place(start)
        write(
            ax, LEFT + column * wide + 2, TOP + row * PITCH - 1.8, integer(start - grid.base), CELL, "muted"
        )


def _draw_moved(ax, right, top, moved, used, kind):
    """The bar of bytes moved: used, then wasted."""
    write(ax, MARGIN, top + 9, "moved", NOTE, "muted")
    if not moved:
        return
    used_width = (right - LEFT) * min(1, used / moved)
    cells(ax, [(LEFT, top, used_width, 11.5)], KINDS.get(kind, "load"))
    cells(
        ax,
        [(LEFT + used_width, top, right - LEFT - used_width, 11.5)] if used < moved else [],
        "bad",
        alpha=TINT,
    )
    cells(ax, [(LEFT, top, right - LEFT, 11.5)], None, "idle", 0.7)
    fewest = f"fewest possible: {plural(-(-used // SECTOR), 'sector')}"
    first = f"{integer(used)} used"
    write(ax, LEFT + 3, top + 24, first, NOTE)
    write(ax, right, top + 24, fewest, NOTE, "muted", "right")
    if used < moved:
        waste = f"{integer(moved - used)} wasted ({percent(1 - used / moved)})"
        least = LEFT + 3 + text_width(first, NOTE) + 8
        most = right - text_width(fewest, NOTE) - 8 - text_width(waste, NOTE)
        write(ax, max(least, min(LEFT + used_width + 3, most)), top + 24, waste, NOTE, "bad")


def _sentence(count, used, kind):
    if not count:
        return "0 sectors: no lane is active"
    moved, verb = count * SECTOR, "are used" if kind == "load" else "are written"
    share = f"all {verb}" if used == moved else f"{integer(used)} {verb}"
    return f"{plural(count, 'sector')} {'moves' if count == 1 else 'move'} {integer(moved)} bytes; {share}"
