"""Recorded measurements: from the profiler's tables to `recorded` and `compare`; the book's own."""

import csv
import json
from types import SimpleNamespace

import collect
import launches
import pytest
from places import ROOT

from gpusim.counters import COUNTERS
from gpusim.hardware import measurements, metrics
from gpusim.hardware.text import KernelText

BOOK = sorted((ROOT / "book" / "measured").glob("*-*.json"))
WAITING = set()  # kernels whose author had no GPU: who has one measures them
KERNEL = "copy_stride"
SIZES = [launch for launch in launches.launches([KERNEL]) if launch.setting["n"] == 32][:3]


def raw_results(folder, kernel_text_changed=False, errors=(0.0, 0.0, 0.5)):
    """A raw folder as tools/measure.py leaves it, for three launches of which the third went wrong."""
    folder.mkdir()
    provenance = {
        "gpu": "NVIDIA H200",
        "driver": "580.1",
        "cuda": "13.0",
        "measured": "2026-11-30",
        "command": "make measure",
    }
    (folder / "provenance.json").write_text(
        json.dumps({"provenance": provenance, "device": {"name": "NVIDIA H200", "major": 9}})
    )
    times, named = [], []
    for launch, error in zip(SIZES, errors, strict=True):
        shape = {"name": launch.name, "kernel": KERNEL, "grid": launch.grid, "block": launch.block}
        times.append(
            {
                **shape,
                "fingerprint": launch.text.fingerprint,
                "defines": launch.defines,
                "params": launch.params,
                "dynamic_shared": 0,
                "registers": 10,
                "error": error,
                "tolerance": 1e-5,
                "seconds": 2e-6,
            }
        )
        named.append(shape)
    (folder / "time.jsonl").write_text("\n".join(map(json.dumps, times)))
    (folder / "main_0.jsonl").write_text("\n".join(map(json.dumps, named)))
    sectors, requests = metrics.COUNTERS["global_load_sectors"], metrics.COUNTERS["global_load_requests"]
    with open(folder / "main_0.csv", "w", newline="") as file:
        file.write("==PROF== Connected\n")
        table = csv.writer(file, quoting=csv.QUOTE_ALL)
        table.writerow(["ID", "Kernel Name", "Grid Size", "Block Size", sectors, requests])
        table.writerow(["", "", "", "", "sector", "request"])
        for number, launch in enumerate(named):
            table.writerow(
                [number, KERNEL, str(tuple(launch["grid"])), str(tuple(launch["block"])), "1,004", "1"]
            )
    return folder


@pytest.fixture
def measured(tmp_path, monkeypatch, capsys):
    """Records made from such a folder, served in place of the book's."""
    collect.main(raw_results(tmp_path / "raw"), out=tmp_path / "measured")
    assert "left out: " + SIZES[2].name in capsys.readouterr().out
    monkeypatch.setattr(
        measurements, "folder", lambda name: tmp_path / name if name == "measured" else ROOT / "book" / name
    )
    return tmp_path / "measured"


def test_a_record_is_found_by_its_parameters(measured):
    first = measurements.recorded(KERNEL, "H200")
    assert (first.params["stride"], first.seconds, first.counts.global_load_sectors) == (1, 2e-6, 1004)
    assert measurements.recorded(KERNEL, "H200", stride=0).params["stride"] == 0
    assert measurements.recorded(KERNEL, "H200", block=32) is not None
    assert measurements.recorded(KERNEL, "H200", stride=77) is None
    assert (
        measurements.recorded(KERNEL, "T4") is None
        and measurements.recorded("no_such_kernel", "H200") is None
    )
    assert first.source == "NVIDIA H200, driver 580.1, CUDA 13.0, 2026-11-30"


def test_a_wrong_result_is_not_recorded(measured):
    assert measurements.recorded(KERNEL, "H200", stride=SIZES[2].setting["stride"]) is None


def test_a_changed_text_gets_no_record(measured):
    text = (launches.KERNELS / f"{KERNEL}.cu").read_text()
    assert measurements.recorded(KernelText(KERNEL, text), "H200") is not None
    assert measurements.recorded(KernelText(KERNEL, text.replace("//", "// and")), "H200") is not None
    assert (
        measurements.recorded(KernelText(KERNEL, text.replace("i * stride", "i * stride + 1")), "H200")
        is None
    )


