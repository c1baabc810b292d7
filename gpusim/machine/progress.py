"""Progress: a loop that comes back to exactly the same variables and the same memory will do so for ever.

Now and then the machine notes what the kernel's variables and the memory hold, and looks whether they come
back in one of the next rounds.  That is proof that the loop does not end, found long before a limit on steps
would be.
"""

from __future__ import annotations

import sys

import numpy as np

from ..errors import StepLimit
from .conditions import Condition, Logic
from .memory import LocalBuffer, Pointer
from .pattern import Pattern
from .report import triple
from .values import Unknown
from .waiting import not_started

FIRST = 256  # steps before the first look
ROUNDS = 48  # rounds that are compared with one note
MOST_BYTES = 1 << 26  # memory beyond this is not copied: then only the limit on steps ends a loop


class Progress:
    """Part of a machine: its `loop` calls `step` each time round."""

    def watch_progress(self, steps):
        """Start with that many steps allowed."""
        self.steps, self._look_at, self._spacing, self._note, self._rounds = (
            steps,
            steps - FIRST,
            FIRST,
            None,
            0,
        )

    def step(self, site, mask):
        """One more time round the loop at `site`, with the lanes of `mask`."""
        self.steps -= 1
        if self.steps < 0:
            raise StepLimit(
                f"the loop still runs after {self.launch.step_limit:,} steps: its condition never becomes false",
                line=site.line,
                column=site.column,
            )
        if self.steps <= self._look_at:
            self._look(site, mask, sys._getframe(2))

    def _look(self, site, mask, frame):
        if not frame.f_code.co_filename.startswith(
            "<"
        ):  # not generated from CUDA text: its variables are elsewhere
            self._look_at = -1
            return
        if self._note is None:
            memory = self._memory()
            if memory is None:
                self._look_at = -1
                return
            self._note, self._rounds = (
                (site, _held(frame.f_locals), [m.copy() for m in memory], self.launch.ticks),
                ROUNDS,
            )
            self._forget_reads()
            return
        self._rounds -= 1
        known, variables, before, ticks = self._note
        if known is site and ticks == self.launch.ticks and _same_variables(variables, frame.f_locals):
            memory = self._memory()
            if len(memory) == len(before) and all(
                a.shape == b.shape and (a == b).all() for a, b in zip(memory, before)
            ):
                self._refuse_to_wait(site, mask)
        if self._rounds == 0:
            self._spacing *= 2
            self._note, self._look_at = None, self.steps - self._spacing

    def _memory(self):
        """All bytes that the kernel may change, or None if they are too many to compare."""
        if self.dataless:
            return []
        pieces = [buffer.data for buffer in self.launch.writable] + [
            b.cells for b in self.shared_buffers.values()
        ]
        return pieces if sum(p.nbytes for p in pieces) <= MOST_BYTES else None

    def _forget_reads(self):
        if getattr(self, "checks", None) is not None:
            self.checks.latest = None

    def _refuse_to_wait(self, site, mask):
        checks = getattr(self, "checks", None)
        block = thread = None
        if mask is not False and not self.dataless:
            block, thread, _ = self.first(mask)
        if checks is None or checks.latest is None:
            raise StepLimit(
                "the loop never ends: each time round, all variables are what they were before",
                line=site.line,
                column=site.column,
                block=block,
                thread=thread,
                hint="does the loop change what its condition tests?",
            )
        _, read, buffer, at, where = checks.latest
        block, thread, index = self.first(where, at.lanes() if type(at) is Pattern else at)
        count = int(np.broadcast_to(where, self.space.full_shape).sum())
        who = f"thread {triple(thread)} of block {triple(block)}" + (
            f" and {count - 1} others wait" if count > 1 else " waits"
        )
        raise StepLimit(
            f"{who} for {buffer.name}[{index}] to change, and no running thread changes it{not_started(self.launch, self.space)}",
            line=read.line,
            column=read.column,
            block=block,
            thread=thread,
            hint="blocks run in any order and may have to wait for each other's places: end the kernel and launch another, "
            "and let no thread wait for one of its own warp",
        )


def _held(variables):
    """What variables hold, safe from later changes."""
    return {name: _freeze(value) for name, value in variables.items()}


def _freeze(value):
    if type(value) is list:
        return [_freeze(x) for x in value]
    if type(value) is Pointer and isinstance(value.buffer, LocalBuffer):
        return value.buffer, value.offset, [_freeze(x) for x in value.buffer.values]
    return value


def _same_variables(before, now):
    if len(before) != len(now):
        return False
    later = []
    for name, value in before.items():  # numbers first: they tell a counting loop at once
        if name not in now:
            return False
        if type(value) in (int, bool, float):
            if type(now[name]) is not type(value) or now[name] != value:
                return False
        else:
            later.append((value, now[name]))
    return all(_same(a, _freeze(b)) for a, b in later)


def _same(a, b):
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(a, np.generic):
        return bool(a == b or (a != a and b != b))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))
    if type(a) is Pattern:
        return (a.c, a.strides) == (b.c, b.strides) and a.table is b.table
    if type(a) in (Condition, Logic):
        return a.key() == b.key()
    if type(a) is Pointer:
        return a.buffer is b.buffer and _same(a.offset, b.offset)
    if type(a) is Unknown:
        return True
    if hasattr(a, "items") and not isinstance(a, dict):  # pieces of the counting machine
        return _same(a.items, b.items)
    return bool(a == b)
