"""Kernels whose threads wait for memory to change: which blocks are there to change it.

As many blocks run together as fit on the card; the others start when these have ended.  Where that ends in
waiting for ever, the blocks run one by one in order, as a chain of blocks that wait for their predecessors
may.
"""

from __future__ import annotations

from ...errors import StepLimit, indexed
from ...units import warps_of
from ..check.report import Reports


def resident_blocks(launch):
    """Blocks of this launch that a card holds at once, as far as threads and shared memory decide.

    >>> from ..launch import Launch
    >>> from ..program import load
    >>> from ...gpus import H100
    >>> resident_blocks(Launch(load("grid_spin"), 100, 1024, 0, H100))
    264
    """
    gpu, threads = launch.gpu, launch.block[0] * launch.block[1] * launch.block[2]
    shared = launch.kernel.static_shared + launch.shared_bytes + gpu.shared_reserved
    per_sm = min(
        gpu.blocks_per_sm,
        gpu.warps_per_sm // warps_of(threads),
        gpu.shared_per_sm // shared if shared else gpu.blocks_per_sm,
    )
    return max(1, per_sm) * gpu.sms


def run_waiting(launch, attempt):
    """What `attempt(chunk)` returns, with all resident blocks together, or else block by block."""
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    before = [buffer.data.copy() for buffer in launch.writable]
    try:
        return attempt(resident_blocks(launch) * threads)
    except StepLimit as first:
        if not getattr(first, "waits", False):  # nothing that another block could change
            raise
        for buffer, data in zip(launch.writable, before):
            buffer.data[:] = data
        Reports.__init__(launch)
        try:
            return attempt(1)
        except StepLimit:
            raise first from None


def not_started(launch, space):
    """What to add to a report of waiting: the blocks that have not started."""
    while space.packed is not None:
        space = space.outer
    last = tuple(hi for _, hi in space.blocks)[::-1]
    if last == launch.grid:
        return ""
    together = space.block_count
    run = "block runs" if together == 1 else "blocks run"
    return (
        f"; {together} {run} at a time on {launch.gpu.name}, and the blocks after "
        f"{indexed(tuple(n - 1 for n in last))} start only when these end"
    )
