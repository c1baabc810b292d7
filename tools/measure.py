"""Measure the book's kernels on this GPU: time, hardware counters, instrumented counts, each result checked.

    python tools/measure.py OUT                          everything, under 10 minutes on an H200
    python tools/measure.py OUT --only matmul_naive,saxpy    some kernels
    python tools/measure.py OUT --stages time            no profiler needed (Colab)

Needs CuPy; the stages `main` and `exact` also need ncu with access to the counters.  The output goes to
OUT/raw.tar.gz; tools/collect.py turns it into book/measured/*.json.  Every stage runs in processes of its
own, and the first setting of every kernel goes first: a failed launch or the deadline costs little.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import launches  # noqa: E402
import numpy as np  # noqa: E402

from gpusim.hardware import gpu, metrics  # noqa: E402
from gpusim.hardware.arguments import device, fetch  # noqa: E402
from gpusim.hardware.card import cupy  # noqa: E402

STAGES = "provenance,time,library,main,exact"
CHUNK = 60  # launches a profiler process
SHORT = 1.5e-3  # s; only launches shorter than this are instrumented, which slows them down a lot
OPTIONS = ["--clock-control", "none", "--profile-from-start", "off", "--target-processes", "all", "-f"]


class Clock:
    """Seconds since the start, and what is left before the deadline."""

    def __init__(self, deadline):
        self.start, self.deadline, self.problems = time.time(), deadline, 0

    @property
    def left(self):
        return self.deadline - (time.time() - self.start)

    def say(self, *words):
        print(f"[{time.time() - self.start:6.1f} s]", *words, flush=True)

    def warn(self, *words):
        self.problems += 1
        self.say("PROBLEM:", *words)


# ---- the parent: it starts the stages --------------------------------------------------------------------


def main():
    args = arguments()
    if args.child:
        return CHILDREN[args.child](args)
    clock = Clock(args.deadline)
    Path(args.out).mkdir(parents=True, exist_ok=True)
    raw = Path(tempfile.mkdtemp()) / "raw"
    raw.mkdir()
    clock.pack = lambda: pack(raw, Path(args.out) / "raw.tar.gz")
    chosen = by_importance(launches.launches([name for name in args.only.split(",") if name]))
    clock.say(len(chosen), "launches of", len({launch.kernel for launch in chosen}), "kernels")
    for stage in args.stages.split(","):
        if clock.left < 20:
            clock.warn("no time left for", stage)
            continue
        clock.say("stage", stage)
        if stage in ("main", "exact"):
            profile(stage, chosen, raw, clock)
        elif stage == "time":
            timing(chosen, raw, clock)
        else:
            child(stage, [], raw, clock)
        clock.pack()
    clock.say("done:", Path(args.out) / "raw.tar.gz")
    sys.exit(1 if args.strict and clock.problems else 0)


def pack(raw, archive):
    """All raw results so far as one archive."""
    with tarfile.open(archive, "w:gz") as file:
        file.add(raw, "raw")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", help="folder for the raw results")
    parser.add_argument("--only", default="", help="kernels, separated by commas")
    parser.add_argument("--stages", default=STAGES)
    parser.add_argument(
        "--deadline", type=float, default=570, help="seconds after which nothing new is started"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if anything went wrong")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    parser.add_argument("--names", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def by_importance(chosen):
    """The first setting of every kernel, then the second, and so on."""
    return sorted(chosen, key=lambda launch: launch.row.settings.index(launch.setting))


def child(stage, names, raw, clock, before=()):
    """Run one stage in a process of its own; return (exit code, log), the code None on time-out."""
    listed = raw / "names.json"
    listed.write_text(json.dumps(names))
    command = [*before, sys.executable, __file__, str(raw), "--child", stage, "--names", str(listed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max(clock.left - 5, 5))
    except subprocess.TimeoutExpired:
        clock.warn(stage, "ran out of time")
        return None, ""
    log = done.stdout + done.stderr
    with open(raw / f"{stage}.log", "a") as file:
        file.write(log)
    if done.returncode:
        clock.warn(stage, "ended with", done.returncode, log[-800:])
    return done.returncode, log


def timing(chosen, raw, clock):
    """Time all launches; after a launch that breaks the GPU's context, go on behind it in a new process."""
    names, file = [launch.name for launch in chosen], raw / "time.jsonl"
    file.unlink(missing_ok=True)
    while names and clock.left > 10:
        code, _ = child("time", names, raw, clock)
        done = [record["name"] for record in lines(file)]
        rest = [name for name in names if name not in done]
        if code is None:
            break
        names = rest if code in (0, 3) else rest[1:]  # 3: the launch that failed has left a record
    for record in lines(file):
        if record.get("failed") or not record.get("error", 0) <= record.get("tolerance", 1):
            clock.warn(record["name"], record.get("failed") or f"error {record['error']:.2g}")


