"""The warp timeline: what each warp of one scheduler does in each cycle."""

import math

import numpy as np

from ..written import percent, plural
from .paper import begin, headline, text_width, write
from .scales import steps
from .shapes import cells, strokes
from .theme import MARGIN, NOTE, TINT

TOP, LEFT = 44.0, 58.0  # points: first warp, first cycle
WAITING, ARITHMETIC, LOAD, READY = 0, 1, 2, 3
STATES = {ARITHMETIC: ("compute", None, "arithmetic"), LOAD: ("load", None, "load"),
          READY: ("compute", TINT, "ready, not chosen"),
          WAITING: ("idle", 0.2, "waits for data")}  # fmt: skip


def warp_timeline(timeline, *, start=0, cycles=None, title=None, note=None, height=None, ax=None):
    """Draw what each warp of a scheduler does in each cycle.

    timeline : (warps, cycles) int, 0 waits, 1 arithmetic, 2 load, 3 ready but not chosen; or the result of
        the warp scheduler;  start, cycles : the part that is drawn
    height : points of all warps, None for what they need
    return : ax; the share in the headline is that of the cycles drawn

    >>> warp_timeline([[1, 1, 2, 0, 0, 1], [3, 3, 3, 1, 2, 0]]).headline
    '100 % of the cycles issue an instruction'
    """
    states = np.asarray(getattr(timeline, "timeline", timeline))
    states = states[:, start : start + cycles if cycles else None]
    warps, drawn = states.shape
    row = min(9.0, (height or 216.0) / warps)
    ax, width, bottom = begin(ax, TOP + (height or row * warps) + 58)
    step = (width - MARGIN - 2 - LEFT) / max(drawn, 1)
    issues = ((states == ARITHMETIC) | (states == LOAD)).any(0)
    _draw_states(ax, states, step, row)
    low = TOP + row * warps + 5
    _draw_issues(ax, issues, step, low)
    if step > 4:
        edges = [(LEFT + n * step, TOP, LEFT + n * step, low + 8) for n in range(1, drawn)]
        strokes(ax, edges, "bg", 0.7)
    for tick in steps(0, drawn, 6):
        if float(tick).is_integer():
            write(ax, LEFT + tick * step, low + 19, str(start + int(tick)), NOTE, "muted", "center")
    write(ax, MARGIN, low + 19, "cycle", NOTE, "muted")
    _draw_key(ax, width, bottom - 8)
    share, waits = (float(flags.mean()) if flags.size else 0.0 for flags in (issues, states == WAITING))
    headline(ax, title or f"{percent(share)} of the cycles issue an instruction",
             note or f"{plural(warps, 'warp')} of one scheduler, cycles {start} to {start + drawn - 1}",
             "Timeline of warps over the cycles of one scheduler",
             f"{int(issues.sum())} of {drawn} cycles issue; {percent(waits)} of all warp cycles wait for data"
             )  # fmt: skip
    return ax


def _draw_states(ax, states, step, row):
    """Draw a row a warp; equal neighbours are one box."""
    warps = range(len(states))
    for state, (color, alpha, _) in STATES.items():
        runs = [(warp, *run) for warp in warps for run in _runs(states[warp] == state)]
        boxes = [(LEFT + first * step, TOP + warp * row + row * 0.06, (end - first) * step, row * 0.88)
                 for warp, first, end in runs]  # fmt: skip
        cells(ax, boxes, color, alpha=alpha)
    for warp in warps[:: max(1, math.ceil(9 / row))]:
        write(ax, LEFT - 5, TOP + (warp + 0.5) * row + 3, f"warp {warp}", 8.2, "muted", "right")


def _draw_issues(ax, issues, step, low):
    """Draw in which cycles the scheduler issues an instruction of any warp."""
    write(ax, LEFT - 5, low + 7, "issues", 8.2, "ink", "right")
    for busy, color, alpha in ((True, "issue", None), (False, "idle", 0.2)):
        boxes = [(LEFT + first * step, low, (end - first) * step, 8) for first, end in _runs(issues == busy)]
        cells(ax, boxes, color, alpha=alpha)


def _runs(flags):
    """Return (first, end) of each run of True."""
    edges = np.flatnonzero(np.diff(np.r_[0, np.asarray(flags, int), 0]))
    return list(zip(edges[::2], edges[1::2], strict=True))


def _draw_key(ax, width, y):
    """Write what the colours are, in one line, each with its square."""
    x = MARGIN
    for color, alpha, text in STATES.values():
        cells(ax, [(x, y - 6.5, 7, 7)], color, alpha=alpha)
        write(ax, x + 10, y, text, 8, "muted")
        x += 10 + text_width(text, 8) + 11
