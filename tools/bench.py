"""Time gpusim beside its peers, in one run on one machine, and print ratios: times alone mean little on shared machines.

    make bench                      one table, and bench.json under build/
    make bench ARGS="--no-install"  peers that are not installed are reported as missing, nothing is fetched

Peers: numba's CUDA simulator, Triton's interpreter, and a C program that counts by brute force on one thread.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
import gpusim as gs  # noqa: E402

PEERS = {"numba": ["numba"], "triton": ["triton", "torch"]}
# kernel, size for numba, size for Triton, size for C (0: none)
CASES = [
    ("naive", 256, 256, 256),
    ("tiled", 128, 0, 0),
    ("reduction", 1 << 14, 1 << 18, 0),
    ("transpose", 256, 1024, 1024),
]

# kernel, the setting of tools/launches.py in which its checks are timed
CHECKED = {
    "matmul_naive": {"N": 256},
    "matmul_tiled": {"N": 256, "TILE": 16},
    "matmul_tiled_guarded": {"N": 100},
    "reduce_v1": {"n": 262144},
    "reduce_v3": {"n": 262144},
    "reduce_v4": {"n": 262144},
    "conv_shared": {"n": 1048576},
    "transpose_naive": {"rows": 64},
    "transpose_tile": {"rows": 64, "PAD": 1},
    "transpose_guarded": {"rows": 1000},
    "saxpy": {"n": 1048576},
    "vector_add": {"n": 1048576},
    "histogram_shared": {"n": 65536, "data": "random"},
    "spmv_warp": {"rows": 256, "data": "64"},
    "spmv_thread": {"rows": 256, "data": "64"},
    "gather": {"n": 4096, "order": "random"},
    "bias_tile": {"rows": 256},
    "matrix_add": {"Nx": 11},
}


def launch_of(name, n):
    """(kernel, grid, block, arrays, other arguments, output's position) of one case."""
    count = n if name == "reduction" else n * n
    A, B = ((np.arange(count) % m).astype(np.float32) for m in (7, 5))
    if name == "reduction":
        return gs.load("reduce_v3"), n // 256, 256, [A, np.zeros(n // 256, np.float32)], [], 1
    if name == "transpose":
        return gs.load("transpose_tile"), (n // 32, n // 32), (32, 32), [A, np.zeros_like(A)], [n, n], 1
    kernel = gs.load({"naive": "matmul_naive", "tiled": "matmul_tiled"}[name])
    return kernel, (n // 16, n // 16), (16, 16), [A, B, np.zeros_like(A)], [n], 2


def checksum(result):
    return float((result.astype(np.float64) * (np.arange(len(result)) % 11)).sum())


def best(work, repeats=5):
    """(shortest time in seconds, last result)"""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return min(times), result


def time_gpusim(name, n):
    kernel, grid, block, arrays, rest, at = launch_of(name, n)
    device = [gs.asarray(a) for a in arrays]

    def work():
        run = kernel[grid, block](*device, *rest)
        return run.counts.global_load_sectors, run.counts.global_store_sectors

    seconds, counts = best(work)
    return seconds, checksum(gs.asnumpy(device[at])), counts


def installed(peer, fetch):
    """The Python that has a peer, or None; fetched into an environment of its own."""
    folder = ROOT / "build" / f"peer-{peer}"
    python = folder / "bin" / "python"
    if not python.exists() and fetch:
        subprocess.run([sys.executable, "-m", "venv", folder], check=False)
        subprocess.run([python, "-m", "pip", "install", "-q", "numpy", *PEERS[peer]], check=False)
    modules = ", ".join(PEERS[peer])
    ok = (
        python.exists()
        and subprocess.run([python, "-c", f"import {modules}"], capture_output=True).returncode == 0
    )
    return python if ok else None


def time_peer(python, peer, name, n):
    done = subprocess.run(
        [python, ROOT / "bench" / f"{peer}_peer.py", name, str(n)], capture_output=True, text=True
    )
    if done.returncode:
        return None
    seconds, total = done.stdout.split()[-2:]
    return float(seconds), float(total)


def time_c(name, n):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = ROOT / "build" / "brute_force"
    program.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, "-O3", "-o", program, ROOT / "bench" / "brute_force.c"], check=True)
    best_of = min(
        (
            subprocess.run([program, name, str(n)], capture_output=True, text=True, check=True).stdout.split()
            for _ in range(3)
        ),
        key=lambda words: float(words[0]),
    )
    return float(best_of[0]), float(best_of[4]), (int(best_of[1]), int(best_of[2]))


def compare_with_peers(fetch):
    rows = []
    pythons = {peer: installed(peer, fetch) for peer in PEERS}
    for name, *sizes in CASES:
        for peer, n in zip(("numba", "triton", "C"), sizes):
            if not n:
                continue
            own = time_gpusim(name, n)
            if peer == "C":
                other = time_c(name, n)
            else:
                other = time_peer(pythons[peer], peer, name, n) if pythons[peer] else None
            row = {"kernel": name, "size": n, "peer": peer, "gpusim_s": own[0]}
            if other is None:
                rows.append({**row, "missing": "not installed here" if peer != "C" else "no C compiler"})
                continue
            same = abs(own[1] - other[1]) <= 1e-5 * max(1.0, abs(other[1])) and (
                len(other) < 3 or other[2] == own[2]
            )
            rows.append({**row, "peer_s": other[0], "ratio": other[0] / own[0], "same_result": bool(same)})
    return rows


def curves():
    """Time against executed lanes, and counting against size: the first grows in step, the second does not grow."""
    lanes = []
    for n in (64, 128, 256, 512):
        seconds, _, _ = time_gpusim("naive", n)
        lanes.append({"N": n, "lane_steps": n**3, "seconds": seconds})
    counting = []
    for name in ("matmul_naive", "matmul_tiled", "matmul_two_level", "transpose_tile"):
        kernel = gs.load(name)
        for n in (256, 1024, 4096, 8192):
            side = 64 if name == "matmul_two_level" else 32 if "transpose" in name else 16
            block = (32, 32) if "transpose" in name else (16, 16)
            arrays = [gs.spec((n, n))] * (2 if "transpose" in name else 3)
            rest = [n, n] if "transpose" in name else [n]
            launch = partial(gs.count, kernel, (n // side, n // side), block, *arrays, *rest)
            seconds, _ = best(lambda launch=launch: launch().counts.global_load_sectors)
            counting.append({"kernel": name, "N": n, "seconds": seconds})
    return lanes, counting


def checks():
    """[(kernel, seconds without checks, with all checks)] of the book's kernels in launches of some size, and five schedules."""
    sys.path.insert(0, str(ROOT / "tools"))
    import launches

    rows = []
    for name, wanted in CHECKED.items():
        found = next(
            x for x in launches.launches([name]) if wanted.items() <= {**x.params, **x.setting}.items()
        )
        kernel, arguments = gs.load(name, **found.defines), found.arguments()
        device = [gs.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
        launch = partial(gs.launch, kernel, found.grid, found.block, *device, shared=found.shared)
        times = [best(partial(launch, checks=on))[0] for on in (False, True)]
        rows.append((name, *times))
    x = np.arange(1 << 18, dtype=np.float32) % 7
    sums = x.reshape(1024, 256).sum(axis=1)
    five, _ = best(
        lambda: gs.verify(
            gs.load("reduce_v3"), 1024, 256, gs.asarray(x), gs.zeros(1024, np.float32), expect=sums
        )
    )
    return rows, five


def memory():
    """{launch: MB at the most, beyond the arrays themselves}"""
    found = {}
    for name, n in (("naive", 256), ("transpose", 4096), ("reduction", 1 << 22)):
        kernel, grid, block, arrays, rest, _ = launch_of(name, n)
        device = [gs.asarray(a) for a in arrays]
        found[f"{name} {n}"] = peak(partial(kernel[grid, block], *device, *rest))
    matrix = gs.spec((8192, 8192))
    count = partial(gs.count, gs.load("matmul_two_level"), (128, 128), (16, 16), matrix, matrix, matrix, 8192)
    return {**found, "counting two_level 8192": peak(count)}


def peak(work):
    """MB that a call allocates at the most, as Python and NumPy report it."""
    work()
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def costs():
    """Text to runnable, importing."""
    text = gs.load("matmul_two_level").text
    translate, _ = best(lambda: gs.cuda(text).matmul_two_level.python())
    code = "import numpy, time; t = time.perf_counter(); import gpusim; print(time.perf_counter() - t)"
    importing = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT).stdout)
        for _ in range(3)
    )
    return {"translate_s": translate, "import_s": importing}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-install", action="store_true", help="do not fetch peers that are missing")
    parser.add_argument("--out", default=str(ROOT / "build" / "bench.json"))
    options = parser.parse_args()
    report = {"peers": compare_with_peers(not options.no_install)}
    print(f"{'kernel':<12}{'size':>8}  {'peer':<8}{'gpusim':>10}{'peer':>12}{'ratio':>11}  result")
    for row in report["peers"]:
        head = f"{row['kernel']:<12}{row['size']:>8}  {row['peer']:<8}{row['gpusim_s'] * 1e3:>8.1f}ms"
        print(
            f"{head}{'':>12}{'':>11}  missing: {row['missing']}"
            if "missing" in row
            else f"{head}{row['peer_s'] * 1e3:>10.1f}ms{row['ratio']:>10.1f}x  {'equal' if row['same_result'] else 'DIFFERENT'}"
        )
    report["lanes"], report["counting"] = curves()
    print(
        "\nexecuting naive matmul: ns a lane step",
        *(f"N={r['N']}: {r['seconds'] / r['lane_steps'] * 1e9:.2f}" for r in report["lanes"]),
    )
    for name in dict.fromkeys(r["kernel"] for r in report["counting"]):
        print(
            f"counting {name}: ms",
            *(f"N={r['N']}: {r['seconds'] * 1e3:.2f}" for r in report["counting"] if r["kernel"] == name),
        )
    rows, five = checks()
    report["checks"] = {"kernels": rows, "schedules_s": five}
    without, having = (sum(row[i] for row in rows) for i in (1, 2))
    print(
        f"all checks on: {having / without:.2f} times the time without; the most {max(b / a for _, a, b in rows):.2f} times "
        f"({max(rows, key=lambda r: r[2] / r[1])[0]}); gs.verify of a reduction of 2^18: {five * 1e3:.0f} ms"
    )
    report["costs"] = costs()
    translate, start = (1e3 * report["costs"][k] for k in ("translate_s", "import_s"))
    print(f"text to runnable (two-level matmul): {translate:.1f} ms; import gpusim: {start:.0f} ms")
    report["memory_mb"] = memory()
    print(
        "memory beyond the arrays:",
        "; ".join(f"{name}: {mb:.1f} MB" for name, mb in report["memory_mb"].items()),
    )
    Path(options.out).parent.mkdir(exist_ok=True)
    Path(options.out).write_text(json.dumps(report, indent=1))
    print(f"written to {options.out}")


if __name__ == "__main__":
    main()
