"""Limits on counts: what an exercise asks of a kernel beyond right results."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...counters import COUNTERS, DERIVED
from ...inputs import nearest
from ...models.occupancy import occupancy
from ..page import number
from ..written import percent

SHARES = ("occupancy", "simd_efficiency")


def _occupancy(run, exercise) -> float:
    shared = run.kernel.static_shared + run.shared_bytes
    return occupancy(exercise.gpu, math.prod(run.block), exercise.registers, shared).fraction


def _shared(what):
    return lambda run, _: sum(
        getattr(run.counts, f"shared_{kind}_{what}") for kind in ("load", "store", "atomic")
    )


# Counts of a gate that are no counter of their own, and what they are called.
SUMS = {
    "occupancy": _occupancy,
    "shared_excess": _shared("excess"),
    "shared_requests": _shared("requests"),
    "shared_bytes": lambda run, _: run.kernel.static_shared + run.shared_bytes,
}
NAMES = {
    "shared_excess": "excess wavefronts in shared memory",
    "shared_requests": "requests to shared memory",
    "shared_bytes": "bytes of shared memory a block",
    "simd_efficiency": "of the lanes active",
}


@dataclass(frozen=True)
class Gate:
    """A limit on one count of the counted launch; `at_most` and `at_least` make it."""

    count: str
    most: float | None = None
    least: float | None = None
    why: str = ""

    def __post_init__(self):
        known = (*COUNTERS, *DERIVED, *SUMS)
        if self.count not in known:
            close = nearest(self.count, known)
            raise ValueError(f"no count is called {self.count!r}" + (f"; {close!r}?" if close else ""))

    def value(self, run, exercise) -> float:
        """What the run counted."""
        return SUMS[self.count](run, exercise) if self.count in SUMS else getattr(run.counts, self.count)

    @property
    def name(self) -> str:
        """The count in words."""
        return NAMES.get(self.count, self.count.replace("_per_request", " a request").replace("_", " "))

    @property
    def asked(self) -> str:
        """The limit in words.

        >>> at_most("global_load_sectors_per_request", 4).asked, at_least("occupancy", 0.5).asked
        ('at most 4 global load sectors a request', 'at least 50 % occupancy')
        """
        if self.most == 0:
            return f"no {self.name}"
        if self.least == 1 and self.count not in SHARES:
            return f"some {self.name}"
        word, limit = ("at most", self.most) if self.least is None else ("at least", self.least)
        return f"{word} {self.shown(limit)} {self.name}"

    def shown(self, value) -> str:
        """A value of the count as the reader sees it."""
        return percent(value) if self.count in SHARES else number(value)


def at_most(count, limit, why="") -> Gate:
    """The count may not be larger.

    count : a name of `run.counts`, "occupancy" (0 to 1), "shared_excess", "shared_requests", "shared_bytes"
    why : what a larger one means, in a sentence for the reader
    """
    return Gate(count, most=limit, why=why)


def at_least(count, limit, why="") -> Gate:
    """The count may not be smaller: the work is still done, shared memory still used, the SM still full."""
    return Gate(count, least=limit, why=why)
