"""Touches: one access of the whole launch to a global array, as the counting machine describes it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..values.pattern import Pattern
from ..values.value import start, strides, table


@dataclass(frozen=True, eq=False, slots=True)
class Touch:
    """Elements `at` (an int or a Pattern, in units of `size` bytes) of a buffer.

    kind : "load", "store", "atomic" or "atomic_inc"
    items : [(box, threads)], where: `box` maps an axis to (first, last + 1), axes that are missing run in full;
        `threads` is a Table of those that take part, or None for all
    extents : of the axes, three of blocks and one for each loop around
    """

    buffer: object
    kind: str
    size: int
    at: object
    items: list
    extents: tuple

    def stride(self, axis):
        """Elements that the access moves in one step of an axis."""
        along = strides(self.at)
        return along[axis] if axis < len(along) else 0

    def strides(self):
        """Bytes a step along each block and loop axis."""
        return tuple(int(self.stride(axis)) * self.size for axis in range(len(self.extents)))

    def table(self):
        """The Table of elements that differ between threads, or None."""
        return table(self.at)

    def start(self):
        """The byte at which the constant part of the index begins."""
        return start(self.at) * self.size

    def range_along(self, axis, box=None):
        """(first, last + 1) step of an axis that one box reaches, or any."""
        full = 0, self.extents[axis]
        boxes = [box] if box is not None else [box for box, _ in self.items]
        reached = [box.get(axis, full) for box in boxes]
        return min(lo for lo, _ in reached), max(hi for _, hi in reached)

    def of_one_block(self, part, shift):
        """Piece number `part` of it in one block, `shift` elements further on."""
        at = self.at + shift if type(self.at) is int else _without_blocks(self.at, shift)
        box, threads = self.items[part]
        box = {**box, **{axis: (0, 1) for axis in range(3)}}
        return replace(self, at=at, items=[(box, threads)])


def _without_blocks(pattern, shift):
    along = (0, 0, 0, *pattern.strides[3:])
    return Pattern(pattern.space, pattern.c + shift, along, pattern.table, 0, 0)


def by_buffer(touches):
    """{buffer: its touches}"""
    groups = {}
    for touch in touches:
        groups.setdefault(touch.buffer, []).append(touch)
    return groups
