"""From a checked kernel to a Python function that drives a machine.

The text of the function is made of operators, of names that the emitter invents (an identifier of the kernel
followed by its number) and of integers; constants and sites travel beside it in a dictionary.  No piece of
the kernel's text is in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.addresses import mark_addresses
from ..analysis.data import mark_data
from . import assignments, branches, expressions, loops  # noqa: F401  they enter what they emit in the tables
from .calls import start
from .places import in_buffer
from .state import Emission, Frame
from .tables import statement


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


def emit(unit, kernel, counting=False, symbolic=False, rows=False) -> Emitted:
    """Translate one kernel of a checked text."""
    mark_data(kernel)
    mark_addresses(kernel)
    e = Emission(unit, kernel, counting, symbolic, rows, here=kernel)
    e.frames.append(Frame(kernel, "gone", None, e.region.number, 0))
    e.scope = 1
    e.line("gone = False")
    for parameter in kernel.parameters:
        e.settle(parameter)
        if in_buffer(parameter):
            start(e, parameter, e.name(parameter))
    e.steady.update(e.name(v) for v in unit.variables)
    statement(e, kernel.body)
    head = [f"    {name} = m.special({e.constant(special)})" for special, name in e.specials.items()]
    head += [f"    {e.name(v)} = m.variable({e.constant(v.name)})" for v in unit.variables]
    names = ", ".join(["m", *(e.name(p) for p in kernel.parameters)])
    lines = [f"def kernel({names}):", *head, *e.lines, "    return", "    yield"]
    places = [getattr(line, "at", None) for line in lines]
    constants = {**e.constants, **e.site_names}
    return Emitted(kernel.name, "\n".join(lines) + "\n", constants, e.sites, e.functions, places)
