"""The one exception that the front end raises inside, and how it becomes the error that readers see."""

from __future__ import annotations

from ...errors import CudaSyntaxError, CudaUnsupported
from ...inputs import nearest

LONGEST = 300  # characters of a message: names of a garbage text may be long


class Mistake(Exception):
    """A mistake at a token or an `At`: `front` adds the file and the source line and raises the public error.

    unsupported : it is CUDA C, but gpusim does not run it;  terminal : the hint, on the command line
    """

    def __init__(self, message, at, hint=None, notes=(), unsupported=False, terminal=None):
        message = message if len(message) <= LONGEST else message[:LONGEST] + "..."
        super().__init__(message)
        self.message, self.at, self.hint, self.terminal = message, at, hint, terminal
        self.notes, self.unsupported = tuple(notes), unsupported

    def public(self, file, lines):
        """The error that a reader sees.  lines : the source lines of the text."""
        at, notes = self.at, self.notes
        macro = getattr(at, "macro", None)
        name = getattr(macro, "name", macro)
        if name:
            where = f", defined on line {macro.line}" if getattr(macro, "line", 0) else ""
            notes = (f'note: expanded from macro "{name}"{where}', *notes)
        length = len(name) if name else getattr(at, "length", None) or len(getattr(at, "text", "") or "x")
        text = lines[at.line - 1] if 0 < at.line <= len(lines) else ""
        text = text if text.strip() else None
        kind = CudaUnsupported if self.unsupported else CudaSyntaxError
        return kind(
            self.message,
            file=file,
            line=at.line,
            column=at.column,
            text=text,
            length=length,
            hint=self.hint,
            notes=notes,
            terminal=self.terminal,
        )


def did_you_mean(name, candidates):
    """A hint that names the candidate closest to `name`, or None.

    >>> did_you_mean("threadIdy", ["blockIdx", "threadIdx"])
    'did you mean "threadIdx"?'
    """
    if not 1 < len(name) <= 64:
        return None
    close = nearest(name, sorted(set(candidates))[:3000], 0.65)
    return f'did you mean "{close}"?' if close else None
