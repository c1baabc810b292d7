"""The pages of the book for the tests: which there are, and what their cells make when run anew."""

import contextlib
import dataclasses
import functools
import io
import os
import pathlib

import notebooks
from places import ROOT

from gpusim.show.pages.explore import Explorer
from gpusim.show.question import Question


@dataclasses.dataclass(frozen=True)
class Shown:
    """What a notebook displays, in the order of its page."""

    explorers: list
    questions: list


def listed():
    """The notebooks that the table of contents names, as paths."""
    words = (ROOT / "_toc.yml").read_text(encoding="utf-8").split()
    named = [ROOT / f"{word}.ipynb" for word in words if word.startswith("book/")]
    return [path for path in named if path.exists()]


def page_of(path):
    """The built page of a notebook, relative to the site."""
    return path.relative_to(ROOT).with_suffix(".html").as_posix()


@functools.cache
def fresh(path):
    """Run a notebook's cells in this process and return what it shows: new objects, nothing from a cache."""
    met = Shown([], [])
    shell = {"__name__": "__main__"}
    with _recording(Explorer, met.explorers), _recording(Question, met.questions), _in(path.parent):
        for cell in notebooks.read(path)["cells"]:
            if cell["cell_type"] == "code":
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(plain(notebooks.source(cell)), str(path), "exec"), shell)
    return met


def plain(source):
    """A cell as plain Python: the lines that a shell would run become calls."""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


@contextlib.contextmanager
def _recording(kind, met):
    """Note every object of a class that is made."""
    make = kind.__init__

    @functools.wraps(make)
    def noted(self, *arguments, **named):
        make(self, *arguments, **named)
        met.append(self)

    kind.__init__ = noted
    try:
        yield
    finally:
        kind.__init__ = make


@contextlib.contextmanager
def _in(folder):
    before = pathlib.Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
