"""Waits: how often a warp stops for loads, found where loaded values are used while the counting machine
runs.

Loads go out without waiting; the first use of a loaded value waits.  The compiler moves loads up to the last
barrier, atomic or global store, or to the top of a loop, so all loads between two such places share one wait.
A loop that it unrolls (its length is known, and no pragma forbids it) is no such place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...counters import LoadLoop
from ...units import SECTOR


@dataclass(eq=False)
class Scope:
    """A loop in one step.  unrolled : its iterations count as one; held : something in it keeps loads from
    running ahead"""

    count: int
    unrolled: bool
    accumulators: int
    held: bool = False
    rounds: float = 0.0
    l1_rounds: float = 0.0
    registers: int = 0
    inner: bool = True


@dataclass(eq=False)
class Load:
    """A load on its way.

    share : of the launch's warps that make it; scopes, strides : the loops around it, and how far its address
        moves in each
    """

    waits: Waits
    site: object
    shared: bool
    share: float
    scopes: tuple
    strides: tuple
    back: bool = False

    def use(self):
        """Somebody needs the value."""
        if not self.back:
            self.back = True
            self.waits.wait(self)

    def rounds(self, common):
        """(waits of a warp, those for sectors that are new to it, registers that wait together, the loop they
        belong to)."""
        rounds, fresh, loop, registers = self.share, 1.0, None, max(1, self.site.size // 4)
        for i, (scope, stride) in enumerate(zip(self.scopes, self.strides)):
            if i < common and (not scope.unrolled or (self.shared and self.site.volatile)):
                rounds *= scope.count
                loop = scope
                fresh *= min(1.0, abs(stride) * self.site.size / SECTOR) if stride else 1 / scope.count
            elif stride:
                registers *= scope.count
        return rounds, rounds * fresh, registers, loop


@dataclass(eq=False)
class Waits:
    """What one launch waits for, as means over its warps."""

    warps: int
    scopes: list = field(default_factory=list)
    flying: list = field(default_factory=list)
    shared_group: list = field(default_factory=lambda: [0.0, 0.0])
    global_group: list = field(default_factory=lambda: [0.0, 0.0])
    rounds: float = 0.0
    l1_rounds: float = 0.0
    shared_rounds: float = 0.0
    loops: list = field(default_factory=list)

    def issue(self, site, shared, requests, strides):
        """A load goes out; strides : elements that its address moves in one step of each open loop, outermost
        first."""
        times = 1
        for scope in self.scopes:
            times *= scope.count
        load = Load(self, site, shared, requests / self.warps / times, tuple(self.scopes), tuple(strides))
        self.flying.append(load)
        return load

    def wait(self, load):
        """Wait for a load, together with those of its memory since the last barrier, store or top of a
        loop."""
        common = sum(1 for a, b in zip(load.scopes, self.scopes) if a is b)
        rounds, fresh, registers, loop = load.rounds(common)
        group = self.shared_group if load.shared else self.global_group
        more, more_fresh = max(0.0, rounds - group[0]), max(0.0, fresh - group[1])
        group[:] = max(rounds, group[0]), max(fresh, group[1])
        if load.shared:
            self.shared_rounds += more
            return
        where = self if loop is None else loop
        where.rounds += more_fresh
        where.l1_rounds += more - more_fresh
        if loop is not None:
            loop.registers += registers

    def part(self):
        """From here on loads go out anew."""
        self.shared_group[:] = self.global_group[:] = 0.0, 0.0

    def hold(self, barrier=False):
        """A global store, an atomic or a barrier: loads of what follows cannot go out before it."""
        if barrier:
            for load in self.flying:
                if not load.shared:
                    load.use()
            self.flying.clear()
        self.part()
        for scope in self.scopes:
            scope.held = True

    def enter(self, count, unrolled, accumulators):
        """A loop in one step begins."""
        for scope in self.scopes:
            scope.inner = scope.inner and unrolled
        self.scopes.append(Scope(count, unrolled, max(1, accumulators)))
        if not unrolled:
            self.part()

    def leave(self):
        """It ends: what it waits for is spread over free registers if nothing holds the loads back."""
        scope = self.scopes.pop()
        if not scope.unrolled:
            self.part()
        if scope.unrolled or not scope.rounds + scope.l1_rounds:
            return
        if scope.inner and not scope.held:
            self.loops.append(LoadLoop(scope.rounds + scope.l1_rounds, scope.registers, scope.accumulators))
        else:
            self.rounds += scope.rounds
            self.l1_rounds += scope.l1_rounds
