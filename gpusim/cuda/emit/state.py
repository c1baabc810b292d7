"""What is known while a kernel is emitted: the lines so far, names, sites, the mask that governs, open loops and calls.

Functions of the other modules take this state first, as `e`, and add to it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field

from ..tree import nodes as t
from ..tree.site import Site
from ..tree.types import Scalar
from ..tree.types import dtype as dtype_of


class Line(str):
    """A line of the emitted text; `at` : where the statement stands that it comes from."""

    at = None


@dataclass
class Region:
    """A stretch of code that one mask governs; `mask` is the Python name of that mask now."""

    mask: str
    number: int


@dataclass
class Frame:
    """A function being emitted: `gone` names the lanes that have returned, `result` what they return, or None.

    home : the region of the call;  set : whether a return has given `result` a value
    """

    function: t.Function
    gone: str
    result: str | None
    home: Region
    set: bool = False


@dataclass
class Loop:
    """Where `break` and `continue` send their lanes; `again` is None for a switch."""

    out: str
    again: str | None


@dataclass
class Emission:
    """counting : call the machine for arithmetic too;  symbolic : let it take counting loops in one step
    rows : let it check that an index stays in its row
    homes : {symbol: its Region when it was declared};  aliases : {reference symbol: the place it stands for}
    operations, flops : arithmetic of the statement being emitted;  free : the comparison that a branch contains
    """

    unit: t.Unit
    kernel: t.Function
    counting: bool = False
    symbolic: bool = False
    rows: bool = False
    lines: list = field(default_factory=list)
    depth: int = 1
    serial: int = 0
    here: object = None  # the statement that is being emitted
    constants: dict = field(default_factory=dict)
    sites: list = field(default_factory=list)
    site_names: dict = field(default_factory=dict)
    specials: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    homes: dict = field(default_factory=dict)
    aliases: dict = field(default_factory=dict)
    region: Region = field(default_factory=lambda: Region("True", 0))
    loops: list = field(default_factory=list)
    frames: list = field(default_factory=list)
    operations: int = 0
    flops: int = 0
    free: object = None

    # Text.

    def line(self, text):
        made = Line("    " * self.depth + text)
        made.at = self.here.at
        self.lines.append(made)

    @contextmanager
    def indented(self):
        self.depth += 1
        yield
        self.depth -= 1

    def fresh(self, stem):
        """A Python name that nothing else has."""
        self.serial += 1
        return f"{stem}{self.serial}"

    def keep(self, expression, stem="t"):
        """Give an expression's value a name."""
        if expression.isidentifier() or expression.lstrip("-").isdigit():
            return expression
        name = self.fresh(stem)
        self.line(f"{name} = {expression}")
        return name

    # Names.

    def constant(self, value):
        """The name of a value that travels beside the text."""
        name = f"K{len(self.constants)}"
        self.constants[name] = value
        return name

    def type_constant(self, kind):
        """The name of a NumPy dtype."""
        key = f"D_{dtype_of(kind).char}" if not isinstance(kind, Scalar) or kind.kind != "bool" else "D_bool"
        self.constants[key] = dtype_of(kind)
        return key

    def site(self, node, kind, **details):
        """The name of a new site at `node`."""
        if "dtype" in details and not hasattr(details["dtype"], "itemsize"):
            details["dtype"] = dtype_of(details["dtype"])
        site = Site(node.at.line, node.at.column, kind, **details)
        self.sites.append(site)
        name = f"S{len(self.sites)}"
        self.site_names[name] = site
        return name

    def name(self, symbol):
        """The Python name of a variable."""
        return f"{symbol.name.replace(' ', '_')}_{symbol.number}"  # "unnamed 0" is a parameter without a name

    def special(self, name):
        """The Python name of threadIdx.x or a relative."""
        if name not in self.specials:
            self.specials[name] = name.replace(".", "_")
        return self.specials[name]

    # Masks.

    @property
    def mask(self):
        return self.region.mask

    def new_region(self):
        self.serial += 1
        return self.serial

    @contextmanager
    def under(self, mask):
        """Lines in a block of their own that only the lanes of `mask` (a Python name) run."""
        outside, self.region = self.region, Region(mask, self.new_region())
        with self.indented():
            yield
        self.region = outside
