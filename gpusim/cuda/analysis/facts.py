"""What the checks ask of a kernel's text before it runs: which built-in functions it calls, whether a loop
waits for memory."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Array
from ..tree.walks import children, root, through_pointer, walk
from .unassigned import unassigned

FENCES = ("__threadfence", "__threadfence_system")


def called(kernel):
    """The names of the built-in functions that a kernel calls.

    >>> from gpusim import load
    >>> sorted(called(load("reduce_v4")))
    ['__shfl_down_sync', '__syncthreads']
    """
    return _facts(kernel)[0]


def uses_warp_functions(kernel):
    """True if lanes of a warp exchange values or wait for each other: such a kernel cannot run thread by
    thread."""
    return any(name.endswith("_sync") or name in ("__syncwarp", "__activemask") for name in called(kernel))


def waits(kernel):
    """True if a loop goes on until another thread changes memory: its condition, or that of a `break`, reads
    what the kernel writes, a volatile or an atomic.

    >>> from gpusim import load
    >>> waits(load("grid_spin")), waits(load("spmv_thread"))
    (True, False)
    """
    return _facts(kernel)[1]


def orders_blocks(kernel):
    """True if the kernel itself orders what blocks do, by waiting or by fences with atomics: then plain
    accesses of two blocks to one element may be right, which the checks cannot tell."""
    names = called(kernel)
    return waits(kernel) or (
        any(f in names for f in FENCES) and any(name.startswith("atomic") for name in names)
    )


def accesses_of(kernel, bound):
    """{buffer: kinds of accesses} of the arrays that a kernel may write; kinds : a set of "load", "store",
    "atomic".

    Where the text goes through pointer variables of its own, any array may be meant.
    """
    everything = {"load", "store", "atomic"}
    by_name = _facts(kernel)[2]
    result = {}
    for parameter, value in zip(kernel.parameters, bound):
        buffer = getattr(getattr(value, "pointer", value), "buffer", None)
        if buffer is not None:
            kinds = everything if by_name is None else by_name.get(parameter.name, set())
            result[buffer] = result.get(buffer, set()) | kinds
    for name, buffer in getattr(kernel, "variables", {}).items():
        kinds = everything if by_name is None else by_name.get(name, set())
        if kinds:
            result[buffer] = kinds
    writable = kernel.writable(bound)
    return {buffer: kinds for buffer, kinds in result.items() if buffer in writable}


def read_too_early(kernel):
    """[(variable, place)] of the local variables that are read before they have a value."""
    return _facts(kernel)[3]


def _facts(kernel):
    facts = getattr(kernel, "_facts", None)
    if facts is None:
        facts = kernel._facts = _read(kernel.tree) if hasattr(kernel, "tree") else _read_python(kernel.text)
    return facts


def _read(tree):
    nodes = walk(tree.body)
    names = {n.target for n in nodes if isinstance(n, t.Call) and isinstance(n.target, str)}
    written = {
        root(n.target) for n in nodes if isinstance(n, (t.Assign, t.Increment)) and through_pointer(n.target)
    }
    pointers = any(symbol is None or symbol.storage == "local" for symbol in written)
    return (
        names,
        any(_is_wait(n, written, pointers) for n in nodes),
        _kinds(tree),
        [(symbol, node.at) for symbol, node in unassigned(tree)],
    )


def _kinds(tree):
    """{parameter name: kinds of accesses}, or None where a pointer variable or a device function stands
    between."""
    found = {}

    def look(node, kind):
        if (
            isinstance(node, (t.Index, t.Deref))
            and not isinstance(node.type, Array)
            and through_pointer(node)
            or isinstance(node, t.Name)
            and node.symbol.storage == "device"
        ):
            symbol = root(node)
            if symbol is None or (symbol.storage == "local" and hasattr(symbol.type, "to")):
                raise LookupError
            found.setdefault(symbol.name, set()).update(kind)
        if isinstance(node, t.Call) and (isinstance(node.target, t.Function) or "matrix" in node.target):
            raise LookupError
        atomic = isinstance(node, t.Call) and node.target.startswith("atomic")
        for child in children(node):
            inner = {"load"}
            if isinstance(node, (t.Assign, t.Increment)) and child is node.target:
                inner = {"store"} if isinstance(node, t.Assign) and node.op is None else {"store", "load"}
            elif atomic and child is node.arguments[0]:
                inner = {"atomic"}
            elif isinstance(node, (t.Address, t.Cast, t.Member)):
                inner = kind
            look(child, inner)

    try:
        look(tree.body, {"load"})
    except LookupError:
        return None
    return found


def _read_python(text):
    names = {"__shfl_sync"} if "shfl" in text or "syncwarp" in text else set()
    return names | ({"__syncthreads"} if "syncthreads" in text else set()), False, None, []


def _is_wait(loop, written, pointers):
    if not isinstance(loop, (t.For, t.While, t.DoWhile)):
        return False
    conditions = [loop.condition] if loop.condition is not None else []
    conditions += [
        n.condition
        for n in walk(loop.body)
        if isinstance(n, t.If) and any(isinstance(x, t.Break) for x in walk(n.then))
    ]
    sources = list(conditions)
    named = {n.symbol for c in conditions for n in walk(c) if isinstance(n, t.Name)}
    for n in walk(loop.body):  # what variables of the condition are loaded with
        if isinstance(n, t.Assign) and root(n.target) in named and not through_pointer(n.target):
            sources.append(n.value)
    return any(_reads_changing(n, written, pointers) for source in sources for n in walk(source))


def _reads_changing(node, written, pointers):
    if isinstance(node, t.Call) and isinstance(node.target, str):
        return node.target.startswith("atomic")
    if not isinstance(node, (t.Index, t.Deref)) or isinstance(node.type, Array):
        return False
    symbol = root(node)
    if symbol is None or symbol.storage == "shared" or not through_pointer(node):
        return False
    kind = getattr(symbol.type, "to", None)
    volatile = (
        getattr(symbol, "volatile", False)
        or getattr(symbol.type, "volatile", False)
        or getattr(kind, "volatile", False)
    )
    const = getattr(symbol.type, "const", False)
    return volatile or symbol in written or (pointers and not const)
