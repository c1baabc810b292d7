"""Records what NVIDIA's compiler makes of every kernel of the book: `make listings`, no GPU needed.

Every text of the measured launches for the card of the measurements, and each kernel with its own macros for the
other cards, from the T4 to Blackwell.  A row whose text and compiler stand already is kept.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import launches

from gpusim.hardware.compiled.door import compiled
from gpusim.hardware.compiled.recorded import pack
from gpusim.hardware.compiled.toolkit import version
from gpusim.hardware.text import KernelText

FOLDER = launches.ROOT / "book" / "computed" / "machine"
MEASURED = "sm_90"  # the H200's
OTHERS = ("sm_75", "sm_80", "sm_100", "sm_120")


def texts(arch) -> dict:
    """{fingerprint: KernelText} to record for an architecture."""
    own = [KernelText(path.stem, path.read_text()) for path in sorted(launches.KERNELS.glob("*.cu"))]
    measured = [launch.text for launch in launches.launches()] if arch == MEASURED else []
    return {text.fingerprint: text for text in (*own, *measured)}


def record(arch) -> dict:
    """Rows of one architecture, compiled where no row of this compiler stands."""
    path = FOLDER / f"{arch}.json"
    standing = json.loads(path.read_text()) if path.exists() else {}
    wanted, now = texts(arch), version()
    missing = [key for key in wanted if standing.get(key, {}).get("compiler") != now]
    with ThreadPoolExecutor() as pool:
        made = dict(zip(missing, pool.map(lambda key: pack(compiled(wanted[key], arch)), missing)))
    return {key: made.get(key) or standing[key] for key in wanted}


def written(rows) -> str:
    """Rows as JSON, one a line: a changed kernel changes its own line."""
    lines = (f"{json.dumps(key)}: {json.dumps(row, separators=(',', ':'))}" for key, row in rows.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for arch in (MEASURED, *OTHERS):
        rows = record(arch)
        (FOLDER / f"{arch}.json").write_text(written(rows))
        print(
            f"{arch}: {len(rows)} texts, {sum(len(row['instructions']) for row in rows.values())} instructions"
        )


if __name__ == "__main__":
    main()
