"""The lectures' simpler bounds: every resource at its peak, nothing cached, the slowest one decides."""

from __future__ import annotations

from dataclasses import dataclass

from ..counters import TENSOR_FLOPS
from ..errors import GpusimError
from ..gpus import as_gpu
from ..inputs import shown
from ..units import SECTOR
from .tensor import arithmetic_seconds

# What each resource that bounds a time is called, in figures, tables and sentences; the glossary explains them.
NAMES = {
    "hbm": "HBM",
    "l2": "L2",
    "l1": "L1",
    "shared": "shared",
    "compute": "compute",
    "issue": "issue",
    "atomics": "atomics",
    "life": "block life",
    "start": "block starts",
}


@dataclass(frozen=True)
class LectureBound:
    """bounds : hbm, shared, compute and issue -> seconds;  seconds : the largest, plus the launches."""

    bounds: dict
    launches: float = 0.0

    @property
    def bound(self) -> str:
        """The resource that decides."""
        return max(self.bounds, key=self.bounds.get)

    @property
    def binds(self) -> str:
        """What `bound` is called."""
        return NAMES[self.bound]

    @property
    def seconds(self) -> float:
        return self.bounds[self.bound] + self.launches


def lecture_bound(run, gpu, launch=0.0) -> LectureBound:
    """Bound a run by HBM sectors without a cache, shared wavefronts, FLOPs and warp instructions.

    run : a run or its counts;  gpu : Gpu or name;  launch : seconds of overhead, if it is to be added

    >>> from types import SimpleNamespace
    >>> reduction = SimpleNamespace(
    ...     global_load_sectors=2**23, global_store_sectors=2**18, global_atomic_sectors=0,
    ...     shared_load_wavefronts=150 * 2**18, shared_store_wavefronts=0, shared_atomic_wavefronts=0,
    ...     warp_instructions=138 * 2**18, flops=2**26)
    >>> found = lecture_bound(reduction, "H100")
    >>> found.bound, round(found.seconds * 1e6, 1)
    ('shared', 150.4)
    """
    gpu, counts = as_gpu(gpu), getattr(run, "counts", run)
    if not hasattr(counts, "global_load_sectors"):
        raise GpusimError(f"a bound needs a run or its counts; got {shown(run)}")
    sectors = counts.global_load_sectors + counts.global_store_sectors + counts.global_atomic_sectors
    wavefronts = (
        counts.shared_load_wavefronts + counts.shared_store_wavefronts + counts.shared_atomic_wavefronts
    )
    cycles = gpu.sms * gpu.clock
    tensor = TENSOR_FLOPS * getattr(counts, "tensor_instructions", 0)
    return LectureBound(
        {
            "hbm": sectors * SECTOR / gpu.memory_bandwidth,
            "shared": wavefronts / cycles,
            "compute": arithmetic_seconds(counts.flops, tensor, gpu),
            "issue": counts.warp_instructions / (cycles * gpu.schedulers_per_sm),
        },
        launch,
    )


def intensity_bound(intensity, gpu, flops=None) -> float:
    """The roofline: FLOP/s that `intensity` FLOP a byte allow.  flops : a ceiling other than the FP32 peak.

    >>> round(intensity_bound(0.25, "A100") / 1e9, 2)
    483.75
    """
    gpu = as_gpu(gpu)
    return min(intensity * gpu.memory_bandwidth, flops or gpu.fp32_flops)


def balance_point(gpu, flops=None) -> float:
    """FLOP a byte at which memory and arithmetic take equally long.

    >>> round(balance_point("A100"), 2)
    10.08
    """
    gpu = as_gpu(gpu)
    return (flops or gpu.fp32_flops) / gpu.memory_bandwidth
