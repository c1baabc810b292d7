"""Traces: what one warp did, event by event, with its masks and addresses; every figure of a kernel draws
from them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ..errors import GpusimError, LaunchError
from ..inputs import whole
from ..rules.banks import wavefronts
from ..rules.coalesce import sectors
from ..units import warps_of
from .count.script import Reader
from .lanes.counting import addresses_of
from .lanes.machine import LanesMachine
from .lanes.orders import drive
from .state import placed
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


class Tracer:
    """Counts nothing, and writes down what one warp of a block does."""

    def __init__(self, kernel, warp):
        self.kernel, self.warp, self.events = kernel, warp, []

    def _record(self, lanes, site, mask, **details):
        mask = lanes.active_by_warp(mask)[self.warp]
        if not mask.any():
            return
        if len(self.events) >= MOST:
            raise _too_many()
        kind = details.pop("kind", site.kind)
        text = self.kernel.unit.line(site.line)
        self.events.append(Event(kind, site.line, site.column, text, mask, **details))

    def access(self, space, site, buffer, kind, index, mask):
        """An access at elements `index`."""
        addresses, active, _ = addresses_of(space, site, index, mask)
        own, on = addresses[[self.warp]], active[[self.warp]]
        name = kind.removesuffix("_inc")
        cost = {}
        if on.any() and buffer.space == "global":
            cost["sectors"] = int(sectors(own, on, site.size, name)[0])
        elif on.any() and buffer.space == "shared":
            cost["wavefronts"] = int(wavefronts(own, on, site.size, kind)[0])
        about = {"kind": name, "space": buffer.space, "array": buffer.name, "size": site.size}
        self._record(space, site, mask, **about, addresses=own[0], **cost)

    def branch(self, space, site, mask, taken):
        """The lanes `taken` of `mask` go one way, the others another."""
        self._record(space, site, mask, taken=space.active_by_warp(taken)[self.warp])

    def arith(self, space, site, mask):
        """Arithmetic, a shuffle, a barrier."""
        self._record(space, site, mask, operations=site.operations)

    def settle(self):
        """Nothing waits to be counted."""


class Trace(Sequence):
    """The events of one warp in order: a list that is made as far as it is read."""

    def __init__(self, events):
        self._coming, self._made = events, []

    def _up_to(self, number):
        while number is None or len(self._made) <= number:
            event = next(self._coming, None)
            if event is None:
                return
            self._made.append(event)

    def __getitem__(self, number):
        forward = isinstance(number, int) and number >= 0
        self._up_to(number if forward else None)
        return self._made[number]

    def __len__(self):
        self._up_to(None)
        return len(self._made)

    def __repr__(self):
        return f"<trace of {len(self)} events>"


def trace(run, block=0, warp=0):
    """The events of one warp, in order; the run's counts stay as they are.

    block : linear number or (x, y, z); warp : number in the block
    return : a sequence of Events, worked out as far as it is read where the launch was counted without data; else the
        block has run once more
    """
    launch = run.launch
    index = _block_index(launch, block)
    threads, warp = math.prod(launch.block), whole("warp", warp, -1)
    warps = warps_of(threads)
    if not 0 <= warp < warps:
        raise LaunchError(f"a block of {threads} threads has warps 0 to {warps - 1}; there is no warp {warp}")
    if launch.told is not None:
        return Trace(_limited(_read_off(launch, index[::-1], warp)))
    space = Space(tuple((i, i + 1) for i in index[::-1]), launch.block[::-1], launch.grid[::-1])
    with placed(launch.kernel), run.as_before() as dataless:
        quiet = launch.again(dataless)
        tracer = Tracer(launch.kernel, warp)
        machine = LanesMachine(quiet, space, tracer)
        for _ in drive(launch.kernel.python(counting=True), machine, run.bound()):
            pass
    return Trace(iter(tracer.events))


def _read_off(launch, block, warp):
    """The events of a warp from the script that counting left."""
    space, script = launch.told
    about = {}  # what all events of a step share; what its accesses cost, as many as were read off at once
    moments = chain.from_iterable(Reader(space, block, warp).moments(script.steps))
    for step, row, (active, taken, addresses) in moments:
        site, details = step.site, {}
        if step not in about:
            about[step] = launch.kernel.unit.line(site.line), None, None
        text, costed, cost = about[step]
        if addresses is not None:
            if costed is not addresses:
                cost = _cost(step, addresses, active)
                about[step] = text, addresses, cost
            details = {
                "size": site.size,
                "addresses": addresses[row],
                **{name: cost[name][row] for name in cost},
            }
        elif taken is not None:
            details = {"taken": taken[row]}
        else:
            details = {"operations": site.operations}
        kind = step.kind.removesuffix("_inc") or site.kind
        yield Event(
            kind, site.line, site.column, text, active[row], space=step.space, array=step.array, **details
        )


def _cost(step, addresses, active):
    """{"sectors" or "wavefronts": [of each row]}"""
    if step.space == "global":
        found = sectors(addresses, active, step.site.size, step.kind.removesuffix("_inc"))
        return {"sectors": found.tolist()}
    if step.space == "shared":
        return {"wavefronts": wavefronts(addresses, active, step.site.size, step.kind).tolist()}
    return {}


def _limited(events):
    for number, event in enumerate(events):
        if number >= MOST:
            raise _too_many()
        yield event


def _too_many():
    return GpusimError(f"the warp does more than {MOST} things: trace a smaller launch")


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
        now = {buffer: (buffer.memory.data, buffer.memory.views) for buffer in self.kept}
        try:
            for buffer, old in self.kept.items():
                buffer.memory.data, buffer.memory.views = old.copy(), {}
            yield
        finally:
            for buffer, (data, views) in now.items():
                buffer.memory.data, buffer.memory.views = data, views
