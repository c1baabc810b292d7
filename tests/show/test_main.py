"""`python -m gpusim`: one kernel from the command line, its exit codes, JSON and page."""

import json
import re
import shlex
import subprocess
import sys
from datetime import date

import numpy as np
import pytest

import gpusim as gs
from gpusim.__main__ import main
from gpusim.library import folder

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
                 "occupancy on H200: 8 blocks", "estimate ", "line 1: #include"):  # fmt: skip
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
    [
        ["--grid", "4"],
        ["--grid", "x", "--block", "1"],
        ["--grid", "1", "--block", "1", "--gpu", "K9"],
        ["--grid", "1", "--block", "1", "--count", "--verify"],
    ],
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
    assert main([saxpy, "--grid", "1", "--block", "1", "--arg", word]) == 2
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
    assert "wastes most" in html and "occupancy on H200" in html


def said(capsys, path, words) -> tuple:
    """(exit code, standard output, standard error) of a command"""
    code = main([str(path), *words.split()])
    return code, *capsys.readouterr()


@pytest.fixture
def text(tmp_path):
    """path = text(CUDA C)"""

    def write(content, name="k.cu"):
        (tmp_path / name).write_text(content)
        return tmp_path / name

    return write


RACE = """__global__ void k(const float *in, float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""
RUN = "--grid 1 --block 64 --arg float:64 --arg float:64"


def test_counting_says_that_it_looked_for_nothing(text, capsys):
    path = text(RACE)
    assert said(capsys, path, RUN)[0] == 1
    code, out, _ = said(capsys, path, RUN + " --count")
    assert code == 0 and "reports: not looked for (--count runs no data)" in out
    assert json.loads(said(capsys, path, RUN + " --count --json")[1])["reports"] is None
    said(capsys, path, RUN + f" --count --html {path}.html")
    assert "Not looked for" in (path.parent / "k.cu.html").read_text()


def test_counting_from_python_says_so_too():
    found = gs.count(gs.cuda(RACE).k, 1, 64, gs.spec(64, np.float32), gs.spec(64, np.float32)).reports
    assert not found and found == [] and str(found) == "not looked for (--count runs no data)"


def test_verify_says_what_it_executed(text, capsys):
    path = text(RACE.replace("out[", "__syncthreads(); out["))
    code, out, _ = said(capsys, path, RUN + " --verify")
    assert code == 0 and re.search(r"executed: \d schedules \(lockstep, forward, reverse", out)
    told = json.loads(said(capsys, path, RUN + " --verify --json")[1])
    assert told["verify"]["ok"] and told["verify"]["outcomes"][0]["order"] == "lockstep"
    assert json.loads(said(capsys, path, RUN + " --json")[1])["verify"] is None


def test_verify_says_what_it_executed_of_a_kernel_that_does_not_end(text, capsys):
    path = text("__global__ void k(float *a) { while (((volatile float *)a)[0] == 0) {} }")
    code, _, error = said(capsys, path, "--grid 1 --block 64 --arg float:64 --verify")
    assert code == 3 and "executed: 1 schedule (lockstep)" in error


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("--arg int:1000 --arg float:64", "--arg float:1000"),
        ("--arg 1000 --arg float:64", "--arg float:1000"),
        ("--arg 1.5 --arg float:64", "--arg float:SIZE"),
    ],
)
def test_an_argument_of_another_type_gets_the_words_of_the_command_line(text, words, hint, capsys):
    code, _, error = said(capsys, text(RACE), "--grid 1 --block 64 " + words)
    assert code == 3 and f"hint: an array: {hint}\n" in error and "gs." not in error


def test_forgotten_shared_memory_asks_for_it(text, capsys):
    path = text(RACE.replace("__shared__ float s[64]", "extern __shared__ float s[]"))
    assert "the launch gives s no memory" in said(capsys, path, RUN)[1]
    assert "give --shared BYTES" in said(capsys, path, RUN + " --count")[2]
    assert "16 bytes" in said(capsys, path, RUN + " --shared 16")[1]
    assert "out of bounds" not in said(capsys, path, RUN + " --shared 256")[1]


def test_a_kernel_that_cannot_be_counted_says_leave_out_count(text, capsys):
    path = text("__global__ void k(const int *in, int *out) { atomicAdd(&out[in[threadIdx.x]], 1); }")
    code, _, error = said(capsys, path, "--grid 1 --block 32 --arg int:32 --arg int:100 --count")
    assert code == 3 and "hint: leave out --count" in error


def test_an_undefined_macro_says_how_the_command_line_gives_it(text, capsys):
    code, _, error = said(capsys, text(RACE.replace("63", "LAST")), RUN)
    assert code == 3 and "-D LAST=..." in error
    assert said(capsys, text(RACE.replace("63", "LAST")), RUN + " -D LAST=63")[0] == 1


def test_a_header_beside_the_file_is_read(text, capsys):
    text("#define LAST 63\n", "sizes.h")
    path = text('#include "sizes.h"\n' + RACE.replace("63", "LAST"))
    assert said(capsys, path, RUN)[0] == 1
    missing = text('#include "none.h"\n' + RACE.replace("63", "LAST"))
    assert "hint: none.h (line 1) was not read: paste it here" in said(capsys, missing, RUN)[2]


def test_headers_of_the_system_share_a_line_and_host_code_is_not_run(text, capsys):
    path = text("#include <cstdio>\n#include <vector>\n" + RACE + "int main() { return 0; }\n")
    out = said(capsys, path, RUN)[1]
    assert "lines 1, 2: #include <cstdio> <vector>: not read" in out
    assert "line 8: host code: main(), not run" in out


def test_a_page_that_cannot_be_written_is_a_wrong_command_line(text, tmp_path, capsys):
    code, out, error = said(capsys, text(RACE), RUN + f" --html {tmp_path}/none/x.html")
    assert (code, out) == (2, "") and "there is no folder" in error
    code, _, error = said(capsys, text(RACE), RUN + f" --html {tmp_path}")
    assert code == 2 and "Is a directory" in error


def test_a_page_says_that_it_was_written_and_what_made_it(text, tmp_path, capsys):
    path, page = text(RACE), tmp_path / "x.html"
    assert f"wrote {page}" in said(capsys, path, RUN + f" --html {page}")[1]
    _, out, error = said(capsys, path, RUN + f" --html {page} --json")
    assert json.loads(out) and f"wrote {page}" in error
    html = page.read_text()
    assert f"{path}, {date.today().isoformat()}" in html and f"python -m gpusim {path} --grid 1" in html
    assert re.search(r'<li>[^<]*race:[^<]*<pre tabindex="0">', html) and "#121212" not in html


def test_a_page_has_one_separator_of_thousands(text, tmp_path, capsys):
    path, page = text(RACE), tmp_path / "x.html"
    said(capsys, path, RUN.replace("grid 1", "grid 4000") + f" --html {page}")
    html = page.read_text()
    assert "\u2009" not in html and ">16,000<" in html and "256,000 times in all" in html


# ---- without grid and block ----

HOST = """
template <typename T, int B> __global__ void fill(T *out, int n) {
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n) out[i] = T(1);
}
int main() {
    const int rows = 100, n = rows * 10;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    dim3 block(16, 4), grid((rows + 15) / 16, 2);
    fill<float, 128><<<(n + 127) / 128, 128>>>(a, n);
    fill<float, 256><<<4, 256>>>(a, n);
    k<<<1, 64>>>(a, b);
}
"""


def commands(out) -> list:
    return [line.split("gpusim ", 1)[1] for line in out.split("\n") if "python -m gpusim" in line]


def test_without_a_grid_the_kernels_are_listed_with_command_lines_that_work(text, capsys):
    path = text(RACE + HOST)
    code, out, _ = said(capsys, path, "")
    assert code == 0 and "k(const float* in, float* out)" in out
    assert "fill<T = float, B = 128>(float* out, int n)\n  as line 16 launches it:" in out
    assert "--kernel fill --grid 8 --block 128 --arg float:1000 --arg 1000" in out
    assert [main(shlex.split(command)) for command in commands(out)] == [1, 0]


@pytest.mark.parametrize(
    "name", ["saxpy", "transpose_tile", "matmul_tiled", "histogram_shared", "conv_global"]
)
def test_a_first_command_line_works_without_host_code(name, capsys):
    path = folder("kernels") / f"{name}.cu"
    main([str(path)])
    for command in commands(capsys.readouterr().out):
        assert main(shlex.split(command)) in (0, 1), command


def test_the_outline_is_json_too_and_repeats_definitions(text, capsys):
    told = json.loads(said(capsys, text(RACE.replace("63", "LAST")), "-D LAST=63 --json")[1])
    assert told["kernels"][0]["command"].startswith(f"python -m gpusim {told['file']} -D LAST=63 --grid 4")


# ---- kernel templates ----


def test_the_title_tells_template_arguments_and_the_launch_they_come_from(text, capsys):
    path = text(HOST.replace("    k<<<1, 64>>>(a, b);\n", ""))
    out = said(capsys, path, "--grid 8 --block 128 --arg float:1000 --arg 1000")[1]
    assert "fill, grid 8, block 128, n = 1000, T = float, B = 128 (launch on line 11)\n" in out
    assert "line 12: fill<float, 256> is launched here, line 11 is taken: ask for it by that name" in out


def test_a_template_is_asked_for_by_name_and_arguments(text, capsys):
    words = ["--grid", "4", "--block", "256", "--arg", "float:1000", "--arg", "1000", "--kernel"]
    path = str(text(HOST.split("int main")[0]))
    assert main([path, *words, "fill<float, 256>"]) == 0
    assert "T = float, B = 256\n" in capsys.readouterr().out
    assert main([path, *words, "fill<float, 256, 3>"]) == 3
    assert "gives 3 template arguments; fill has (T, B)" in capsys.readouterr().err
    assert main([path, *words, "fil<float, 256>"]) == 3 and 'did you mean "fill"' in capsys.readouterr().err
