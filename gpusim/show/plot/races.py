"""The race map: which warp writes a word of shared memory, and which one reads it with no barrier between."""

import numpy as np

from ...units import LANES, warps_of
from ..written import plural
from .paper import begin, center, fit, headline, write
from .shapes import arrows, cells, rounded
from .theme import MARGIN, NOTE, TINT, VALUE, identity

TOP, BAND = 56.0, 13.5  # points: top of the words, height of a band
MOST_ARROWS = 48


def race_map(races, writers, threads, *, title=None, note=None, array="s", ax=None):
    """Draw racing reads as arrows from the word to the thread that reads it, and count them by pair of warps.

    races : (n, 2) int, word and reading thread of each read that races with its word's write
    writers : (words,) int, the thread that writes each word, -1 for none;  threads : of the block
    return : ax; its height depends on the number of warps only

    >>> reader = np.repeat(np.arange(128), 3); word = reader + np.tile([0, 1, 2], 128)
    >>> writers = np.arange(130) % 128
    >>> racing = writers[word] // 32 != reader // 32
    >>> race_map(np.stack([word, reader], 1)[racing], writers, 128).headline
    '12 racing reads'
    """
    races = np.asarray(races, int).reshape(-1, 2)
    writers = np.asarray(writers, int)
    warps = warps_of(threads)
    cell = min(14.0, 112.0 / warps)
    ax, width, height = begin(ax, TOP + 2 * BAND + 66 + 30 + cell * warps)
    left, right = MARGIN, width - MARGIN
    step = (right - left) / max(len(writers), threads)
    write(ax, left, TOP - 7, "shared words, tinted by the warp that writes them", NOTE, "muted")
    _draw_band(ax, np.where(writers >= 0, writers // LANES, -1), TOP, left, step)
    low = TOP + BAND + 36
    _draw_band(ax, np.arange(threads) // LANES, low, left, step)
    write(ax, left, low + BAND + 11, "threads that read", NOTE, "muted")
    word, reader = races[:: max(1, -(-len(races) // MOST_ARROWS))].T
    source, goal = left + (word + 0.5) * step, left + (reader + 0.5) * step
    ends = np.full(len(word), TOP + BAND + 1.5), np.full(len(word), low - 1.5)
    arrows(ax, np.stack([source, ends[0], goal, ends[1]], 1), "bad")
    pairs = np.zeros((warps, warps), int)
    np.add.at(pairs, (races[:, 1] // LANES, writers[races[:, 0]] // LANES), 1)
    _draw_matrix(ax, pairs, MARGIN + 42, low + BAND + 41, cell)
    shown = f"; {MOST_ARROWS} arrows at most" if len(races) > MOST_ARROWS else ""
    sizes = f"{plural(threads, 'thread')}, {plural(len(writers), 'word')} of {array}[]"
    what = f"{sizes}: an arrow is a racing read"
    told = [f"warp {r} reads {n} written by warp {w}" for (r, w), n in np.ndenumerate(pairs) if n]
    headline(
        ax,
        title or plural(len(races), "racing read") if len(races) else title or "no racing reads",
        note or what + shown,
        "Race map of one block's shared memory",
        "; ".join(told[:12]),
        "bad" if len(races) else "ink",
    )
    return ax


def _draw_band(ax, owner, top, left, step):
    """A row of words or threads: neighbours of one warp are one box with the warp's name."""
    edges = np.r_[0, np.flatnonzero(np.diff(owner)) + 1, len(owner)]
    spans = [(first, end, int(owner[first])) for first, end in zip(edges, edges[1:], strict=False)]
    for color in range(4):
        boxes = [
            (left + a * step + 0.4, top, (b - a) * step - 0.8, BAND)
            for a, b, w in spans
            if w % 4 == color and w >= 0
        ]
        rounded(ax, boxes, 1, identity(color), "muted", 0.7, TINT)
    rounded(
        ax,
        [(left + a * step + 0.4, top, (b - a) * step - 0.8, BAND) for a, b, w in spans if w < 0],
        1,
        None,
        "idle",
        0.7,
    )
    for first, end, warp in spans:
        wide = (end - first) * step - 3
        for text in (f"warp {warp}", str(warp)):
            size = fit(text, NOTE, wide, least=1)
            if size >= 6.5 and warp >= 0:
                center(ax, left + (first + end) / 2 * step, top + BAND / 2, text, size)
                break


def _draw_matrix(ax, pairs, left, top, cell):
    """Reading warps down, writing warps across; a red cell is a race, with its count."""
    warps = len(pairs)
    write(ax, left + cell * warps / 2, top - 15, "wrote", NOTE, "muted", "center")
    write(ax, left - 18, top + cell * warps / 2 + 3, "reads", NOTE, "muted", "right")
    every = max(1, round(9 / cell))
    for warp in range(0, warps, every):
        write(ax, left + (warp + 0.5) * cell, top - 4, str(warp), VALUE, "muted", "center")
        write(ax, left - 4, top + (warp + 0.5) * cell + 3, str(warp), VALUE, "muted", "right")

    def box(reader, writer):
        return left + writer * cell + 0.6, top + reader * cell + 0.6, cell - 1.2, cell - 1.2

    every_pair = [(r, w) for r in range(warps) for w in range(warps)]
    own = [box(r, w) for r, w in every_pair if r == w and not pairs[r, w]]
    other = [box(r, w) for r, w in every_pair if r != w and not pairs[r, w]]
    racing = [box(r, w) for r, w in every_pair if pairs[r, w]]
    if cell >= 6:
        rounded(ax, own, 1.5, "idle", "idle", 0.6, 0.25)
        rounded(ax, other, 1.5, None, "idle", 0.6)
        rounded(ax, racing, 1.5, "bad", None)
    else:
        cells(ax, own, "idle", alpha=0.3)
        cells(ax, other, None, "idle", 0.4)
        cells(ax, racing, "bad")
    for r, w in every_pair:
        if pairs[r, w] and cell >= 9:
            text, x, y = str(pairs[r, w]), left + (w + 0.5) * cell, top + (r + 0.5) * cell
            center(ax, x, y, text, fit(text, VALUE, cell - 2, True, 5), "bg", bold=True)
    key = left + cell * warps + 22
    for place, (face, edge, alpha, text) in enumerate(
        (
            ("idle", "idle", 0.25, "own warp: not counted here"),
            ("bad", None, None, "another warp: a race, with its count"),
            (None, "idle", None, "no race between the two"),
        )
    ):
        y = top + 2 + 15 * place
        rounded(ax, [(key, y, 9, 9)], 1.5, face, edge, 0.6, alpha)
        write(ax, key + 14, y + 7.6, text, fit(text, NOTE, float(ax.get_xlim()[1]) - key - 20))
