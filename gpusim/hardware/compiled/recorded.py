"""Listings that `make listings` recorded for the book's kernels, so that pages and readers need no compiler.

One file an architecture in book/computed/machine: for each fingerprint of a text with its macros the compiler, the
resources and the instructions.  A listing is served for that text only.
"""

from __future__ import annotations

import functools
import json

from ...library import folder
from .listing import Listing
from .sass import Instruction


def recorded(text, arch: str) -> Listing | None:
    """The recorded listing of a text, or None.  text : KernelText; arch : "sm_90"."""
    row = _rows(arch).get(text.fingerprint)
    return row and unpack(row, text, arch)


def pack(listing: Listing) -> dict:
    """A listing as JSON, instructions as [address, line, predicate, opcode, operands]."""
    return {
        "kernel": listing.kernel,
        "compiler": listing.compiler,
        "registers": listing.registers,
        "spilled": listing.spilled,
        "stack": listing.stack,
        "instructions": [
            [i.address, i.line, i.predicate, i.opcode, i.operands] for i in listing.instructions
        ],
    }


def unpack(row: dict, text, arch: str) -> Listing:
    """The listing that `pack` made a row of, beside the reader's text."""
    return Listing(
        text.name,
        text.text,
        arch,
        row["compiler"],
        row["registers"],
        row["spilled"],
        row["stack"],
        tuple(Instruction(*told) for told in row["instructions"]),
    )


@functools.cache
def _rows(arch):
    path = folder("computed") / "machine" / f"{arch}.json"
    return json.loads(path.read_text()) if path.exists() else {}
