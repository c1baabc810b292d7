"""The recorded launches of the H200 that took over 5 us, as LaunchCounts, and how good estimates of them are.

Instructions, L1 rounds, store sectors and atomics are the hardware's counters.  Rounds of waiting, distinct
sectors of a block, footprints and bytes of memory were counted by the rules of `LaunchCounts` from the texts.
"""

from dataclasses import fields
from types import SimpleNamespace

from figures import measured

from gpusim.counters import LaunchCounts, LoadLoop
from gpusim.gpus import H200
from gpusim.hardware.estimates import quality as estimates_quality

NAMES = {field.name for field in fields(LaunchCounts)}


def records():
    """(id, family, seconds, launch, LaunchCounts, row) of each; launch : seconds of an empty kernel."""
    for row in measured("h200_launches"):
        counts = {name: value for name, value in row.items() if name in NAMES}
        counts["load_loops"] = tuple(LoadLoop(*loop) for loop in row.get("load_loops", ()))
        yield (
            row["id"],
            row["family"],
            row["us"] * 1e-6,
            row["launch_us"] * 1e-6,
            LaunchCounts(**counts, start_instructions=0, l1_start=0),
            row,
        )


def quality(estimates, times, families):
    """How well estimates (seconds) fit measured times; all three are lists of one entry for each launch."""
    rows = zip(estimates, times, families, strict=True)
    return estimates_quality([SimpleNamespace(estimated=e, measured=t, family=f) for e, t, f in rows])


def roofline(row, gpu=H200):
    """The plain roofline: bytes at the copy bandwidth or FLOPs at the peak, whichever takes longer."""
    return max(row["bytes"] / gpu.copy_bandwidth, row.get("flops", 0) / gpu.fp32_flops)
