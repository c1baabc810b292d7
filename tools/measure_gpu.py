"""The parts of tools/measure.py that use the GPU: each runs in a process of its own and writes one file.

Compile, time, profile, library, provenance: functions of (folder, launches) in the table STAGES.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import numpy as np

from gpusim.hardware import gpu
from gpusim.hardware.arguments import device, fetch
from gpusim.hardware.card import cupy

OPTIONS = ["--clock-control", "none", "--profile-from-start", "off", "--target-processes", "all", "-f"]
AHEAD = max(1, min(6, (os.cpu_count() or 1) // 2))  # launches whose inputs are made while others run
KEPT = {}  # inputs that are on the device already
CONTEXT_LOST = 3  # exit code


def ahead(launches, make):
    """(launch, make(launch)) of each launch, computed in threads while the GPU works on those before."""
    with ThreadPoolExecutor(AHEAD) as pool:
        waiting, rest = deque(), iter(launches)
        for launch in rest:
            waiting.append((launch, pool.submit(make, launch)))
            if len(waiting) > AHEAD:
                first, made = waiting.popleft()
                yield first, made.result()
        for first, made in waiting:
            yield first, made.result()


def inputs(launch):
    """Arguments of a launch, and what it must leave behind."""
    values = launch.arguments()
    return values, launch.expected(values)


def append(file, record):
    with open(file, "a") as out:
        out.write(json.dumps(record) + "\n")


# ---- compile: several such processes fill CuPy's cache at once --------------------------------------------


def compile_texts(folder, launches):
    module = cupy()
    for launch in launches:
        try:
            gpu.build(module, launch.text, launch.constants)
        except Exception as error:  # the stage `time` meets it again and records it
            print(launch.name, error)


# ---- time ------------------------------------------------------------------------------------------------


def time_launches(folder, launches):
    """Run, check and time each launch; one JSON line each."""
    module, file = cupy(), folder / "time.jsonl"
    for launch, (values, expected) in ahead(launches, inputs):
        record = {"name": launch.name}
        try:
            record = timed(module, launch, values, expected)
        except Exception as error:
            record["failed"] = f"{type(error).__name__}: {error}"[:2000]
        append(file, record)
        if re.match("CUDA(Runtime|Driver)Error", record.get("failed", "")):
            sys.exit(CONTEXT_LOST)  # the parent goes on in a new process
        module.get_default_memory_pool().free_all_blocks()


def timed(module, launch, values, expected):
    """The record of one launch: resources, relative error, seconds."""
    function, go, copies = prepared(module, launch, values)
    record = described(launch, function)
    go()
    module.cuda.Device().synchronize()
    got = {
        place: fetch(*copies[place])
        for place, written in enumerate(launch.text.outputs)
        if written and place in copies
    }
    record["error"] = max([difference(got[place], right) for place, right in expected.items()], default=0.0)
    record["tolerance"] = launch.row.tolerance
    if launch.row.observe:
        record["observed"] = launch.row.observe(launch.p, got, values)
    if launch.row.repeat:
        once = gpu.between_events(module, go)
        times, record["method"] = gpu.measure(module, go, int(min(25, max(3, 0.08 / max(once, 1e-6)))))
        record |= {
            "seconds": float(np.median(times)),
            "fastest": min(times),
            "slowest": max(times),
            "repeats": len(times),
        }
    return record


def prepared(module, launch, values):
    """(compiled function, function that launches, device copies)"""
    if sum(array.nbytes for _, (array, _, _) in KEPT.values()) > module.cuda.Device().mem_info[1] / 8:
        KEPT.clear()
    function = gpu.build(module, launch.text, launch.constants)
    if launch.shared > gpu.OPT_IN:
        function.max_dynamic_shared_size_bytes = launch.shared
    arguments, copies = device(module, launch.text, values, KEPT)
    grid, block, shared = launch.grid, launch.block, launch.shared  # worked out here, not between two events

    def go():
        for place in launch.row.clear:
            copies[place][0].fill(0)
        function(grid, block, tuple(arguments), shared_mem=shared)

    return function, go, copies


def described(launch, function):
    """What a record says about a launch and its compiled kernel."""
    return {
        "name": launch.name,
        "kernel": launch.kernel,
        "fingerprint": launch.text.fingerprint,
        "defines": launch.defines,
        "params": launch.params,
        "grid": launch.grid,
        "block": launch.block,
        "dynamic_shared": launch.shared,
        "registers": function.num_regs,
        "static_shared": function.shared_size_bytes,
        "local_bytes": function.local_size_bytes,
        "blocks_per_sm": gpu.resident(function, launch.block, launch.shared),
    }


def difference(got, right):
    """Relative root-mean-square error, infinite with any NaN; for whole numbers the share that differs."""
    got, right = np.asarray(got).reshape(-1), np.asarray(right).reshape(-1)
    if np.array_equal(got, right):
        return 0.0
    if got.dtype.kind in "iu":
        return float((got != right).mean())
    pieces = [slice(start, start + (1 << 22)) for start in range(0, len(got), 1 << 22)]
    off = sum(float(np.square(got[piece].astype(float) - right[piece]).sum()) for piece in pieces)
    whole = sum(float(np.square(right[piece].astype(float)).sum()) for piece in pieces)
    error = (off / max(whole, 1e-300)) ** 0.5
    return error if np.isfinite(error) else float("inf")


# ---- profile ---------------------------------------------------------------------------------------------


def profile(folder, launches):
    """Launch each kernel once between the profiler's start and stop; one JSON line each."""
    module, file = cupy(), folder / "profile.jsonl"
    file.unlink(missing_ok=True)
    for launch, values in ahead(launches, lambda launch: launch.arguments()):
        _, go, copies = prepared(module, launch, values)
        module.cuda.Device().synchronize()
        module.cuda.profiler.start()
        go()
        module.cuda.Device().synchronize()
        module.cuda.profiler.stop()
        append(
            file,
            {
                "name": launch.name,
                "kernel": launch.kernel,
                "fingerprint": launch.text.fingerprint,
                "grid": launch.grid,
                "block": launch.block,
            },
        )
        del copies, go, values
        module.get_default_memory_pool().free_all_blocks()


