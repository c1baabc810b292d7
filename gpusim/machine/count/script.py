"""The script of a counted launch: what its warps do, written down while it is counted.

A loop that was counted in one step stands in it once, with its axes; so a script is as short as the text, and any
warp's part is read off it without running anything again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ...units import LANES
from ..values.value import start, strides, table
from .regions import items_of

LONGEST = 20_000  # steps; a script of more is dropped, and a trace runs the kernel
TOGETHER = 1024  # iterations that are read off at once


@dataclass(eq=False, slots=True)
class Step:
    """One thing that warps do.

    site : where; mask : True or Pieces, who; taken : of a branch, who takes its first side (False: nobody), else None
    kind, space, array, at : of an access, its element (int or Pattern), as the tally counts it
    """

    site: object
    mask: object
    taken: object = None
    kind: str = ""
    space: str = ""
    array: str = ""
    at: object = None


@dataclass(eq=False, slots=True)
class Repeated:
    """The steps of a loop that was counted at once; axes : numbers of its axes; extents : iterations along each"""

    axes: tuple
    extents: tuple
    steps: list = field(default_factory=list)

    @property
    def nested(self):
        """Whether another such loop stands inside."""
        return any(isinstance(step, Repeated) for step in self.steps)


class Script:
    """Steps and loops in the order of the text."""

    def __init__(self):
        self.steps, self._length = [], 0
        self._open = [self.steps]

    @property
    def whole(self):
        """False for a script that became too long to keep."""
        return self._length <= LONGEST

    def note(self, *step):
        """Write down one Step."""
        self._length += 1
        if self.whole:
            self._open[-1].append(Step(*step))

    def enter(self, axis):
        """What follows is repeated along the axes of a loop."""
        loop = Repeated(tuple(range(axis.number, axis.number + len(axis.extents))), tuple(axis.extents))
        self._open[-1].append(loop)
        self._open.append(loop.steps)

    def leave(self):
        """What follows stands behind that loop."""
        self._open.pop()


class Reader:
    """Reads one warp's part off a script.  space : the symbolic space; block : (z, y, x); warp : its number"""

    def __init__(self, space, block, warp):
        self.space, self.block, self.warp = space, block, warp
        self._rows = {}

    def moments(self, steps, at=()):
        """Yield lists of (step, row, its rows): each time that the warp comes by a step with an active lane, in order.

        at : index of each loop around; rows : what `rows_of` gives, in which `row` is this time
        """
        for step in steps:
            if not isinstance(step, Repeated):
                yield from self._once(step, at)
            elif step.nested:
                for index in np.ndindex(*step.extents):
                    yield from self.moments(step.steps, (*at, *index))
            else:
                yield from self._iterations(step, at)

    def _once(self, step, at):
        rows = self.rows_of(step, [np.array([i], np.int64) for i in (*self.block, *at)])
        if rows[0][0].any():
            yield [(step, 0, rows)]

    def _iterations(self, loop, at):
        """A loop without another inside: many iterations at once, few at first as more may not be wanted."""
        count, first, together = math.prod(loop.extents), 0, 4
        while first < count:
            numbers = np.arange(first, min(count, first + together), dtype=np.int64)
            around = [np.full(len(numbers), i, np.int64) for i in (*self.block, *at)]
            indices = [*around, *(part.astype(np.int64) for part in np.unravel_index(numbers, loop.extents))]
            parts = [(step, self.rows_of(step, indices)) for step in loop.steps]
            on = [rows[0].any(axis=1).tolist() for _, rows in parts]
            yield [
                (step, row, rows)
                for row in range(len(numbers))
                for (step, rows), some in zip(parts, on)
                if some[row]
            ]
            first, together = first + together, min(TOGETHER, 4 * together)

    def rows_of(self, step, indices):
        """(active, taken, addresses) of a step, each (n, 32) or None.  indices : for each axis (n,) numbers"""
        active = self._lanes(step.mask, indices)
        taken = None if step.taken is None else self._lanes(step.taken, indices)
        addresses = None if step.at is None else self._elements(step.at, indices) * step.site.size
        return active, taken, addresses

    def _lanes(self, mask, indices):
        lanes = np.zeros((len(indices[0]), LANES), bool)
        for box, threads in items_of(mask) if mask is not False else ():
            inside = np.ones(len(lanes), bool)
            for axis, (lo, hi) in box.items():
                inside &= (lo <= indices[axis]) & (indices[axis] < hi)
            if inside.any():
                lanes[inside] |= self._row(threads, active=True)
        return lanes

    def _elements(self, at, indices):
        along = sum(stride * index for stride, index in zip(strides(at), indices)) + start(at)
        return (
            np.reshape(along, (-1, 1))
            + self._row(table(at), active=False)
            + np.zeros_like(indices[0])[:, None]
        )

    def _row(self, table, active):
        """What a table of threads, or None for no table, says for each lane of the warp."""
        key = table, active
        if key not in self._rows:
            if active:
                mask = True if table is None else table.array[None, None, None]
                self._rows[key] = self.space.active_by_warp(mask)[self.warp]
            else:
                values = np.zeros((1,) * 6, np.int64) if table is None else table.array[None, None, None]
                self._rows[key] = self.space.by_warp(values)[self.warp]
        return self._rows[key]
