"""Machine instructions: one record each, its memory access, branch and predicate read from the disassembler's words."""

from __future__ import annotations

import re
from dataclasses import dataclass

BYTES = 16  # of one instruction, from Volta on
SPACES = {"LDG": "global", "STG": "global", "RED": "global", "ATOM": "global", "ATOMG": "global"}
SPACES |= {"LDS": "shared", "STS": "shared", "ATOMS": "shared", "LDSM": "shared"}
SPACES |= {
    "LDL": "local",
    "STL": "local",
    "LD": "generic",
    "ST": "generic",
    "LDC": "constant",
    "LDGSTS": "global",
}
KINDS = {"LD": "load", "ST": "store", "RE": "atomic", "AT": "atomic"}
WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}
JUMPS = ("BRA", "BRX", "JMP", "CALL", "RET", "EXIT", "BREAK")
FILLERS = ("NOP",)
_TARGET = re.compile(r"(?:^|,)(0x[0-9a-f]+)$")


@dataclass(frozen=True)
class Instruction:
    """One machine instruction.

    address : int, byte offset in the kernel; line : int, of the kernel's text, 0 where the compiler names none
    predicate : str, "@!P0" or "" where every lane executes it; opcode : "LDG.E.128"; operands : str

    >>> load = Instruction(0x80, 10, "@!P0", "LDG.E.128", "R4,desc[UR8][R2.64]")
    >>> load.space, load.kind, load.width, load.predicated
    ('global', 'load', 16, True)
    >>> Instruction(0x2f0, 12, "@!P1", "BRA", "0x130").target
    304
    """

    address: int
    line: int
    predicate: str
    opcode: str
    operands: str

    @property
    def name(self) -> str:
        """The opcode without its modifiers."""
        return self.opcode.split(".")[0]

    @property
    def space(self) -> str:
        """The memory that it accesses, or "" """
        return SPACES.get(self.name, "")

    @property
    def kind(self) -> str:
        """ "load", "store" or "atomic", or "" where it accesses no memory."""
        return KINDS[self.name[:2]] if self.space else ""

    @property
    def width(self) -> int:
        """Bytes a lane moves, 0 where it accesses no memory."""
        if not self.space:
            return 0
        return next((WIDTHS[part] for part in self.opcode.split(".")[1:] if part in WIDTHS), 4)

    @property
    def predicated(self) -> bool:
        """True where only the lanes of a predicate execute it: what an `if` became when it is no branch."""
        return bool(self.predicate) and not self.jumps

    @property
    def jumps(self) -> bool:
        """True where control may go on elsewhere."""
        return self.name in JUMPS

    @property
    def conditional(self) -> bool:
        """True for a branch that some lanes take and others may not; an EXIT ends lanes and is none."""
        return self.name in ("BRA", "BRX") and bool(self.predicate or self.operands.count(","))

    @property
    def target(self) -> int | None:
        """Address to which a branch leads."""
        found = _TARGET.search(self.operands.replace("`(", "").rstrip(")")) if self.name == "BRA" else None
        return int(found[1], 16) if found else None

    def __str__(self):
        return f"{self.predicate:5}{self.opcode} {self.operands}".rstrip()


def instructions(function: dict) -> list[Instruction]:
    """The instructions of nvdisasm's account of one kernel, without the padding behind the last EXIT."""
    found, line = [], 0
    for place, told in enumerate(function["sass-instructions"]):
        line = told.get("source-line", line)
        found.append(
            Instruction(
                place * BYTES,
                line,
                told.get("predicate", ""),
                told["opcode"],
                told.get("operands", "").replace(" ", ""),
            )
        )
    while found and (found[-1].name in FILLERS or found[-1].target == found[-1].address):
        found.pop()  # a branch to itself and NOPs fill the last cache line
    return found
