"""Traces: what one warp did, event by event, with its masks and addresses; every figure of a kernel draws
from them."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

import numpy as np

from ..errors import GpusimError, LaunchError
from ..inputs import whole
from ..rules.banks import wavefronts
from ..rules.coalesce import sectors
from .lanes.machine import LanesMachine
from .places import placed
from .values.space import Space

MOST = 200_000  # events; more of them are no picture any more
KEPT = 1 << 26  # bytes of arrays that are kept as they were before a launch, for its traces


@dataclass(frozen=True, eq=False)
class Event:
    """One thing that a warp did.

    kind : "load", "store", "atomic", "branch", "loop", "barrier", "shuffle", "tensor" or "arith"
    line, column, text : where in the kernel's text, and that line
    mask : (32,) bool, the lanes that took part; taken : (32,) bool, those of a branch's first side, or None
    space, array, size : of an access: "global" or "shared", the array's name, bytes a lane
    addresses : (32,) int, byte offsets in the array, or None; sectors, wavefronts : what the access cost
    operations : instructions of arithmetic
    """

    kind: str
    line: int
    column: int
    text: str
    mask: np.ndarray
    taken: np.ndarray | None = None
    space: str = ""
    array: str = ""
    size: int = 0
    addresses: np.ndarray | None = None
    sectors: int = 0
    wavefronts: int = 0
    operations: int = 0

    @property
    def lanes(self):
        """Number of lanes that took part."""
        return int(self.mask.sum())


class TracingMachine(LanesMachine):
    """Runs one block and writes down what one of its warps does."""

    def __init__(self, launch, space, warp):
        super().__init__(launch, space, tally=self)
        self.warp, self.events = warp, []

    def _record(self, site, mask, **details):
        mask = self.space.active_by_warp(mask)[self.warp]
        if not mask.any():
            return
        if len(self.events) >= MOST:
            raise GpusimError(f"the warp does more than {MOST} things: trace a smaller launch")
        kind = details.pop("kind", site.kind)
        self.events.append(
            Event(kind, site.line, site.column, self.launch.kernel.unit.line(site.line), mask, **details)
        )

    def _count_access(self, site, buffer, kind, index, mask):
        addresses, active, _ = self.addresses(site, index, mask)
        own, on = addresses[[self.warp]], active[[self.warp]]
        name = kind.removesuffix("_inc")
        cost = {}
        if on.any() and buffer.space == "global":
            cost["sectors"] = int(sectors(own, on, site.size, name)[0])
        elif on.any() and buffer.space == "shared":
            cost["wavefronts"] = int(wavefronts(own, on, site.size, kind)[0])
        self._record(
            site,
            mask,
            kind=name,
            space=buffer.space,
            array=buffer.name,
            size=site.size,
            addresses=own[0],
            **cost,
        )

    def _count_branch(self, site, mask, taken):
        self._record(site, mask, taken=self.space.active_by_warp(taken)[self.warp])

    def arith(self, site, mask):
        self._record(site, mask, operations=site.operations)


def trace(run, block=0, warp=0):
    """The events of one warp, in order; the run's counts stay as they are.

    block : linear number or (x, y, z); warp : number in the block
    return : [Event]
    """
    launch = run.launch
    index = _block_index(launch, block)
    threads, warp = math.prod(launch.block), whole("warp", warp, -1)
    if not 0 <= warp < -(-threads // 32):
        raise LaunchError(
            f"a block of {threads} threads has warps 0 to {-(-threads // 32) - 1}; there is no warp {warp}"
        )
    space = Space(tuple((i, i + 1) for i in index[::-1]), launch.block[::-1], launch.grid[::-1])
    with placed(launch.kernel), run.as_before() as dataless:
        quiet = launch.again(dataless)
        machine = TracingMachine(quiet, space, warp)
        for _ in launch.kernel.python(counting=True)(machine, *run.bound()):
            pass
    return machine.events


def _block_index(launch, block):
    if isinstance(block, (tuple, list)):
        index = tuple(whole("a block's number", i, -1) for i in (*block, *(0,) * (3 - len(block))))
    else:
        z, rest = divmod(whole("block", block, -1), launch.grid[0] * launch.grid[1])
        index = rest % launch.grid[0], rest // launch.grid[0], z
    if len(index) > 3 or not all(0 <= i < n for i, n in zip(index, launch.grid)):
        raise LaunchError(f"the grid {launch.grid} has no block {block}")
    return index


class Snapshot:
    """The arrays that a launch may write, as they were before it; None where a trace does not need them."""

    def __init__(self, buffers):
        self.total = sum(b.nbytes for b in buffers)
        self.kept = {b: b.data.copy() for b in buffers if b.data is not None} if self.total <= KEPT else None

    @contextlib.contextmanager
    def restored(self):
        """Put copies of the old bytes back while a trace runs."""
        if self.kept is None:
            raise GpusimError(
                f"a trace of this kernel needs its arrays as they were before the launch, but those "
                f"({self.total:,} bytes) were too large to keep: trace a smaller launch"
            )
        now = {buffer: (buffer.data, buffer._views) for buffer in self.kept}
        try:
            for buffer, old in self.kept.items():
                buffer.data, buffer._views = old.copy(), {}
            yield
        finally:
            for buffer, (data, views) in now.items():
                buffer.data, buffer._views = data, views
