"""What fits on an SM, and how rounds of blocks fill the card: occupancy limits, waves and their saw-tooth."""

import numpy as np

from ...units import warps_of
from ..written import integer, percent, plural, size
from .paper import begin, headline, text_width, write
from .roofs import article
from .scales import Scales
from .shapes import cells, dots, line, strokes
from .theme import LABEL, MARGIN, NOTE

TOP, ROW, SQUARE = 55.0, 23.0, 7.4  # points: first row, row to row, a block's square


def occupancy_limits(result, gpu=None, threads=None, registers=None, shared=None, *, title=None, note=None,
                     ax=None):  # fmt: skip
    """Draw how many blocks each resource of an SM allows; the smallest number binds.

    result : of `gs.occupancy`: blocks, warps, fraction, limits {resource: blocks or None}, limiters
    gpu, threads, registers, shared : what it was asked; then each row says how its number comes about
    return : ax, always of one height

    >>> from gpusim.models.occupancy import occupancy
    >>> occupancy_limits(occupancy("H200", 256, 40, 49152)).headline
    '4 blocks fit: 32 of 64 warps, 50 %'
    """
    ax, width, _ = begin(ax, TOP + ROW * len(result.limits) + 8)
    formulas = _formulas(gpu, threads, registers, shared) if gpu is not None else {}
    left, pitch = 60.0, (width - MARGIN - 62.0) / 32
    for row, (name, limit) in enumerate(result.limits.items()):
        y, binds = TOP + row * ROW, name in result.limiters
        write(ax, MARGIN, y + 7, name, LABEL, bold=binds)
        shown = _draw_squares(ax, left, pitch, y, limit, result.blocks, binds)
        _limit_text(ax, width, left + shown * pitch, y, limit, formulas.get(name, ""), binds)
    if result.blocks < 32:
        x = left + result.blocks * pitch - (pitch - SQUARE) / 2
        strokes(ax, [(x, TOP - 7, x, TOP + ROW * len(result.limits) - 8)], "ink", 1.2)
    asked = "blocks of one SM that each resource allows"
    if gpu is not None:
        asked = _asked(getattr(gpu, "name", gpu), threads, registers, shared)
    rows = [f"{name}: {'no limit' if n is None else plural(n, 'block')}" for name, n in result.limits.items()]
    headline(ax, title or _fits(result), note or asked, "Blocks of one SM that each resource allows",
             ", ".join(rows) + f"; {' and '.join(result.limiters)} binds")  # fmt: skip
    return ax


def _draw_squares(ax, left, pitch, y, limit, blocks, binds):
    """Draw a square a block: those that are resident full, the others hollow; return the squares' room."""
    if limit is None:
        return blocks % 32
    boxes = [(left + n * pitch, y, SQUARE, SQUARE) for n in range(min(limit, 32))]
    cells(ax, boxes[:blocks], "load", alpha=None if binds else 0.4)
    hollow = [(x + 0.3, top + 0.3, w - 0.6, h - 0.6) for x, top, w, h in boxes[blocks:]]
    cells(ax, hollow, None, "idle", 0.7, 0.75)
    return len(boxes)


def _fits(result):
    if not result.fraction:
        return "no block fits"
    fits = f"{plural(result.blocks, 'block')} fit{'s' if result.blocks == 1 else ''}"
    most = round(result.warps / result.fraction)
    return f"{fits}: {result.warps} of {most} warps, {percent(result.fraction)}"


def _asked(name, threads, registers, shared):
    needs = f"{threads} threads a block, {registers} registers a thread, {size(shared or 0)} shared"
    return f"one SM of {article(name)} {name}; {needs}"


def _formulas(gpu, threads, registers, shared):
    """Say how each limit comes about; hardware rounds registers up by warp, so this is a first step."""
    from ...gpus import as_gpu

    gpu = as_gpu(gpu)
    reserve = f" + {size(gpu.shared_reserved)}" if gpu.shared_reserved else ""
    return {
        "warps": f"{gpu.warps_per_sm} ÷ {warps_of(threads)} warps a block",
        "blocks": "the most an SM holds",
        "registers": f"{integer(gpu.registers_per_sm)} ÷ ({threads} × {registers})"
        if registers
        else "none used",
        "shared": f"{size(gpu.shared_per_sm)} ÷ ({size(shared)}{reserve})" if shared else "none used",
    }


