"""A page's notebook without Jupyter: its cells, the texts that a reader has put into them, and what they show."""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import sys
import traceback
from dataclasses import dataclass, field

from ...errors import GpusimError
from ...machine.run import Run
from ..page import escape
from .needs import needed, statements

SETUP = "import gpusim as gs\nimport numpy as np"
SKIPPED = "setup"  # a tag: what such a cell does is done here already


@dataclass
class Shown:
    """What a cell showed.  value : its last; html : of all it printed and returned; runs : of kernels, in order;
    error : a mistake of the reader's, with its line in the kernel or in the cell, or None"""

    value: object = None
    html: str = ""
    runs: list = field(default_factory=list)
    error: Exception | None = None


class Notebook:
    """The cells of one page.

    cells : [{"source": text, "tags": [...]} or None for what is no code], as the page's notebook has them

    >>> page = Notebook([{"source": "a = 2", "tags": []}, None, {"source": "print(a)\\na * 21", "tags": []}])
    >>> page.show(2).value, page.show(2).html
    (42, '<pre>2\\n42</pre>')
    """

    def __init__(self, cells):
        self.cells, self.texts, self.codes = cells, {}, {}

    def put(self, index, text=None, code=None):
        """The reader's text in a cell: CUDA C in place of the book's, or the whole Python code; None restores."""
        for kept, given in ((self.texts, text), (self.codes, code)):
            kept.pop(index, None)
            if given is not None:
                kept[index] = given

    def tree(self, index) -> ast.Module:
        """A cell's code, with the reader's text in it."""
        tree = ast.parse(self.codes.get(index, self.cells[index]["source"]))
        if index in self.texts:
            literal = _literal(tree)
            literal.value = "\n" + self.texts[index]
        return tree

    def above(self, index) -> list:
        """The statements of all cells before this one."""
        own = [place for place in range(index) if self.is_code(place)]
        return statements(ast.parse(SETUP)) + [each for place in own for each in statements(self.tree(place))]

    def is_code(self, index) -> bool:
        cell = self.cells[index]
        return cell is not None and SKIPPED not in cell["tags"]

    def names(self, index) -> set:
        """What a cell binds."""
        return set().union(*(each.binds for each in statements(self.tree(index))))

    def reads(self, index) -> set:
        return set().union(*(each.reads for each in statements(self.tree(index))))

    def show(self, index) -> Shown:
        """Run a cell, and of those above it what it needs."""
        shown, printed = Shown(), io.StringIO()
        try:
            own = statements(self.tree(index))
            above = needed(self.above(index), own)
            world = {"__name__": "__main__"}
            with contextlib.redirect_stdout(io.StringIO()):
                _execute([each.node for each in above], world)
            with contextlib.redirect_stdout(printed), met_runs(shown.runs):
                shown.value = _execute([each.node for each in own], world)
            shown.html = _html(printed.getvalue(), shown.value)
        except ImportError:
            raise  # a package that the page has and has not loaded yet
        except Exception as mistake:
            shown.error = mistake
            shown.html = _html(printed.getvalue(), None) + error_html(mistake)
        return shown


def _literal(tree):
    """The text constant of a cell that holds its kernel: the longest."""
    texts = [
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return max(texts, key=lambda node: len(node.value))


def _execute(nodes, world):
    """Run statements; the value of the last one where it is an expression."""
    last = nodes[-1] if nodes and isinstance(nodes[-1], ast.Expr) else None
    body = ast.Module(nodes[:-1] if last else nodes, [])
    exec(compile(body, "<cell>", "exec"), world)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), world) if last else None


@contextlib.contextmanager
def met_runs(met):
    """Note every run that is made."""
    make = Run.__init__

    @functools.wraps(make)
    def noted(self, *arguments, **named):
        make(self, *arguments, **named)
        met.append(self)

    Run.__init__ = noted
    try:
        yield
    finally:
        Run.__init__ = make


def _html(printed, value) -> str:
    """What a cell printed and its last value, as a page shows them."""
    told = getattr(value, "_repr_html_", None)
    if told is not None:
        return (f"<pre>{escape(printed)}</pre>" if printed else "") + told()
    if "matplotlib" in sys.modules and hasattr(value, "get_figure" if hasattr(value, "axes") else "savefig"):
        from ..plot import svg

        return f'<div class="gs-plot">{svg.of(value)}</div>'
    text = printed + ("" if value is None else repr(value))
    return f"<pre>{escape(text)}</pre>" if text else ""


def error_html(mistake) -> str:
    """A mistake as the page shows it: a kernel's as the compiler tells it, Python's with its line."""
    if isinstance(mistake, GpusimError):
        return mistake._repr_html_()
    lines = [
        frame.lineno for frame in traceback.extract_tb(mistake.__traceback__) if frame.filename == "<cell>"
    ]
    if isinstance(mistake, SyntaxError):
        lines = [mistake.lineno]
    if isinstance(mistake, MemoryError):
        mistake = MemoryError("more memory than the page may take; smaller arrays fit")
    place = f"line {lines[-1]}: " if lines and lines[-1] else ""
    return f'<pre class="gpusim-error" role="alert">{escape(f"{place}{type(mistake).__name__}: {mistake}")}</pre>'
