"""An estimate of a launch's time: seven bounds from its counts; the largest says what the launch waits for.

Constants were measured on, or fitted to, the recorded launches of one H200.  There the estimate is usually
within 25 %; on other cards most constants are borrowed, so trust the order of two estimates, not the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from ..counters import LaunchCounts
from ..errors import GpusimError, LaunchError, is_whole
from ..gpus import as_gpu
from ..inputs import shown, whole
from ..units import SECTOR
from .bounds import NAMES
from .occupancy import occupancy
from .tensor import arithmetic_seconds, tensor_cycles

OVERLAP = 3  # fitted: bounds overlap, but not perfectly; two equal ones cost 2 ** (1/3) = 1.26 of one
GUESSED_REGISTERS = 32  # of a thread, where none were recorded


@dataclass(frozen=True)
class Estimate:
    """seconds : of one launch, launching included;  bounds : name -> seconds if nothing else took time
    shown : parts of those: shared memory inside l1, arithmetic inside issue
    resident : blocks on an SM;  registers : of a thread;  registers_known : False if that is a guess
    """

    seconds: float
    bounds: dict
    shown: dict
    gpu: str
    resident: int
    registers: int
    registers_known: bool

    @property
    def order(self) -> list[str]:
        """Names of the bounds, the largest first."""
        return sorted(self.bounds, key=self.bounds.get, reverse=True)

    @property
    def bound(self) -> str:
        """The largest bound."""
        return self.order[0]

    @property
    def binds(self) -> str:
        """What `bound` is called, in words."""
        return NAMES[self.bound]

    @property
    def trust(self) -> str:
        """How far to believe it, in a sentence for the page."""
        guess = "" if self.registers_known else f"; {self.registers} registers a thread are a guess"
        if self.gpu == "H200":
            return "usually within 25 % on the H200" + guess
        return "usually within 25 % on the H200; on other cards trust the order, not the number" + guess

    def __str__(self):
        first, second = (NAMES[name] for name in self.order[:2])
        return f"estimate {_time(self.seconds)} on the {self.gpu} (bound by {first}, then {second})"


def estimate(run, gpu=None, registers=None) -> Estimate:
    """Estimate the time of a launch.

    run : a run (anything with `launch_counts`), or LaunchCounts;  gpu : Gpu or name, that of the run unless told
    registers : of a thread; else the recorded ones, else 32, and the estimate says so

    >>> copy = LaunchCounts(
    ...     blocks=262144, threads=256, registers=10, warp_instructions=6 << 20, l1_data=4 << 20, rounds=1,
    ...     l2_read_sectors=8 << 20, store_sectors=8 << 20, footprint=512 << 20, dram_bytes=512 << 20)
    >>> print(estimate(copy, "H200"))  # measured: 0.207 ms
    estimate 0.21 ms on the H200 (bound by block life, then block starts)
    """
    counts = launch_counts(run)
    if gpu is None and getattr(run, "gpu", None) is None:
        raise GpusimError("counts alone know no GPU: say which", hint="gs.estimate(counts, gs.H200)")
    gpu = as_gpu(run.gpu if gpu is None else gpu)
    if not is_whole(counts.blocks, 1):
        raise LaunchError(f"a launch of {counts.blocks} blocks; it needs at least 1")
    known = (
        counts.registers if registers is None else whole("registers", registers, 1, gpu.registers_per_thread)
    )
    counts = replace(counts, registers=known or GUESSED_REGISTERS)
    resident = occupancy(gpu, counts.threads, counts.registers, counts.shared_bytes).blocks
    if resident < 1:
        raise LaunchError(
            f"{counts.threads} threads of {counts.registers} registers: no block fits on an SM "
            f"of the {gpu.name}, which has {gpu.registers_per_sm}"
        )
    bounds = _bounds(counts, gpu, resident)
    seconds = gpu.launch + sum(bound**OVERLAP for bound in bounds.values()) ** (1 / OVERLAP)
    shown = {
        "shared": counts.shared_wavefronts / (gpu.sms * gpu.clock),
        "compute": arithmetic_seconds(counts.flops, counts.tensor_flops, gpu),
    }
    return Estimate(seconds, bounds, shown, gpu.name, resident, counts.registers, bool(known))


def _bounds(counts, gpu, resident):
    """Seconds that each resource alone would need."""
    busiest = ceil(counts.blocks / gpu.sms) / counts.blocks  # the share of the work on the busiest SM
    in_dram = min(1.0, max(0.0, 2 * counts.footprint / gpu.l2_bytes - 1))  # 0 up to half of L2, 1 from all
    dram_bytes = in_dram * counts.dram_bytes
    full_sectors = counts.l2_read_sectors + counts.store_sectors - counts.partial_sectors
    waves = ceil(counts.blocks / (gpu.sms * resident))
    return {
        "hbm": dram_bytes / gpu.copy_bandwidth,
        "l2": full_sectors * SECTOR / gpu.l2_bandwidth + counts.partial_sectors / gpu.partial_rate,
        "l1": l1_cycles(counts, gpu) * busiest / gpu.clock,
        "issue": max(instructions_of(counts) / gpu.schedulers_per_sm, tensor_cycles(counts.tensor_flops, gpu))
        * busiest
        / gpu.clock,
        "life": waves * _life(counts, gpu, dram_bytes) / gpu.clock,
        "start": counts.blocks / gpu.block_rate,
        "atomics": counts.atomic_rounds / (gpu.atomic_rate * max(1, counts.atomic_pieces)),
    }


def _life(counts, gpu, dram_bytes):
    """Cycles that a block stays: its start, its waits for memory, and its own work.

    The work is the block's with the SM to itself, or one warp's chain of instructions, if that takes longer.
    """
    moved = SECTOR * (counts.l2_read_sectors + counts.store_sectors)
    from_dram = min(1.0, dram_bytes / moved) if moved else 0.0
    latency = gpu.l2_latency + (gpu.dram_latency - gpu.l2_latency) * from_dram
    instructions, l1 = instructions_of(counts) / counts.warps, l1_cycles(counts, gpu) / counts.warps
    work = counts.warps_per_block * max(l1, instructions / gpu.schedulers_per_sm)
    chain = gpu.issue_gap * instructions + gpu.shared_latency * counts.shared_rounds
    waits = latency * rounds_of(counts) + gpu.l1_latency * counts.l1_rounds
    return gpu.start_block + gpu.start_warp * counts.warps_per_block + waits + max(work, chain)


def rounds_of(counts):
    """Waits for memory: as many iterations of a loop of loads share one as have room in free registers."""

    def together(loop):
        return max(1.0, (counts.registers - loop.accumulators - 16) / max(1, loop.loads))

    return counts.rounds + sum(loop.rounds / together(loop) for loop in counts.load_loops)


def l1_cycles(counts, gpu):
    """Cycles of the data paths of L1 and shared memory, summed over the SMs."""
    data = counts.l1_data + counts.l1_start * counts.warps
    return max(data, counts.l1_tag, counts.l1_bytes / gpu.l1_bytes_per_cycle)


def instructions_of(counts):
    """Warp instructions, with those that every warp executes at its start."""
    return counts.warp_instructions + counts.start_instructions * counts.warps


def launch_counts(run):
    """The LaunchCounts of a run, or those given."""
    counts = getattr(run, "launch_counts", run)
    if not isinstance(counts, LaunchCounts):
        raise GpusimError(f"an estimate needs a run or LaunchCounts; not {shown(run)}")
    return counts


def _time(seconds):
    """Two digits, never more.

    >>> _time(0.000207), _time(0.0142), _time(3.1e-6)
    ('0.21 ms', '14 ms', '3.1 us')
    """
    units = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))
    unit, name = next((pair for pair in units if seconds >= pair[0] / 10), units[-1])
    value = float(f"{seconds / unit:.2g}")
    return f"{value:.{0 if value >= 10 else 1 if value >= 1 else 2}f} {name}"
