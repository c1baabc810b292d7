"""A tuning run: the two-level matrix multiplications at two thousand settings, counted, estimated and timed.

python tools/tune.py                     counts and estimates every setting; writes book/computed/tuning_two_level.json
python tools/tune.py --measure FILE      on a GPU with CuPy: the time of every setting that runs, into FILE
python tools/tune.py --times FILE        puts such times into book/computed/tuning_two_level.json
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import gpusim as gs  # noqa: E402

TABLE = ROOT / "book" / "computed" / "tuning_two_level.json"
AXES = {
    "kernel": ["matmul_two_level", "matmul_two_level_vec"],
    "L": [16, 32, 64, 128, 256],
    "S": [2, 4, 8, 16, 32, 64],
    "V": [1, 2, 4, 8, 16],
    "REVERSED": [0, 1],
    "N": [512, 1024, 2048, 4096, 8192, 16384],
}
MEASURED_N = 4096
# Registers of a thread as the compiler gave them on the H200: they depend on V (book/measured).
REGISTERS = {
    "matmul_two_level": {1: 40, 2: 40, 4: 48, 8: 120, 16: 255},
    "matmul_two_level_vec": {4: 59, 8: 96, 16: 255},
}


def sensible(kernel, L, V, **_):
    """Whether a block is a warp or more, and the text allows V; what a card refuses is tried and fails."""
    return (L // V) ** 2 >= 32 and V in REGISTERS[kernel]


def tried(kernel, L, S, V, REVERSED, N):
    """Counts and estimate of one setting."""
    made = gs.load(kernel, L=L, S=S, V=V, REVERSED=REVERSED)
    matrix = gs.spec((N, N))
    run = gs.count(made, (N // L, N // L), (L // V, L // V), matrix, matrix, matrix, N, gpu=gs.H200)
    registers = REGISTERS[kernel][V]
    found = gs.estimate(run, gs.H200, registers)
    counts = run.counts
    return {
        "seconds": float(f"{found.seconds:.4g}"),
        "bound": found.bound,
        "sectors": counts.global_load_sectors + counts.global_store_sectors,
        "wavefronts": counts.shared_load_wavefronts + counts.shared_store_wavefronts,
        "excess": counts.shared_load_excess + counts.shared_store_excess,
        "occupancy": gs.occupancy(gs.H200, (L // V) ** 2, registers, made.static_shared).fraction,
    }


def swept(jobs):
    """All settings, those that are there already not again."""
    known = rows() if TABLE.exists() else None
    return gs.sweep(tried, where=sensible, jobs=jobs, known=known, **AXES)


def rows():
    """The rows of the table as dicts."""
    told = json.loads(TABLE.read_text(encoding="utf-8"))
    return [dict(zip(told["head"], row, strict=True)) for row in told["rows"]]


def write(found, measured=None):
    """The table: a head and a list a row, one row a line."""
    head = list(dict.fromkeys(name for row in found for name in row if name != "error")) + ["error"]
    lines = ",\n".join(json.dumps([row.get(name) for name in head]) for row in found)
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    text = f'{{"head": {json.dumps(head)},\n"measured": {json.dumps(measured)},\n"rows": [\n{lines}\n]}}\n'
    TABLE.write_text(text, encoding="utf-8")


def measure(path, seconds):
    """Times at MEASURED_N into a file, a line a setting, until the time is up; best and worst go first."""
    end, N = time.time() + seconds, MEASURED_N
    random = np.random.default_rng(0)
    A, B = (random.standard_normal((N, N)).astype(np.float32) for _ in range(2))
    wanted = A[:, :8].T @ B
    left = sorted(
        (row for row in rows() if row["N"] == N and row["error"] is None), key=lambda row: row["seconds"]
    )
    order = [left.pop(0 if place % 2 == 0 else -1) for place in range(len(left))]
    settings = [{name: row[name] for name in AXES} for row in order]
    with multiprocessing.get_context("spawn").Pool(14) as pool, open(path, "w", encoding="utf-8") as out:
        for setting, error in zip(settings, pool.imap(compiled, settings), strict=True):
            if time.time() > end:
                pool.terminate()
                break
            came = {"error": error} if error else timed(setting, A, B, wanted)
            print(json.dumps({**setting, **came}), file=out, flush=True)


def kernel_of(setting):
    return gs.load(setting["kernel"], **{name: setting[name] for name in ("L", "S", "V", "REVERSED")})


def compiled(setting):
    """Compile one setting into CuPy's cache, before its turn to be timed; None, or what went wrong."""
    from gpusim.hardware import gpu, text

    try:
        gpu.build(gpu.cupy(), text.kernel_text(kernel_of(setting)))
    except Exception as error:  # whatever it is, the other settings go on
        return f"{type(error).__name__}: {error}"


def timed(setting, A, B, wanted):
    """Time and registers of one setting on this machine's GPU, and its relative error in eight rows."""
    L, V, N = setting["L"], setting["V"], setting["N"]
    C = np.zeros((N, N), np.float32)
    run = gs.hardware.run(kernel_of(setting), (N // L, N // L), (L // V, L // V), A, B, C, N, repeats=5)
    wrong = float(np.max(np.abs(run.out[:8] - wanted)) / np.max(np.abs(wanted)))
    return {"measured": run.seconds, "registers": run.registers, "wrong": wrong}


def with_times(path):
    """The rows with the times of a file of `measure`."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    key = lambda row: tuple(row[name] for name in AXES)  # noqa: E731
    times = {key(line): line["measured"] for line in lines if line.get("wrong", 1) < 1e-4}
    return [{**row, "measured": times.get(key(row), row.get("measured"))} for row in rows()]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", type=pathlib.Path, metavar="FILE")
    parser.add_argument(
        "--seconds", type=float, default=200, help="for --measure: the best estimates go first"
    )
    parser.add_argument("--times", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--provenance", default=None, help="for --times: card, driver, CUDA, date")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.measure:
        return measure(options.measure, options.seconds)
    write(with_times(options.times), options.provenance) if options.times else write(swept(options.jobs))


if __name__ == "__main__":
    main()
