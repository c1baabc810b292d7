"""Loops: iterated under a mask that thins out; counting loops are offered to the machine as one step."""

from __future__ import annotations

from ..analysis.data import jumps
from ..analysis.endings import ending
from ..analysis.loops import counting_loop, unrolled
from ..tree import nodes as t
from .arithmetic import flush_arithmetic
from .branches import condition
from .onestep import close_step, open_step
from .packed import may_pack, pack, unpack
from .state import Loop, Region
from .statements import exits, less
from .tables import STATEMENTS, discard, emits, statement


@emits(STATEMENTS, t.While, t.DoWhile)
def _while(e, node):
    _loop(e, node, None, test_first=isinstance(node, t.While))


@emits(STATEMENTS, t.For)
def _for(e, node):
    for declaration in _start(node):
        statement(e, declaration)
    counting = counting_loop(node) if e.symbolic and node.condition is not None else None
    _loop(e, node, node.step, counting=counting)


def _start(node):
    """The statements at the head of a For."""
    start = getattr(node, "start", None)
    if start is None:
        return []
    return start.body if isinstance(start, t.Block) else [start]


def _loop(e, node, step, test_first=True, counting=None):
    left = jumps(node.body)
    mask, loop = e.fresh("m"), Loop(e.fresh("out"), e.fresh("again"), e.scope)
    site = _loop_site(e, node)
    e.line(f"{mask} = {e.mask}")
    e.line(f"{loop.out} = False")
    if not e.site_names[site].surely:
        e.line(f"m.begin({site})")
    opened = open_step(e, node, counting) if counting else None
    e.loops.append(loop)
    head = len(e.lines)
    e.line("while True:")
    outside, e.region = e.region, Region(mask, e.new_region())
    e.scope += 1
    _adopt(e, node)
    with e.indented():
        packed = may_pack(e, node, node.condition, node.body)
        if test_first:
            _test(e, node, site, mask)
        if packed:
            pack(e, packed, mask, head)
        _round(e, node, left, mask, loop)
        if step is not None:
            e.here = node
            discard(e, step)
            flush_arithmetic(e, node)
        if not test_first:
            _test(e, node, site, mask)
        if opened:
            close_step(e, opened)
    if packed:
        unpack(e, packed)
    e.scope -= 1
    e.region = outside
    e.loops.pop()


def _round(e, node, left, mask, loop):
    """The body, and who goes on after it."""
    if "continue" in left:
        e.line(f"{loop.again} = False")
    e.scope += 1
    statement(e, node.body)
    e.scope -= 1
    gone = exits(e, left - {"continue"})
    if gone:
        e.line(f"{mask} = {less(mask, gone)}")
        e.line(f"if {mask} is False: break")


def _adopt(e, node):
    """A loop's own variable belongs to its inside: lanes that have left never ask for it again."""
    for declaration in _start(node):
        if isinstance(declaration, t.Declare):
            e.settle(declaration.symbol)


def _test(e, node, site, mask):
    test = "True" if node.condition is None else condition(e, node.condition)
    flush_arithmetic(e, node)
    e.line(f"{mask} = m.loop({site}, {mask}, {test})")
    e.line(f"if {mask} is False: break")
    if e.site_names[site].memory and not e.symbolic:  # others may have to go on first
        e.line("if m.turns: yield")


def _loop_site(e, node):
    """The site of a loop, which knows what decides about its end."""
    end = ending(node)
    known = end.watched is not None and not any(s in e.aliases for s in end.watched)
    return e.site(
        node,
        "loop",
        unrolled=unrolled(node),
        counts=end.counts,
        surely=end.surely,
        watched={e.name(s): s.name for s in end.watched} if known else None,
        memory=end.memory or not known,
        meets=end.meets,
        weight=end.weight,
    )
