"""Mutants of the book's kernels: one small fault planted in a right text; what finds it.

python tools/mutants.py            runs the campaign and prints what has changed
python tools/mutants.py --write    writes book/computed/mutants.json, which the appendix shows
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import launches  # noqa: E402

import gpusim as gs  # noqa: E402

TABLE = ROOT / "book" / "computed" / "mutants.json"
COUNT = 200

# kernel -> the setting of tools/launches.py that is run, all small; several words have to fit
SETTINGS = {
    "reduce_v1": {"n": 4096},
    "reduce_v2": {"n": 4096},
    "reduce_v3": {"n": 4096},
    "reduce_v4": {"n": 4096},
    "reduce_any": {"n": 1000},
    "conv_shared": {"n": 4096, "WINDOW": 3},
    "conv_global": {"n": 4096, "WINDOW": 3},
    "transpose_tile": {"rows": 64, "PAD": 1},
    "transpose_tile_store": {"rows": 64, "PAD": 1},
    "transpose_guarded": {"rows": 70},
    "transpose_swizzle": {"rows": 64},
    "transpose_naive": {"rows": 64, "block": (16, 16)},
    "matmul_tiled": {"N": 32, "TILE": 8},
    "matmul_tiled_guarded": {"N": 10},
    "matmul_coarse": {"N": 32, "TILE": 8, "COARSE": 2},
    "matmul_naive": {"N": 32, "block": (16, 16)},
    "matrix_add": {"Nx": 11},
    "histogram_shared": {"n": 65536, "data": "random"},
    "histogram_global": {"n": 65536, "data": "random"},
    "vector_add": {"n": 1000},
    "spmv_warp": {"rows": 256, "data": "8"},
    "spmv_group": {"rows": 256, "data": "8", "LANES": 8},
    "spmv_thread": {"rows": 256, "data": "8"},
    "warp_exchange": {"SYNC": 1},
    "bias_tile": {"rows": 256},
    "fetch_strip": {"L": 64, "REVERSED": 0},
    "counter_atomic": {"blocks": 64},
    "gather": {"n": 4096, "order": "random"},
    "local_array": {"n": 4096},
    "compress_24": {"rows": 64},
    "matvec_24": {"rows": 64},
    "shared_stride": {"stride": 2, "offset": 0},
    "multiply_vec4": {"n": 1024},
    "multiply_double": {"n": 8191},
    "stencil_global": {"n": 4096},
    "half_dot": {"n": 256, "ACCUMULATOR": "float"},
    "scale_square": {"n": 1000},
}

# Faults: name -> (pattern, replacement), applied to one place of one line.
FAULTS = {
    "barrier removed": (r"__sync(threads|warp)\(\);", ";"),
    "barrier moved into a branch": (r"__sync(threads|warp)\(\);", r"if (threadIdx.x % 2 == 0) __sync\1();"),
    "guard removed": (r"\bif \((?!.*\bSYNC\b)(.*)\) \{", "if (true) {"),
    "guard off by one": (r"\bif \(([^;{]*?) < ([^;{]*)\) \{", r"if (\1 <= \2) {"),
    "loop runs once too often": (r"\bfor \(([^;]*); ([^;]*?) < ([^;]*);", r"for (\1; \2 <= \3;"),
    "loop misses its last round": (r"\bfor \(([^;]*); ([^;]*?) < ([^;]*);", r"for (\1; \2 < \3 - 1;"),
    "index off by one": (r"(?<!float )(?<!int )(?<=\w)\[([^\[\]]+)\]", r"[\1 + 1]"),
    "array too short": (r"(__shared__ \w+ .*\[)([^\[\]]+)(\];)", r"\1\2 - 1\3"),
    "padding removed": (r"(__shared__ .*?)( \+ (?:PAD|WINDOW - 1))", r"\1"),
    "mask changed": (r"0xffffffff", "0x0000ffff"),
    "initial value removed": (r"^(\s*)(mine\[threadIdx\.x\] = 0;)", r"\1"),
    "accumulator not set": (r"\b(float|int) (\w+) = 0(\.0f)?;", r"\1 \2;"),
    "atomic made plain": (r"atomicAdd\(&?([\w\[\].]+(?:\[[^\]]*\])?), ([^;]*)\);", r"*(&\1 + 0) += \2;"),
}

# Mutants that change nothing a schedule or a rule could show, and why.
HARMLESS = json.loads((ROOT / "tools" / "harmless_mutants.json").read_text())


@dataclass(frozen=True)
class Mutant:
    """One planted fault; line : counted from 1; before, after : the line's text; column : where in it."""

    kernel: str
    fault: str
    line: int
    column: int
    before: str
    after: str


