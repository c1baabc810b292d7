"""Loops: iterated under a mask that thins out; counting loops are offered to the machine as one step."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.data import counting_loop, is_data, jumps, unrolled
from ..analysis.endings import ending
from ..tree import nodes as t
from ..tree.types import Array, Fragment, Pointer
from ..tree.walks import walk
from .calls import BARRIERS
from .places import Memory, flat, in_buffer


@dataclass
class Loop:
    """Where `break` and `continue` send their lanes; `again` is None for a switch."""

    out: str
    again: str | None


def carried(kind):
    """Registers in which a variable of this type goes from one round of a loop to the next; the factors of a matrix
    product are loaded anew.
    """
    if isinstance(kind, Array):
        return kind.count * carried(kind.of)
    return 0 if isinstance(kind, Fragment) and kind.layout else len(flat(kind))


class Loops:
    """Part of the emitter: loops."""

    def _do_while(self, node):
        self._loop(node, node.condition, node.body, None)

    def _do_dowhile(self, node):
        self._loop(node, node.condition, node.body, None, test_first=False)

    def _do_for(self, node):
        if node.start is not None:
            for declaration in node.start.body if isinstance(node.start, t.Block) else [node.start]:
                self.statement(declaration)
        counting = counting_loop(node) if self.symbolic and node.condition is not None else None
        self._loop(node, node.condition, node.body, node.step, counting=counting)

    def _loop(self, node, condition, body, step, test_first=True, counting=None):
        left = jumps(body)
        mask, out, again = self.fresh("m"), self.fresh("out"), self.fresh("again")
        site = self._loop_site(node)
        self.line(f"{mask} = {self.mask}")
        self.line(f"{out} = False")
        if not self.site_names[site].surely:
            self.line(f"m.begin({site})")
        before = self.mask
        opened = self._open(node, counting) if counting else None
        self.loops.append(Loop(out, again))
        old = self.enter(mask)
        self._adopt(node)
        self._loop_head = len(self.lines)
        self.line("while True:")
        self.depth += 1
        packing = self._may_pack(node, condition, body)
        if test_first:
            self._test(node, site, condition, mask)
        if packing:
            self._pack(mask, packing)
        if "continue" in left:
            self.line(f"{again} = False")
        self.statement(body)
        self.region.mask = mask
        for where in self._exits(left - {"continue"}):
            self.line(f"{mask} = m.without({mask}, {where})")
        if left - {"continue"}:
            self.line(f"if {mask} is False: break")
        if step is not None:
            self.here = node
            self.discard(step)
            self.flush_arithmetic(node)
        if not test_first:
            self._test(node, site, condition, mask)
        if opened:
            self._close(opened)
        self.depth -= 1
        if packing:
            self._unpack(packing)
        self.leave(old)
        self.loops.pop()
        self.region.mask = before

    # Loops whose length depends on data: the machine may carry on with the warps that still run.

    def _may_pack(self, node, condition, body):
        """(state, names) for a loop of uneven length without barriers: the variables that it needs; or
        None."""
        nodes = walk(node)
        uneven = condition is not None and is_data(condition)
        if self.symbolic or not uneven or any(isinstance(n, t.Call) and n.target in BARRIERS for n in nodes):
            return None
        declared = {n.symbol for n in walk(body) if isinstance(n, t.Declare)}
        symbols = {
            n.symbol: None
            for n in nodes
            if isinstance(n, t.Name)
            and n.symbol.storage in ("local", "parameter")
            and n.symbol not in declared
            and n.symbol not in self.aliases
        }
        specials = {n.name: None for n in nodes if isinstance(n, t.Special) and "Idx" in n.name}
        known = [s for s in symbols if s in self.homes]
        if any(s in self.aliases or s.reference for s in symbols) or len(known) < len(symbols):
            return None
        if any(isinstance(n, t.Call) and isinstance(n.target, t.Function) for n in nodes):
            return None
        names = [self.name(s) for s in known] + [self.special(n) for n in specials] + [self.loops[-1].out]
        names += [self.frames[-1].gone] if "return" in jumps(body) else []
        return self.fresh("H"), names

    def _pack(self, mask, packing):
        state, names = packing
        self.lines.insert(self._loop_head, "    " * (self.depth - 1) + f"{state} = None")
        self.line(
            f"if m.crowded_out({mask}): {state}, {mask}, {', '.join(names)} = m.pack({state}, {mask}, {', '.join(names)})"
        )

    def _unpack(self, packing):
        state, names = packing
        self.line(f"if {state}: {', '.join(names)}, = m.unpack({state}, {', '.join(names)})")

    def _adopt(self, node):
        """A loop's own variable belongs to its inside: lanes that have left never ask for it again."""
        start = getattr(node, "start", None)
        for declaration in (
            (start.body if isinstance(start, t.Block) else [start]) if start is not None else ()
        ):
            if isinstance(declaration, t.Declare):
                self.homes[declaration.symbol] = self.region

    def _loop_site(self, node):
        """The site of a loop, which knows what decides about its end."""
        end = ending(node)
        known = end.watched is not None and not any(s in self.aliases for s in end.watched)
        watched = {self.name(s): s.name for s in end.watched} if known else None
        return self.site(
            node,
            "loop",
            unrolled=unrolled(node),
            counts=end.counts,
            surely=end.surely,
            watched=watched,
            memory=end.memory or not known,
            meets=end.meets,
            weight=end.weight,
        )

    def _test(self, node, site, condition, mask):
        test = "True" if condition is None else self.condition(condition)
        self.flush_arithmetic(node)
        self.line(f"{mask} = m.loop({site}, {mask}, {test})")
        self.line(f"if {mask} is False: break")

    # Counting loops, in symbolic code only: the first time round stands for all times that are certain.

    def _open(self, node, counting):
        variable = self.name(counting.variable)
        steps = {s: self._step_value(s, e) for s, e in counting.inductions.items()}
        loop = self.fresh("L")
        self.line(
            f"{loop} = m.axis({self.site(node, 'axis')}, {self.mask}, {variable}, {self.constant(counting.op)}, "
            f"{self.value(counting.bound)}, {steps[counting.variable]}, {unrolled(node)}, "
            f"{sum(carried(s.type) for s in counting.blurred)})"
        )
        starts = {s: self.fresh("t") for s in counting.inductions}
        self.line(f"if {loop}:")
        self.depth += 1
        for symbol, start in starts.items():
            self.line(f"{start} = {self.name(symbol)}")
            self.line(f"{self.name(symbol)} = {loop}.along({start}, {steps[symbol]})")
        self._blur(counting.blurred)
        self.depth -= 1
        return loop, starts, steps, counting.blurred

    def _step_value(self, symbol, step):
        value = self.value(step)
        return f"{value} * {symbol.type.to.size}" if isinstance(symbol.type, Pointer) else value

    def _blur(self, symbols):
        """Before and after the one iteration that stands for all, what carries loaded values is unknown."""
        for symbol in symbols:
            meant = self.aliases.get(symbol)  # of a reference: what it stands for
            if isinstance(meant, Memory):
                if meant.local:
                    self.line(f"m.blur_array({meant.pointer})")
                continue
            symbol = meant.symbol if meant else symbol
            name = self.name(symbol)
            self.line(f"m.blur_array({name})" if in_buffer(symbol) else f"{name} = m.blur({name})")

    def _close(self, opened):
        loop, starts, steps, blurred = opened
        self.line(f"if {loop}:")
        self.depth += 1
        for symbol, start in starts.items():
            self.line(f"{self.name(symbol)} = {loop}.past({start}, {steps[symbol]})")
        self._blur(blurred)
        self.line(f"{loop} = m.leave({loop})")
        self.depth -= 1
