"""One command sets the public address everywhere; a second one replaces it."""

import shutil
import subprocess
import sys

import pytest
from places import ROOT

pytestmark = pytest.mark.slow
FIRST, SECOND = "https://github.com/one/course", "https://github.com/two/course.js"


@pytest.fixture
def copy(tmp_path):
    """What the command reads and writes, in a folder of its own."""
    pytest.importorskip("tomllib")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "book" / "kernels", tmp_path / "book" / "kernels")
    for path in (ROOT / "book").rglob("*.ipynb"):
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return tmp_path


def tool(folder, name, *arguments):
    """Run a script of tools/ in the copy."""
    command = [sys.executable, str(folder / "tools" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_address_reaches_every_notebook_and_may_change(copy):
    for url in (FIRST, SECOND):
        assert tool(copy, "address.py", url + "/").returncode == 0
        for path in (copy / "book").rglob("*.ipynb"):
            text = path.read_text(encoding="utf-8")
            assert f'ADDRESS = \\"{url}\\"' in text
            assert text.count("colab.research.google.com") == (path.stem != "index")
    everything = "".join(path.read_text(encoding="utf-8") for path in copy.rglob("*.ipynb"))
    assert "github.com/one" not in everything + (copy / "pyproject.toml").read_text()
    assert tool(copy, "notebooks.py").returncode == 0


@pytest.mark.parametrize("url", ["course", "http://example.org/x", "https://github.com/only-owner"])
def test_what_is_no_address_is_refused_and_changes_nothing(copy, url):
    before = (copy / "pyproject.toml").read_text()
    refused = tool(copy, "address.py", url)
    assert refused.returncode == 1 and "https://github.com/OWNER/REPOSITORY" in refused.stderr
    assert (copy / "pyproject.toml").read_text() == before