# ---- the rest --------------------------------------------------------------------------------------------


def libraries(folder, launches):
    """Time what libraries and copies take, for the lines that the book draws beside its own kernels."""
    import library

    for record in library.records(cupy()):
        append(folder / "library.jsonl", record)


def provenance(folder, launches):
    """The machine, its software and the date."""
    module = cupy()
    facts = {
        key: (value.decode(errors="replace") if isinstance(value, bytes) else value)
        for key, value in module.cuda.runtime.getDeviceProperties(0).items()
        if isinstance(value, (int, float, str, bytes)) and key not in ("uuid", "luid")
    }
    attributes = {
        key: value for key, value in module.cuda.Device().attributes.items() if isinstance(value, int)
    }
    runtime = module.cuda.runtime.runtimeGetVersion()
    nvrtc = module.cuda.nvrtc.getVersion()
    record = {
        "gpu": facts["name"],
        "driver": tool("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"),
        "cuda": f"{runtime // 1000}.{runtime % 1000 // 10}",
        "compiler": f"NVRTC {nvrtc[0]}.{nvrtc[1]}, -std=c++17",
        "cupy": module.__version__,
        "numpy": np.__version__,
        "python": sys.version.split()[0],
        "nsight_compute": "".join(re.findall(r"Version ([\d.]+)", tool("ncu", "--version"))[:1]),
        "profiler_options": " ".join(OPTIONS[:4]) + " (kernel replay, caches flushed before every pass)",
        "measured": datetime.now(timezone.utc).date().isoformat(),
        "command": "make measure",
    }
    content = json.dumps({"provenance": record, "device": {**attributes, **facts}}, default=str)
    (folder / "provenance.json").write_text(content)


def tool(*command):
    """Output of a program, '' where it is missing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ)
        return done.stdout.strip()
    except OSError:
        return ""


STAGES = {
    "compile": compile_texts,
    "time": time_launches,
    "profile": profile,
    "library": libraries,
    "provenance": provenance,
}