def profile(stage, chosen, raw, clock):
    """Count with Nsight Compute: `main` hardware counters of all, `exact` instrumented ones of short ones."""
    seconds = known_seconds(raw)
    wanted = [
        launch.name
        for launch in chosen
        if launch.profile and (stage == "main" or 0 < seconds.get(launch.name, 0) < SHORT)
    ]
    asked = (
        [metric for metric in metrics.COUNTERS.values()]
        if stage == "main"
        else [*metrics.EXACT.values(), metrics.OPCODES_ASKED]
    )
    for start in range(0, len(wanted), CHUNK):
        names = wanted[start : start + CHUNK]
        report = raw.parent / f"{stage}_{start}"
        while asked and clock.left > 20:
            before = ["ncu", *OPTIONS, "-o", str(report), "--metrics", ",".join(asked)]
            code, log = child("profile", names, raw, clock, before)
            unknown = re.findall(r"Failed to find metric (?:regex:)?\^?([A-Za-z0-9_.]+)", log)
            if not unknown:
                break
            clock.say("this profiler does not know", unknown)
            asked = [
                metric for metric in asked if metric not in unknown and metric.split(".")[0] not in unknown
            ]
        if not Path(f"{report}.ncu-rep").exists():
            clock.warn("no report for", stage, start)
            continue
        table = subprocess.run(
            [
                "ncu",
                "-i",
                f"{report}.ncu-rep",
                "--csv",
                "--page",
                "raw",
                "--print-units",
                "base",
                "--print-metric-instances",
                "details",
                "--print-kernel-base",
                "function",
            ],
            capture_output=True,
            text=True,
        )
        (raw / f"{stage}_{start}.csv").write_text(table.stdout)
        (raw / "profile.jsonl").replace(raw / f"{stage}_{start}.jsonl")
        Path(f"{report}.ncu-rep").unlink()
        clock.pack()
        clock.say(stage, start + len(names), "of", len(wanted))


def known_seconds(raw):
    """{launch name: seconds}, measured just now or recorded earlier."""
    files = (launches.ROOT / "book" / "measured").glob("*.json")
    recorded = [record for file in files for record in json.loads(file.read_text())["records"]]
    now = lines(raw / "time.jsonl")
    return {record["name"]: record["seconds"] for record in (*recorded, *now) if record.get("seconds")}


def lines(file):
    """The records of a .jsonl file, [] where there is none."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


# ---- the children: they use the GPU ----------------------------------------------------------------------


def listed(args):
    """The launches that the parent named, in its order."""
    every = {launch.name: launch for launch in launches.launches()}
    return [every[name] for name in json.loads(Path(args.names).read_text())]


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


KEPT = {}  # inputs that are on the device already


def prepared(module, launch):
    """(compiled function, host arguments, function that launches, device copies)"""
    if sum(array.nbytes for _, (array, _, _) in KEPT.values()) > module.cuda.Device().mem_info[1] / 8:
        KEPT.clear()
    function = gpu.build(module, launch.text, launch.constants)
    if launch.shared > gpu.OPT_IN:
        function.max_dynamic_shared_size_bytes = launch.shared
    values = launch.arguments()
    arguments, copies = device(module, launch.text, values, KEPT)
    return (
        function,
        values,
        lambda: function(launch.grid, launch.block, tuple(arguments), shared_mem=launch.shared),
        copies,
    )


def child_time(args):
    """Run, check and time each launch; one JSON line each."""
    module = cupy()
    file = Path(args.out) / "time.jsonl"
    for launch in listed(args):
        record = {"name": launch.name}
        try:
            record = timed(module, launch)
        except Exception as error:
            record["failed"] = f"{type(error).__name__}: {error}"[:2000]
        with open(file, "a") as out:
            out.write(json.dumps(record) + "\n")
        if "CUDARuntimeError" in record.get("failed", "") or "CUDADriverError" in record.get("failed", ""):
            sys.exit(3)  # the context is lost; the parent goes on in a new process
        module.get_default_memory_pool().free_all_blocks()


def timed(module, launch):
    """The record of one launch: resources, relative error, seconds."""
    function, values, go, copies = prepared(module, launch)
    record = described(launch, function)
    go()
    module.cuda.Device().synchronize()
    got = {
        place: fetch(*copies[place])
        for place, written in enumerate(launch.text.outputs)
        if written and place in copies
    }
    record["error"] = max(
        [difference(got[place], right) for place, right in launch.expected(values).items()], default=0.0
    )
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


def child_profile(args):
    """Launch each kernel once between the profiler's start and stop."""
    module = cupy()
    file = Path(args.out) / "profile.jsonl"
    file.unlink(missing_ok=True)
    for launch in listed(args):
        function, _, go, copies = prepared(module, launch)
        module.cuda.Device().synchronize()
        module.cuda.profiler.start()
        go()
        module.cuda.Device().synchronize()
        module.cuda.profiler.stop()
        with open(file, "a") as out:
            out.write(
                json.dumps(
                    {"name": launch.name, "kernel": launch.kernel, "grid": launch.grid, "block": launch.block}
                )
                + "\n"
            )
        del copies, go
        module.get_default_memory_pool().free_all_blocks()


def child_library(args):
    """Time what libraries and copies take, for the lines that the book draws beside its own kernels."""
    import library

    with open(Path(args.out) / "library.jsonl", "w") as out:
        for record in library.records(cupy()):
            out.write(json.dumps(record) + "\n")


def child_provenance(args):
    """The machine, its software and the date."""
    module = cupy()
    properties = module.cuda.runtime.getDeviceProperties(0)
    facts = {
        key: (value.decode(errors="replace") if isinstance(value, bytes) else value)
        for key, value in properties.items()
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
    (Path(args.out) / "provenance.json").write_text(
        json.dumps({"provenance": record, "device": {**attributes, **facts}}, default=str)
    )


def tool(*command):
    """Output of a program, '' where it is missing."""
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=os.environ
        ).stdout.strip()
    except OSError:
        return ""


CHILDREN = {
    "time": child_time,
    "profile": child_profile,
    "library": child_library,
    "provenance": child_provenance,
}

if __name__ == "__main__":
    main()
