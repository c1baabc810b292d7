"""The errors of gpusim: each says what came, what is allowed and where, as a compiler does."""

from __future__ import annotations

import traceback
from html import escape
from numbers import Real
from pathlib import Path

PACKAGE = str(Path(__file__).parent)
WIDEST = 110  # characters of a source line that are shown; a longer line is cut around its caret


class GpusimError(Exception):
    """A mistake in a kernel text, a launch or an argument.

    message : str, what is wrong, what came and what is allowed
    file, line, column : where in a text, both counted from 1, or None
    text : str, the whole source line; length : int, characters that the caret underlines
    block, thread : (x, y, z) of the first one that met it, or None
    hint : str, what to do about it; notes : more lines, such as "expanded from line 3"
    terminal : str, the hint in the words of the command line, where those are others

    >>> print(GpusimError("no such name: 'i'", file="add.cu", line=2, column=5, length=1, text="  a[i] = 0"))
    add.cu:2:5: error: no such name: 'i'
      a[i] = 0
        ^
    """

    def __init__(
        self,
        message,
        *,
        file=None,
        line=None,
        column=None,
        text=None,
        length=1,
        block=None,
        thread=None,
        hint=None,
        notes=(),
        terminal=None,
    ):
        super().__init__(message)
        self.message = message
        self.file, self.line, self.column = file, line, column
        self.text, self.length = text, length
        self.block, self.thread = block, thread
        self.hint, self.terminal = hint, terminal
        self.notes = (notes,) if isinstance(notes, str) else tuple(notes)

    @property
    def place(self) -> str:
        """The part before the message: `file.cu:7:5`, or '' where there is no text."""
        known = (self.file, self.line, self.column if self.line is not None else None)
        return ":".join(str(part) for part in known if part is not None)

    @property
    def who(self) -> str:
        """`block (1,0,0) thread (63,0,0)`, as much of it as is known."""
        named = (("block", self.block), ("thread", self.thread))
        return " ".join(f"{name} {indexed(index)}" for name, index in named if index is not None)

    def excerpt(self) -> str:
        """The source line and the caret under it, or '' where there is no text."""
        if self.text is None:
            return ""
        line = self.text.split("\n", 1)[0].rstrip()
        if self.column is None:
            return _clip(line, 0)[0].expandtabs(4)
        line, start = _clip(line, max(0, self.column - 1))
        caret = "^" + "~" * min(max(0, self.length - 1), max(0, len(line) - start - 1))
        return line.expandtabs(4) + "\n" + " " * len(line[:start].expandtabs(4).ljust(start)) + caret

    def __str__(self):
        head = f"{self.place}: error: {self.message}" if self.place else self.message
        hint = f"hint: {self.hint}" if self.hint else ""
        return "\n".join(part for part in (head, self.excerpt(), self.who, *self.notes, hint) if part)

    def _render_traceback_(self) -> list:
        """What a notebook shows: the statement of the cell that met it, and the message; no tour of gpusim."""
        frames = traceback.extract_tb(self.__traceback__)
        inside = next(
            (n for n, frame in enumerate(frames) if frame.filename.startswith(PACKAGE)), len(frames)
        )
        here = frames[inside - 1] if 0 < inside else None
        where = [f"---> {here.lineno} {here.line}"] if here is not None and here.line else []
        return [*where, *f"{type(self).__name__}: {self}".split("\n")]

    def _repr_html_(self) -> str:
        return f'<pre class="gpusim-error" role="alert">{type(self).__name__}: {escape(str(self))}</pre>'

    def __reduce__(self):
        return _rebuild, (type(self), self.message, dict(self.__dict__))


class CudaSyntaxError(GpusimError):
    """The text is not CUDA C."""


class CudaUnsupported(GpusimError):
    """The text is CUDA C, but uses something that gpusim does not run."""


class LaunchError(GpusimError):
    """A grid, block, resource or argument that the card or the kernel does not accept."""


class HostAccessError(GpusimError):
    """Host code indexed an array that lives in device memory."""


class OutOfBounds(GpusimError):
    """A thread reached outside an array."""


class BarrierError(GpusimError):
    """A barrier that not all threads of the block reach."""


class StepLimit(GpusimError):
    """Threads that wait for a value which no running thread can write, or a loop that does not end.

    waits : whether a block or a thread that does not run might end it, by what it writes
    """

    def __init__(self, message, *, waits=False, **place):
        super().__init__(message, **place)
        self.waits = waits


class NoGPU(GpusimError):
    """A real GPU was asked for and none answers."""


class NotCountable(GpusimError):
    """Counting without data is impossible: a loaded value reaches an address or a branch."""


def is_whole(number, least=0) -> bool:
    """Whether this is a whole number, at least `least`; text, arrays and NaN are not.

    >>> [is_whole(number, 1) for number in (3, 2.0, 0, 1.5, "3", None, float("nan"))]
    [True, True, False, False, False, False, False]
    """
    return isinstance(number, Real) and number >= least and number == number // 1


def indexed(index) -> str:
    """A block or thread index as CUDA prints it.

    >>> indexed((1, 0, 0))
    '(1,0,0)'
    """
    if not isinstance(index, (tuple, list)):
        return str(index)
    return "(" + ",".join(str(int(i)) for i in index) + ")"


def _clip(line, start):
    """Cut a very long line to a window around the caret; return it and the caret's place in it."""
    if len(line) <= WIDEST:
        return line, start
    left = max(0, min(start - WIDEST // 2, len(line) - WIDEST))
    head, tail = ("..." if left else ""), ("..." if left + WIDEST < len(line) else "")
    return head + line[left : left + WIDEST] + tail, start - left + len(head)


def _rebuild(kind, message, state):
    error = kind(message)
    error.__dict__.update(state)
    return error
