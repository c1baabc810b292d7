"""Warp functions: the lanes that a mask names must be there, and a shuffle must not read from a lane that is
not."""

from __future__ import annotations

import numpy as np

from .report import Report, triple
from .values import lanes

ALL = 0xFFFFFFFF


def check_shuffle(launch, machine, site, source, mask, blocks, members, gone):
    """A shuffle: the mask must fit, and source[row, lane] must be an active lane for every active lane."""
    check_members(launch, machine, site, mask, members, gone)
    if mask is True and machine.space.thread_count % 32 == 0 and machine.space.packed is None:
        return
    active = _rows(machine, mask, blocks)
    source = np.broadcast_to(source, active.shape)
    lost = active & ~np.take_along_axis(active, source, axis=1)
    if lost.any():
        where = machine.space.from_warps(lost, machine.space.full_shape[:3])
        block, thread, _ = machine.first(where)
        row, lane = np.argwhere(lost)[0]
        launch.add(
            Report(
                "warp mask",
                f"thread {triple(thread)} in block {triple(block)} shuffles from lane {int(source[row, lane])}, "
                "which does not take part: the value is undefined",
                block=block,
                thread=thread,
                index=int(source[row, lane]),
                count=int(lost.sum()),
                scope="inactive source",
                hint="let all lanes of the warp reach the shuffle; give those without work a neutral value",
            ),
            site,
        )


def _rows(machine, mask, blocks=(1, 1, 1)):
    return machine.space.active_by_warp(mask, np.broadcast_shapes(blocks, machine.space.full_shape[:3]))


def check_members(launch, machine, site, mask, members, gone):
    """__syncwarp, a shuffle or a vote: report lanes that are named and stay away, and lanes that come
    unnamed."""
    what = site.name or "__syncwarp()"
    if members is None or machine.space.packed is not None:
        return
    if mask is True and type(members) is int and members & ALL == ALL:
        return
    named = _named(machine, members)
    here = _rows(machine, mask)
    exited = _rows(machine, gone) if gone is not False else np.zeros_like(here)
    exists = _rows(machine, True)
    taking_part = here.any(axis=1, keepdims=True)
    asked = np.where(here, named, 0)
    wanted = np.bitwise_or.reduce(asked, axis=1, keepdims=True)  # lanes that any caller waits for
    bits = (wanted >> np.arange(32)) & 1 == 1
    absent = bits & ~here & exists & ~exited & taking_part
    unnamed = here & ((named >> np.arange(32)) & 1 == 0)
    for wrong, text, hint in (
        (
            absent,
            "is named in the mask but is not at this instruction",
            "name only the lanes that reach it, or move it out of the branch",
        ),
        (
            unnamed,
            "is not named in the mask that it passes",
            "a thread that calls it must be in its own mask",
        ),
    ):
        if wrong.any():
            where = machine.space.from_warps(wrong, machine.space.full_shape[:3])
            block, thread, _ = machine.first(where)
            launch.add(
                Report(
                    "warp mask",
                    f"{what}: thread {triple(thread)} in block {triple(block)} {text}",
                    block=block,
                    thread=thread,
                    count=int(wrong.sum()),
                    hint=hint,
                    scope=text,
                ),
                site,
            )


def _named(machine, members):
    """The mask that each lane passes, (rows, 32)."""
    space = machine.space
    if type(members) is int:
        return np.full((1, 1), members & ALL, np.int64)
    values = np.asarray(lanes(members, np.int64))
    return space.by_warp(np.broadcast_to(values, space.full_shape)) & ALL
