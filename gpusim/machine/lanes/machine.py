"""The lanes machine: executes a kernel on data, all blocks and threads of a space at once, and counts access
by access.

Emitted code calls its verbs (isa.py) with the mask of the lanes that take part: True (all), False (none, then nothing
is called) or a six-axis boolean array.  A verb is a function that takes the machine first; they stand by subject.
"""

from __future__ import annotations

from ..check import rows
from . import atomics, barriers, local, masks, matrices, memory, packing, said, warp
from .progress import Progress, begin


class LanesMachine:
    """Runs one space.

    counter : what counts (counting.Counter, or trace.Tracer), or None to execute only
    checks : what watches the accesses for races and unset memory, or None
    shared_buffers : shared arrays by name; alone : False where several machines run warps of the same blocks
    turns : True where this machine takes turns with others, and stops for them in each round of a loop that memory
        may end
    trips, passed, absent, here, left : where it stands among its barriers, see barriers.py
    """

    def __init__(self, launch, space, counter=None, checks=None, shared=None, turns=False):
        self.launch, self.space, self.counter, self.checks = launch, space, counter, checks
        self.dataless, self.progress = launch.dataless, Progress(launch.step_limit)
        self.shared_buffers, self.alone, self.turns = {} if shared is None else shared, shared is None, turns
        self.trips, self.passed, self.absent, self.here, self.left = {}, True, None, True, False

    split, meet, loop, begin = masks.split, masks.meet, masks.loop, begin
    without, join = staticmethod(masks.without), staticmethod(masks.join)
    merge, merge_pointer = staticmethod(masks.merge), staticmethod(masks.merge_pointer)
    special, shared, dynamic, variable = memory.special, memory.shared, memory.dynamic, memory.variable
    load, store, local, atomic = memory.load, memory.store, local.local, atomics.atomic
    width_of, within_row = staticmethod(rows.width_of), rows.within_row
    shuffle, vote, reduce = warp.shuffle, warp.vote, warp.reduce
    sync_warp, fence, block_vote = warp.sync_warp, warp.fence, warp.block_vote
    barrier, finish = barriers.barrier, barriers.finish
    load_matrix, store_matrix = matrices.load_matrix, matrices.store_matrix
    multiply, whole_warps = matrices.multiply, matrices.whole_warps
    crowded_out, pack, unpack = packing.crowded_out, packing.pack, packing.unpack
    arith, print, claim, clock = masks.arith, said.print, said.claim, said.clock
