"""Measure the book's kernels on this GPU: time, hardware counters, instrumented counts, each result checked.

    python tools/measure.py OUT                          everything, under 10 minutes on an H200
    python tools/measure.py OUT --missing                what book/measured lacks or has of an older text
    python tools/measure.py OUT --only matmul_naive,saxpy    some kernels
    python tools/measure.py OUT --stages time            no profiler needed (Colab)

Needs CuPy; the stage `count` also needs ncu with access to the counters.  The output goes to
OUT/raw.tar.gz; tools/collect.py turns it into book/measured/*.json.  Every stage runs in processes of its
own, and the first setting of every kernel goes first: a failed launch or the deadline costs little.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import launches  # noqa: E402
import measure_gpu  # noqa: E402

from gpusim.hardware import metrics  # noqa: E402

STAGES = "provenance,compile,time,library,count"
CHUNK = 60  # launches a profiler process
SHORT = 1.5e-3  # s; only launches shorter than this are instrumented, which slows them down a lot
TABLE = "--csv --page raw --print-units base --print-metric-instances details --print-kernel-base function"


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


def main():
    args = arguments()
    if args.child:
        return child_main(args)
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
        wanted = [one for one in chosen if not (args.missing and known(one, stage))]
        clock.say("stage", stage, len(wanted))
        if stage == "count":
            counting(wanted, raw, clock)
        elif stage == "time":
            timing(wanted, raw, clock)
        elif stage == "compile":
            compiling(wanted, raw, clock)
        elif stage != "library" or not (args.missing and libraries_known()):
            code, _ = child(stage, [], raw, clock)
            if stage == "provenance" and code:
                sys.exit(1)  # no GPU: nothing else can work
        clock.pack()
    clock.say("done:", Path(args.out) / "raw.tar.gz")
    sys.exit(1 if args.strict and clock.problems else 0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", help="folder for the raw results")
    parser.add_argument("--only", default="", help="kernels, separated by commas")
    parser.add_argument("--stages", default=STAGES)
    parser.add_argument("--missing", action="store_true", help="only what book/measured does not have")
    parser.add_argument(
        "--deadline", type=float, default=570, help="seconds after which nothing new is started"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if anything went wrong")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    parser.add_argument("--names", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def pack(raw, archive):
    """All raw results so far as one archive."""
    with tarfile.open(archive, "w:gz") as file:
        file.add(raw, "raw")


# ---- which launches --------------------------------------------------------------------------------------


def by_importance(chosen):
    """The first setting of every kernel, then the second, and so on."""
    return sorted(chosen, key=lambda launch: launch.row.settings.index(launch.setting))


@cache
def recorded():
    """{launch name: record} of book/measured."""
    files = (launches.ROOT / "book" / "measured").glob("*-*.json")
    found = [record for file in files for record in json.loads(file.read_text())["records"]]
    return {record["name"]: record for record in found if "fingerprint" in record}


def known(launch, stage):
    """Does book/measured have this stage of the launch, with the text as it is now?"""
    record = recorded().get(launch.name)
    if record is None or record["fingerprint"] != launch.text.fingerprint:
        return False
    counted = {"counters", "profile"} <= {*record} and ("exact" in record or not short(record))
    return stage != "count" or counted


def libraries_known():
    return bool(list((launches.ROOT / "book" / "measured").glob("*-library.json")))


def lines(file):
    """The records of a .jsonl file, [] where there is none."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


# ---- the stages, each in processes of its own ------------------------------------------------------------


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


def child_main(args):
    """What such a process does: the launches that the parent named, in its order."""
    every = {launch.name: launch for launch in launches.launches()}
    chosen = [every[name] for name in json.loads(Path(args.names).read_text())]
    measure_gpu.STAGES[args.child](Path(args.out), chosen)


def compiling(chosen, raw, clock):
    """Compile every text once, in several processes, so that the other stages find them in CuPy's cache."""
    texts = {launch.text.fingerprint: launch.name for launch in chosen}
    shares = [list(texts.values())[start :: os.cpu_count()] for start in range(os.cpu_count() or 1)]
    running = []
    for number, names in enumerate(share for share in shares if share):
        listed = raw.parent / f"compile_{number}.json"
        listed.write_text(json.dumps(names))
        command = [sys.executable, __file__, str(raw), "--child", "compile", "--names", str(listed)]
        running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    for process in running:
        process.wait()


def timing(chosen, raw, clock):
    """Time all launches; after a launch that breaks the GPU's context, go on behind it in a new process."""
    names, file = [launch.name for launch in chosen], raw / "time.jsonl"
    file.unlink(missing_ok=True)
    while names and clock.left > 10:
        code, _ = child("time", names, raw, clock)
        done = {record["name"] for record in lines(file)}
        rest = [name for name in names if name not in done]
        if code is None:
            break
        names = rest if code in (0, 3) else rest[1:]  # 3: the launch that failed has left a record
    for record in lines(file):
        if record.get("failed") or not record.get("error", 0) <= record.get("tolerance", 1):
            clock.warn(record["name"], record.get("failed") or f"error {record['error']:.2g}")


def counting(chosen, raw, clock):
    """Count with Nsight Compute: hardware counters of all launches, and instrumented ones of the short."""
    if shutil.which("ncu") is None:
        return clock.warn("no ncu (Nsight Compute) here: nothing is counted")
    known = {**recorded(), **{record["name"]: record for record in lines(raw / "time.jsonl")}}
    able = [one.name for one in chosen if one.profile and not known.get(one.name, FAILED).get("failed")]
    hardware = [*metrics.COUNTERS.values(), *metrics.PROFILE.values()]
    both = [*hardware, *metrics.EXACT.values(), metrics.OPCODES_ASKED]
    profile("both", [name for name in able if short(known[name])], both, raw, clock)
    profile("main", [name for name in able if not short(known[name])], hardware, raw, clock)


FAILED = {"failed": "was not run"}


def short(record):
    """Is a launch short enough to be instrumented?  One without a time is not."""
    return 0 < record.get("seconds", 0) < SHORT


def profile(group, wanted, asked, raw, clock):
    """Let Nsight Compute count the launches of a group, some at a time; a table of each chunk."""
    for start in range(0, len(wanted), CHUNK):
        names, report = wanted[start : start + CHUNK], raw.parent / f"{group}_{start}.ncu-rep"
        while asked and clock.left > 20:
            options = [*measure_gpu.OPTIONS, "-o", str(report.with_suffix("")), "--metrics", ",".join(asked)]
            _, log = child("profile", names, raw, clock, ["ncu", *options])
            unknown = re.findall(r"Failed to find metric (?:regex:)?\^?([A-Za-z0-9_.]+)", log)
            if not unknown:
                break
            clock.say("this profiler does not know", unknown)
            asked = [one for one in asked if one not in unknown and one.split(".")[0] not in unknown]
        if not report.exists():
            clock.warn("no report for", group, start)
            continue
        table = ["ncu", "-i", str(report), *TABLE.split()]
        content = subprocess.run(table, capture_output=True, text=True).stdout
        (raw / f"{group}_{start}.csv").write_text(content)
        (raw / "profile.jsonl").replace(raw / f"{group}_{start}.jsonl")
        report.unlink()
        clock.pack()
        clock.say(group, start + len(names), "of", len(wanted))


if __name__ == "__main__":
    main()
