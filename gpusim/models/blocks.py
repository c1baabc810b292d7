"""The block scheduler: blocks go to the SM with room, as soon as there is room."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from ..errors import LaunchError
from ..gpus import as_gpu
from ..units import LANES, warps_of
from .occupancy import occupancy


@dataclass(frozen=True)
class Placement:
    """One block's stay: `contexts` are the first and last thread slot that it fills on its SM."""

    block: int
    sm: int
    contexts: tuple
    start: float
    end: float


@dataclass(frozen=True)
class Schedule:
    """Every block's stay, in the order of their starts."""

    placements: tuple
    sms: int
    per_sm: int

    @property
    def end(self) -> float:
        """When the last block ends."""
        return max(placed.end for placed in self.placements)

    @property
    def utilisation(self) -> float:
        """Block time / (slots x total time)."""
        work = sum(placed.end - placed.start for placed in self.placements)
        return work / (self.sms * self.per_sm * self.end)

    def events(self) -> list[tuple]:
        """(time, "start" or "end", block, SM, contexts), in order of time; at one time ends come first.

        >>> toy = schedule("Toy GPU", [0.8, 1.1, 0.9, 1.0, 0.5], threads=128, shared=520, rules="lecture")
        >>> toy.events()[4:6]
        [(0.8, 'end', 0, 0, (0, 127)), (0.8, 'start', 4, 0, (0, 127))]
        """
        ends = [(p.end, "end", p.block, p.sm, p.contexts) for p in self.placements]
        starts = [(p.start, "start", p.block, p.sm, p.contexts) for p in self.placements]
        return sorted(ends + starts, key=lambda event: (event[0], event[1] == "start", event[2]))


def schedule(gpu, durations, threads=128, registers=32, shared=0, per_sm=None, rules="hardware") -> Schedule:
    """Run blocks 0, 1, 2, ... of the given durations; each starts on the SM that holds the fewest.

    gpu : Gpu or name;  durations : one time for each block, any unit
    threads, registers, shared : what a block needs, as for `occupancy`; or per_sm : blocks on an SM, if known

    >>> four = as_gpu("Toy GPU").with_(sms=4)
    >>> schedule(four, [4] + 8 * [1], per_sm=1).end, schedule(four, 8 * [1] + [4], per_sm=1).end
    (4.0, 6.0)
    """
    gpu = as_gpu(gpu)
    durations = [float(duration) for duration in durations]
    if not durations or not all(0 < duration < float("inf") for duration in durations):
        raise LaunchError("a schedule needs at least one block, and durations above 0")
    if per_sm is None:
        per_sm = occupancy(gpu, threads, registers, shared, rules).blocks
    if per_sm < 1:
        raise LaunchError(f"no block of {threads} threads, {registers} registers, {shared} bytes fits an SM")
    room = threads if threads % LANES == 0 else warps_of(threads) * LANES
    return Schedule(tuple(_place(durations, gpu.sms, per_sm, room)), gpu.sms, per_sm)


def _place(durations, sms, per_sm, room):
    """Yield a Placement for each block; a slot that becomes free is given to the next block in line."""
    free = [list(range(per_sm)) for _ in range(sms)]  # heaps: the lowest slot is filled first
    waiting = [(0, sm) for sm in range(sms)]  # (resident blocks, SM), only SMs with room
    running = []  # (end, block, SM, slot)
    now = 0.0
    for block, duration in enumerate(durations):
        if not waiting:
            now = running[0][0]
            while running and running[0][0] == now:
                _, _, sm, slot = heappop(running)
                heappush(free[sm], slot)
            waiting = sorted((per_sm - len(slots), sm) for sm, slots in enumerate(free) if slots)
        resident, sm = heappop(waiting)
        slot = heappop(free[sm])
        if free[sm]:
            heappush(waiting, (resident + 1, sm))
        heappush(running, (now + duration, block, sm, slot))
        yield Placement(block, sm, (slot * room, (slot + 1) * room - 1), now, now + duration)
