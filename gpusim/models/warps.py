"""The warp scheduler: one instruction a cycle, from a warp that is ready; waiting hides behind other warps.

Every warp repeats the same program: some arithmetic instructions of one cycle each, then one or more loads
that do not depend on each other.  A load issued in cycle c lets its warp go on in cycle c + latency + 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from ..errors import GpusimError, is_whole

WAITING, ARITHMETIC, LOAD, READY = 0, 1, 2, 3  # a warp's cycle; READY: could issue, but was not chosen
POLICIES = ("round robin", "greedy")


def needed_warps(arithmetic, latency, loads=1) -> int:
    """Warps of one scheduler that keep it busy in every cycle: ceil((k + m + L) / (k + m)).

    arithmetic : k, instructions between the loads;  loads : m, independent loads;  latency : L, cycles

    >>> [needed_warps(k, 400) for k in (1, 4, 100)]
    [201, 81, 5]
    """
    _check(arithmetic, latency, loads, 1)
    return ceil((arithmetic + loads + latency) / (arithmetic + loads))


def best_utilisation(warps, arithmetic, latency, loads=1) -> float:
    """The most cycles, as a share, in which `warps` warps can issue.

    >>> round(best_utilisation(16, 30, 600), 3)
    0.786
    """
    _check(arithmetic, latency, loads, warps)
    work = arithmetic + loads
    return min(1.0, warps * work / (work + latency))


def needed_bytes(bandwidth, latency) -> float:
    """Little's law: bytes that must be in flight to keep `bandwidth` (bytes/s) busy over `latency` (s).

    >>> round(needed_bytes(320e9, 500e-9) / 40)  # for each SM of a T4
    4000
    """
    return bandwidth * latency


def loading_warps(bandwidth, latency, sms, loads=1, bytes_per_load=128) -> int:
    """Warps of each SM that keep that many bytes in flight, with `loads` independent loads of a warp at once.

    >>> loading_warps(320e9, 500e-9, 40, loads=1), loading_warps(320e9, 500e-9, 40, loads=4)
    (32, 8)
    """
    return ceil(needed_bytes(bandwidth, latency) / sms / (loads * bytes_per_load))


@dataclass(frozen=True)
class WarpSchedule:
    """issued : (cycles,) int, the warp that issues in each cycle, -1 for none
    loads : (cycles,) bool, whether that is a load;  ready_at : (warps, cycles) bool, whether each could issue
    """

    issued: np.ndarray
    loads: np.ndarray
    ready_at: np.ndarray

    @property
    def utilisation(self) -> float:
        """The share of cycles in which an instruction issues."""
        return float((self.issued >= 0).mean())

    @property
    def timeline(self) -> np.ndarray:
        """(warps, cycles) int: WAITING, ARITHMETIC, LOAD or READY."""
        state = np.where(self.ready_at, READY, WAITING)
        cycle = np.flatnonzero(self.issued >= 0)
        state[self.issued[cycle], cycle] = np.where(self.loads[cycle], LOAD, ARITHMETIC)
        return state


def schedule(warps, arithmetic, latency, policy="round robin", loads=1, cycles=20_000) -> WarpSchedule:
    """Run `warps` warps of one scheduler from a cold start.

    policy : "round robin" takes the next ready warp after the last one; "greedy" (greedy-then-oldest) keeps
        to the last one while it is ready, and then takes the oldest, that is the lowest

    >>> [round(schedule(8, 100, 400, policy).utilisation, 2) for policy in POLICIES]
    [0.69, 1.0]
    """
    _check(arithmetic, latency, loads, warps)
    if policy not in POLICIES:
        raise GpusimError(f"the policy is {' or '.join(map(repr, POLICIES))}, not {policy!r}")
    issued, loading = np.full(cycles, -1, np.int64), np.zeros(cycles, bool)
    ready_at = np.zeros((warps, cycles), bool)
    ready = [0] * warps  # the first cycle in which each warp may issue again
    done = [0] * warps  # instructions of the program that each warp has issued
    last, cycle, length = -1, 0, arithmetic + loads
    since = [0] * warps
    while cycle < cycles:
        chosen = _choose(policy, ready, last, cycle)
        if chosen is None:
            cycle = min(ready)  # nobody can issue before
            continue
        issued[cycle], last = chosen, chosen
        loading[cycle] = done[chosen] % length >= arithmetic
        done[chosen] += 1
        if done[chosen] % length == 0:
            ready_at[chosen, since[chosen] : cycle + 1] = True
            ready[chosen] = since[chosen] = cycle + latency + 1
        cycle += 1
    for warp, start in enumerate(since):
        ready_at[warp, start:] = True
    return WarpSchedule(issued, loading, ready_at)


def _choose(policy, ready, last, cycle):
    """The warp that issues, or None."""
    if policy == "greedy" and last >= 0 and ready[last] <= cycle:
        return last
    first = 0 if policy == "greedy" else last + 1
    order = list(range(first, len(ready))) + list(range(first))
    return next((warp for warp in order if ready[warp] <= cycle), None)


def _check(arithmetic, latency, loads, warps):
    for what, number, least in (
        ("arithmetic instructions", arithmetic, 0),
        ("cycles of latency", latency, 0),
        ("loads", loads, 1),
        ("warps", warps, 1),
    ):
        if not is_whole(number, least):
            raise GpusimError(f"{what}: a whole number from {least}, not {number!r}")
