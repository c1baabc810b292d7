"""The lanes machine: executes a kernel on data, all blocks and threads of a space at once, and counts access
by access.

Emitted code calls its verbs (isa.py) with the mask of the lanes that take part: True (all), False (none, then nothing
is called) or a six-axis boolean array.  A verb is a function that takes the machine first; they stand by subject.
"""

from __future__ import annotations

from ..check import rows
from . import local, masks, matrices, memory
from .barriers import Barriers
from .bounds import inside
from .packing import Packing
from .progress import Progress
from .warp import WarpOps


class LanesMachine(Packing, Barriers, Progress, WarpOps):
    """Runs one space.

    counter : what counts (counting.Counter, or trace.Tracer), or None to execute only
    checks : what watches the accesses for races and unset memory, or None
    shared : shared arrays by name, where several machines run warps of the same blocks
    """

    def __init__(self, launch, space, counter=None, checks=None, shared=None):
        self.launch, self.space, self.counter, self.checks = launch, space, counter, checks
        self.tally = counter
        self.dataless = launch.dataless
        self.watch_progress(launch.step_limit)
        self.shared_buffers, self.alone, self.trips = {} if shared is None else shared, shared is None, {}

    def arith(self, site, mask):
        """Count a statement's arithmetic on data."""
        if self.counter is not None:
            self.counter.arith(self.space, site, mask)

    def _count_access(self, site, buffer, kind, index, mask):
        self.counter.access(self.space, site, buffer, kind, index, mask)

    inside = inside
    split, meet, loop = masks.split, masks.meet, masks.loop
    without, join = staticmethod(masks.without), staticmethod(masks.join)
    merge, merge_pointer = staticmethod(masks.merge), staticmethod(masks.merge_pointer)
    special, shared, dynamic, variable = memory.special, memory.shared, memory.dynamic, memory.variable
    load, store, local = memory.load, memory.store, local.local
    width_of, within_row = staticmethod(rows.width_of), rows.within_row
    load_matrix, store_matrix = matrices.load_matrix, matrices.store_matrix
    multiply, whole_warps = matrices.multiply, matrices.whole_warps
