"""The counting machine: runs a kernel once for all blocks without data, and counts exactly at any size.

Loads give `Unknown`.  As long as none of them reaches an address or a branch, every address is a pattern, and
the sectors of all its warps follow from the few ways in which block and loop offsets can fall into a sector.
"""

from __future__ import annotations

from ...units import warps_of
from ..account.waits import Waits
from ..lanes import matrices
from ..lanes import memory as declared
from ..lanes.progress import Progress, begin
from . import counting, dataless, loops, masks, memory
from .script import Script


class CountingMachine:
    """Drives emitted code over a SymbolicSpace; its verbs (isa.py) are functions that stand by subject.

    through : loops (sites) to go through one by one; cycles : {site: iterations that take turns}
    open : loops in one step (loops.Axis) in which the code stands; script : what warps do, for traces
    """

    def __init__(self, launch, space, tally, through, cycles):
        self.launch, self.space, self.tally, self.dataless = launch, space, tally, True
        self.through, self.cycles, self.open = through, cycles, []
        self.shared_buffers, self.script = {}, Script()
        self.progress, self.checks, self.alone, self.turns = Progress(launch.step_limit), None, True, False
        self.waits = tally.waits = Waits(space.block_count * warps_of(space.thread_count))

    split, meet, loop, begin = masks.split, masks.meet, masks.loop, begin
    without, join = masks.without, masks.join
    merge, merge_pointer = masks.merge, masks.merge_pointer
    axis, leave = loops.axis, loops.leave
    blur, blur_array = staticmethod(loops.blur), staticmethod(loops.blur_array)
    special, shared, dynamic = declared.special, declared.shared, declared.dynamic
    variable, local = declared.variable, memory.local
    load, store, atomic = memory.load, memory.store, memory.atomic
    arith = counting.arith
    shuffle, vote, reduce, sync_warp = dataless.shuffle, dataless.vote, dataless.reduce, dataless.sync_warp
    fence = dataless.fence
    barrier, block_vote = dataless.barrier, dataless.block_vote
    load_matrix, store_matrix = matrices.load_matrix, matrices.store_matrix
    multiply, whole_warps = matrices.multiply, dataless.whole_warps
    print, claim, clock = dataless.print, dataless.claim, dataless.clock
