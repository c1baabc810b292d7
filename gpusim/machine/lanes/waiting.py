"""Kernels whose threads wait for memory to change: which blocks are there to change it.

As many blocks run together as fit on the card; the others start when these have ended.  Where that ends in
waiting for ever, the blocks run one by one in order, as a chain of blocks that wait for their predecessors
may; and where that does, too, warps and then threads go on each by itself, as around a lock.
"""

from __future__ import annotations

from ...cuda.analysis.facts import called, uses_warp_functions
from ...errors import StepLimit, indexed
from ...limits import resident
from ...units import warps_of

FEW = 1 << 11  # lanes that compete for a word in step
MOST_BY_TURNS = 1 << 13  # warps or threads that go on each by itself


def resident_blocks(launch):
    """Blocks of this launch that a card holds at once, as far as threads and shared memory decide.

    >>> from ..launch import Launch
    >>> from ..program import load
    >>> from ...gpus import H100
    >>> resident_blocks(Launch(load("grid_spin"), 100, 1024, 0, H100))
    264
    """
    gpu, threads = launch.gpu, launch.block[0] * launch.block[1] * launch.block[2]
    limits = resident(gpu, threads, shared=launch.kernel.static_shared + launch.shared_bytes)
    per_sm = min(blocks for blocks in limits.values() if blocks is not None)
    return max(1, per_sm) * gpu.sms


def run_waiting(launch, attempt):
    """What `attempt(chunk, groups)` returns, in the first of these ways that does not wait for ever: all resident
    blocks in step; block by block; warps by turns; threads by turns."""
    together, threads = resident_blocks(launch), launch.block[0] * launch.block[1] * launch.block[2]
    before = [buffer.data.copy() for buffer in launch.writable]
    names = called(launch.kernel)
    first = None
    ways = _ways(launch, together, threads, names)
    for chunk, groups in ways:
        try:
            return attempt(chunk, groups)
        except StepLimit as error:
            if not error.waits:  # nothing that another block could change
                raise
            if first is None or (groups is None and chunk == together * threads):
                first = error
        for buffer, data in zip(launch.writable, before):
            buffer.data[:] = data
        launch.forget()
    if all(groups != "threads" for _, groups in ways) and independent(launch):
        first.hint = f"more than {MOST_BY_TURNS:,} threads go in step here, so a lock may seem to stay closed: {first.hint}"
    raise first from None


def independent(launch):
    """True if the threads of a warp go on each by itself."""
    return float(launch.gpu.compute_capability) >= 7.0 and not uses_warp_functions(launch.kernel)


def _ways(launch, together, threads, names):
    """[(chunk, groups)] of each way to run the launch; groups : "warps", "threads" or None, in step."""
    grid = launch.grid[0] * launch.grid[1] * launch.grid[2]
    ways = [(together * threads, None), (1, None)]
    if any(name.startswith("atomicCAS") for name in names) and FEW < grid * threads:
        ways.insert(
            0, (FEW, None)
        )  # of those that try again at once, one succeeds a round: the fewer the better
    if grid * warps_of(threads) <= MOST_BY_TURNS:
        ways.append((together, "warps"))
    if grid * threads <= MOST_BY_TURNS and independent(launch):
        ways.append((together, "threads"))
    return ways


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
