"""The form of the notebooks: one setup cell, the kernels' own texts, the same rooms, no outputs."""

import ast
import json

import book_pages
import notebooks
import pytest
from needed import need

PATHS = notebooks.paths()
GOOD = {
    "cells": [
        {"cell_type": "code", "metadata": {"tags": ["setup"]}, "source": []},
        {
            "cell_type": "code",
            "metadata": {"tags": ["kernel:saxpy"]},
            "source": ['p = gs.cuda(r"""\n', "old\n", '""")'],
        },
    ]
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_has_the_form_of_the_book(path):
    assert notebooks.problems(notebooks.read(path), path) == []


def test_make_kernels_changes_no_file():
    def written(path):
        return notebooks.text(notebooks.canonical(notebooks.read(path), path))

    changed = [path.name for path in PATHS if path.read_text(encoding="utf-8") != written(path)]
    assert not changed, f"run `make kernels`, which writes {changed}"


def test_what_a_notebook_imports_from_gpusim_is_there():
    need("IPython")
    for path in PATHS:
        for cell in notebooks.read(path)["cells"]:
            if cell["cell_type"] == "code":
                for node in ast.walk(ast.parse(book_pages.plain(notebooks.source(cell)))):
                    if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "gpusim":
                        exec(ast.unparse(node), {})


def test_every_notebook_is_in_the_table_of_contents():
    there, listed = ({path.stem for path in paths} for paths in (PATHS, book_pages.listed()))
    assert not there - listed, f"add to _toc.yml: {sorted(there - listed)}"
    assert not listed - there, f"_toc.yml names notebooks that are not there: {sorted(listed - there)}"


def test_writing_puts_the_kernel_between_its_quotes_and_nothing_else():
    path = notebooks.BOOK / "new.ipynb"
    cell = notebooks.canonical(GOOD, path)["cells"][1]
    assert notebooks.source(cell) == f'p = gs.cuda(r"""\n{notebooks.kernel_text("saxpy")}""")'


def test_writing_twice_changes_nothing():
    path = notebooks.BOOK / "new.ipynb"
    once = notebooks.canonical(GOOD, path)
    assert notebooks.text(notebooks.canonical(json.loads(notebooks.text(once)), path)) == notebooks.text(once)


def test_outputs_and_a_changed_kernel_are_found():
    path = notebooks.BOOK / "new.ipynb"
    notebook = notebooks.canonical(GOOD, path)
    notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1"]}]
    assert any("make kernels" in problem for problem in notebooks.problems(notebook, path))
    notebook = notebooks.canonical(GOOD, path)
    notebook["cells"][1]["source"][1] = "// edited here\n"
    assert any("make kernels" in problem for problem in notebooks.problems(notebook, path))


def test_a_missing_room_is_named():
    path = notebooks.BOOK / "99-new.ipynb"
    found = notebooks.problems(notebooks.canonical(GOOD, path), path)
    assert any("rooms are missing: Predict first" in problem for problem in found)
    assert any("sliders is missing" in problem for problem in found)


@pytest.mark.parametrize("title", ["# When do lanes queue?", "# Banks", "# Banks: lanes queue"])
def test_a_title_without_topic_or_question_is_named(title):
    path = notebooks.BOOK / "99-new.ipynb"
    first = {"cell_type": "markdown", "metadata": {}, "source": [title]}
    notebook = notebooks.canonical({"cells": [first, *GOOD["cells"]]}, path)
    assert any(repr(title) in problem for problem in notebooks.problems(notebook, path))


def test_the_address_is_written_into_setup_cell_and_title(monkeypatch):
    monkeypatch.setattr(notebooks, "address", lambda: "https://github.com/someone/course")
    title = {
        "cell_type": "markdown",
        "metadata": {},
        "source": ['# Why?\n\n<p class="gs-meta"><span>5 minutes</span></p>'],
    }
    path = notebooks.BOOK / "02-memory-access" / "07-new.ipynb"
    written = notebooks.canonical({"cells": [title, *GOOD["cells"]]}, path)["cells"]
    link = (
        "https://colab.research.google.com/github/someone/course/blob/main/book/02-memory-access/07-new.ipynb"
    )
    assert link in notebooks.source(written[0])
    assert 'ADDRESS = "https://github.com/someone/course"' in notebooks.source(written[1])
    monkeypatch.setattr(notebooks, "address", lambda: "")
    assert "colab.research" not in notebooks.source(notebooks.canonical({"cells": written}, path)["cells"][0])
