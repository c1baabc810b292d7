"""Loops whose length depends on data: the machine may carry on with the warps that still run."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.data import is_data, jumps
from ..tree import nodes as t
from ..tree.walks import walk
from .operations import BARRIERS


@dataclass
class Packed:
    """state : the Python name of what the machine remembers;  names : of the values that the loop needs"""

    state: str
    names: str


def may_pack(e, node, condition, body):
    """What a loop of uneven length without barriers needs to be packed, or None if it cannot be."""
    nodes = walk(node)
    uneven = condition is not None and is_data(condition)
    if e.symbolic or not uneven or any(isinstance(n, t.Call) and n.target in BARRIERS for n in nodes):
        return None
    declared = {n.symbol for n in walk(body) if isinstance(n, t.Declare)}
    symbols = {
        n.symbol: None
        for n in nodes
        if isinstance(n, t.Name)
        and n.symbol.storage in ("local", "parameter")
        and n.symbol not in declared
        and n.symbol not in e.aliases
    }
    if any(s.reference or s not in e.homes for s in symbols):
        return None
    if any(isinstance(n, t.Call) and isinstance(n.target, t.Function) for n in nodes):
        return None
    specials = {n.name: None for n in nodes if isinstance(n, t.Special) and "Idx" in n.name}
    names = [e.name(s) for s in symbols] + [e.special(n) for n in specials] + [e.loops[-1].out]
    names += [e.frames[-1].gone] if "return" in jumps(body) else []
    return Packed(e.fresh("H"), ", ".join(names))


def pack(e, packed, mask, head):
    """At the top of a round; `head` : the number of the loop's line."""
    state, names = packed.state, packed.names
    e.lines.insert(head, "    " * (e.depth - 1) + f"{state} = None")
    e.line(f"if m.crowded_out({mask}): {state}, {mask}, {names} = m.pack({state}, {mask}, {names})")


def unpack(e, packed):
    """Behind the loop."""
    state, names = packed.state, packed.names
    e.line(f"if {state}: {names}, = m.unpack({state}, {names})")