def launch_of(kernel):
    """The launch of tools/launches.py that a kernel's mutants run in."""
    wanted = SETTINGS[kernel]
    return next(x for x in launches.launches([kernel]) if wanted.items() <= {**x.params, **x.setting}.items())


def mutants_of(kernel):
    """Every fault in every place of a kernel's text."""
    lines = (ROOT / "book" / "kernels" / f"{kernel}.cu").read_text().split("\n")
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0].rstrip()
        if code.lstrip().startswith("#") or "__global__" in code:
            continue
        for fault, (pattern, replacement) in FAULTS.items():
            if (
                fault == "index off by one"
                and "__shared__" in code
                or fault == "index off by one"
                and re.match(r"\s*(float|int) \w+\[", code)
            ):
                continue
            for found in re.finditer(pattern, code):
                after = code[: found.start()] + found.expand(replacement) + code[found.end() :]
                if after != code:
                    yield Mutant(kernel, fault, number, found.start() + 1, line, after)


def campaign(count=COUNT):
    """`count` mutants, taking turns among faults, and among the kernels of a fault."""
    by_fault = {fault: {} for fault in FAULTS}
    for kernel in SETTINGS:
        for mutant in mutants_of(kernel):
            by_fault[mutant.fault].setdefault(kernel, []).append(mutant)
    queues = {fault: _in_turns(kernels) for fault, kernels in by_fault.items()}
    chosen = []
    while len(chosen) < count and any(queues.values()):
        for queue in queues.values():
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return sorted(chosen, key=lambda m: (list(FAULTS).index(m.fault), m.kernel, m.line, m.column))


def _in_turns(kernels):
    lists = [list(found) for found in kernels.values()]
    turns = []
    while any(lists):
        turns += [found.pop(0) for found in lists if found]
    return turns


def verdict_of(kernel, line, code):
    """gs.verify of a kernel of the book with one line replaced."""
    launch = launch_of(kernel)
    lines = (ROOT / "book" / "kernels" / f"{kernel}.cu").read_text().split("\n")
    lines[line - 1] = code
    arguments = launch.arguments()
    expected = launch.expected(arguments)
    program = gs.cuda("\n".join(lines), f"{kernel}.cu", **launch.defines)
    for name, value in launch.constants.items():
        program.constants[name] = value
    changed = next(iter(program.kernels.values()))
    device = [gs.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
    return gs.verify(
        changed,
        launch.grid,
        launch.block,
        *device,
        shared=launch.shared,
        expect=expected or None,
        rtol=1e-3,
        atol=1e-4,
    )


def judge(mutant):
    """(what found it, a sentence): a kind of report, "wrong result", "compiler" or "" for nothing."""
    try:
        verdict = verdict_of(mutant.kernel, mutant.line, mutant.after)
    except gs.GpusimError as error:
        return "compiler", error.message
    kinds = [r.kind + (f" {r.scope}" if r.scope and "race" in r.kind else "") for r in verdict.reports]
    wrong = next((o for o in verdict.outcomes if o.wrong or o.error), None)
    if kinds:
        return kinds[0], verdict.reports[0].message
    return ("wrong result", str(wrong)) if wrong else ("", "")


def why_harmless(mutant):
    """Why a mutant that nothing found changes nothing; "" if nobody knows.

    Of a guard it is tried: with an assertion in its place, no thread may fail it.
    """
    if mutant.fault.startswith("guard"):
        condition = re.search(r"\bif \((.*)\) \{", mutant.before.split("//")[0])[1]
        if not verdict_of(mutant.kernel, mutant.line, f"assert({condition}); if (true) {{").reports:
            return "in this launch the guard holds for every thread, which an assertion in its place confirms"
    return HARMLESS.get(f"{mutant.kernel}: {mutant.after.strip()}", "")


def run(progress=False):
    """The table: one row a mutant."""
    rows = []
    for mutant in campaign():
        found_by, said = judge(mutant)
        why = "" if found_by else why_harmless(mutant)
        rows.append(
            {
                **asdict(mutant),
                "before": mutant.before.split("//")[0].strip(),
                "after": mutant.after.strip(),
                "found_by": found_by,
                "said": said.split("\n")[0],
                "harmless": why,
            }
        )
        if progress:
            verdict = found_by or ("harmless" if why else "SURVIVES")
            print(
                f"{mutant.kernel:22s} {mutant.fault:28s} {mutant.line:3d} {verdict:40s} {mutant.after.strip()}"
            )
    return rows


if __name__ == "__main__":
    table = run(progress=True)
    print(
        len(table),
        "mutants;",
        sum(not r["found_by"] for r in table),
        "survive,",
        sum(not r["found_by"] and not r["harmless"] for r in table),
        "unexplained",
    )
    if "--write" in sys.argv:
        TABLE.write_text(json.dumps(table, indent=1) + "\n")
