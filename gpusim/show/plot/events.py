"""One event of a warp's trace as a picture: sectors, banks, or which lanes take part; always of one size."""

import numpy as np

from ...units import LANES
from ..written import plural
from .banks import bank_heatmap
from .paper import begin, headline
from .requests import lane_places, lane_row
from .sectors import sector_map
from .shapes import cells
from .text import write
from .theme import MARGIN, NOTE

HEIGHT = 360.0  # points: room for 32 sectors in 8 rows, and for 32 wavefronts


def event_map(event, *, title=None, note=None, height=HEIGHT, ax=None):
    """Draw what one instruction does: for stepping through the events of `run.trace(block, warp)`.

    event : of a trace; a global access shows its sectors, a shared one its banks, another one its lanes
    height : points, the same for all events, so that a slider's figures agree
    return : ax

    >>> from types import SimpleNamespace as Event
    >>> lane = np.arange(32)
    >>> branch = Event(kind="branch", mask=lane >= 0, taken=lane < 14, text="if (i < 14)", addresses=None)
    >>> event_map(branch).headline
    'branch: 14 of 32 lanes take it'
    """
    note = note or _where(event)
    if event.addresses is not None and event.space == "global":
        ax = sector_map(event, title=title, note=note, rows=8, ax=ax)
    elif event.addresses is not None:
        ax = bank_heatmap(event, title=title, note=note, ax=ax)
    else:
        ax = _draw_lanes(event, title, note, height, ax)
    if len(ax.figure.axes) == 1:
        height = max(height, float(ax.get_ylim()[0]))
        ax.figure.set_size_inches(float(ax.get_xlim()[1]) / 72, height / 72)
        ax.set_ylim(height, 0)
    return ax


def _where(event):
    """Return the source line of an event, with the array it goes to."""
    text = " ".join(getattr(event, "text", "").split())
    line = getattr(event, "line", 0)
    return f"line {line}: {text}" if line else text


def _draw_lanes(event, title, note, height, ax):
    ax, width, _ = begin(ax, height)
    mask = np.asarray(event.mask, bool)
    taken = getattr(event, "taken", None)
    left, right = 44.0, width - MARGIN
    write(ax, MARGIN, 53, "lanes", NOTE, "muted")
    lane_row(ax, left, right, 45, mask)
    if taken is None:
        told = f"{event.kind}: {int(mask.sum())} of {LANES} lanes"
    else:
        taken = mask & np.asarray(taken, bool)
        x, wide = lane_places(left, right)
        sides = (taken, "compute", "true"), (mask & ~taken, "issue", "false")
        for row, (lanes, color, text) in enumerate(sides):
            y = 84 + 26 * row
            write(ax, MARGIN, y + 8, text, NOTE, "muted")
            cells(ax, [(x[lane], y, wide, 8) for lane in np.flatnonzero(lanes)], color)
            idle = [(x[lane] + 0.35, y + 0.35, wide - 0.7, 7.3) for lane in np.flatnonzero(~lanes)]
            cells(ax, idle, None, "idle", 0.7, 0.75)
        goes = "go on" if event.kind == "loop" else "take it"
        told = f"{event.kind}: {int(taken.sum())} of {plural(int(mask.sum()), 'lane')} {goes}"
    headline(ax, title or told, note, "Lanes of one warp in one instruction")
    return ax
