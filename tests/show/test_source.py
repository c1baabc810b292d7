"""Annotated source: each line and access with its counts, for a terminal and, escaped, for a page."""

import re

import numpy as np

import gpusim as gs
from gpusim.counters import COUNTERS, DERIVED
from gpusim.library import folder
from gpusim.show import explains
from gpusim.show.source import COLUMNS

HOSTILE = """__global__ void k(const float *in, float *out, int n) {
    // <script>alert("&")</script> <img src=x onerror=alert(1)>
    int i = threadIdx.x;    /* </td></table> */
\tif (i < n && i > -1) out[i] = in[2 * i] + in[i];
}"""


def run_of(text, *arguments, grid=1, block=64, **macros):
    kernel = next(iter(gs.cuda(text, **macros).kernels.values()))
    return kernel[grid, block](*arguments)


def hostile():
    return run_of(HOSTILE, gs.full(200, 1.0, np.float32), gs.zeros(100, np.float32), 40)


def row(source, line):
    return next(row for row in source.rows if row.line == line)


def test_a_line_has_its_requests_sectors_and_active_lanes():
    n = 64
    run = run_of("__global__ void k(float *x) {\n    x[2 * threadIdx.x] = 1;\n}", gs.zeros(2 * n, np.float32))
    assert row(run.source(), 2).cells == {"requests": 2, "sectors": 8.0, "lanes": 32.0}


def test_a_line_with_several_accesses_is_followed_by_a_row_for_each():
    rows = hostile().source().rows
    at = next(place for place, row in enumerate(rows) if row.line == 4)
    assert [row.line for row in rows[at + 1 : at + 4]] == [None, None, None]
    below = {
        row.code.split("^ ")[1]: (row.code.index("^"), row.cells["sectors"]) for row in rows[at + 1 : at + 4]
    }
    code = rows[at].code
    assert below["store out"] == (code.index("out"), 2.5)  # lanes 32 to 39 fill one sector
    assert below["load in"][0] in (code.index("in[2"), code.index("in[i]"))


def test_divergent_branches_stand_beside_the_if():
    assert row(hostile().source(), 4).cells["divergent"] == 1


def test_shared_accesses_have_wavefronts_and_no_sectors():
    text = "__global__ void k() { __shared__ float s[2048];\n  s[32 * threadIdx.x] = 1;\n}"
    cells = row(run_of(text).source(), 2).cells
    assert cells["wavefronts"] == 32.0 and "sectors" not in cells


def test_the_line_that_wastes_most_is_marked_and_a_clean_kernel_has_none():
    text = "__global__ void k(float *x) {\n    x[STRIDE * threadIdx.x] = 1;\n}\n"
    wasteful, clean = (run_of(text, gs.zeros(1024, np.float32), STRIDE=stride).source() for stride in (8, 1))
    assert [row.line for row in wasteful.rows if row.hot] == [2]
    assert [row for row in clean.rows if row.hot] == []
    assert "wastes most" in str(wasteful) and "wastes most" not in str(clean)
    assert wasteful.html().count('class="hot"') == 1


def test_the_text_form_is_ascii_and_keeps_the_kernel_as_it_is():
    run = run_of("__global__ void k(float *x) {\n    x[threadIdx.x] = 1;\n}", gs.zeros(64, np.float32))
    text = str(run.source())
    assert text.isascii()
    shown = text.split("\n")[3:]
    assert all(line.endswith(code) for line, code in zip(shown, run.kernel.text.split("\n"), strict=True))


def test_long_stretches_outside_the_kernel_are_folded():
    text = "// a remark\n" * 40 + "__global__ void k(float *x) { x[0] = 1; }\n"
    rows = run_of(text, gs.zeros(1, np.float32)).source().rows
    assert [row.code for row in rows] == ["... 40 lines", "__global__ void k(float *x) { x[0] = 1; }"]
    assert rows[1].line == 41


def test_nothing_of_a_text_reaches_the_page_unescaped():
    page = hostile().source().html()
    tags = set(re.findall(r"<(/?\w+)", page))
    assert tags <= {f"{slash}{name}" for slash in ("", "/") for name in
                    ("div", "table", "thead", "tbody", "tr", "th", "td", "span", "br", "a")}  # fmt: skip
    assert "&lt;script&gt;alert(&quot;&amp;&quot;)" in page


def test_reports_stand_below_and_are_escaped():
    run = run_of(
        "__global__ void k(float *x) {\n    x[threadIdx.x] = 1;\n}", gs.zeros(8, np.float32), block=8
    )
    found = gs.launch(run.kernel, 1, 16, gs.zeros(8, np.float32), bounds="report")
    assert "out of bounds" in str(found.source()) and '<ul class="gs-reports"><li>' in found.source().html()


def test_a_kernel_in_python_has_its_counts_at_the_lines_of_its_file():
    @gs.kernel
    def copy(t, a, b):
        i = t.threadIdx.x
        t.store(b, i, t.load(a, 2 * i))

    rows = copy[1, 32](gs.full(64, 1.0, np.float32), gs.zeros(32, np.float32)).source().rows
    counted = {row.code.strip(): row.cells for row in rows if row.line and row.cells}
    assert list(counted) == ["t.store(b, i, t.load(a, 2 * i))"]
    assert counted["t.store(b, i, t.load(a, 2 * i))"]["sectors"] == 6.0  # 8 and 4
    assert copy.text.split("\n")[0] in [row.code for row in rows]


def test_a_function_called_twice_has_its_accesses_once():
    text = """__device__ float twice(const float *a, int i) { return a[i] + a[i]; }
__global__ void k(const float *a, float *b) {
    b[threadIdx.x] = twice(a, threadIdx.x) + twice(a, threadIdx.x + 1);
}"""
    run = run_of(text, gs.full(65, 1.0, np.float32), gs.zeros(64, np.float32))
    rows = run.source().rows
    assert row(run.source(), 1).cells["requests"] == run.lines[1].global_load_requests == 8
    assert sum(row.code.endswith("^ load a") for row in rows) == 2


def test_every_page_that_explains_a_count_is_in_the_book():
    book = folder("kernels").parent
    pages = {
        name: next(book.glob(f"*/{name}.ipynb")).read_text(encoding="utf-8") for _, name in explains.PAGES
    }
    assert [name for name, text in pages.items() if f'"## {explains.ROOM}\\n"' not in text] == []


def test_every_column_and_every_count_says_what_it_means():
    told = [*COUNTERS, *DERIVED, *(column.count for column in COLUMNS)]
    assert [count for count in told if not explains.meaning(count)] == []


def test_a_count_links_to_the_page_that_explains_it(tmp_path, monkeypatch):
    for path in ("kernels/x.cu", "02-memory/07-coalescing.ipynb", "01-machine/05-divergence.ipynb"):
        (tmp_path / "book" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "book" / path).touch()
    monkeypatch.setattr(explains, "folder", lambda name: tmp_path / "book" / name)
    monkeypatch.chdir(tmp_path / "book" / "01-machine")
    assert explains.address_of("global_load_sectors") == "../02-memory/07-coalescing.ipynb#Why"
    assert explains.address_of("divergent_branches") == "05-divergence.ipynb#Why"
    assert explains.address_of("shared_load_wavefronts") is None  # no such page here
    monkeypatch.setenv("GPUSIM_STATIC", "1")
    assert '<a class="gs-why" href="../02-memory/07-coalescing.html#why"' in hostile().source().html()
    monkeypatch.chdir(tmp_path)
    assert explains.address_of("global_load_sectors") is None
