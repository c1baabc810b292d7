"""A text as a whole: what the front door gives."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(eq=False)
class Unit:
    """A checked text: its kernels by name and its file-scope variables (symbols).

    initial : {symbol: Expression} of file-scope variables with an initialiser
    skipped : [(line, note)] of what was not read, and why
    templates : {name: [parameter names still open]} of kernels that front.specialise makes
    refused : {name: CudaUnsupported} of kernels that gpusim does not run, beside others that it does
    headers : [(first line, name)] of the files that were included, whose lines follow those of the text
    made : {Function: what was made of it}, kept with the text so that all its programs share it
    """

    file: str
    text: str
    kernels: dict = field(default_factory=dict)
    variables: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    defines: dict = field(default_factory=dict)
    initial: dict = field(default_factory=dict)
    templates: dict = field(default_factory=dict)
    refused: dict = field(default_factory=dict)
    headers: list = field(default_factory=list)
    reader: object = field(default=None, repr=False)
    made: dict = field(default_factory=dict, repr=False)
    first, alone = 1, False  # its text's first line, and whether that is one kernel's alone, as in Python

    def line(self, number):
        """The text of line `number` (from 1)."""
        lines = self.text.split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def where(self, number):
        """(file, line in it) of a line of the unit."""
        first, name = next((head for head in reversed(self.headers) if number >= head[0]), (1, self.file))
        return os.path.join(os.path.dirname(self.file), name) if first > 1 else name, number - first + 1

    def named(self, number):
        """A line's number as the reader knows it: "7", or "helper.h:7"."""
        first, name = next((head for head in reversed(self.headers) if number >= head[0]), (1, None))
        return f"{name}:{number - first + 1}" if name else str(number)
