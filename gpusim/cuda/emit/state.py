"""What is known while a kernel is emitted: the lines so far, names, sites, the mask that governs, open loops and calls.

Functions of the other modules take this state first, as `e`, and add to it.

When a value is fixed: the Python expression of a value is evaluated where it lands, later than where C++ evaluates
it.  What may change in between gets a name of its own first (`fix`); tables.values does so for operands of all kinds.

Under which mask a write happens: a variable keeps a Home.  Within the region of its home all lanes that will ever
read it take part, and a write needs no mask; elsewhere it merges.  Lanes that leave early make the rest of the block
a region of its own (`narrow`): only variables that die with what the lanes have left move with it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field

from ...errors import CudaUnsupported
from ..tree import nodes as t
from ..tree.site import Site
from ..tree.types import Scalar, Struct
from ..tree.types import dtype as dtype_of
from ..tree.unit import Unit

DEEPEST = 95  # Python takes a hundred levels


class Line(str):
    """A line of the emitted text; `at` : where the statement stands that it comes from."""

    at = None


@dataclass(frozen=True)
class Region:
    """A stretch of code that one mask governs, by its Python name."""

    mask: str
    number: int


@dataclass(frozen=True)
class Home:
    """Where a variable was declared: number and mask of the region, and how many scopes (functions, loops) were open."""

    number: int
    mask: str
    scope: int


@dataclass
class Frame:
    """A function being emitted: `gone` names the lanes that have returned, `result` what they return, or None.

    scope : the variables of a deeper scope die with the call;  home : the region of the call;  set : whether a
    return has given `result` a value
    """

    function: t.Function
    gone: str
    result: str | None
    home: int
    scope: int
    set: bool = False


@dataclass
class Loop:
    """Where `break` and `continue` send their lanes; `again` is None for a switch.

    scope : variables of a deeper scope die with the loop, those of a scope deeper by one with the round
    """

    out: str
    again: str | None
    scope: int


def copied(expression, kind):
    """The Python expression of a value that may be a variable's: a struct's is a list, which changes in place."""
    return f"list({expression})" if isinstance(kind, Struct) else expression


@dataclass
class Emission:
    """counting : call the machine for arithmetic too;  symbolic : let it take counting loops in one step
    rows : let it check that an index stays in its row
    steady : Python names that never get another value;  changing : {node: whether evaluating it changes something}
    homes : {symbol: its Home};  scope : functions and loops that are open
    aliases : {reference symbol: the place it stands for}
    operations, flops : arithmetic of the statement being emitted;  free : the comparison that a branch contains
    """

    unit: Unit
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
    steady: set = field(default_factory=lambda: {"None", "True", "False", "NOWHERE"})
    changing: dict = field(default_factory=dict)
    homes: dict = field(default_factory=dict)
    scope: int = 0
    aliases: dict = field(default_factory=dict)
    region: Region = field(default_factory=lambda: Region("True", 0))
    loops: list = field(default_factory=list)
    frames: list = field(default_factory=list)
    operations: int = 0
    flops: int = 0
    free: object = None

    # Text.

    def line(self, text):
        if self.depth > DEEPEST:
            raise CudaUnsupported("this nests too deeply", line=self.here.at.line, column=self.here.at.column)
        made = Line("    " * self.depth + text)
        made.at = self.here.at
        self.lines.append(made)

    def close(self):
        """The end of a block of Python, which must not be empty."""
        if self.lines[-1].endswith(":"):
            self.line("pass")

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
        self.steady.add(name)
        return name

    def fix(self, expression, kind=None, stem="t"):
        """Give an expression's value a name that keeps it, whatever happens to variables; `kind` : its type."""
        if expression in self.steady or expression.strip("()-").isdigit():
            return expression
        name = self.fresh(stem)
        self.line(f"{name} = {copied(expression, kind)}")
        self.steady.add(name)
        return name

    # Names.

    def constant(self, value):
        """The name of a value that travels beside the text."""
        name = f"K{len(self.constants)}"
        self.constants[name] = value
        self.steady.add(name)
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
            self.steady.add(self.specials[name])
        return self.specials[name]

    # Masks.

    @property
    def mask(self):
        return self.region.mask

    def settle(self, symbol):
        """The present region is the variable's home."""
        self.homes[symbol] = Home(self.region.number, self.region.mask, self.scope)

    def narrow(self, mask, scope):
        """Go on under `mask` because lanes have left all scopes deeper than `scope`; gives what `widen` needs."""
        before, self.region = self.region, Region(mask, self.new_region())
        moved = {s: h for s, h in self.homes.items() if h.number == before.number and h.scope > scope}
        self.homes.update((s, Home(self.region.number, mask, h.scope)) for s, h in moved.items())
        return before, moved

    def widen(self, narrowed):
        """The end of the block that lanes have left."""
        self.region, moved = narrowed
        self.homes.update(moved)

    def new_region(self):
        self.serial += 1
        return self.serial

    @contextmanager
    def under(self, mask):
        """Lines in a block of their own that only the lanes of `mask` (a Python name) run."""
        outside, self.region = self.region, Region(mask, self.new_region())
        with self.indented():
            yield
            self.close()
        self.region = outside
