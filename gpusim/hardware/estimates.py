"""How good the time estimate is: estimates from the simulator's counts beside the times that a GPU took.

`estimates()` gives one row a measured launch, `quality(rows)` says how far off they are, `by_family()` is the
table for the book.  The simulator's counts stand in book/computed/simulated.json (tools/compare.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from ..counters import LaunchCounts, LoadLoop
from ..gpus import USUAL
from ..library import folder
from ..models.estimate import estimate
from ..models.tensor import arithmetic_seconds
from .measurements import records
from .reasons import PREDICATED, reason

LONG = 5e-6  # s: shorter launches are mostly the launching itself
EVENTS = 7e-6  # s: an empty kernel between two events; in a graph it is the card's `launch`
HELD_OUT = "held out: no constant of the model was fitted to these"
FAMILIES = {
    HELD_OUT: "transpose_four transpose_pad_four transpose_registers transpose_vec4 transpose_copy_vec4 matmul_strips "
    "matmul_warps matmul_ahead matmul_async matmul_split_k reduce_last_block scan spmv_merge attention",
    "copy, stride, gather": "copy scatter gather saxpy vector multiply matrix scale bias fetch precedence",
    "divergence": "diverge split trips local",
    "convolution, stencil": "conv stencil",
    "naive matmul": "matmul_naive gemm",
    "tiled matmul": "matmul_tiled matmul_coarse",
    "register matmul": "matmul_register matmul_two_level matmul_double_buffer matmul_epilogue matmul_wmma",
    "reduction": "reduce",
    "transpose": "transpose",
    "sparse, vector products": "spmv matvec compress half_dot",
    "histogram, counters": "histogram counter",
    "bank conflicts": "shared",
    "probes": "load_compute pointer_chase uniform_work fma_peak block_trace grid_spin empty",
}
# A probe measures one constant of the model.  It does little but arithmetic on values that no load reached,
# which the counting rule leaves out; sections 14 to 18 have models of their own for them.
PROBES = "probes"


@dataclass(frozen=True)
class Estimated:
    """One launch: seconds measured, estimated, and by a plain roofline (bytes touched once, FLOPs).

    kept : the compiled code keeps the accesses and instructions of the source, and spills nothing
    """

    name: str
    kernel: str
    family: str
    measured: float
    estimated: float
    roofline: float
    bound: str
    kept: bool


@dataclass(frozen=True)
class Quality:
    """median, tenth_worst : of |estimate / measured - 1|, median and 90th percentile
    close : share within 25 %; order : share of a family's pairs, at least 5 % apart in time, that come
    out in the right order; launches : how many
    """

    launches: int
    median: float
    tenth_worst: float
    close: float
    order: float


@cache
def simulated():
    """{launch name: {"counts": {count: number}, "launch": LaunchCounts}}"""
    path = folder("computed") / "simulated.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    return {name: {**content, "launch": counts_of(content["launch"])} for name, content in found.items()}


def counts_of(fields) -> LaunchCounts:
    """LaunchCounts from the fields of a file, which leaves zeros out."""
    loops = tuple(LoadLoop(**loop) for loop in fields.get("load_loops", ()))
    return LaunchCounts(**{**fields, "load_loops": loops})


def estimates(gpu=USUAL) -> list[Estimated]:
    """Every measured launch over 5 microseconds that the simulator counts, by name."""
    kernels = sorted({name.split()[0] for name in simulated()})
    found = (record for kernel in kernels for record in records(kernel, gpu))
    return [
        estimated(record, simulated()[record.name]["launch"], gpu)
        for record in found
        if record.name in simulated() and (record.seconds or 0) > LONG
    ]


def estimated(record, counts, gpu=USUAL) -> Estimated:
    """The estimate of a recorded launch from its source counts and its recorded registers."""
    started = gpu if "graph" in record.method else gpu.with_(launch=EVENTS)
    guess = estimate(counts, started, registers=record.registers)
    return Estimated(
        record.name,
        record.kernel,
        family(record.kernel),
        record.seconds,
        guess.seconds,
        roofline(counts, gpu),
        guess.bound,
        kept(record),
    )


def roofline(counts, gpu=USUAL) -> float:
    """Seconds by the plain roofline: each byte moved once, or the FLOPs at their peak."""
    return max(
        counts.footprint / gpu.copy_bandwidth, arithmetic_seconds(counts.flops, counts.tensor_flops, gpu)
    )


def kept(record) -> bool:
    """Does the compiled code keep the source's accesses: nothing merged, unrolled apart or spilled?"""
    counts = simulated()[record.name]["counts"]
    reasons = {reason(record.name, count, bool(record.exact)) for count in counts}
    instrumented = {why for why in reasons if why and not why.startswith("a hardware counter")}
    return not record.local_bytes and not instrumented - {PREDICATED} and "UNROLL" not in record.name


def family(kernel) -> str:
    """The family of a kernel of the book.

    >>> family("transpose_tile"), family("matmul_naive_xrow"), family("matmul_coarse")
    ('transpose', 'naive matmul', 'tiled matmul')
    """
    return next(
        (name for name, starts in FAMILIES.items() if kernel.startswith(tuple(starts.split()))), "others"
    )


def quality(rows, of="estimated") -> Quality:
    """How well `of` ("estimated" or "roofline") fits the measured times of rows."""
    guess, time = (np.array([getattr(row, name) for row in rows]) for name in (of, "measured"))
    error = np.abs(guess / time - 1)
    right = [
        (guess[i] - guess[j]) * (time[i] - time[j]) > 0
        for i, j in combinations(range(len(rows)), 2)
        if rows[i].family == rows[j].family and max(time[i], time[j]) >= 1.05 * min(time[i], time[j])
    ]
    return Quality(
        len(rows),
        float(np.median(error)),
        float(np.percentile(error, 90)),
        float((error <= 0.25).mean()),
        float(np.mean(right)) if right else 1.0,
    )


def by_family(rows=None) -> list[dict]:
    """Rows of the table of the book: each family, then all but probes, without and with what was compiled to
    other accesses than the source's.
    """
    rows = estimates() if rows is None else rows
    groups = {name: [row for row in rows if row.family == name] for name in (*FAMILIES, "others")}
    rows = [row for row in rows if row.family != PROBES]
    groups["all but probes, where compiled code keeps the source's accesses"] = [r for r in rows if r.kept]
    groups["all but probes"] = rows
    return [_line(name, group) for name, group in groups.items() if group]


def _line(name, rows):
    good, plain = quality(rows), quality(rows, "roofline")
    return {
        "family": name,
        "launches": good.launches,
        "median error": f"{100 * good.median:.0f} %",
        "nine in ten within": f"{100 * good.tenth_worst:.0f} %",
        "right order": f"{100 * good.order:.0f} %",
        "median error of a plain roofline": f"{100 * plain.median:.0f} %",
    }
