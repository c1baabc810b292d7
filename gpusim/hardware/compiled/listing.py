"""A listing: a kernel's text beside the machine instructions that each of its lines became."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from .sass import Instruction

SHORT = {
    ("global", "load"): "LDG",
    ("global", "store"): "STG",
    ("shared", "load"): "LDS",
    ("shared", "store"): "STS",
}


@dataclass(frozen=True)
class Line:
    """What one line of the text became.

    number : int; instructions : those that the compiler ascribes to it, in order of address
    """

    number: int
    instructions: tuple[Instruction, ...] = ()

    @property
    def accesses(self) -> dict:
        """{(space, kind, bytes a lane): instructions}, for memory other than constants.

        >>> Line(3, (Instruction(0, 3, "", "LDG.E.128", "R4,[R2]"),)).accesses
        {('global', 'load', 16): 1}
        """
        found = (i for i in self.instructions if i.space and i.space != "constant")
        return dict(Counter((i.space, i.kind, i.width) for i in found))

    @property
    def branches(self) -> int:
        """Branches that some lanes take and others may not."""
        return sum(i.conditional for i in self.instructions)

    @property
    def predicated(self) -> int:
        """Instructions that only the lanes of a predicate execute."""
        return sum(i.predicated for i in self.instructions)

    @property
    def words(self) -> str:
        """The line in words: "6 instructions: 2 LDS 32 bits, 1 STS 32 bits; 5 predicated"."""
        if not self.instructions:
            return ""
        number = len(self.instructions)
        parts = [f"{number} instruction{'s' * (number > 1)}"]
        if self.accesses:
            parts[0] += ": " + ", ".join(
                f"{times} {SHORT.get((space, kind), f'{space} {kind}')} {8 * width} bits"
                for (space, kind, width), times in self.accesses.items()
            )
        if self.branches:
            parts.append(f"{self.branches} branch{'es' * (self.branches > 1)}")
        if self.predicated:
            parts.append(f"{self.predicated} predicated")
        return "; ".join(parts)


@dataclass(frozen=True)
class Listing:
    """What NVIDIA's compiler made of a kernel, for one architecture.

    kernel, text : str; arch : "sm_90"; compiler : "NVRTC 13.0"; registers : a thread
    spilled, stack : bytes a thread that registers had no room for, and of local arrays with it
    instructions : in order of address
    """

    kernel: str
    text: str = field(repr=False)
    arch: str
    compiler: str
    registers: int
    spilled: int
    stack: int
    instructions: tuple[Instruction, ...] = field(repr=False)

    @cached_property
    def lines(self) -> dict[int, Line]:
        """Line by its number, for every line of the text; a line that became nothing has no instructions."""
        found = {number: [] for number in range(1, len(self.text.splitlines()) + 1)}
        for instruction in self.instructions:
            if instruction.line in found:
                found[instruction.line].append(instruction)
        return {number: Line(number, tuple(those)) for number, those in found.items()}

    @property
    def spills(self) -> bool:
        """True where registers did not suffice and values go through local memory."""
        return self.spilled > 0

    @property
    def headline(self) -> str:
        """One sentence: instructions, registers, spills, card and compiler."""
        spilled = f"{self.spilled} bytes spilled" if self.spilled else "nothing spilled"
        return (
            f"{self.kernel} for {self.arch}, {self.compiler}: {len(self.instructions)} machine instructions, "
            f"{self.registers} registers per thread, {spilled}"
        )

    def assembly(self, line: int | None = None) -> str:
        """The instructions as text, of one line or of all."""
        those = self.instructions if line is None else self.lines[line].instructions
        return "\n".join(f"{i.address:05x}  {i.line:4}  {i}" for i in those)

    def __str__(self):
        rows = list(zip(self.lines.values(), self.text.expandtabs(4).splitlines()))
        width = min(80, max((len(text) for _, text in rows), default=0))
        told = (f"{line.number:4}  {text:{width}}  {line.words}".rstrip() for line, text in rows)
        return "\n".join([self.headline, *told])