def _limit_text(ax, width, x, y, limit, formula, binds):
    """The number and its formula: after the squares if there is room, else under their right end."""
    number = "no limit" if limit is None else integer(limit)
    tail = "  binds" if binds else ""
    wide = text_width(number, NOTE, True) + text_width(f"  {formula}{tail}", NOTE, binds)
    low = x + 4 + wide > width - 4
    if low:
        x, y = width - MARGIN - wide, y + 10.8
    write(ax, x + 4, y + 7, number, NOTE, bold=True)
    x += 4 + text_width(number, NOTE, True) + 5
    write(ax, x, y + 7, formula, NOTE, "muted")
    if binds:
        write(ax, x + (text_width(formula, NOTE) + 6 if formula else 0), y + 7, "binds", NOTE, bold=True)


def waves(blocks, size=None, *, sms=None, per_sm=None, title=None, note=None, limit=None, rows=None, ax=None):
    """Draw the rounds that equal blocks take, and the share of places used for any number of blocks.

    blocks : launched; or the result of `gs.waves`;  size : blocks that run at once (or give sms and per_sm)
    limit : blocks at the right end of the saw-tooth;  rows : rounds to leave room for, at most 3
    return : ax

    >>> waves(400, sms=132, per_sm=3).headline
    '50.5 % of the places used'
    """
    if hasattr(blocks, "utilisation"):
        size, blocks = blocks.size, (blocks.count - 1) * blocks.size + blocks.tail
    size = size or sms * per_sm
    count = -(-blocks // size)
    tail, share = blocks - (count - 1) * size, blocks / (count * size)
    shown = [1] if count == 1 else [1, count] if count == 2 else [1, 0, count]
    lines = max(rows or 1, len(shown))
    ax, width, _ = begin(ax, 42 + 22 * lines + 158)
    left, right = 54.0, width - 40.0
    for place, wave in enumerate(shown):
        y = 42 + 22 * place
        if not wave:
            text = f"{plural(count - 2, 'more full wave')}"
            write(ax, MARGIN, y + 11, "…", LABEL)
            write(ax, left, y + 11, text, NOTE, "muted")
            continue
        _draw_wave(ax, left, right, width, y, wave, tail if wave == count else size, size)
    _draw_sawtooth(ax, width, 42 + 22 * lines + 26, blocks, size, share, limit)
    a_wave = (
        f"{sms} SMs × {per_sm} blocks = {integer(size)}" if sms and per_sm else f"{plural(size, 'block')}"
    )
    headline(
        ax,
        title or f"{percent(share, 1)} of the places used",
        note or f"{plural(blocks, 'block')}, {a_wave} a wave",
        "Rounds of blocks, and the share of places used",
        f"{plural(count, 'wave')}; the last one holds {plural(tail, 'block')}",
    )
    return ax


def _draw_wave(ax, left, right, width, y, wave, used, size):
    write(ax, MARGIN, y + 11, f"wave {wave}", LABEL)
    end = left + (right - left) * used / size
    cells(ax, [(left, y, right - left, 14.5)], "idle", alpha=0.14)
    cells(ax, [(left, y, max(end - left, 1), 14.5)], "load")
    cells(ax, [(left, y, right - left, 14.5)], None, "idle", 0.7)
    write(ax, width - MARGIN, y + 11, integer(used), LABEL, align="right", bold=used < size)
    text = f"{plural(size - used, 'idle place')}"
    if used < size and end + 8 + text_width(text, NOTE) < right:
        write(ax, end + 8, y + 10.5, text, NOTE, "muted")


def _draw_sawtooth(ax, width, top, blocks, size, share, limit):
    limit = limit or max(3.3 * size, 1.15 * blocks)
    frame = Scales(ax, 42, top, width - MARGIN - 4, top + 85, (0, limit), (0, 1))
    frame.y_axis(ticks=[0.5, 1], text=lambda tick: percent(tick))
    points = [(0, 0)]
    for wave in range(1, int(limit // size) + 2):
        low = (wave - 1) / wave
        if wave > 1:
            points.append(((wave - 1) * size, low))
        points.append((min(wave * size, limit), min(wave * size, limit) / (wave * size)))
    line(ax, frame.points(*np.array(points, float).T))
    ticks = [size * wave for wave in range(int(limit // size) + 1)]
    frame.x_axis("blocks launched (each tooth is one wave)", ticks, integer)
    x, y = float(frame.x(blocks)), float(frame.y(share))
    dots(ax, [(x, y)])
    text = f"{plural(blocks, 'block')}: {percent(share, 1)}"
    wide, low = text_width(text, NOTE, True), float(frame.y(0.28))
    if y < low - 12:  # under the teeth there is room
        strokes(ax, [(x, y + 5, x, low + 2)], "ink", 0.8, None, (1, 1.6))
        y = low
    at = x + 6 if x + 6 + wide < width - 4 else x - 6 - wide
    write(ax, at, min(y + 3, frame.bottom - 6), text, NOTE, bold=True, ground=True)
