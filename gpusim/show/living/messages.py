"""What the page asks of its Python, a handful of messages in JSON: open, kernel, cell, check, frame, run, bench.

A page waits for what is imported here: the bench, with all that it shows, is imported when it is asked for.
"""

from __future__ import annotations

import json

from ...errors import GpusimError
from ..page import escape
from ..source import Source, title
from .kernels import error_marks, error_of, gutter, marks, program_of
from .notebook import Notebook, Shown, error_html

DRAWING = "matplotlib"  # what is missing where a figure says so in its own words
NEXT = 3  # cells below a kernel that are asked for its counts


class Page:
    """One page and what its reader has changed."""

    def __init__(self):
        self.notebook, self.explorers = Notebook([]), {}

    def open(self, cells, texts=()):
        """Begin with the cells of a page; texts : [(index, what the reader has put there)]"""
        self.__init__()
        self.notebook.cells = cells
        for index, text in texts:
            self.notebook.put(index, text)
        return {}

    def restore(self, index):
        """The book's own text again."""
        self._put(index)
        return {}

    def _put(self, index, text=None, code=None):
        self.notebook.put(index, text, code)
        self.explorers.clear()

    def kernel(self, index, text):
        """Run a kernel's text through the first cell below that uses it: counts, marks, and what the cell shows."""
        self._put(index, text)
        followers = self._followers(index)
        for place in followers[:NEXT] or [index]:
            shown = self.notebook.show(place)
            run = _run_of(shown, text)
            if run or shown.error:
                break
        run = run or (None if shown.error else _begun(text))
        told = {"gutter": gutter(run), "marks": marks(run)} if run else {"marks": []}
        told["marks"] += error_marks(shown.error)
        return {**told, **_told(shown), "shown": place, "uses": followers}

    def _followers(self, index) -> list:
        """The cells below that read a name which this cell makes."""
        names = self.notebook.names(index)
        below = range(index + 1, len(self.notebook.cells))
        return [
            place for place in below if self.notebook.is_code(place) and names & self.notebook.reads(place)
        ]

    def cell(self, index, code=None):
        """Run one cell."""
        self._put(index, self.notebook.texts.get(index), code)
        shown = self.notebook.show(index)
        return {**_told(shown), "marks": error_marks(shown.error)}

    def check(self, index, text):
        """Judge the text of an exercise's cell with the check below it."""
        self._put(index, text)
        place = next(place for place in self._followers(index))
        shown = self.notebook.show(place)
        told = {"marks": _compiled(text), "shown": place, **_told(shown)}
        if hasattr(shown.value, "passed"):  # a Verdict
            told |= {"passed": shown.value.passed, "title": shown.value.title}
        return told

    def compiles(self, text):
        """The marks of a text that is only read."""
        return {"marks": _compiled(text)}

    def frame(self, index, values):
        """Draw an explorer's figure at any setting; values : for each axis {"at": index} or {"value": number}"""
        explorer = self.explorers.get(index)
        if explorer is None:
            explorer = self.notebook.show(index).value
            if not hasattr(explorer, "axes"):
                raise GpusimError("this cell shows no explorer")
            self.explorers[index] = explorer
        setting = {axis.key: _value(axis, given) for axis, given in zip(explorer.axes, values)}
        try:
            frame = explorer.drawn(setting)
        except ImportError:
            raise
        except Exception as mistake:  # a figure that is made for the values of its frames alone
            told = f"This figure has no picture here: {type(mistake).__name__}: {mistake}"
            return {"picture": f'<p class="gs-refused" role="alert">{escape(told)}</p>', "counts": {}}
        return {"picture": frame.picture, "counts": frame.counts}

    def run(self, text, launch):
        """One launch of any text."""
        from . import bench

        return bench.counted(text, bench.Launch(**launch))

    def bench(self, text, launch):
        """One side of the bench."""
        from . import bench

        return bench.shown(text, bench.Launch(**launch))

    def kernels(self, text, defines=()):
        """The kernels of a text, with launches to begin with."""
        from . import bench

        return {"kernels": bench.kernels(text, defines)}


def _run_of(shown: Shown, text):
    """The run that a cell shows of this text, or the first one it made."""
    own = [run for run in shown.runs if getattr(run.kernel, "text", "").strip() == text.strip()]
    if isinstance(shown.value, Source):
        own = [run for run in own if title(run) == shown.value.title] or own
    return own[0] if own else None


def _begun(text):
    """A run of a text's first kernel with a launch to begin with, where no cell launches it as it is."""
    from . import bench

    try:
        first = bench.kernels(text)[0]
        names = ("grid", "block", "args", "shared", "dataless")
        return bench.examined(
            text, bench.Launch(first["kernel"], **{name: first[name] for name in names})
        ).run
    except (GpusimError, KeyError, IndexError):
        return None


def _told(shown) -> dict:
    return {"html": shown.html, "error": error_of(shown.error) if shown.error else None}


def _compiled(text) -> list:
    try:
        program_of(text)
    except GpusimError as error:
        return error_marks(error)
    return []


def _value(axis, given):
    return axis.values[given["at"]] if "at" in given else int(given["value"])


PAGE = Page()
KINDS = ("open", "restore", "kernel", "cell", "check", "compiles", "frame", "run", "bench", "kernels")


def answer(request: str) -> str:
    """The answer to one message.

    request : JSON, {"kind": one of KINDS, ...}
    return : JSON; {"needs": package} where a package must be loaded first; {"error": ...} for a reader's mistake
    """
    told = json.loads(request)
    kind = told.pop("kind")
    try:
        found = getattr(PAGE, kind)(**told) if kind in KINDS else {}
    except ImportError as missing:
        found = {"needs": (missing.name or DRAWING).partition(".")[0]}
    except (GpusimError, ValueError, TypeError, MemoryError) as mistake:
        found = {"error": error_of(mistake), "html": error_html(mistake), "marks": error_marks(mistake)}
    return json.dumps(found, default=int)
