"""How the estimate is built up: from a plain roofline, one idea at a time."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from ..gpus import as_gpu
from ..units import SECTOR
from .estimate import (
    GUESSED_REGISTERS,
    OVERLAP,
    estimate,
    instructions_of,
    l1_cycles,
    launch_counts,
    rounds_of,
)

STEPS = (
    "roofline: bytes and FLOPs",
    "+ L2 sectors, L1 wavefronts, issue slots",
    "+ waits for memory, shared by the resident blocks; the launch",
    "+ whole waves, the busiest SM",
    "+ bounds that overlap only in part",
    "+ a block's start and own work, what L2 keeps, partial sectors, atomics",
)


def steps(run, gpu, registers=None) -> list[tuple[str, float]]:
    """The estimate after each of the STEPS, in seconds; the last one is `estimate(run, gpu).seconds`.

    >>> from gpusim.counters import LaunchCounts
    >>> copy = LaunchCounts(
    ...     blocks=262144, threads=256, registers=10, warp_instructions=6 << 20, l1_data=4 << 20, rounds=1,
    ...     l2_read_sectors=8 << 20, store_sectors=8 << 20, footprint=512 << 20, dram_bytes=512 << 20)
    >>> [round(seconds * 1e6) for _, seconds in steps(copy, "H200")]  # measured: 207
    [127, 127, 127, 127, 144, 205]
    """
    gpu, counts = as_gpu(gpu), launch_counts(run)
    counts = replace(counts, registers=registers or counts.registers or GUESSED_REGISTERS)
    whole = estimate(counts, gpu)
    moved, cycle = counts.l2_read_sectors + counts.store_sectors, 1 / (gpu.clock * gpu.sms)
    roofline = {"hbm": counts.footprint / gpu.copy_bandwidth, "compute": counts.flops / gpu.fp32_flops}
    busy = {
        "l2": moved * SECTOR / gpu.l2_bandwidth,
        "l1": l1_cycles(counts, gpu) * cycle,
        "issue": instructions_of(counts) / gpu.schedulers_per_sm * cycle,
    }
    slots = gpu.sms * whole.resident
    wait = gpu.dram_latency * rounds_of(counts) / gpu.clock
    second = {**roofline, **busy}
    third = {**second, "life": counts.blocks / slots * wait}
    busiest = ceil(counts.blocks / gpu.sms) * gpu.sms / counts.blocks
    fourth = {
        **third,
        "l1": busy["l1"] * busiest,
        "issue": busy["issue"] * busiest,
        "life": ceil(counts.blocks / slots) * wait,
    }
    fifth = sum(bound**OVERLAP for bound in fourth.values()) ** (1 / OVERLAP)
    seconds = (
        max(roofline.values()),
        max(second.values()),
        gpu.launch + max(third.values()),
        gpu.launch + max(fourth.values()),
        gpu.launch + fifth,
        whole.seconds,
    )
    return list(zip(STEPS, seconds, strict=True))
