"""Schedules: in which order the warps of a block run between two barriers.

In step ("lockstep") every missing barrier goes unnoticed; another order brings it out.  Each warp is a generator that stops
at barriers; all blocks of a space run together.
"""
from __future__ import annotations

import numpy as np

from ..errors import BarrierError, LaunchError
from .axes import Space
from .lanes import LanesMachine

ORDERS = ("lockstep", "forward", "reverse", "random:SEED", "threads")


def run_in_order(order, launch, space, function, arguments, tally, checks=None):
    """Run one space in the given order."""
    if order == "lockstep":
        machine = LanesMachine(launch, space, tally, checks)
        for _ in function(machine, *arguments):
            pass
        machine.finish()
        return
    groups = thread_groups(order, space)
    shared, machines = {}, []
    for threads in groups:
        part = Space(space.blocks, space.shape, space.grid, threads)
        machines.append(LanesMachine(launch, part, tally, checks, shared))
    _take_turns(machines, [function(m, *[list(a) if isinstance(a, list) else a for a in arguments]) for m in machines])


def thread_groups(order, space):
    """The threads of a block in groups that run one after the other: linear ids."""
    threads = np.arange(space.thread_count)
    if order == "threads":
        return list(threads.reshape(-1, 1))
    warps = np.split(threads, range(32, len(threads), 32))
    if order == "forward":
        return warps
    if order == "reverse":
        return warps[::-1]
    kind, _, seed = order.partition(":") if isinstance(order, str) else ("", "", "")
    if kind != "random" or not (seed.isdigit() or not seed):
        raise LaunchError(f"no order is called {order!r}; there are {', '.join(ORDERS)}")
    return [warps[i] for i in np.random.default_rng(int(seed or 0)).permutation(len(warps))]


def _take_turns(machines, runs):
    """Let each group run to its next barrier, again and again."""
    alive = list(zip(machines, runs))
    while alive:
        waiting, ended = [], []
        for machine, run in alive:
            site = next(run, None)
            (waiting if site is not None else ended).append((machine, run, site))
        for machine, _, _ in ended:
            machine.finish()
        sites = {site for _, _, site in waiting}
        if len(sites) > 1:
            lines = sorted({site.line for site in sites})
            raise BarrierError(f"threads of one block wait at different barriers (lines {', '.join(map(str, lines))})",
                               line=lines[0], column=waiting[0][2].column)
        alive = [(machine, run) for machine, run, _ in waiting]
