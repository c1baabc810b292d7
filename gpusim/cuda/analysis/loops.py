"""Which loops count: from a start to a bound in equal steps, so that their rounds are known before they run."""

from __future__ import annotations

from dataclasses import dataclass

from ..tree import nodes as t
from ..tree.types import Array, Pointer, Scalar, Struct, is_float
from ..tree.walks import root, through_pointer, walk
from .data import jumps


@dataclass
class Counting:
    """A loop `for (v = start; v op bound; v += step)` whose iterations differ by multiples of their number
    only.

    inductions : {symbol: step expression, signed}; blurred : symbols that carry loaded values from one
        iteration to the next
    """

    variable: t.Symbol
    op: str
    bound: t.Expression
    inductions: dict
    blurred: list


def unrolled(loop):
    """True if the compiler unrolls a loop so that its rounds run as one: both ends are known, no pragma says
    otherwise, and no barrier keeps the rounds apart.
    """
    if not isinstance(loop, t.For) or loop.unroll == 1 or loop.condition is None or loop.start is None:
        return False
    if any(isinstance(n, t.Call) and str(n.target).startswith("__syncthreads") for n in walk(loop.body)):
        return False
    found = comparison_of(loop.condition)
    start = loop.start.body[0] if isinstance(loop.start, t.Block) and loop.start.body else loop.start
    first = (
        start.value
        if isinstance(start, t.Declare)
        else getattr(getattr(start, "expression", None), "value", None)
    )
    return found is not None and isinstance(_uncast(found[2]), t.Literal) and isinstance(first, t.Literal)


_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}


def counting_loop(loop):
    """Describe a For as a counting loop, or return None: then it is iterated."""
    found = comparison_of(loop.condition)
    if found is None or jumps(loop.body) & {"break", "return"}:
        return None
    variable, op, bound = found
    declared = set(_born_in(loop))
    changes = _changes(loop, declared)
    if changes is None:
        return None
    inductions, blurred = changes
    changed = set(inductions) | set(blurred)
    if variable not in inductions or any(
        not _invariant(e, changed | declared) for e in (bound, *inductions.values())
    ):
        return None
    return Counting(variable, op, bound, inductions, blurred)


def _born_in(loop):
    """Variables that each iteration makes anew: declarations, and the parameters of functions that it
    calls."""
    for part in (loop.body, loop.step):
        for node in walk(part) if part else ():
            if isinstance(node, t.Declare):
                yield node.symbol
            elif isinstance(node, t.Call) and isinstance(node.target, t.Function):
                yield from (p for p in node.target.parameters if not p.reference)


def comparison_of(node):
    """(variable, operator, bound) of a comparison with a local variable on one side, or None."""
    node = _uncast(node)
    if not isinstance(node, t.Binary) or node.op not in _MIRROR:
        return None
    left, right = _uncast(node.left), _uncast(node.right)
    if isinstance(left, t.Name) and left.symbol.storage in ("local", "parameter"):
        return left.symbol, node.op, node.right
    if isinstance(right, t.Name) and right.symbol.storage in ("local", "parameter"):
        return right.symbol, _MIRROR[node.op], node.left
    return None


def _uncast(node):
    while isinstance(node, t.Cast):
        node = node.operand
    return node


def _changes(loop, declared):
    """({induction symbol: step}, [blurred symbols]) of what the loop assigns and the outside knows, or
    None."""
    inductions, blurred, others = {}, [], set()
    steady = {id(e) for e in every_time(loop)}
    for part in (loop.body, loop.step):
        for node in walk(part) if part else ():
            target = getattr(node, "target", None) if isinstance(node, (t.Assign, t.Increment)) else None
            if target is None or isinstance(target, (str, t.Function)):
                continue
            symbol = root(target)
            if symbol is None or symbol in declared or through_pointer(target):
                continue
            if symbol.reference:
                return None
            carries = symbol.data or is_float(symbol.type) or _holds_floats(symbol.type)
            if carries and not isinstance(symbol.type, Pointer):
                if symbol not in blurred:
                    blurred.append(symbol)
                continue
            step = (
                _step(node)
                if id(node) in steady and isinstance(target, t.Name) and symbol not in others
                else None
            )
            if step is None or symbol in inductions:
                return None
            inductions[symbol] = step
            others.add(symbol)
    for symbol in _matrices(loop.body):
        if symbol not in declared:
            blurred += [symbol] * (symbol not in blurred)
    for node in walk(loop.body):
        if isinstance(node, t.Call) and isinstance(node.target, t.Function):
            for parameter, argument in zip(node.target.parameters, node.arguments):
                symbol = root(argument)
                place = argument.operand if isinstance(argument, t.Address) else argument
                if (
                    (parameter.reference or isinstance(argument, t.Address))
                    and symbol is not None
                    and symbol not in declared
                    and not through_pointer(place)  # memory: the pointer to it stays what it is
                ):
                    if symbol.data or _holds_floats(symbol.type):
                        blurred += [symbol] * (symbol not in blurred)
                    elif parameter.reference or symbol.storage == "local":
                        return None
    return inductions, blurred


_WRITING = ("wmma::fill_fragment", "wmma::load_matrix_sync", "wmma::mma_sync")


def _matrices(body):
    """The variables that wmma's functions write to; of references, those that they stand for."""
    nodes = walk(body)
    meant = {n.symbol: root(n.value) for n in nodes if isinstance(n, t.Declare) and n.symbol.reference}
    for node in nodes:
        if isinstance(node, t.Call) and node.target in _WRITING:
            symbol = root(node.arguments[0])
            while symbol in meant:
                symbol = meant[symbol]
            if symbol is not None and not (symbol.reference and symbol.storage == "parameter"):
                yield symbol


def _holds_floats(kind):
    while isinstance(kind, Array):
        kind = kind.of
    if isinstance(kind, Struct):
        return all(_holds_floats(f.type) for f in kind.fields)
    return isinstance(kind, Scalar) and is_float(kind)


def every_time(loop):
    """Expressions that run once in every iteration, for every lane."""
    body = loop.body.body if isinstance(loop.body, t.Block) else [loop.body]
    if "continue" in jumps(loop.body):
        body = []
    for statement in body:
        if isinstance(statement, t.Evaluate):
            yield from _commas(statement.expression)
    if getattr(loop, "step", None) is not None:
        yield from _commas(loop.step)


def _commas(node):
    if isinstance(node, t.Comma):
        yield from _commas(node.left)
        yield from _commas(node.right)
    else:
        yield node


def _step(node):
    """The (expression, sign) that an induction adds, or None."""
    if isinstance(node, t.Increment):
        return t.Literal(node.at, node.target.type, 1 if node.op == "+" else -1)
    if node.op == "+":
        return node.value
    if node.op == "-":
        return t.Unary(node.at, node.value.type, "-", node.value)
    return None


def _invariant(node, changed):
    """True if an expression has the same value in every iteration and loads nothing."""
    for part in walk(node):
        if isinstance(part, (t.Index, t.Deref, t.Call, t.Assign, t.Increment)):
            return False
        if isinstance(part, t.Name) and (
            part.symbol in changed or part.symbol.data or part.symbol.storage not in ("local", "parameter")
        ):
            return False
    return True
