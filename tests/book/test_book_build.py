"""The build stops where a cell fails and says which; built again it executes nothing."""

import os
import shutil
import subprocess
import sys

import pytest
from needed import need
from places import ROOT

pytestmark = pytest.mark.slow
PAGE = """
import gpusim.show.pages.explore as show

def figure(n):
    return f"<p>{n}</p>", {"n": n}

show.explore(figure, n=[1, 2])
"""


@pytest.fixture
def small_book(tmp_path):
    """A book of one page with this book's settings."""
    need("jupyter_book")
    import nbformat

    for name in ("gpusim", "tools", "book/_ext", "book/_static"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "vendor"))
    for name in ("_config.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")

    def build(code, title="A page"):
        cells = [nbformat.v4.new_markdown_cell(f"# {title}"), nbformat.v4.new_code_cell(code)]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, tmp_path / "book" / "index.ipynb")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSIM")}
        command = [sys.executable, str(tmp_path / "tools" / "build.py")]
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    return build, tmp_path / "_build" / "html" / "book" / "index.html"


def test_a_page_is_built_once_and_again_after_a_change_but_not_for_what_an_editor_keeps(small_book):
    build, page = small_book
    first = build(PAGE)
    assert first.returncode == 0, first.stderr
    assert "executed 1 of 1" in first.stdout and 'class="gs-explore"' in page.read_text()
    assert "executed" not in build(PAGE).stdout
    checkpoints = page.parents[3] / "book" / ".ipynb_checkpoints"
    checkpoints.mkdir()
    (checkpoints / "index-checkpoint.ipynb").write_text("{}")
    assert "executed" not in build(PAGE).stdout
    assert "executed 1 of 1" in build(PAGE + "# another text\n").stdout


def test_only_a_page_that_reads_pages_runs_again_when_their_text_changes(small_book):
    build, page = small_book
    reading = "print(open('index.ipynb').read().count('lanes'))"
    assert "executed 1 of 1" in build(reading).stdout
    assert "executed" not in build(reading).stdout
    assert "executed 1 of 1" in build(reading, "Lanes, lanes, lanes").stdout
    assert ">3\n" in page.read_text()
    assert "executed 1 of 1" in build(PAGE).stdout
    assert "executed" not in build(PAGE, "Another title").stdout


def test_a_cell_that_fails_or_warns_stops_the_build_and_is_shown(small_book):
    build, _ = small_book
    failed = build("1 / 0  # here")
    assert failed.returncode != 0
    assert "ZeroDivisionError" in failed.stderr and "1 / 0  # here" in failed.stderr
    for _ in range(2):
        assert build("import warnings\nwarnings.warn('a warning in a page')").returncode != 0
