"""Turns: warps or threads that go on each by itself, as the threads of a warp do from compute capability 7.0 on.

Each is a generator that runs until it ends, comes to a barrier, or has gone once round a loop that memory may end; then
it is the next one's turn.  So whoever holds a lock runs on while others wait for it.  As many blocks take part as fit
on the card; the others start when these end.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from ...errors import StepLimit
from ..values.space import Space
from .counting import Counter
from .machine import LanesMachine
from .orders import drive, meet, thread_groups
from .progress import ROUNDS, deciding, held_by, memory_of, same_variables

ENDED = object()


@dataclass(eq=False)
class Block:
    """A block that runs.  going : [(machine, run)] to be given turns; waiting : those at a barrier, with its site"""

    going: list
    waiting: list = field(default_factory=list)
    ended: list = field(default_factory=list)

    def turn(self, checks):
        """A turn for each; True if any of them got anywhere but round its loop."""
        still, moved = [], False
        for machine, run in self.going:
            site = next(run, ENDED)
            if site is None:
                still.append((machine, run))
                continue
            moved = True
            if site is ENDED:
                machine.finish()
                self.ended.append(machine)
            else:
                self.waiting.append((machine, run, site))
        if not still and self.waiting:
            meet(self.waiting, self.ended, checks)
            still, self.waiting = [(machine, run) for machine, run, _ in self.waiting], []
        self.going = still
        return moved


class Stuck:
    """Tells whether all that are left go round their loops for nothing: memory and what decides about the loops come
    back to what they were."""

    def __init__(self):
        self.note, self.rounds, self.patience = None, 0, ROUNDS

    def look(self, launch, going):
        """True if so; going : [(machine, run)] of which none has got anywhere since the last look"""
        machine = going[0][0]
        memory = memory_of(machine) or []
        now = launch.ticks, [piece.copy() for piece in memory], [_state(m, run) for m, run in going]
        if self.note is not None and _alike(self.note, now):
            return True
        self.rounds -= 1
        if self.rounds < 0:
            self.note, self.rounds = (*now[:2], [held_by(state) for state in now[2]]), self.patience
            self.patience *= 2
        return False


def _state(machine, run):
    site, mask = machine.progress.spinning
    return deciding(site, mask, run.gi_frame.f_locals)


def _alike(before, now):
    return (
        before[0] == now[0]
        and len(before[2]) == len(now[2])
        and all(a.shape == b.shape and (a == b).all() for a, b in zip(before[1], now[1]))
        and all(map(same_variables, before[2], now[2]))
    )


def run_by_turns(launch, function, arguments, tally, checks, groups, order, most, block_order="forward"):
    """Run a launch, its warps or threads by turns.

    groups : "warps" or "threads";  order : of warps, as for `launch`;  most : blocks that run at a time
    """
    shape, grid = launch.block[::-1], launch.grid[::-1]
    numbers = itertools.product(*map(range, grid))
    numbers = reversed(list(numbers)) if block_order == "reverse" else numbers
    if checks is not None:
        checks.start(Space(tuple((0, n) for n in grid), shape, grid))
    counter = None if tally is None else Counter(tally)
    running, stuck = [], Stuck()
    while True:
        new = [_block(launch, n, function, arguments, counter, checks, groups, order)
               for n in itertools.islice(numbers, most - len(running))]  # fmt: skip
        running += new
        if not running:
            break
        moved = [block.turn(checks) for block in running]
        running = [block for block in running if block.going or block.waiting]
        if any(moved):
            stuck = Stuck()
        elif stuck.look(launch, [each for block in running for each in block.going]):
            raise StepLimit("all that run wait for memory to change, and nobody changes it", waits=True)
    if checks is not None:
        checks.finish()
    launch.report_missing(checks)


def _block(launch, number, function, arguments, counter, checks, groups, order):
    shape, grid, shared, going = launch.block[::-1], launch.grid[::-1], {}, []
    blocks = tuple((n, n + 1) for n in number)
    whole = Space(blocks, shape, grid)
    threads = thread_groups("forward" if order in ("lockstep", "threads") else order, whole)
    if groups == "threads":
        threads = np.concatenate(threads).reshape(-1, 1)
    for some in threads:
        machine = LanesMachine(launch, Space(blocks, shape, grid, some), counter, checks, shared, turns=True)
        going.append((machine, drive(function, machine, arguments)))
    return Block(going)
