"""Statements: control flow on masks.  Lanes that leave a block early are taken out of the mask of what
follows."""

from __future__ import annotations

from ...errors import CudaUnsupported
from ..analysis.data import jumps
from ..tree import nodes as t
from ..tree.types import Array, Pointer, Struct, dtype, is_float
from .loops import Loop
from .places import flat, in_buffer


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
        self.line(
            f"{name} = m.local({self.constant(node.symbol.name)}, {self.type_constant(kinds[0])}, {len(kinds)}, {values})"
        )

    def _refuse_mixed(self, node):
        raise CudaUnsupported(
            f"a local {node.symbol.type} whose members have different sizes cannot be indexed or pointed to",
            line=node.at.line,
            column=node.at.column,
            hint="keep the members in arrays of their own",
        )

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
                parts = (
                    f"m.merge({self.mask}, {whole}[{i}], {frame.result}[{i}], {self.type_constant(k)})"
                    for i, k in enumerate(flat(kind))
                )
                self.line(f"{frame.result} = [{', '.join(parts)}]")
            elif isinstance(kind, Pointer):
                self.line(f"{frame.result} = m.merge_pointer({self.mask}, {value}, {frame.result})")
            else:
                self.line(
                    f"{frame.result} = m.merge({self.mask}, {value}, {frame.result}, {self.type_constant(kind)})"
                )
            frame.set = True
        self.line(f"{frame.gone} = m.join({frame.gone}, {self.mask})")

    def _do_break(self, node):
        self.line(f"{self.loops[-1].out} = m.join({self.loops[-1].out}, {self.mask})")

    def _do_continue(self, node):
        again = self._innermost().again
        self.line(f"{again} = m.join({again}, {self.mask})")

    # Branches.

    def condition(self, node):
        """The value of a condition; its outermost comparison belongs to the branch and is not counted
        again."""
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
            if None in group and group is node.cases[-1][0]:  # what is left needs no comparison, as an else
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
