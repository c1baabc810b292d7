"""Schedules: in which order the warps of a block run between two barriers.

In step ("lockstep") every missing barrier goes unnoticed; another order brings it out.  Each warp is a
generator that stops at barriers; all blocks of a space run together.
"""

from __future__ import annotations

import numpy as np

from ...cuda.analysis.facts import uses_warp_functions
from ...errors import BarrierError, LaunchError
from ...inputs import near
from ...units import LANES
from ..values.space import Space, settle
from .barriers import OUT_OF_THE_BRANCH, look_across, name
from .counting import Counter
from .machine import LanesMachine

ORDERS = ("lockstep", "forward", "reverse", "random:SEED", "threads")


def run_in_order(order, launch, space, function, arguments, tally, checks=None):
    """Run one space in the given order."""
    if order == "threads" and uses_warp_functions(launch.kernel):
        raise LaunchError(
            "lanes that exchange values or wait for each other cannot run one after the other",
            hint="order='forward' and order='reverse' run warp after warp",
        )
    counter = None if tally is None else Counter(tally)
    if checks is not None:
        checks.start(space)
    if order == "lockstep":
        machine = LanesMachine(launch, space, counter, checks)
        for _ in drive(function, machine, arguments):
            pass
        machine.finish()
    else:
        shared, machines = {}, []
        for threads in thread_groups(order, space):
            part = Space(space.blocks, space.shape, space.grid, threads)
            machines.append(LanesMachine(launch, part, counter, checks, shared))
        _take_turns(machines, [drive(function, machine, arguments) for machine in machines], checks)
    if checks is not None:
        checks.finish()
    launch.report_missing(checks)


def drive(function, machine, arguments):
    """The run of a kernel's function on a machine, a generator that stops at barriers.

    Structs that lie in registers belong to the run.
    """
    run = function(machine, *[list(a) if isinstance(a, list) else a for a in arguments])
    if machine.launch.kernel.shows_variables:
        machine.progress.follow(run)
    return run


def thread_groups(order, space):
    """The threads of a block in groups that run one after the other: linear ids."""
    threads = np.arange(space.thread_count, dtype=np.int64)
    if order == "threads":
        return list(threads.reshape(-1, 1))
    warps = np.split(threads, range(LANES, len(threads), LANES))
    if order == "forward":
        return warps
    if order == "reverse":
        return warps[::-1]
    seed = int(order_of(order).partition(":")[2] or 0)
    return [warps[i] for i in np.random.default_rng(seed).permutation(len(warps))]


def order_of(order):
    """An order that there is; LaunchError names them for any other."""
    kind, colon, seed = order.partition(":") if isinstance(order, str) else ("", "", "")
    random = kind == "random" and (not colon or (seed.isascii() and seed.isdigit()))
    if not random and order not in ORDERS[:3] + ORDERS[4:]:
        raise LaunchError(
            f"no order is called {order!r}; there are {', '.join(ORDERS)}", hint=near(order, ORDERS)
        )
    return order


def _take_turns(machines, runs, checks):
    """Let each group run to its next barrier, again and again."""
    alive, ended = list(zip(machines, runs)), []
    while alive:
        waiting = []
        for machine, run in alive:
            site = next(run, None)
            if site is None:
                machine.finish()
                ended.append(machine)
            else:
                waiting.append((machine, run, site))
        meet(waiting, ended, checks)
        alive = [(machine, run) for machine, run, _ in waiting]


def meet(waiting, ended, checks):
    """All groups of some blocks have come to a barrier or to their end: the barrier is passed.

    waiting : [(machine, its run, the barrier's site)];  ended : machines
    """
    if len({site for _, _, site in waiting}) > 1:
        _refuse(waiting)
    blocks = _passed(waiting)
    for machine in ended if waiting else ():
        here, _, site = waiting[0]
        machine.launch.missing.note(machine, site, blocks, here.trips[site])
    for machine, _, site in waiting:
        if machine.passed is not True:
            look_across(machine, site, blocks)
    if checks is not None:
        checks.next_epoch(blocks, [machine for machine, _, _ in waiting])


def _passed(waiting):
    """The blocks that a barrier concerns: those of any group."""
    blocks = False
    for machine, _, _ in waiting:
        blocks = True if machine.passed is True or blocks is True else machine.passed | blocks
    return True if blocks is False else settle(blocks) if blocks is not True else True


def _refuse(waiting):
    by_line = sorted({(site.line, name(site)) for _, _, site in waiting})
    machine, _, site = min(waiting, key=lambda w: w[2].line)
    block, thread, _ = machine.space.first(machine.passed)
    raise BarrierError(
        f"threads of one block wait at different barriers: {' and '.join(f'{n} on line {line}' for line, n in by_line)}",
        line=site.line,
        column=site.column,
        block=block,
        thread=thread,
        hint=OUT_OF_THE_BRANCH,
    )
