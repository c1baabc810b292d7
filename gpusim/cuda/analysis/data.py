"""What the emitter asks of a tree: which values come from memory, who assigns what, where control jumps,
which loops count."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Array, Pointer
from ..tree.walks import children, root, through_pointer, walk, within
from ..typing.builtins import BUILTINS

# Values that come from memory.

_LOADING = ("atomic", "shfl")


def mark_data(function):
    """Set `symbol.data` of every variable that a loaded value may reach."""
    nodes = walk(function.body)
    links = []
    for node in nodes:
        if isinstance(node, t.Declare) and node.value is not None:
            links.append((node.symbol, node.value))
        elif isinstance(node, t.Assign):
            links.append((root(node.target), node.value))
        elif isinstance(node, t.Call) and isinstance(node.target, t.Function):
            links += [(p, a) for p, a in zip(node.target.parameters, node.arguments)]
            links += [
                (root(a), a) for p, a in zip(node.target.parameters, node.arguments) if p.reference and p.data
            ]
    changed = True
    while changed:
        changed = False
        for symbol, value in links:
            if symbol is not None and not symbol.data and is_data(value):
                symbol.data = changed = True


def is_data(node):
    """True if the value of an expression may come from memory."""
    if isinstance(node, t.Binary):
        return is_data(node.left) or is_data(node.right)
    if isinstance(node, (t.Literal, t.Special)):
        return False
    if isinstance(node, t.Name):
        return node.symbol.data or (
            node.symbol.storage in ("shared", "dynamic", "constant", "device")
            and not isinstance(node.type, (Array, Pointer))
        )
    if isinstance(node, (t.Index, t.Deref, t.Member)):
        if isinstance(node.type, Array):
            return False
        symbol = root(node)
        if through_pointer(node):
            return True
        return (symbol is not None and symbol.data) or (isinstance(node, t.Index) and is_data(node.index))
    if isinstance(node, t.Address):
        return False
    if isinstance(node, t.Call):
        if isinstance(node.target, t.Function):
            return any(is_data(a) for a in node.arguments) or any(
                is_data(n.value)
                for n in within(node.target.body)
                if isinstance(n, t.Return) and n.value is not None
            )
        return any(word in node.target for word in _LOADING) or any(is_data(a) for a in node.arguments)
    return any(is_data(child) for child in children(node))


# Effects and jumps.


def has_effects(node):
    """True if evaluating an expression loads, stores, calls or assigns: it must not run for lanes that do not
    take part."""
    for part in walk(node):
        if isinstance(part, (t.Assign, t.Increment, t.Call)):
            if not is_pure(part):
                return True
        if isinstance(part, (t.Index, t.Deref)) and not isinstance(part.type, Array):
            return True
        if isinstance(part, t.Name) and part.symbol.storage in ("constant", "device", "shared"):
            return True
    return False


def is_pure(node):
    return (
        isinstance(node, t.Call)
        and isinstance(node.target, str)
        and BUILTINS[node.target].kind in ("math", "integer", "bits")
    )


def jumps(node):
    """The ways a statement may leave its block: a subset of {"break", "continue", "return"}."""
    found = set()
    _collect_jumps(node, found, in_loop=False, in_switch=False)
    return found


def _collect_jumps(node, found, in_loop, in_switch):
    if isinstance(node, t.Return):
        found.add("return")
    elif isinstance(node, t.Break) and not in_loop and not in_switch:
        found.add("break")
    elif isinstance(node, t.Continue) and not in_loop:
        found.add("continue")
    elif isinstance(node, t.Statement) and not isinstance(node, (t.Evaluate, t.Declare)):
        loop = in_loop or isinstance(node, (t.For, t.While, t.DoWhile))
        switch = in_switch or isinstance(node, t.Switch)
        for child in children(node):
            if isinstance(child, t.Statement):
                _collect_jumps(child, found, loop, switch)


# Loops that count.
