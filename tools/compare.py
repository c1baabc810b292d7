"""Count every measured launch in the simulator, for the table of simulated and measured counts.

    python tools/compare.py                      all launches that book/measured has: some minutes
    python tools/compare.py matmul_naive,saxpy   those of some kernels; the others stay as they are
    python tools/compare.py missing              those that the file does not have

Writes book/computed/simulated.json, {launch name: {"counts": ..., "launch": LaunchCounts}} without zeros.  A
test counts the smaller launches again and compares with what stands there, and each number with what the GPU
counted; another compares the estimates made from the LaunchCounts with the times.
"""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import launches  # noqa: E402
import numpy as np  # noqa: E402

import gpusim as gs  # noqa: E402
from gpusim.hardware.measurements import COMPARED, records, simulated_counts  # noqa: E402

SIMULATED = launches.ROOT / "book" / "computed" / "simulated.json"
MOST_THREADS = 1 << 25  # a launch of more, whose counts depend on its data, takes minutes and is left out

# as long, for their loops
LONG = (
    "matvec_24 rows=16384 cols=16384",
    "pointer_chase words=67108864 steps=2097152",
    "reduce_last_block n=67108864*",
    "scan_lookback n=67108864*",
    "spmv_merge rows=65536 * data=64 *",
)


def main(only=""):
    kept = json.loads(SIMULATED.read_text()) if SIMULATED.exists() else {}
    chosen = launches.launches([name for name in only.split(",") if name not in ("", "missing")])
    if only == "missing":
        chosen = [launch for launch in chosen if launch.name not in kept]
    measured = {record.name for name in launches.TABLE for record in records(name, "H200")}
    saved = time.time()
    for launch in sorted(chosen, key=threads):
        if launch.name not in measured:
            kept.pop(launch.name, None)
            continue
        start = time.time()
        run = counted(launch)
        if run is not None:  # else a count of before stays: of a launch that takes long, made with patience
            kept[launch.name] = simulated(run)
        print(f"{time.time() - start:6.1f} s  {launch.name}{'' if run else ': not counted'}", flush=True)
        if time.time() - saved > 20:
            saved = time.time()
            save(kept)
    save(kept)


def long(name):
    """Does a launch take long to count, although it has few threads?"""
    return any(fnmatchcase(name, pattern) for pattern in LONG)


def threads(launch):
    return math.prod(launch.grid) * math.prod(launch.block)


def save(kept):
    """Write the file: a launch a line, in the order of the launch list."""
    names = [launch.name for launch in launches.launches() if launch.name in kept]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in names)
    SIMULATED.write_text("{\n" + lines + "\n}\n")


def simulated(run):
    """{"counts": {count: number}, "launch": {field: number}} of a run, as it stands in the file."""
    counts = {name: number for name, number in simulated_counts(run).items() if name in COMPARED and number}
    fields = asdict(run.launch_counts)
    return {"counts": counts, "launch": {name: value for name, value in fields.items() if value}}


def counted(launch):
    """The run of a launch; None for a text that only a real GPU runs, or a launch that is too large."""
    try:
        kernel = gs.load(launch.kernel, **launch.defines)
    except gs.CudaUnsupported:
        return None
    for name, values in launch.constants.items():
        kernel.program.constants[name] = values
    values = launch.arguments()
    specs = [gs.spec(v.shape, v.dtype) if isinstance(v, np.ndarray) else v for v in values]
    try:
        return gs.count(kernel, launch.grid, launch.block, *specs, shared=launch.shared, gpu=gs.H200)
    except gs.NotCountable:
        if threads(launch) > MOST_THREADS or long(launch.name):
            return None
    arrays = [gs.asarray(v) if isinstance(v, np.ndarray) else v for v in values]
    return gs.launch(
        kernel, launch.grid, launch.block, *arrays, shared=launch.shared, gpu=gs.H200, checks=False
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
