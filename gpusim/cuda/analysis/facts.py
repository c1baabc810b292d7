"""What the checks ask of a kernel's text before it runs: which built-in functions it calls, whether a loop
waits for memory."""

from __future__ import annotations

from dataclasses import dataclass

from ..tree import nodes as t
from ..tree.types import Array
from ..tree.walks import children, root, through_pointer, walk
from .unassigned import unassigned


@dataclass(frozen=True)
class Facts:
    """What a kernel's text says before it runs.

    called, waits, flags, asked, local_bytes : what the functions of these names tell; early : what `read_too_early` tells
    kinds : {parameter name: kinds of accesses}, or None where any array may be meant
    """

    called: frozenset = frozenset()
    waits: bool = False
    kinds: dict | None = None
    early: tuple = ()
    flags: frozenset = frozenset()
    asked: frozenset = frozenset()
    local_bytes: int = 0


def called(kernel):
    """The names of the built-in functions that a kernel calls.

    >>> from gpusim import load
    >>> sorted(called(load("reduce_v4")))
    ['__shfl_down_sync', '__syncthreads']
    """
    return kernel.facts.called


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
    return kernel.facts.waits


def orders_threads(kernel):
    """True if the kernel itself may order what threads do, by locks or flags: by loops that wait, by fences with
    atomics or volatile accesses, by compare-and-swap."""
    names = called(kernel)
    atomics = any(name.startswith("atomic") for name in names)
    fences = any(name.startswith("__threadfence") for name in names)
    return (
        waits(kernel)
        or any(n.startswith("atomicCAS") for n in names)
        or (fences and (atomics or flags(kernel)))
    )


def flags(kernel):
    """The names of the volatile variables and arrays through which threads may tell each other something: those that a
    loop waits for, and all in global memory.
    """
    return kernel.facts.flags


def asked(kernel):
    """The places (line, column) of the atomics and volatile reads for which a loop waits: what comes after it knows of
    all changes of that word before."""
    return kernel.facts.asked


def local_bytes(kernel):
    """What the local variables of a thread take, arrays first of all, in bytes."""
    return kernel.facts.local_bytes


def accesses_of(kernel, bound):
    """{buffer: kinds of accesses} of the arrays that a kernel may write; kinds : a set of "load", "store",
    "atomic".

    Where the text goes through pointer variables of its own, any array may be meant.
    """
    everything = {"load", "store", "atomic"}
    by_name = kernel.facts.kinds
    result = {}
    for name, buffer in kernel.arrays(bound):
        kinds = everything if by_name is None else by_name.get(name, set())
        result[buffer] = result.get(buffer, set()) | kinds
    for name, buffer in kernel.variables.items():
        kinds = everything if by_name is None else by_name.get(name, set())
        if kinds:
            result[buffer] = kinds
    writable = kernel.writable(bound)
    return {buffer: kinds for buffer, kinds in result.items() if buffer in writable}


def read_too_early(kernel):
    """[(variable, place)] of the local variables that are read before they have a value."""
    return kernel.facts.early


def facts_of(tree) -> Facts:
    """The facts of a kernel's tree."""
    nodes = walk(tree.body)
    names = {n.target for n in nodes if isinstance(n, t.Call) and isinstance(n.target, str)}
    written = {
        root(n.target) for n in nodes if isinstance(n, (t.Assign, t.Increment)) and through_pointer(n.target)
    }
    pointers = any(symbol is None or symbol.storage == "local" for symbol in written)
    return Facts(
        frozenset(names),
        any(_is_wait(n, written, pointers) for n in nodes),
        _kinds(tree),
        tuple((symbol, node.at) for symbol, node in unassigned(tree)),
        frozenset(_flags(nodes)),
        frozenset(_asked(nodes)),
        sum(
            n.symbol.type.size for n in set(nodes) if isinstance(n, t.Declare) and n.symbol.storage == "local"
        ),
    )


def _asked(nodes):
    for n in nodes:
        for source in _sources(n) if isinstance(n, (t.For, t.While, t.DoWhile)) else ():
            for x in walk(source):
                if _volatile(x) or isinstance(x, t.Call) and str(x.target).startswith("atomic"):
                    yield x.at.line, x.at.column


def _flags(nodes):
    """The names of what is read through volatile, but for shared memory outside the conditions of loops."""
    for n in nodes:
        if isinstance(n, (t.For, t.While, t.DoWhile)):
            for source in _sources(n):
                yield from (root(x).name for x in walk(source) if _volatile(x))
        elif _volatile(n) and root(n).storage not in ("shared", "dynamic"):
            yield root(n).name


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


def _is_wait(loop, written, pointers):
    if not isinstance(loop, (t.For, t.While, t.DoWhile)):
        return False
    return any(_reads_changing(n, written, pointers) for source in _sources(loop) for n in walk(source))


def _sources(loop):
    """The expressions that decide whether a loop goes on."""
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
        elif isinstance(n, t.If) and any(_sets(x, named) for x in walk(n)):  # or under what they are set
            sources.append(n.condition)
    return sources


def _sets(node, named):
    return isinstance(node, t.Assign) and root(node.target) in named and not through_pointer(node.target)


def _in_memory(node):
    """The variable that an expression reads memory by, or None."""
    if (
        isinstance(node, t.Name)
        and node.symbol.storage in ("device", "shared")
        and not isinstance(node.type, Array)
    ):
        return node.symbol
    if not isinstance(node, (t.Index, t.Deref)) or isinstance(node.type, Array) or not through_pointer(node):
        return None
    return root(node)


def _volatile(node):
    symbol = _in_memory(node)
    kind = getattr(symbol, "type", None)
    while isinstance(kind, Array):
        kind = kind.of
    return symbol is not None and any(
        getattr(x, "volatile", False) for x in (symbol, kind, getattr(kind, "to", None))
    )


def _reads_changing(node, written, pointers):
    if isinstance(node, t.Call) and isinstance(node.target, str):
        return node.target.startswith("atomic")
    if _volatile(node):
        return True
    symbol = _in_memory(node)
    if symbol is None or symbol.storage == "shared":
        return False
    return symbol in written or (pointers and not getattr(symbol.type, "const", False))
