"""Addresses: a variable whose address is taken through a reference to it needs memory, too."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.walks import root, through_pointer, walk


def mark_addresses(function):
    """Set `symbol.address_taken` of every local variable that a reference whose address is taken stands for."""
    bound = []
    for node in walk(function.body):
        if isinstance(node, t.Declare) and node.symbol.reference:
            bound.append((node.symbol, node.value))
        elif isinstance(node, t.Call) and isinstance(node.target, t.Function):
            bound += [(p, a) for p, a in zip(node.target.parameters, node.arguments) if p.reference]
    links = [(reference, root(value)) for reference, value in bound if not through_pointer(value)]
    changed = True
    while changed:
        changed = False
        for reference, symbol in links:
            if symbol is not None and reference.address_taken and not symbol.address_taken:
                symbol.address_taken = changed = True
