"""Warp functions: the lanes that a mask names must be there, and a shuffle must not read from a lane that is not."""

from __future__ import annotations

import numpy as np

from ...errors import indexed
from ...units import LANES
from ..values.members import ALL, BITS, has_bits, named, spread_rows
from ..values.value import by_lane
from .report import Report

SMALL = 1024  # lanes of a mask that is remembered once it has been found right


class WarpChecks:
    """Watches the warp functions of one launch."""

    def __init__(self, launch):
        self.launch, self.right = launch, set()

    def members(self, machine, site, mask, members, gone):
        """__syncwarp, a shuffle or a vote: report lanes that are named and stay away, and lanes that come unnamed."""
        if members is None or machine.space.packed is not None:
            return
        if mask is True and type(members) is int and members & ALL == ALL:
            return
        members = by_lane(members)
        key = _key(machine, site, mask, members, gone)
        if key in self.right:
            return
        if self._report_members(machine, site, mask, members, gone) and key is not None:
            self.right.add(key)

    def _report_members(self, machine, site, mask, members, gone):
        space = machine.space
        blocks = np.broadcast_shapes(*(np.shape(x)[:3] or (1, 1, 1) for x in (mask, gone, members)))
        here, exists = space.active_by_warp(mask, blocks), space.active_by_warp(True, blocks)
        exited = space.active_by_warp(gone, blocks) if gone is not False else np.zeros_like(here)
        masks = named(space, members, blocks)
        wanted = np.bitwise_or.reduce(
            np.where(here, masks, 0), axis=1, keepdims=True
        )  # lanes that any caller waits for
        absent = has_bits(wanted) & ~here & exists & ~exited
        unnamed = here & (masks & BITS == 0)
        self._report(
            machine,
            site,
            absent,
            blocks,
            "is named in the mask but is not at this instruction",
            "name only the lanes that reach it, or move it out of the branch",
        )
        self._report(
            machine,
            site,
            unnamed,
            blocks,
            "is not named in the mask that it passes",
            "a thread that calls it must be in its own mask",
        )
        return not (absent.any() or unnamed.any())

    def _report(self, machine, site, wrong, blocks, text, hint):
        if not wrong.any():
            return
        where = machine.space.from_warps(wrong, blocks)
        block, thread, _ = machine.space.first(where)
        message = f"{site.name or '__syncwarp'}(): thread {indexed(thread)} in block {indexed(block)} {text}"
        self.launch.add(
            Report(
                "warp mask",
                message,
                block=block,
                thread=thread,
                count=_count(machine, where),
                hint=hint,
                scope=text,
            ),
            site,
        )

    def shuffle(self, machine, site, source, mask, blocks, members=None):
        """A shuffle: source[row, lane] must be an active lane that it names, for every active lane."""
        space = machine.space
        every = members is None or (type(members) is int and members & ALL == ALL)
        if mask is True and every and space.thread_count % LANES == 0 and space.packed is None:
            return
        key = _key(machine, site, mask, members, False)
        key = None if key is None or source.size > SMALL else (key, source.tobytes())
        if key in self.right:
            return
        had, packed = blocks, space.full_shape[:3] if space.packed is not None else (1, 1, 1)
        members = by_lane(members)
        shapes = (np.shape(x)[:3] or (1, 1, 1) for x in (mask, members))
        blocks = np.broadcast_shapes(blocks, *shapes, packed)
        active = space.active_by_warp(mask, blocks)
        source = spread_rows(source, had, blocks)
        there = np.take_along_axis(active, source, axis=1)
        lost = active & ~(there & (named(space, members, blocks) >> source & 1 == 1))
        if not lost.any():
            if key is not None:
                self.right.add(key)
            return
        where = space.from_warps(lost, blocks)
        block, thread, _ = machine.space.first(where)
        row, lane = np.argwhere(lost)[0]
        lane = int(source[row, lane])
        self.launch.add(
            Report(
                "warp mask",
                f"thread {indexed(thread)} in block {indexed(block)} shuffles from lane {lane}, which does not take "
                "part: the value is undefined",
                block=block,
                thread=thread,
                index=lane,
                count=_count(machine, where),
                scope="inactive source",
                hint="let all lanes of the warp reach the shuffle; give those without work a neutral value",
            ),
            site,
        )


def _key(machine, site, mask, members, gone):
    """What names a call whose lanes do not depend on the block, or None."""
    if gone is not False or type(members) not in (int, type(None)) or machine.space.packed is not None:
        return None
    if mask is not True and (mask.shape[:3] != (1, 1, 1) or mask.size > SMALL):
        return None
    return site, True if mask is True else mask.tobytes(), members, machine.space.lanes_shape


def _count(machine, where):
    return int(np.broadcast_to(where, machine.space.full_shape).sum())
