"""The tally of a launch: what each site of the text did, added up while the machine runs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...units import SECTOR
from .cost import FIELDS, ZERO, cost

BUNDLE = 4096  # warps


@dataclass(eq=False)
class Entry:
    """What one site has done: `cost` of its accesses, warps and lanes that came by, warps that split there,
    sectors touched."""

    space: str = ""
    kind: str = ""
    cost: np.ndarray = field(default_factory=ZERO.copy)
    warps: int = 0
    lanes: int = 0
    split: int = 0
    touches: list = field(default_factory=list)  # Touch of each global access, from the counting machine
    marks: dict = field(default_factory=dict)  # buffer -> a bool a sector, from the lanes machine


class Tally:
    """Entries by site, and the sectors that each array's accesses touch."""

    def __init__(self):
        self.entries, self._waiting, self.waits = {}, {}, None

    def entry(self, site, space="", kind=""):
        """The entry of a site in one memory; an access through a pointer may meet both memories."""
        key = site, space, kind
        entry = self.entries.get(key)
        if entry is None:
            entry = self.entries[key] = Entry(space, kind or site.kind)
        return entry

    def access(self, site, space, kind, cost, times=1):
        """Add the cost of an access, `times` over."""
        entry = self.entry(site, space, kind)
        entry.cost = entry.cost + cost * times
        return entry

    def later(self, site, buffer, kind, addresses, active, times):
        """Count irregular accesses in bundles: the rules take many warps at once as quickly as a few."""
        some = active.any(axis=1)
        bundle = self._waiting.setdefault((site, buffer, kind, times), [])
        bundle.append((addresses[some], active[some]))
        if sum(len(rows) for rows, _ in bundle[-64:]) > BUNDLE or len(bundle) > BUNDLE:
            self._settle(site, buffer, kind, times)

    def settle(self):
        """Count all that waits."""
        for key in list(self._waiting):
            self._settle(*key)

    def _settle(self, site, buffer, kind, times):
        addresses, active = (
            np.concatenate(part) for part in zip(*self._waiting.pop((site, buffer, kind, times)))
        )
        self.access(site, buffer.space, kind, cost(buffer.space, kind, site.size, addresses, active), times)
        if buffer.space == "global":
            self.mark(site, kind, buffer, addresses, active)

    def mark(self, site, kind, buffer, addresses, active):
        """Remember which sectors of a global array an access touched."""
        marks = self.entry(site, "global", kind).marks
        touched = marks.get(buffer)
        if touched is None:
            touched = marks[buffer] = np.zeros(-(-buffer.nbytes // SECTOR) + 1, bool)
        touched[addresses[active] // SECTOR] = True

    def pass_by(self, site, warps, lanes, split=0):
        """Add warps and lanes that execute a site, and the warps among them that split."""
        entry = self.entry(site)
        entry.warps += warps
        entry.lanes += lanes
        entry.split += split


def named(cost):
    """A cost vector as a dict of Python ints."""
    return dict(zip(FIELDS, (int(n) for n in cost)))
