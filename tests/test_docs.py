"""The walk and the words: what they name exists, and the walk is no longer than it says."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest
from places import ROOT

import gpusim as gs

WALK, WORDS = (ROOT / "docs" / name for name in ("walk.md", "words.md"))
NAMED = re.compile(r"`((?:gpusim|tools|tests)/[\w/]+\.py)(?:: (\w+))?`")
ROW = re.compile(r"^\| ([\w ]+) \| (\d+) \| ([\d,]+) \|$", re.M)


def names_in(path):
    """The names that a module defines at its top."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name)) if target else ()


@pytest.mark.parametrize("page", [WALK, WORDS], ids=lambda page: page.stem)
def test_every_place_that_is_named_exists(page):
    named = NAMED.findall(page.read_text())
    assert len(named) > 25
    gone = [
        f"{file}: {name}"
        for file, name in named
        if not (ROOT / file).exists() or name and name not in names_in(ROOT / file)
    ]
    assert gone == []


def test_the_python_of_the_walk_is_what_the_emitter_writes():
    shown = re.search(r"```python\n(.*?)```", WALK.read_text(), re.S)[1]
    assert shown.strip() == gs.load("matmul_naive").source_of(counting=True, symbolic=True).strip()


@pytest.mark.slow
def test_the_walk_is_no_longer_than_it_says():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "walk.py"], capture_output=True, text=True, check=True
    )
    walked = re.findall(r"^(\w[\w ]*?) +(\d+) modules, ([\d,]+) crossings$", done.stdout, re.M)
    said = {name: int(crossings.replace(",", "")) for name, _, crossings in ROW.findall(WALK.read_text())}
    assert said.keys() == {name for name, *_ in walked}
    for name, _, crossings in walked:
        assert int(crossings.replace(",", "")) <= 1.05 * said[name], (
            f"{name}: python tools/walk.py -v says where"
        )
