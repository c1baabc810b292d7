"""What a real GPU measured earlier for the book's kernels, and how a simulated run compares with it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ..counters import COUNTERS
from ..errors import GpusimError
from ..inputs import run_of, shown
from ..library import folder
from ..units import dim3
from .reasons import reason
from .text import KernelText, kernel_text


class MeasuredCounts(dict):
    """Measured counts by gpusim's names, as items or attributes; what was not measured is None.

    >>> counts = MeasuredCounts(global_load_sectors=32)
    >>> counts.global_load_sectors, counts.barriers is None
    (32, True)
    """

    def __getattr__(self, name):
        if name in COUNTERS:
            return self.get(name)
        raise AttributeError(f"no count is called {name!r}")


@dataclass(frozen=True)
class Recorded:
    """One launch on a real GPU.

    seconds : float, median time of a launch (None: not timed); fastest, slowest : of `repeats`
    method : how it was timed; error : relative, of the result
    counts : MeasuredCounts, comparable with `run.counts`; counters, exact : {name: value} of gpusim.hardware.metrics
    profile : {name: percent busy, or cycles that a warp waits for an instruction issued} of metrics.PROFILE
    opcodes : {machine opcode: warp instructions}; observed : results that chance decides
    again : what a second run of the whole measurement gave: its `seconds`, and which exact counts were `different`
    params, defines, grid, block, dynamic_shared : the launch
    registers, static_shared, local_bytes, blocks_per_sm : the compiled kernel
    provenance : GPU, driver, CUDA, date and the command that measures again
    """

    kernel: str
    gpu: str
    seconds: float | None
    counts: MeasuredCounts
    params: dict
    provenance: dict = field(repr=False)
    fingerprint: str = field(default="", repr=False)
    name: str = field(default="", repr=False)
    defines: dict = field(default_factory=dict, repr=False)
    grid: tuple = field(default=(), repr=False)
    block: tuple = field(default=(), repr=False)
    dynamic_shared: int = field(default=0, repr=False)
    registers: int | None = field(default=None, repr=False)
    static_shared: int | None = field(default=None, repr=False)
    local_bytes: int | None = field(default=None, repr=False)
    blocks_per_sm: int | None = field(default=None, repr=False)
    fastest: float | None = field(default=None, repr=False)
    slowest: float | None = field(default=None, repr=False)
    repeats: int | None = field(default=None, repr=False)
    method: str = field(default="", repr=False)
    error: float | None = field(default=None, repr=False)
    counters: dict = field(default_factory=dict, repr=False)
    profile: dict = field(default_factory=dict, repr=False)
    exact: dict = field(default_factory=dict, repr=False)
    opcodes: dict = field(default_factory=dict, repr=False)
    observed: dict = field(default_factory=dict, repr=False)
    again: dict = field(default_factory=dict, repr=False)

    @property
    def source(self) -> str:
        """A line for the page: `NVIDIA H200, driver 580.159.04, CUDA 13.0, 2026-11-30`."""
        p = self.provenance
        return f"{p['gpu']}, driver {p['driver']}, CUDA {p['cuda']}, {p['measured']}"


def records(kernel, gpu) -> list[Recorded]:
    """All records of one kernel on one card, in the order of the launch list; [] where there are none.

    kernel : str, the name of its file in book/kernels; gpu : a Gpu or its name
    """
    card = _card(gpu)
    path = folder("measured") / f"{card}-{kernel}.json"
    return list(_read(path, path.stat().st_mtime_ns)) if path.exists() else []


def recorded(kernel, gpu, **params) -> Recorded | None:
    """What a card measured for a kernel of the book; None if nothing fits or the text has changed.

    kernel : name of a file in book/kernels, or a kernel from gs.load or gs.cuda (its own text then decides)
    gpu : a Gpu such as gs.H200, or its name
    params : sizes, macros and block of the launch, such as N=4096, TILE=16, block=(32, 8); of several
             records that fit, the first in the launch list (tools/launch_rows) is served
    """
    wanted = {key: _plain(key, value) for key, value in params.items()}
    name = kernel if isinstance(kernel, str) else kernel_text(kernel).name
    for record in records(name, gpu):
        fits = all(key in record.params and record.params[key] == value for key, value in wanted.items())
        if fits and _fingerprint(kernel, record) == record.fingerprint:
            return record
    return None


def library(name, gpu, **params) -> float | None:
    """Seconds that a library call or a copy took on a card, or None: cupy.matmul, cupy.sum, copy.device, ...

    params : such as N=4096, dtype="float32"; tools/library.py has the list
    """
    card = _card(gpu)
    path = folder("measured") / f"{card}-library.json"
    found = json.loads(path.read_text())["records"] if path.exists() else []
    fits = (
        r
        for r in found
        if r["name"] == name and all(r["params"].get(key) == value for key, value in params.items())
    )
    return next((record["seconds"] for record in fits), None)


def recorded_for(run, gpu=None, **choices) -> Recorded | None:
    """The record of the launch that `run` simulated: same text, macros, grid, block and scalar arguments.

    choices : what the launch does not show, such as data="random" where counts depend on the data.
    None where several records fit, that is, where they differ in something that is not known.
    """
    kernel = kernel_text(run.kernel)
    shapes = [list(dim3(shape)) for shape in (run.grid, run.block)]
    known = {**_scalars(run, kernel), **choices}
    prefix = "" if gpu is None else _card(gpu) + "-"
    pattern = f"{prefix}{kernel.name}.json" if prefix else f"*-{kernel.name}.json"
    for path in sorted(folder("measured").glob(pattern)):
        fits = [
            record
            for record in _read(path, path.stat().st_mtime_ns)
            if record.fingerprint == kernel.fingerprint
            and [list(record.grid), list(record.block)] == shapes
            and all(record.params.get(key, value) == value for key, value in known.items())
        ]
        if len(fits) == 1:
            return fits[0]
    return None


@dataclass(frozen=True)
class CountComparison:
    """Simulated counts beside measured ones.  rows : (count, simulated, measured or None, ncu name)."""

    kernel: str
    rows: list
    record: Recorded | None

    @property
    def differences(self) -> list:
        """Rows whose two numbers differ."""
        return [row for row in self.rows if row[2] is not None and row[1] != row[2]]

    def __str__(self):
        head = ("count", "simulated", "measured", "Nsight Compute")
        table = [head, *((n, f"{s:,}", "-" if m is None else f"{m:,}", ncu) for n, s, m, ncu in self.rows)]
        widths = [max(len(row[i]) for row in table) for i in range(3)]
        lines = [f"{n:{widths[0]}}  {s:>{widths[1]}}  {m:>{widths[2]}}  {ncu}" for n, s, m, ncu in table]
        return "\n".join([*lines, self.footer])

    @property
    def reasons(self) -> dict:
        """{count: why the two numbers differ} of the differences with a known reason."""
        if self.record is None:
            return {}
        found = {
            row[0]: reason(self.record.name, row[0], bool(self.record.exact)) for row in self.differences
        }
        return {count: why for count, why in found.items() if why}

    @property
    def footer(self) -> str:
        if self.record is None:
            return (
                "no measurement of this text in this launch is recorded; on a GPU gs.hardware.run(kernel, grid, block, ...) "
                "times it, and Nsight Compute (ncu) counts what the last column names"
            )
        why = "".join(f"; {count}: {reason}" for count, reason in self.reasons.items())
        return f"measured: {self.record.source}{why}"


def compare(run, gpu=None, **choices) -> CountComparison:
    """The table simulated | measured | Nsight Compute name of a run's memory, branch and barrier counts.

    run : from a launch or gs.count; gpu : only that card's record (default: any)
    choices : which data the record was made with, such as data="random", where counts depend on it
    Rows where both are zero are left out.  Instructions are not compared: their number is the compiler's.
    """
    record = recorded_for(run_of(run, "gs.compare"), gpu, **choices)
    measured = record.counts if record else MeasuredCounts()
    simulated = simulated_counts(run)
    rows = [
        (name, simulated[name], measured.get(name), COUNTERS[name].ncu)
        for name in COMPARED
        if name in simulated
    ]
    rows = [row for row in rows if row[1] or row[2]]
    return CountComparison(kernel_text(run.kernel).name, rows, record)


def simulated_counts(run) -> dict:
    """{count: int} of a run as hardware would tell them: to it, loop conditions are branches as well."""
    simulated = {name: int(getattr(run.counts, name)) for name in COUNTERS if hasattr(run.counts, name)}
    if "divergent_loops" in simulated:
        simulated["divergent_branches"] += simulated["divergent_loops"]
    return simulated


COMPARED = tuple(
    f"{space}_{what}"
    for space in (
        "global_load",
        "global_store",
        "global_atomic",
        "shared_load",
        "shared_store",
        "shared_atomic",
    )
    for what in (("requests", "sectors") if space.startswith("global") else ("requests", "wavefronts"))
) + ("divergent_branches", "barriers", "shuffles", "tensor_instructions")


def _card(gpu):
    """A card's name as the records' files have it."""
    name = getattr(gpu, "name", gpu)
    if not isinstance(name, str):
        raise GpusimError(f"a record is of a GPU, such as gs.H200, or of its name; got {shown(gpu)}")
    return name.lower().replace(" ", "-")


@lru_cache(maxsize=256)
def _read(path, _changed):
    content = json.loads(path.read_text())
    card = path.name.removesuffix(f"-{content['kernel']}.json")
    found = []
    for record in content["records"]:
        record = {key: tuple(value) if key in ("grid", "block") else value for key, value in record.items()}
        found.append(
            Recorded(
                kernel=content["kernel"],
                gpu=card,
                provenance=content["provenance"],
                **{
                    **record,
                    "seconds": record.get("seconds"),
                    "counts": MeasuredCounts(record.get("counts", {})),
                },
            )
        )
    return tuple(found)


def _scalars(run, kernel):
    """The scalar arguments of a run by name: from `run.arguments`, its arguments in order."""
    given = getattr(run, "arguments", None) or ()
    names = [name for name, _, pointer in kernel.parameters if not pointer]
    values = [value for value, (_, _, pointer) in zip(given, kernel.parameters, strict=False) if not pointer]
    return {name: _plain(name, value) for name, value in zip(names, values, strict=False)}


def _fingerprint(kernel, record):
    """What the text would have now: a kernel's own macros count, a mere name gets those of the record."""
    if not isinstance(kernel, str):
        return kernel_text(kernel).fingerprint
    path = folder("kernels") / f"{kernel}.cu"
    return KernelText(kernel, path.read_text(), record.defines).fingerprint if path.exists() else None


def _plain(key, value):
    """A parameter as it stands in a record: NumPy numbers as Python's, a block as three numbers."""
    if key == "block":
        return list(dim3(value, "block"))
    return value.item() if isinstance(value, np.generic) else value
