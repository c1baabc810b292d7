"""A reduction as a tree: who adds what in which round, and who stands idle."""

import numpy as np

from ..written import percent, plural
from .paper import begin, center, fit, headline, write
from .shapes import arrows, cells, rounded
from .theme import LABEL, MARGIN, NOTE, VALUE

LEFT, TOP, ROUND = MARGIN + 38, 50.0, 33.0  # points: first value, first row, round to round
KINDS = {
    "interleaved": "thread i adds element i + s if i is a multiple of 2 s; s = 1, 2, 4 and so on",
    "strided": "thread t adds element 2 s t + s to element 2 s t; s = 1, 2, 4 and so on",
    "sequential": "thread t < s adds element t + s; s halves",
}


def reduction_rounds(count, kind="sequential"):
    """Return the rounds of a reduction of `count` values (a power of two): [[(thread, into, from)]].

    kind : "interleaved", "strided" or "sequential", see KINDS

    >>> reduction_rounds(4, "interleaved"), reduction_rounds(4)
    ([[(0, 0, 1), (2, 2, 3)], [(0, 0, 2)]], [[(0, 0, 2), (1, 1, 3)], [(0, 0, 1)]])
    """
    if kind not in KINDS or count < 2 or count & (count - 1):
        raise ValueError(f"a power of two from 2, and one of {', '.join(KINDS)}; got {count}, {kind!r}")
    strides = [2**k for k in range(count.bit_length() - 1)]
    if kind == "sequential":
        return [[(t, t, t + s) for t in range(s)] for s in reversed(strides)]
    starts = [(s, range(0, count, 2 * s)) for s in strides]
    apart = kind == "interleaved"
    return [[(i if apart else i // (2 * s), i, i + s) for i in places] for s, places in starts]


def tree(count=16, kind="sequential", *, upto=None, lanes=32, title=None, note=None, ax=None):
    """Draw a reduction round by round: a blue arrow brings the value that is added.

    count : values, a power of two up to 32;  kind : see KINDS;  upto : rounds to draw, None for all
    lanes : threads of a warp, so that smaller pictures can show several warps
    return : ax, always of one height for one count

    >>> tree(16).headline
    '15 additions in 4 rounds'
    """
    rounds = reduction_rounds(count, kind)
    shown = rounds if upto is None else rounds[:upto]
    ax, width, _ = begin(ax, TOP + ROUND * len(rounds) + 26)
    x = LEFT + (np.arange(count) + 0.5) * (width - MARGIN - LEFT) / count
    side = min((width - MARGIN - LEFT) / count - 1.5, 13.0)
    write(ax, MARGIN, TOP + 8.5, "values", LABEL)
    rounded(ax, _boxes(x, side, 0), 1.5, "load", "load", 0.8, 0.3)
    for row, steps in enumerate(shown, 1):
        write(ax, MARGIN, TOP + row * ROUND + 8.5, f"round {row}", LABEL)
        _draw_round(ax, x, side, row, steps)
    key = "the number is the thread that adds there"
    write(ax, MARGIN, TOP + ROUND * len(rounds) + 22, key, NOTE, "muted")
    warps = sum(len({thread // lanes for thread, *_ in steps}) for steps in rounds)
    busy = [len(steps) for steps in rounds]
    share = percent(sum(busy) / (warps * lanes))
    adds = sum(len(steps) for steps in shown)
    headline(ax, title or f"{plural(adds, 'addition')} in {plural(len(shown), 'round')}", note or KINDS[kind],
             "Tree of a reduction",
             f"{', '.join(map(str, busy))} threads add in the rounds; {share} of the lanes of the warps of "
             f"{lanes} that run do work")  # fmt: skip
    return ax


def _boxes(x, side, row):
    return [(place - side / 2, TOP + row * ROUND, side, 11.0) for place in x]


def _draw_round(ax, x, side, row, steps):
    """One round: what is added comes from above in blue, one's own value in grey; the others stand hollow."""
    high, low = TOP + (row - 1) * ROUND + 12, TOP + row * ROUND - 1
    arrows(ax, [(x[source], high, x[into] + side * 0.28, low) for _, into, source in steps], "load", 0.8, 3.2)
    own = [x[into] - side * 0.12 for _, into, _ in steps]
    arrows(ax, [(place, high, place, low) for place in own], "muted", 0.7, 3.2)
    boxes, alive = _boxes(x, side, row), {into for _, into, _ in steps}
    cells(ax, [boxes[place] for place in sorted(alive)], "compute")
    cells(ax, [box for place, box in enumerate(boxes) if place not in alive], None, "idle", 0.6, 0.5)
    for thread, into, _ in steps:
        size = fit(str(thread), VALUE, side - 1, least=4)
        center(ax, x[into], TOP + row * ROUND + 5.5, str(thread), size, "bg", bold=True)
