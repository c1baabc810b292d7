"""A progress bar in a terminal or a notebook, and nothing at all where a page is built or output is kept."""

from __future__ import annotations

import sys
import time

from .page import is_static

PAUSE = 0.1  # s between two drawings
WIDTH = 30  # characters of the bar in a terminal


class ProgressLine:
    """Counts steps and shows them; use it as a context."""

    def __init__(self, total, wanted=True):
        self.total, self.done, self.failed = total, 0, 0
        self.drawn, self.remark = 0.0, ""
        self.show = _place(total) if wanted and total and not is_static() else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._draw(last=True)

    def step(self, failed=False):
        """One more is done."""
        self.done += 1
        self.failed += failed
        if time.monotonic() - self.drawn > PAUSE:
            self._draw()

    def note(self, remark):
        """Why it ends early."""
        self.remark = remark

    def _draw(self, last=False):
        self.drawn = time.monotonic()
        if self.show:
            self.show(self.done, self.words(), last)

    def words(self) -> str:
        """How far it is.

        >>> bar = ProgressLine(10, wanted=False)
        >>> bar.step(), bar.step(failed=True), bar.words()
        (None, None, '2 of 10, 1 failed')
        """
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.total}{failed}" + (f", {self.remark}" if self.remark else "")


def _place(total):
    """How to show progress here: a callable (done, words, last), or None."""
    try:
        from IPython import get_ipython
        from IPython.display import HTML, display
    except ImportError:
        get_ipython = None
    if get_ipython and getattr(get_ipython(), "kernel", None):
        shown = display(HTML(""), display_id=True)
        return lambda done, words, last: shown.update(
            HTML("" if last else f'<progress max="{total}" value="{done}"></progress> {words}')
        )
    return _terminal(total) if sys.stderr.isatty() else None


def _terminal(total):
    def show(done, words, last):
        bar = "#" * (WIDTH * done // total)
        print(f"\r[{bar:<{WIDTH}}] {words} ", end="\n" if last else "", file=sys.stderr, flush=True)

    return show
