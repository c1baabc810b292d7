"""Occupancy: how many blocks of a kernel fit on one SM, and which resource runs out first."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpus import as_gpu
from ..inputs import one_of
from ..limits import check_launch, resident
from ..units import warps_of

RULES = "hardware", "lecture"


@dataclass(frozen=True)
class Occupancy:
    """What fits on one SM.

    blocks, warps : resident at once;  fraction : warps / the most that the SM holds
    limits : blocks that each resource alone would allow; None where it does not limit
    limiters : the resources that allow the fewest, all of them in a tie
    """

    blocks: int
    warps: int
    fraction: float
    limits: dict
    limiters: tuple

    def __str__(self):
        blocks = f"{self.blocks} block{'s' * (self.blocks != 1)}"
        warps = f"{self.warps} warp{'s' * (self.warps != 1)}"
        return f"{blocks}, {warps} ({100 * self.fraction:.0f} %), limited by {' and '.join(self.limiters)}"


def occupancy(gpu, threads, registers=32, shared=0, rules="hardware") -> Occupancy:
    """Blocks, warps and occupancy of an SM, and what limits them.

    gpu : Gpu or name;  threads : a block;  registers : a thread;  shared : bytes a block
    rules : "hardware" rounds as the card does (registers by warp, warps by four, 1 KB of shared memory a
        block for the system from compute capability 8.0); "lecture" divides and rounds down
    Raises LaunchError, naming the limit, for a block that the card does not accept.

    >>> print(occupancy("H100", threads=256, registers=64, shared=48 * 1024))
    4 blocks, 32 warps (50 %), limited by registers and shared
    >>> [occupancy("H100", 256, 32, 32 * 1024, rules).blocks for rules in ("hardware", "lecture")]
    [6, 7]
    """
    gpu = as_gpu(gpu)
    one_of("rules", rules, RULES)
    check_launch(gpu, (1, 1, 1), (threads, 1, 1), 0, shared, registers)
    threads, shared, registers = int(threads), int(shared), int(registers or 0)
    warps = warps_of(threads)
    limits = resident(gpu, threads, registers, shared)
    if rules == "lecture":
        limits |= _lecture(gpu, threads, registers, shared)
    blocks = min(limit for limit in limits.values() if limit is not None)
    limiters = tuple(name for name, limit in limits.items() if limit == blocks)
    return Occupancy(blocks, blocks * warps, blocks * warps / gpu.warps_per_sm, limits, limiters)


def _lecture(gpu, threads, registers, shared):
    """The two limits that the lectures divide and round down."""
    return {
        "registers": gpu.registers_per_sm // (registers * threads) if registers else None,
        "shared": gpu.shared_per_sm // shared if shared else None,
    }
