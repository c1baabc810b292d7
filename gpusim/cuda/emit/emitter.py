"""From a checked kernel to a Python function that drives a machine.

The text of the function is made of operators, of names that the emitter invents (an identifier of the kernel
followed by its number) and of integers; constants and sites travel beside it in a dictionary.  No piece of
the kernel's text is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..analysis.data import mark_data
from ..tree import nodes as t
from ..tree.site import Site
from ..tree.types import dtype as dtype_of
from .calls import Calls
from .expressions import Expressions
from .loops import Loops
from .places import Places
from .statements import Statements
from .wmma import Matrices


@dataclass
class Emitted:
    """source : Python text; constants : what its capital names mean; sites : in order of appearance

    functions : {name: (operation, dtypes of its arguments)}, the mathematical functions that the source calls
    places : for each line of the source where its statement stands in the kernel's text, or None
    """

    name: str
    source: str
    constants: dict
    sites: list
    functions: dict
    places: list


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
    """A function being emitted: where its returns go."""

    function: t.Function
    gone: str
    result: str | None
    stack: tuple = field(default_factory=tuple)


class Emitter(Expressions, Places, Calls, Matrices, Statements, Loops):
    """Emits one kernel.  counting : call the machine for arithmetic too; symbolic : let it take counting
    loops in one step

    rows : let it check that an index stays in its row
    """

    def __init__(self, unit, kernel, counting, symbolic, rows=False):
        self.unit, self.kernel, self.counting, self.symbolic, self.rows = (
            unit,
            kernel,
            counting,
            symbolic,
            rows,
        )
        self.lines, self.depth, self.serial = [], 1, 0
        self.here = kernel  # the statement that is being emitted
        self.constants, self.sites, self.site_names = {}, [], {}
        self.homes = {}  # symbol -> its Region when it was declared
        self.aliases = {}  # reference symbol -> the place it stands for
        self.operations = self.flops = 0  # arithmetic of the statement being emitted
        self.region = Region("True", 0)
        self.loops = []
        self.specials, self.functions = {}, {}

    # Text.

    def line(self, text):
        made = Line("    " * self.depth + text)
        made.at = self.here.at
        self.lines.append(made)

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

    def constant(self, value):
        """The name of a value that travels beside the text."""
        name = f"K{len(self.constants)}"
        self.constants[name] = value
        return name

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

    def enter(self, mask):
        """Start a region under another mask; returns the old one for `leave`."""
        old, self.region = self.region, Region(mask, self._next_region())
        return old

    def leave(self, old):
        self.region = old

    def _next_region(self):
        self.serial += 1
        return self.serial

    @property
    def mask(self):
        return self.region.mask

    # The whole.

    def emit(self):
        kernel = self.kernel
        mark_data(kernel)
        self.frames = [Frame(kernel, "gone", None)]
        self.line("gone = False")
        self.parameters(kernel)
        self.statement(kernel.body)
        body = self.lines
        head = [
            f"    {name} = m.special({self.constant(special)})" for special, name in self.specials.items()
        ]
        head += [f"    {self.name(v)} = m.variable({self.constant(v.name)})" for v in self.unit.variables]
        names = ", ".join(["m", *(self.name(p) for p in kernel.parameters)])
        lines = [f"def kernel({names}):", *head, *body, "    return", "    yield"]
        places = [getattr(line, "at", None) for line in lines]
        constants = {**self.constants, **self.site_names}
        return Emitted(kernel.name, "\n".join(lines) + "\n", constants, self.sites, self.functions, places)


def emit(unit, kernel, counting=False, symbolic=False, rows=False) -> Emitted:
    """Translate one kernel of a checked text."""
    return Emitter(unit, kernel, counting, symbolic, rows).emit()
