"""Occupancy: how many blocks of a kernel fit on one SM, and which resource runs out first."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpus import as_gpu
from ..inputs import one_of
from ..limits import check_launch
from ..units import LANES, warps_of


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
    one_of("rules", rules, _RULES)
    check_launch(gpu, (1, 1, 1), (threads, 1, 1), 0, shared, registers)
    threads, shared, registers = int(threads), int(shared), int(registers or 0)
    warps = warps_of(threads)
    by_registers, by_shared = _RULES[rules](gpu, threads, warps, registers, shared)
    limits = {
        "warps": gpu.warps_per_sm // warps,
        "blocks": gpu.blocks_per_sm,
        "registers": by_registers,
        "shared": by_shared,
    }
    blocks = min(limit for limit in limits.values() if limit is not None)
    limiters = tuple(name for name, limit in limits.items() if limit == blocks)
    return Occupancy(blocks, blocks * warps, blocks * warps / gpu.warps_per_sm, limits, limiters)


def _hardware(gpu, threads, warps, registers, shared):
    by_registers = None
    if registers:
        a_warp = _round_up(registers * LANES, gpu.register_unit)
        fitting = gpu.registers_per_sm // a_warp // gpu.warp_unit * gpu.warp_unit
        by_registers = fitting // warps if a_warp * warps <= gpu.registers_per_block else 0
    a_block = _round_up(shared + gpu.shared_reserved, gpu.shared_unit)
    return by_registers, gpu.shared_per_sm // a_block if a_block else None


def _lecture(gpu, threads, warps, registers, shared):
    return (
        gpu.registers_per_sm // (registers * threads) if registers else None,
        gpu.shared_per_sm // shared if shared else None,
    )


_RULES = {"hardware": _hardware, "lecture": _lecture}


def _round_up(amount, unit):
    return -(-amount // unit) * unit
