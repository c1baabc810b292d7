"""The recorded launches of the H200 that took over 5 us, as LaunchCounts, and how good estimates of them are.

Instructions, L1 rounds, store sectors and atomics are the hardware's counters.  Rounds of waiting, distinct
sectors of a block, footprints and bytes of memory were counted by the rules of `LaunchCounts` from the texts.
"""

from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
from figures import measured

from gpusim.counters import LaunchCounts, LoadLoop
from gpusim.gpus import H200

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


@dataclass(frozen=True)
class Quality:
    """median, tenth_worst : of |estimate / measured - 1|;  close : share within 25%
    order : share of the pairs inside a family, at least 5% apart in time, that come out in the right order"""

    median: float
    tenth_worst: float
    close: float
    order: float


def quality(estimates, times, families):
    """How well estimates (seconds) fit measured times; all three are lists of one entry for each launch."""
    error = np.abs(np.array(estimates) / np.array(times) - 1)
    pairs = [
        (i, j)
        for i, j in combinations(range(len(times)), 2)
        if families[i] == families[j] and max(times[i], times[j]) >= 1.05 * min(times[i], times[j])
    ]
    right = [(estimates[i] - estimates[j]) * (times[i] - times[j]) > 0 for i, j in pairs]  # ties are wrong
    return Quality(
        float(np.median(error)),
        float(np.percentile(error, 90)),
        float((error <= 0.25).mean()),
        float(np.mean(right)),
    )


def roofline(row, gpu=H200):
    """The plain roofline: bytes at the copy bandwidth or FLOPs at the peak, whichever takes longer."""
    return max(row["bytes"] / gpu.copy_bandwidth, row.get("flops", 0) / gpu.fp32_flops)
