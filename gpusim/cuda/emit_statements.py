"""Statements: control flow on masks.  Lanes that leave a block early are taken out of the mask of what follows."""
from __future__ import annotations

from dataclasses import dataclass

from . import tree as t
from .analyse import counting_loop, is_data, jumps, unrolled, walk
from .emit_calls import BARRIERS
from .emit_places import flat, in_buffer
from .types import Array, Pointer, Struct, dtype, is_float


@dataclass
class Loop:
    """Where `break` and `continue` send their lanes; `again` is None for a switch."""
    out: str
    again: str | None


class Statements:
    """Part of the emitter: statements."""

    def statement(self, node):
        self.here = node
        getattr(self, f"_do_{type(node).__name__.lower()}")(node)

    def _do_block(self, node):
        entry, opened = self.mask, 0
        for i, statement in enumerate(node.body):
            self.statement(statement)
            left = jumps(statement)
            if isinstance(statement, (t.Break, t.Continue, t.Return)):
                break
            if left and i + 1 < len(node.body):
                self._thin_out(left)
                self.line(f"if {self.mask} is not False:")
                self.depth += 1
                opened += 1
        self.line("pass")
        self.depth -= opened
        self.region.mask = entry

    def _thin_out(self, left):
        """Take the lanes that have left out of the present mask."""
        mask = self.mask
        for where in self._exits(left):
            mask = f"m.without({mask}, {where})"
        name = self.fresh("m")
        self.line(f"{name} = {mask}")
        self.region.mask = name

    def _exits(self, left):
        if "break" in left:
            yield self.loops[-1].out
        if "continue" in left:
            yield self._innermost().again
        if "return" in left:
            yield self.frames[-1].gone

    def _innermost(self):
        return next(loop for loop in reversed(self.loops) if loop.again is not None)

    # Declarations.

    def parameters(self, function):
        """Emit what the kernel's parameters need before the body."""
        for parameter in function.parameters:
            self.homes[parameter] = self.region
            if in_buffer(parameter):
                self._start(parameter, self.name(parameter))

    def _do_declare(self, node):
        symbol, kind = node.symbol, node.symbol.type
        self.homes[symbol] = self.region
        name = self.name(symbol)
        if symbol.storage == "shared":
            self.line(f"{name} = m.shared({self.constant((symbol.name, symbol.number))}, {kind.size})")
        elif symbol.storage == "dynamic":
            self.line(f"{name} = m.dynamic({self.constant(symbol.name)})")
        elif symbol.reference:
            self.aliases[symbol] = self._once(self.place(node.value))
        elif isinstance(kind, Array) or (isinstance(kind, Struct) and symbol.address_taken):
            self._declare_array(node, name)
        else:
            value = self.value(node.value) if node.value is not None else self._unset(kind)
            if isinstance(kind, Struct):
                value = f"list({value})"
            self._start(symbol, value)
        self.flush_arithmetic(node)

    def _declare_array(self, node, name):
        kinds = flat(node.symbol.type)
        same = {dtype(k) for k in kinds}
        if len(same) != 1:
            self._refuse_mixed(node)
        values = "None"
        if node.value is not None:
            values = self._all_values(node.value, node.symbol.type)
        self.line(f"{name} = m.local({self.constant(node.symbol.name)}, {self.type_constant(kinds[0])}, {len(kinds)}, {values})")

    def _refuse_mixed(self, node):
        from ..errors import CudaUnsupported
        raise CudaUnsupported(f"a local {node.symbol.type} whose members have different sizes cannot be indexed or pointed to",
                              line=node.at.line, column=node.at.column, hint="keep the members in arrays of their own")

    def _all_values(self, value, kind):
        if not isinstance(value, t.Construct):
            return f"list({self.value(value)})"
        parts = []
        element = kind.of if isinstance(kind, Array) else None
        kinds = [element] * kind.count if element is not None else [f.type for f in kind.fields]
        for i, part_kind in enumerate(kinds):
            if i >= len(value.parts):
                parts += [self.zero(k) for k in flat(part_kind)]
            elif isinstance(part_kind, (Array, Struct)):
                parts.append(f"*{self._all_values(value.parts[i], part_kind)}")
            else:
                parts.append(self.value(value.parts[i]))
        return f"[{', '.join(parts)}]"

    def _unset(self, kind):
        if isinstance(kind, Struct):
            return f"[{', '.join(self._unset(k) for k in flat(kind))}]"
        if isinstance(kind, Pointer):
            return "None"
        return self.constant(dtype(kind).type(float("nan"))) if is_float(kind) else self.zero(kind)

    # Straight code.

    def _do_evaluate(self, node):
        self.discard(node.expression)
        self.flush_arithmetic(node)

    def _do_return(self, node):
        frame = self.frames[-1]
        if node.value is not None and frame.result is not None:
            value = self.value(node.value)
            self.flush_arithmetic(node)
            kind = frame.function.result
            if not frame.set and frame.home.number == self.region.number:
                self.line(f"{frame.result} = {value}")
            elif isinstance(kind, Struct):
                whole = self.keep(value)
                parts = (f"m.merge({self.mask}, {whole}[{i}], {frame.result}[{i}], {self.type_constant(k)})"
                         for i, k in enumerate(flat(kind)))
                self.line(f"{frame.result} = [{', '.join(parts)}]")
            elif isinstance(kind, Pointer):
                self.line(f"{frame.result} = m.merge_pointer({self.mask}, {value}, {frame.result})")
            else:
                self.line(f"{frame.result} = m.merge({self.mask}, {value}, {frame.result}, {self.type_constant(kind)})")
            frame.set = True
        self.line(f"{frame.gone} = m.join({frame.gone}, {self.mask})")

    def _do_break(self, node):
        self.line(f"{self.loops[-1].out} = m.join({self.loops[-1].out}, {self.mask})")

    def _do_continue(self, node):
        again = self._innermost().again
        self.line(f"{again} = m.join({again}, {self.mask})")

    # Branches.

    def condition(self, node):
        """The value of a condition; its outermost comparison belongs to the branch and is not counted again."""
        inner = node
        while isinstance(inner, t.Cast):
            inner = inner.operand
        outer, self.free_comparison = getattr(self, "free_comparison", None), inner
        value = self.value(node)
        self.free_comparison = outer
        return value

    def _do_if(self, node):
        if isinstance(node.condition, t.Literal):
            side = node.then if node.condition.value else node.other
            if side is not None:
                self.statement(side)
            return
        condition = self.condition(node.condition)
        self.flush_arithmetic(node)
        then, other = self.fresh("m"), self.fresh("m")
        self.line(f"{then}, {other} = m.split({self.site(node, 'branch')}, {self.mask}, {condition})")
        for mask, side in ((then, node.then), (other, node.other)):
            if side is not None:
                self.line(f"if {mask} is not False:")
                self._body(mask, side)

    def _body(self, mask, side):
        old = self.enter(mask)
        self.depth += 1
        self.statement(side)
        self.line("pass")
        self.depth -= 1
        self.leave(old)

    def _do_switch(self, node):
        value = self.keep(self.value(node.value), "t")
        self.flush_arithmetic(node)
        out, fall, rest = self.fresh("out"), self.fresh("fall"), self.fresh("m")
        labels = [label for group, _ in node.cases for label in group if label is not None]
        none = " , ".join(f"opposite({value} == {int(label)})" for label in labels)
        self.line(f"{out} = {fall} = False")
        self.line(f"{rest} = {self.mask}")
        self.loops.append(Loop(out, None))
        for group, body in node.cases:
            match = "True" if not labels else None
            if None in group:
                match = f"all_of({none})" if labels else "True"
                if any(label is not None for label in group):
                    match = f"any_of({match}, {', '.join(f'{value} == {int(x)}' for x in group if x is not None)})"
            else:
                match = f"any_of({', '.join(f'{value} == {int(x)}' for x in group)})"
            taken, here = self.fresh("m"), self.fresh("m")
            if None in group and group is node.cases[-1][0]:          # what is left needs no comparison, as an else
                self.line(f"{taken}, {here} = {rest}, False")
            else:
                self.line(f"{taken}, {here} = m.split({self.site(node, 'branch')}, {rest}, {match})")
            self.line(f"{rest} = {here}")
            self.line(f"{taken} = m.join({taken}, {fall})")
            self.line(f"if {taken} is not False:")
            block = t.Block(node.at, body)
            self._body(taken, block)
            left = set().union(*(jumps(s) for s in body)) if body else set()
            self.line(f"{fall} = {taken}")
            for where in self._exits(left):
                self.line(f"{fall} = m.without({fall}, {where})")
        self.loops.pop()

    # Loops.

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
        self.line(f"{mask} = {self.mask}")
        self.line(f"{out} = False")
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
            self._test(node, condition, mask)
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
            self._test(node, condition, mask)
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
        """(state, names) for a loop of uneven length without barriers: the variables that it needs; or None."""
        nodes = list(walk(node))
        uneven = condition is not None and is_data(condition)
        if self.symbolic or not uneven or any(isinstance(n, t.Call) and n.target in BARRIERS for n in nodes):
            return None
        declared = {n.symbol for n in walk(body) if isinstance(n, t.Declare)}
        symbols = {n.symbol: None for n in nodes if isinstance(n, t.Name)
                   and n.symbol.storage in ("local", "parameter") and n.symbol not in declared and n.symbol not in self.aliases}
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
        self.line(f"if m.crowded_out({mask}): {state}, {mask}, {', '.join(names)} = m.pack({state}, {mask}, {', '.join(names)})")

    def _unpack(self, packing):
        state, names = packing
        self.line(f"if {state}: {', '.join(names)}, = m.unpack({state}, {', '.join(names)})")

    def _adopt(self, node):
        """A loop's own variable belongs to its inside: lanes that have left never ask for it again."""
        start = getattr(node, "start", None)
        for declaration in (start.body if isinstance(start, t.Block) else [start]) if start is not None else ():
            if isinstance(declaration, t.Declare):
                self.homes[declaration.symbol] = self.region

    def _test(self, node, condition, mask):
        test = "True" if condition is None else self.condition(condition)
        self.flush_arithmetic(node)
        self.line(f"{mask} = m.loop({self.site(node, 'loop', unrolled=unrolled(node))}, {mask}, {test})")
        self.line(f"if {mask} is False: break")

    # Counting loops, in symbolic code only: the first time round stands for all times that are certain.

    def _open(self, node, counting):
        variable = self.name(counting.variable)
        steps = {s: self._step_value(s, e) for s, e in counting.inductions.items()}
        loop = self.fresh("L")
        self.line(f"{loop} = m.axis({self.site(node, 'axis')}, {self.mask}, {variable}, {self.constant(counting.op)}, "
                  f"{self.value(counting.bound)}, {steps[counting.variable]}, {unrolled(node)}, "
                  f"{sum(len(flat(s.type)) for s in counting.blurred)})")
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
