"""`gs.step`: one warp step by step; its source line lit, its lanes, its addresses, its counts so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..inputs import run_of
from ..units import LANES, LINE
from .page import escape, number
from .pages.explore import VIEW, explore
from .plot import banks, sectors, svg
from .plot.paper import begin, headline, write
from .plot.requests import lane_places
from .plot.shapes import cells
from .plot.theme import MARGIN, NOTE
from .source import numbered
from .written import plural

MOST = 120  # steps of one explorer
WINDOW = 15  # lines of the text that are in view
LANES_HEIGHT = 92.0  # points: a picture of lanes alone
ROWS = 8  # of a sector map: as many lines of memory stand apart


def step(run, block=0, warp=0, start=None, most=MOST):
    """An explorer with one slider, the step of one warp: live and in the built page.

    block : linear number in the grid, or (x, y, z);  warp : its number in the block
    start : the step shown first, from 1; None: the one that costs most
    most : how many of the first steps, at most 120
    return : Explorer

    A step is an access, a branch, a barrier or a shuffle. Arithmetic and loop conditions that hold for all
    lanes are counted, not shown.
    """
    events = run_of(run, "gs.step").trace(block, warp)
    shown = [place for place, event in enumerate(events) if _is_step(event)]
    if len(shown) < 2:
        raise ValueError(
            f"warp {warp} of block {block} takes {plural(len(shown), 'step')}: nothing to go through"
        )
    kept = shown[: min(most, MOST)]
    walk = Walk(
        tuple(events[: kept[-1] + 1]),
        tuple(kept),
        tuple(numbered(run.kernel)),
        run.kernel.name,
        warp,
        str(block),
    )
    rest = f" The first {len(kept)} of {number(len(shown))} steps." if len(kept) < len(shown) else ""
    return explore(
        walk,
        step=list(range(1, len(kept) + 1)),
        start={"step": min(start or _costliest(events, kept), len(kept))},
        label=f"Steps of {run.kernel.name}, block {block}, warp {warp}",
        caption=f"One warp goes through the kernel: block {block}, warp {warp}.{rest} "
        "Lit: the line it executes; the counts are those of this warp up to here.",
    )


def _costliest(events, places) -> int:
    """The number of the step with most sectors or wavefronts: the first picture makes a point."""
    return 1 + max(
        range(len(places)), key=lambda at: events[places[at]].sectors + events[places[at]].wavefronts
    )


def _is_step(event) -> bool:
    """Whether an event is a step of its own; a loop's condition is one where lanes leave."""
    if event.kind == "loop":
        return bool((event.taken != event.mask).any()) and bool(event.taken.any())
    return event.kind != "arith"


@dataclass(frozen=True)
class Walk:
    """The steps of one warp as a figure function: `events` up to the last step, `places` of the steps.

    text : ((line number, text), ...)
    """

    events: tuple
    places: tuple
    text: tuple
    kernel: str
    warp: int
    block: str

    def __call__(self, step):
        so_far = self.events[: self.places[step - 1] + 1]
        event = so_far[-1]
        picture = svg.of(picture_of(event))
        return f"{self.source(event, so_far)}{self._as_tall(picture)}", counts_of(so_far)

    @property
    def height(self) -> float:
        """Points of the tallest picture, so that the page never jumps."""
        return max(height_of(self.events[place]) for place in self.places)

    def _as_tall(self, picture) -> str:
        return VIEW.sub(rf'\g<1>\g<2> {self.height:g}"', picture)

    def source(self, event, so_far) -> str:
        """The text around the event's line, that line lit, each line with its number of events so far."""
        here = event.line - self.text[0][0]
        first = min(max(0, here - WINDOW // 2), max(0, len(self.text) - WINDOW))
        came = Counter(past.line for past in so_far)
        rows = "".join(
            f"<tr{' class=now' if line == event.line else ''}><td class=n>{came[line] or ''}</td>"
            f"<td class=n>{line}</td><td>{escape(code) or ' '}</td></tr>"
            for line, code in self.text[first : first + WINDOW]
        )
        heads = ("events", "line", escape(self.kernel))
        head = "".join(f'<th scope="col"{" class=n" * (at < 2)}>{name}</th>' for at, name in enumerate(heads))
        label = f"Source, line {event.line} lit"
        return (
            f'<div class="gs-src gs-step" tabindex="0" role="region" aria-label="{label}">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


def counts_of(events) -> dict:
    """What one warp has counted after these events."""
    accesses = [event for event in events if event.addresses is not None]
    return {
        "active lanes": f"{events[-1].lanes} of {LANES}",
        "requests": len(accesses),
        "sectors": sum(event.sectors for event in accesses),
        "wavefronts": sum(event.wavefronts for event in accesses),
        "divergent branches": sum(event.kind in ("branch", "loop") and _splits(event) for event in events),
        "barriers": sum(event.kind == "barrier" for event in events),
    }


def _splits(event) -> bool:
    return bool(event.taken.any() and (event.mask & ~event.taken).any())


def picture_of(event):
    """The picture of one event: sectors, banks, or the lanes that go on; returns the ax."""
    if event.addresses is None or event.space not in ("global", "shared"):
        return _lanes(event)
    title = f"{event.kind} {event.array}: " + (
        plural(event.sectors, "sector") if event.space == "global" else plural(event.wavefronts, "wavefront")
    )
    draw = sectors.sector_map if event.space == "global" else banks.bank_heatmap
    return draw(event, title=title)


def height_of(event) -> float:
    """Points that the picture of an event needs."""
    if event.addresses is None or event.space not in ("global", "shared"):
        return LANES_HEIGHT
    if event.space == "shared":
        return banks.HEIGHT
    first, last = event.addresses[event.mask], event.addresses[event.mask] + event.size - 1
    lines = len({line for a, b in zip(first, last, strict=True) for line in range(a // LINE, b // LINE + 1)})
    rows = lines if lines <= ROWS else -(-event.sectors // 4)
    return sectors.TOP + sectors.PITCH * max(1, rows) + 46


def _lanes(event):
    """A row of 32 lanes: who takes part, and at a branch who takes which side."""
    ax, width, _ = begin(None, LANES_HEIGHT)
    left, right, top = 44.0, width - MARGIN, 46.0
    x, wide = lane_places(left, right)
    boxes = np.stack([x, np.full(LANES, top), np.full(LANES, wide), np.full(LANES, 14.0)], 1)
    write(ax, MARGIN, top + 10, "lanes", NOTE, "muted")
    yes = event.mask if event.taken is None else event.taken
    cells(ax, boxes[yes], "load" if event.taken is None else "compute")
    cells(ax, boxes[event.mask & ~yes], "issue")
    cells(ax, boxes[~event.mask] + (0.35, 0.35, -0.7, -0.7), None, "idle", 0.7, 0.75)
    for lane in (0, 8, 16, 24, 31):
        write(ax, x[lane] + wide / 2, top + 24, str(lane), NOTE, "muted", "center")
    headline(ax, _sentence(event), picture="Lanes of one warp")
    return ax


def _sentence(event) -> str:
    """What happens, in a sentence."""
    if event.taken is None:
        return f"{event.kind}: {event.lanes} of {LANES} lanes take part"
    yes, no = int(event.taken.sum()), int((event.mask & ~event.taken).sum())
    what = ("stay in the loop", "leave it") if event.kind == "loop" else ("take the first side", "the other")
    if yes and no:
        return f"the warp splits: {yes} lanes {what[0]}, {no} {what[1]}"
    return f"all {event.lanes} active lanes {what[0] if yes else 'take ' * (event.kind != 'loop') + what[1]}"
