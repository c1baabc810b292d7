"""Loops whose length depends on data: the machine may carry on with the warps that still run."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.data import is_data, jumps
from ..tree import nodes as t
from ..tree.walks import walk
from .operations import BARRIERS
from .places import Memory


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
        if isinstance(n, t.Name) and n.symbol.storage in ("local", "parameter") and n.symbol not in declared
    }
    if any(s not in e.homes and s not in e.aliases for s in symbols):
        return None
    if any(isinstance(n, t.Call) and isinstance(n.target, t.Function) for n in nodes):
        return None
    specials = {n.name: None for n in nodes if isinstance(n, t.Special) and "Idx" in n.name}
    names = [name for s in symbols for name in _names(e, s)]
    names += [e.special(n) for n in specials] + [e.loops[-1].out]
    names += [e.frames[-1].gone] if "return" in jumps(body) else []
    return Packed(e.fresh("H"), ", ".join(dict.fromkeys(names)))


def _names(e, symbol):
    """The Python names that a variable is made of; a reference is what it stands for."""
    meant = e.aliases.get(symbol)
    if meant is None:
        return [e.name(symbol)]
    if isinstance(meant, Memory):
        return [name for name in (meant.pointer, meant.index) if name.isidentifier()]
    return [e.name(meant.symbol)]


def pack(e, packed, mask, head):
    """At the top of a round; `head` : the number of the loop's line."""
    state, names = packed.state, packed.names
    e.lines.insert(head, "    " * (e.depth - 1) + f"{state} = None")
    e.line(f"if m.crowded_out({mask}): {state}, {mask}, {names} = m.pack({state}, {mask}, {names})")


def unpack(e, packed):
    """Behind the loop."""
    state, names = packed.state, packed.names
    e.line(f"if {state}: {names}, = m.unpack({state}, {names})")
