"""`python -m gpusim`: one kernel from the command line, its exit codes, JSON and page."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from gpusim.__main__ import main

SAXPY = """#include <cstdio>
// <script>alert("hostile")</script>
__global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[STRIDE * i] + y[i];
}
#define STRIDE 1
""".replace("#define STRIDE 1\n", "").replace("// <", "#define STRIDE 1\n// <")
ARRAYS = ["--arg", "2.5", "--arg", "float:1e3", "--arg", "float:1000", "--arg", "1000"]


@pytest.fixture
def saxpy(tmp_path):
    path = tmp_path / "saxpy.cu"
    path.write_text(SAXPY)
    return str(path)


def test_it_prints_source_counts_reports_occupancy_and_estimate(saxpy, capsys):
    assert main([saxpy, "--grid", "4", "--block", "256", *ARRAYS]) == 0
    said = capsys.readouterr().out
    for part in ("saxpy, grid 4, block 256, a = 2.5, n = 1000", "global_load_sectors ", "reports: none",
                 "occupancy on H100: 8 blocks", "estimate ", "line 1: #include"):  # fmt: skip
        assert part in said


def test_it_runs_as_a_module(saxpy):
    command = [sys.executable, "-m", "gpusim", saxpy, "--grid", "4", "--block", "256", *ARRAYS]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0 and "global_load_requests" in run.stdout


def test_json_has_the_counts_by_name_line_and_access(saxpy, capsys):
    main([saxpy, "--grid", "4", "--block", "256", *ARRAYS, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["counts"]["global_load_sectors"] == 250 and told["grid"] == [4, 1, 1]
    assert told["lines"]["6"]["global_store_requests"] == 32
    assert {access["array"] for access in told["accesses"]} == {"x", "y"}
    assert told["occupancy"]["blocks"] == 8 and told["reports"] == []


def test_counting_alone_gives_the_same_counts_and_needs_no_memory(saxpy, capsys):
    arrays = ["--arg", "1", "--arg", "float:1e9", "--arg", "float:1e9", "--arg", "1000000000"]
    counted = [saxpy, "--grid", "4000000", "--block", "256", *arrays, "--count", "--json"]
    assert main(counted) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["global_store_sectors"] == 125_000_000


def test_a_macro_is_overridden(saxpy, capsys):
    arrays = ["--arg", "1", "--arg", "float:8000", "--arg", "float:1000", "--arg", "1000"]
    main([saxpy, "--grid", "4", "--block", "256", *arrays, "-D", "STRIDE=8", "--json"])
    assert json.loads(capsys.readouterr().out)["counts"]["global_load_sectors"] == 1000 + 125


def test_what_the_run_reports_gives_1(saxpy, capsys):
    small = ["--arg", "1", "--arg", "float:1000", "--arg", "float:10", "--arg", "1000"]
    assert main([saxpy, "--grid", "4", "--block", "256", *small]) == 1
    assert "out of bounds" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [["--grid", "4"], ["--grid", "x", "--block", "1"], ["--grid", "1", "--block", "1", "--gpu", "K9"]],
)
def test_a_wrong_command_line_gives_2(saxpy, options, capsys):
    with pytest.raises(SystemExit) as left:
        main([saxpy, *options])
    assert left.value.code == 2


def test_a_missing_file_gives_2(capsys):
    assert main(["none.cu", "--grid", "1", "--block", "1"]) == 2
    assert "none.cu: No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text, said",
    [
        ("__global__ void k(float *a) { a[0] = bb; }", r'k.cu:1:38: error: identifier "bb" is undefined'),
        ("", "has no kernel"),
        ("__global__ void a(){} __global__ void b(){}", "--kernel a or b"),
        ("__global__ void k(int n) {}", "takes 1 argument"),
    ],
)
def test_a_wrong_text_gives_3_and_reads_like_the_compiler(text, said, tmp_path, capsys):
    path = tmp_path / "k.cu"
    path.write_text(text)
    assert main([str(path), "--grid", "1", "--block", "1"]) == 3
    assert re.search(said, capsys.readouterr().err)
    assert main([str(path), "--grid", "1", "--block", "1", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize(
    "word", ["float", "floot:3", "float:0", "float:3:full", "@none.npy", "float:-1", "import os"]
)
def test_a_wrong_argument_says_what_is_allowed(saxpy, word, capsys):
    assert main([saxpy, "--grid", "1", "--block", "1", "--arg", word]) == 3
    assert f"--arg {word}:" in capsys.readouterr().err


def test_an_array_may_come_from_a_file_and_have_a_shape(saxpy, tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.ones(100, np.float32))
    arrays = ["--arg", "1", "--arg", f"@{tmp_path / 'x.npy'}", "--arg", "float:10x10:range", "--arg", "100"]
    assert main([saxpy, "--grid", "1", "--block", "128", *arrays]) == 0


def test_the_page_needs_nothing_else_and_escapes_the_text(saxpy, tmp_path, capsys):
    page = tmp_path / "report.html"
    arrays = ["--arg", "1", "--arg", "float:8000", "--arg", "float:1000", "--arg", "1000"]
    main([saxpy, "--grid", "4", "--block", "256", *arrays, "-D", "STRIDE=8", "--html", str(page)])
    html = page.read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="|url\((?!#)|@import|https?://(?!www\.w3\.org)', html)
    assert "<script>alert" not in html and "&lt;script&gt;alert(&quot;hostile&quot;)" in html
    assert "wastes most" in html and "occupancy on H100" in html
