"""The page's notebook: a reader's text runs with what it needs and nothing else, and mistakes are told where they are."""

import json

import book_pages
import notebooks
import pytest

from gpusim.show.living.messages import answer
from gpusim.show.living.needs import needed, statements
from gpusim.show.living.notebook import Notebook


def ask(kind, **message):
    return json.loads(answer(json.dumps({"kind": kind, **message})))


def cells_of(path):
    return [
        {"source": notebooks.source(cell), "tags": notebooks.tags(cell)}
        if cell["cell_type"] == "code"
        else None
        for cell in notebooks.read(path)["cells"]
    ]


def page(name):
    """Open a page; its cells."""
    path = next(path for path in book_pages.listed() if path.stem.endswith(name))
    cells = cells_of(path)
    ask("open", cells=cells)
    return cells


def kernel_names(cell):
    return [tag.removeprefix("kernel:") for tag in cell["tags"] if tag.startswith("kernel:")] if cell else []


def place(cells, tag):
    return next(place for place, cell in enumerate(cells) if cell and tag in cell["tags"])


@pytest.fixture(autouse=True)
def static(monkeypatch):
    monkeypatch.setenv("GPUSIM_STATIC", "1")


def test_a_cell_gets_the_launch_that_filled_its_array_and_no_other():
    import ast

    above = statements(
        ast.parse("y = gs.zeros(4)\nz = gs.zeros(4)\nrun = k[1, 32](y, n)\nother = k[1, 32](z, n)\nn = 5")
    )
    kept = needed(above, statements(ast.parse("print(gs.asnumpy(y))")))
    assert [ast.unparse(each.node) for each in kept] == ["y = gs.zeros(4)", "run = k[1, 32](y, n)"]


def test_a_kernel_is_counted_by_the_cell_below_and_its_lines_are_the_files():
    cells = page("bank-conflicts")
    index = place(cells, "kernel:shared_column")
    told = ask("kernel", index=index, text=notebooks.kernel_text("shared_column"))
    hot = told["gutter"]["hot"]
    assert notebooks.kernel_text("shared_column").splitlines()[hot - 1].strip() == "out[i] = tile[tx][ty];"
    assert told["gutter"]["lines"][str(hot)]["wavefronts"] == "32"
    assert told["marks"] == [] and told["error"] is None and "gs-src" in told["html"]


def test_a_typo_a_race_and_a_wide_row_are_told():
    cells = page("bank-conflicts")
    index, text = place(cells, "kernel:shared_column"), notebooks.kernel_text("shared_column")
    typo = ask("kernel", index=index, text=text.replace("threadIdx.y;", "threadIdx.y"))
    assert typo["error"]["kind"] == "CudaSyntaxError" and typo["marks"][0]["severity"] == "error"
    race = ask("kernel", index=index, text=text.replace("    __syncthreads();\n", ""))
    assert "read-after-write race" in race["marks"][0]["message"]
    padded = ask("kernel", index=index, text=text.replace("#define WIDTH 32", "#define WIDTH 33"))
    assert padded["gutter"]["lines"]["14"]["wavefronts"] == "1"


def test_quotes_in_a_text_are_text():
    cells = page("bank-conflicts")
    index = place(cells, "kernel:shared_column")
    text = '// """ + __import__("os").system("true") + r"""\n' + notebooks.kernel_text("shared_column")
    assert ask("kernel", index=index, text=text)["error"] is None


def test_an_exercise_is_judged_with_a_hint_for_each_try():
    from gpusim.show.exercises.exercise import load_exercise

    cells = page("bank-conflicts")
    check = next(place for place, cell in enumerate(cells) if cell and "gs.check(" in cell["source"])
    exercise = load_exercise("votes")
    assert not ask("check", index=check - 1, text=exercise.starter)["passed"]
    tried = ask("check", index=check - 1, text=exercise.starter.replace("+= 1", "+= 2"))
    assert not tried["passed"] and "Hint" in tried["html"]
    right = ask("check", index=check - 1, text=exercise.solution)
    assert right["passed"] and right["title"].startswith("Right")


def test_an_explorer_draws_between_its_frames():
    pytest.importorskip("matplotlib")
    cells = page("bank-conflicts")
    index = next(place for place, cell in enumerate(cells) if cell and "gs.explore(column" in cell["source"])
    told = ask("frame", index=index, values=[{"value": 50}, {"at": 0}])
    assert told["counts"]["wavefronts"] == "2" and told["picture"].startswith("<svg")


def test_a_launch_from_words_is_the_command_lines():
    text = "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1; }"
    told = ask(
        "run", text=text, launch={"kernel": "k", "grid": 4, "block": [256], "args": ["float:1000", 1000]}
    )
    assert told["counts"]["global_store_sectors"] == 125 and told["reports"] == []


@pytest.mark.parametrize(
    "launch, said",
    [
        ({"grid": 1, "block": 32, "args": ["@/etc/passwd"]}, "reads no files"),
        ({"grid": 0, "block": 32, "args": ["float:32"]}, "size below 1"),
        ({"grid": "x", "block": 32, "args": ["float:32"]}, "whole numbers"),
        ({"kernel": "no", "grid": 1, "block": 32, "args": ["float:32"]}, "no"),
        ({"grid": 1, "block": 32, "args": ["float:1000000000"]}, "bytes"),
    ],
)
def test_a_wrong_launch_is_an_answer(launch, said, monkeypatch):
    monkeypatch.setenv("GPUSIM_MEMORY", str(64 << 20))
    text = "__global__ void k(float *a) { a[threadIdx.x] = 1; }"
    assert said in ask("run", text=text, launch={"args": [], **launch})["error"]["message"]


def test_hostile_text_comes_back_escaped():
    text = '__global__ void k(float *a) { a[threadIdx.x] = 1; // <img src=x onerror=alert(1)>\n printf("<b>%d</b>", 1); }'
    told = ask("bench", text=text, launch={"grid": 1, "block": 1, "args": ["float:1"]})
    assert "<img" not in told["html"] and "<b>" not in told["html"] and "&lt;img" in told["html"]


def test_a_text_that_is_too_long_is_refused():
    assert "at most 200,000" in ask("run", text="//" + "x" * 300_000, launch={})["error"]["message"]


def test_mistakes_in_python_have_a_line():
    notebook = Notebook([{"source": "a = 1\n1 / 0", "tags": []}])
    assert "line 2: ZeroDivisionError" in notebook.show(0).html


@pytest.mark.parametrize("path", book_pages.listed()[1:33], ids=lambda path: path.stem)
def test_every_kernel_of_every_page_has_counts_or_marks_as_it_stands(path):
    cells = cells_of(path)
    ask("open", cells=cells)
    for index, cell in enumerate(cells):
        for name in kernel_names(cell):
            told = ask("kernel", index=index, text=notebooks.kernel_text(name))
            assert told.get("error") is None, (name, told["error"])