def simulated(text, stride=1, **counts):
    """What a run of copy_stride looks like to `compare`."""
    zero = dict.fromkeys(COUNTERS, 0)
    return SimpleNamespace(
        kernel=KernelText(KERNEL, text),
        grid=(1,),
        block=(32,),
        arguments=(None, None, 32, stride),
        counts=SimpleNamespace(**{**zero, **counts}),
    )


def test_compare_puts_simulated_beside_measured(measured):
    text = (launches.KERNELS / f"{KERNEL}.cu").read_text()
    table = measurements.compare(simulated(text, global_load_requests=1, global_load_sectors=4, barriers=2))
    assert [row[:3] for row in table.rows] == [
        ("global_load_requests", 1, 1),
        ("global_load_sectors", 4, 1004),
        ("barriers", 2, None),
    ]
    assert [row[0] for row in table.differences] == ["global_load_sectors"]
    assert "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" in str(table) and "driver 580.1" in str(table)


def test_compare_takes_the_record_of_the_same_scalars_only(measured):
    text = (launches.KERNELS / f"{KERNEL}.cu").read_text()
    assert measurements.recorded_for(simulated(text, stride=0)).params["stride"] == 0
    assert measurements.recorded_for(simulated(text, stride=5)) is None
    unknown = simulated(text)
    unknown.arguments = ()  # stride 0 or 1: rather none than the wrong one
    assert measurements.recorded_for(unknown) is None
    assert measurements.recorded_for(unknown, stride=0).params["stride"] == 0
    assert measurements.recorded_for(simulated(text), gpu="T4") is None


def test_compare_says_when_nothing_was_measured(measured):
    table = measurements.compare(simulated("__global__ void copy_stride(int *a) { }", global_load_requests=1))
    assert table.record is None and "no measurement of this text" in str(table)
    assert "gs.hardware.run(kernel, grid, block, ...) times it" in str(table)


def test_the_profilers_rows_must_be_the_launches(tmp_path):
    folder = raw_results(tmp_path / "raw")
    (folder / "main_0.csv").write_text(
        (folder / "main_0.csv").read_text().replace("(32, 1, 1)", "(64, 1, 1)")
    )
    with pytest.raises(SystemExit, match="the profiler saw"):
        collect.main(folder, out=tmp_path / "measured")


# ---- the book's own records ------------------------------------------------------------------------------

needs_records = pytest.mark.skipif(
    not BOOK, reason="book/measured is empty: run `make measure` on a machine with a GPU"
)


@needs_records
@pytest.mark.parametrize("path", BOOK, ids=lambda path: path.stem)
def test_a_record_belongs_to_the_text_as_it_is_now_and_says_where_it_comes_from(path):
    content = json.loads(path.read_text())
    for key in ("gpu", "driver", "cuda", "measured", "command"):
        assert content["provenance"][key]
    source = launches.KERNELS / f"{content['kernel']}.cu"
    if content["kernel"] not in ("device", "library"):
        for record in content["records"]:
            text = KernelText(content["kernel"], source.read_text(), record["defines"])
            assert record["fingerprint"] == text.fingerprint, (
                f"{record['name']}: measure it again (make measure)"
            )


@needs_records
def test_every_measured_kernel_of_the_book_is_there():
    lacking = set(launches.TABLE) - {json.loads(path.read_text())["kernel"] for path in BOOK} - WAITING
    assert not lacking, (
        f"run `make measure` on a machine with a GPU, or let wait in WAITING above: {sorted(lacking)}"
    )


@needs_records
def test_the_h200_counted_what_the_lectures_say_of_naive_matmul():
    good = measurements.recorded("matmul_naive", "H200", N=256, block=(32, 32)).counts
    bad = measurements.recorded("matmul_naive_xrow", "H200", N=256, block=(32, 32)).counts
    assert (good.global_load_sectors, bad.global_load_sectors) == (2_621_440, 17_301_504)
