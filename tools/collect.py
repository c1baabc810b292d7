"""Turn what tools/measure.py measured into the records of the book: python tools/collect.py [--again | --add] RAW.tar.gz ...

RAW is raw.tar.gz or the unpacked folder; of several the later ones add to the earlier.
One file a kernel, book/measured/<gpu>-<kernel>.json.  What is there already of the same text, measured with
the same driver, compiler and profiler, stays where nothing new came.  A launch whose result was wrong is left
out, loudly.  With --again records stay as they are: the second measurement stands beside each, for a reader
who asks how far two runs agree, and only launches without a record get one.  With --add, too, but only what
a record lacks is added, such as the profile.
"""

from __future__ import annotations

import csv
import io
import json
import re
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
SAME = ("gpu", "driver", "cuda", "compiler", "nsight_compute")  # records of one file share these
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
    """Write the records of the measurements; return the files written."""
    files = []
    join = beside if "--again" in raws else added if "--add" in raws else merged
    raws = [raw for raw in raws if raw not in ("--again", "--add")]
    for raw in map(Path, raws):
        if raw.is_dir():
            files += write(raw, Path(out), join)
            continue
        with tempfile.TemporaryDirectory() as folder, tarfile.open(raw) as archive:
            archive.extractall(folder, filter="data")
            files += write(Path(folder) / "raw", Path(out), join)
    return files


def write(folder, out, join):
    """Add one measurement to the files in `out`; join : how a record and what was measured become one."""
    facts = json.loads((folder / "provenance.json").read_text())
    card = short_name(facts["provenance"]["gpu"])
    files, number = [], 0
    for kernel, found in sorted(by_kernel(folder).items()):
        kept = earlier(out, card, kernel, facts["provenance"])
        provenance = dated(place(out, card, kernel), kept if join is added else {}, facts["provenance"])
        for name, parts in found.items():
            kept[name] = join(kept.get(name, {}), parts)
        records = [with_counts(record) for record in kept.values() if "params" in record]
        number += len(found)
        if records:
            records.sort(key=lambda record: order(kernel, record))
            files.append(save(out, card, kernel, provenance, records))
    libraries = [record for record in lines(folder / "library.jsonl") if "failed" not in record]
    if libraries and join is added:
        libraries = libraries_with(place(out, card, "library"), libraries)
    if libraries and join is not beside:
        files.append(save(out, card, "library", facts["provenance"], libraries))
        device = {key: facts["device"][key] for key in DEVICE if key in facts["device"]}
        files.append(save(out, card, "device", facts["provenance"], [device]))
    print(f"{number} launches in {len(files)} files under {out}")
    return files


def by_kernel(folder):
    """{kernel: {launch name: what was measured of it}}; launches with wrong results are left out."""
    found, wrong = {}, set()
    for record in lines(folder / "time.jsonl"):
        if record.get("failed") or not record["error"] <= record["tolerance"]:
            reason = record.get("failed") or f"relative error {record['error']:.2g}"
            print("left out:", record["name"], reason)
            wrong.add(record["name"])
            continue
        kept = {key: value for key, value in record.items() if key not in DROPPED}
        found.setdefault(record["kernel"], {})[record["name"]] = kept
    for launch, row in profiled(folder):
        if launch["name"] in wrong:
            continue
        part = found.setdefault(launch["kernel"], {}).setdefault(launch["name"], {})
        opcodes = re.findall(r"([A-Z0-9_.]+): ([\d,]+)", row.get(metrics.OPCODES, ""))
        counted = {
            "counters": short(row, metrics.COUNTERS),
            "profile": short(row, metrics.PROFILE),
            "exact": short(row, metrics.EXACT),
            "opcodes": {op: int(n.replace(",", "")) for op, n in opcodes},
        }
        part |= {key: value for key, value in counted.items() if value}
    return found


def earlier(out, card, kernel, provenance):
    """{launch name: record} that a file holds already, if the same software measured it, of today's texts."""
    import launches

    path = place(out, card, kernel)
    content = json.loads(path.read_text()) if path.exists() else {"provenance": {}, "records": []}
    if any(content["provenance"].get(key) != provenance.get(key) for key in SAME):
        return {}
    texts = {one.name: one.text.fingerprint for one in launches.launches([kernel])}
    return {r["name"]: r for r in content["records"] if texts.get(r["name"]) == r["fingerprint"]}


def dated(path, kept, provenance):
    """The provenance of a file: that of its records where some are kept, with the date of what is added."""
    if not kept:
        return provenance
    return {**json.loads(path.read_text())["provenance"], "added": provenance["measured"]}


def libraries_with(path, new):
    """The library calls of a file, with what a later measurement knows of them besides, and new ones."""
    old = json.loads(path.read_text())["records"] if path.exists() else []
    found = {json.dumps([one["name"], one["params"]]): one for one in new}
    for one in old:
        key = json.dumps([one["name"], one["params"]])
        found[key] = {**found.get(key, {}), **one}
    return list(found.values())


def added(old, new):
    """A record with what it lacks of a later measurement; one of another text replaces it."""
    same = "fingerprint" not in new or old.get("fingerprint") == new["fingerprint"]
    return {**new, **old} if same else new


def merged(old, new):
    """A record with what a later measurement adds; one of another text replaces it."""
    same = "fingerprint" not in new or old.get("fingerprint") == new["fingerprint"]
    return {**(old if same else {}), **new}


def beside(old, new):
    """A record with the second measurement beside it: its time, and which exact counts were others."""
    if old.get("fingerprint") != new.get("fingerprint") or "seconds" not in new:
        return merged(old, new)
    exact = new.get("exact", {})
    others = [name for name, count in old.get("exact", {}).items() if exact.get(name, count) != count]
    return {**old, "again": {"seconds": new["seconds"], "different": others}}


def with_counts(record):
    """The record with gpusim's counts worked out from what was measured, the long tables last."""
    parts = {key: record.get(key) for key in ("counters", "profile", "exact", "opcodes")}
    kept = {key: value for key, value in record.items() if key not in ("counts", *parts)}
    counts = metrics.counts(*(parts[key] or {} for key in ("counters", "exact", "opcodes")))
    return {**kept, "counts": counts, **{key: value for key, value in parts.items() if value}}


def lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def place(out, card, kernel):
    return out / f"{card.lower().replace(' ', '-')}-{kernel}.json"


def order(kernel, record):
    """Place of a record among its kernel's settings in the launch list."""
    import launches

    for number, launch in enumerate(launches.launches([kernel])):
        if launch.name == record["name"]:
            return number
    return 10_000


def save(out, card, kernel, provenance, records):
    """One file: provenance, then one record a line, so that differences are easy to read."""
    out.mkdir(parents=True, exist_ok=True)
    path = place(out, card, kernel)
    body = ",\n".join(json.dumps(record) for record in records)
    path.write_text(
        f'{{"kernel": {json.dumps(kernel)},\n"provenance": {json.dumps(provenance, indent=1)},\n'
        f'"records": [\n{body}\n]}}\n'
    )
    return path


def profiled(folder):
    """(launch, row of the profiler's table) of all the chunks."""
    found = []
    for file in sorted(folder.glob("*_*.csv")):
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
            found.append((launch, row))
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
