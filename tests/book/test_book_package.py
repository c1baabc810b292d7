"""What `pip install .` brings: every module, kernels, records, the player; and NumPy as its only need."""

import shutil
import subprocess
import sys

import pytest
from needed import need
from places import ROOT


def project():
    """pyproject.toml as a dict."""
    return pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder that holds what an installation would."""
    need("setuptools")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("gpusim", "book/exercises", "book/kernels", "book/measured", "book/computed"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True)
    return target


def test_the_list_of_packages_is_complete():
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "gpusim").rglob("*.py")}
    data = {"gpusim.computed", "gpusim.exercises", "gpusim.kernels", "gpusim.measured"}
    there = data | {name.replace("/", ".") for name in folders}
    listed = set(project()["tool"]["setuptools"]["packages"])
    assert listed == there, f"packages of pyproject.toml: {sorted(listed ^ there)}"


@pytest.mark.slow
def test_an_installation_carries_all_kernels_records_and_the_player(installed):
    for name in ("computed", "exercises", "kernels", "measured"):
        ours = {path.name for path in (ROOT / "book" / name).glob("*.*") if path.suffix != ".md"}
        assert ours == {path.name for path in (installed / "gpusim" / name).glob("*.*")}
    assert {"player.js", "player.css"} <= {
        path.name for path in (installed / "gpusim" / "show" / "pages").iterdir()
    }


@pytest.mark.slow
def test_importing_an_installation_needs_numpy_only(installed):
    code = f"""
import sys
sys.path.insert(0, {str(installed)!r})
for name in ("matplotlib", "ipywidgets", "IPython", "cupy", "scipy"):
    sys.modules[name] = None
import gpusim
assert gpusim.__file__.startswith({str(installed)!r})
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=installed)
    assert run.returncode == 0, run.stderr
