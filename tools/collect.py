"""Turn what tools/measure.py measured into the records of the book: python tools/collect.py RAW.tar.gz ...

RAW is raw.tar.gz or the unpacked folder; several are read as one measurement, the later ones adding stages.
One file a kernel, book/measured/<gpu>-<kernel>.json; a file is replaced as a whole, so measuring some kernels
again leaves the others alone.  A launch whose result was wrong is left out, loudly.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from gpusim.hardware import metrics  # noqa: E402
from gpusim.hardware.card import short_name  # noqa: E402

MEASURED = ROOT / "book" / "measured"
DROPPED = ("kernel", "tolerance", "failed")
DEVICE = (
    "name",
    "major",
    "minor",
    "multiProcessorCount",
    "l2CacheSize",
    "ClockRate",
    "MemoryClockRate",
    "memoryBusWidth",
    "GlobalMemoryBusWidth",
    "sharedMemPerBlock",
    "sharedMemPerMultiprocessor",
    "regsPerMultiprocessor",
    "totalGlobalMem",
)


def main(*raws, out=MEASURED):
    """Write the records of one measurement; return the files written."""
    with tempfile.TemporaryDirectory() as merged:
        for raw in map(Path, raws):
            if raw.is_file():
                with tarfile.open(raw) as archive:
                    archive.extractall(merged, filter="data")
            else:
                shutil.copytree(raw, Path(merged) / "raw", dirs_exist_ok=True)
        return write(Path(merged) / "raw", Path(out))


def write(folder, out):
    facts = json.loads((folder / "provenance.json").read_text())
    card = short_name(facts["provenance"]["gpu"])
    counted, exact = profiled(folder, "main"), profiled(folder, "exact")
    kernels, files = {}, []
    for line in (folder / "time.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record.get("failed") or not record["error"] <= record["tolerance"]:
            print(
                "left out:", record["name"], record.get("failed") or f"relative error {record['error']:.2g}"
            )
            continue
        row, exact_row = counted.get(record["name"], {}), exact.get(record["name"], {})
        counters = short(row, metrics.COUNTERS)
        instrumented = short(exact_row, metrics.EXACT)
        opcodes = {
            op: int(n.replace(",", ""))
            for op, n in re.findall(r"([A-Z0-9_.]+): ([\d,]+)", exact_row.get(metrics.OPCODES, ""))
        }
        kept = {key: value for key, value in record.items() if key not in DROPPED}
        kept["counts"] = metrics.counts(counters, instrumented, opcodes)
        kept |= {
            key: value
            for key, value in (("counters", counters), ("exact", instrumented), ("opcodes", opcodes))
            if value
        }
        kernels.setdefault(record["kernel"], []).append(kept)
    for kernel, records in kernels.items():
        records.sort(key=lambda record: order(kernel, record))
        files.append(save(out, card, kernel, facts["provenance"], records))
    if (folder / "library.jsonl").exists():
        records = [json.loads(line) for line in (folder / "library.jsonl").read_text().splitlines()]
        files.append(
            save(out, card, "library", facts["provenance"], [r for r in records if "failed" not in r])
        )
        device = {key: facts["device"][key] for key in DEVICE if key in facts["device"]}
        files.append(save(out, card, "device", facts["provenance"], [device]))
    print(
        f"{sum(map(len, kernels.values()))} launches of {len(kernels)} kernels",
        f"in {len(files)} files under {out}",
    )
    return files


def order(kernel, record):
    """Place of a record among its kernel's settings in the launch list."""
    import launches

    for place, launch in enumerate(launches.launches([kernel])):
        if json.loads(json.dumps(launch.params)) == record["params"]:
            return place
    return 10_000


def save(out, card, kernel, provenance, records):
    """One file: provenance, then one record a line, so that differences are easy to read."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{card.lower().replace(' ', '-')}-{kernel}.json"
    body = ",\n".join(json.dumps(record) for record in records)
    path.write_text(
        f'{{"kernel": {json.dumps(kernel)},\n"provenance": {json.dumps(provenance, indent=1)},\n'
        f'"records": [\n{body}\n]}}\n'
    )
    return path


def profiled(folder, stage):
    """{launch name: row of the profiler's table} of all the chunks of a stage."""
    found = {}
    for file in sorted(folder.glob(f"{stage}_*.csv")):
        text = file.read_text()
        start = text.find('"ID"')
        if start < 0:
            print("no table in", file.name)
            continue
        rows = list(csv.DictReader(io.StringIO(text[start:])))[1:]  # the first row holds the units
        named = [json.loads(line) for line in file.with_suffix(".jsonl").read_text().splitlines()]
        if len(rows) != len(named):
            print(f"{file.name}: {len(rows)} rows for {len(named)} launches")
        for row, launch in zip(rows, named, strict=False):
            seen = (row["Kernel Name"], row["Grid Size"], row["Block Size"])
            meant = (launch["kernel"], str(tuple(launch["grid"])), str(tuple(launch["block"])))
            if seen != meant:
                raise SystemExit(f"{file.name}: the profiler saw {seen} where {meant} was launched")
            found[launch["name"]] = row
    return found


def short(row, table):
    """{short name: number} of the metrics of a table that a row has."""
    found = {}
    for name, metric in table.items():
        value = number(row.get(metric, ""))
        if value is not None:
            found[name] = value
    return found


def number(text):
    """A number of the profiler's table, None where it is no number.

    >>> number("1,024"), number("12.5"), number("18 (a: 9; b: 9)"), number("n/a")
    (1024, 12.5, 18, None)
    """
    try:
        value = float(text.split("(")[0].strip().replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else value


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main(*sys.argv[1:])
