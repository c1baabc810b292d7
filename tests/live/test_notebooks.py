"""Every notebook runs from a fresh kernel with this environment's packages, and prints no warning."""

import shutil
import subprocess

import nbformat
import notebooks
import pytest
from nbclient import NotebookClient
from places import ROOT

WIDGET = "application/vnd.jupyter.widget-view+json"
EXPLORERS = ("gs.explore(", "gs.step(")
pytestmark = pytest.mark.live


@pytest.fixture
def alive(monkeypatch):
    """A kernel that is no build."""
    monkeypatch.delenv("GPUSIM_STATIC", raising=False)
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")


def run(notebook, folder):
    """Execute a notebook in a folder; an error in a cell ends the test with its traceback."""
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_runs_live(path, alive):
    notebook = nbformat.read(path, 4)
    outputs, cells = run(notebook, path.parent), notebooks.read(path)["cells"]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    shown = [
        output.data for output in outputs if output.output_type == "display_data" and WIDGET in output.data
    ]
    assert len(shown) == sum(notebooks.source(cell).count(call) for cell in cells for call in EXPLORERS)
    assert all("<svg" in data["text/html"] or "gs-" in data["text/html"] for data in shown)


def test_the_setup_cell_fetches_the_book_on_colab_and_may_run_twice(tmp_path, alive, monkeypatch):
    """Colab is faked by its module; the address is a clone of this repository as it lies here."""
    origin = tmp_path / "origin"
    for name in ("gpusim", "book/kernels"):
        shutil.copytree(ROOT / name, origin / name, ignore=shutil.ignore_patterns("__pycache__"))
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(origin)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "the book"]):
        subprocess.run([*git, *command], check=True)
    content = tmp_path / "content"
    content.mkdir()
    fake = "import sys, types\nsys.modules['google.colab'] = types.ModuleType('google.colab')"
    setup = notebooks.SETUP.format(address=origin.as_uri())
    where = "print(gs.__file__)\ngs.load('copy_stride')"
    cells = [nbformat.v4.new_code_cell(text) for text in (fake, setup, setup, where)]
    monkeypatch.delenv("PYTHONPATH", raising=False)
    outputs = run(nbformat.v4.new_notebook(cells=cells), content)
    assert str(content / "gpu-book" / "gpusim") in "".join(output.get("text", "") for output in outputs)
