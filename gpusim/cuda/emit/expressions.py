"""Expressions: each becomes a Python expression; what must happen before it is emitted as lines first."""

from __future__ import annotations

from ..analysis.data import has_effects, is_data
from ..text.literals import text_codes
from ..tree import nodes as t
from ..tree.fold import convert_value
from ..tree.types import BOOL, CHAR, Array, Pointer, Scalar, Struct, dtype, is_float, is_integer
from ..tree.walks import walk
from .places import Variable, flat

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def conversion(kind):
    """The name of the function of values.py that converts to a scalar type."""
    if kind == BOOL or kind.kind == "bool":
        return "to_bool"
    return {"int": "i", "uint": "u", "float": "f"}[kind.kind] + str(8 * kind.size)


class Expressions:
    """Part of the emitter: rvalues."""

    def value(self, node):
        """The Python expression for a node's value."""
        return getattr(self, f"_{type(node).__name__.lower()}")(node)

    def discard(self, node):
        """Emit an expression whose value nobody needs."""
        if isinstance(node, t.Assign):
            self._do_assign(node)
        elif isinstance(node, t.Increment):
            self._do_increment(node)
        elif isinstance(node, t.Comma):
            self.discard(node.left)
            self.discard(node.right)
        elif isinstance(node, t.Call):
            self.call_statement(node)
        elif has_effects(node):
            self.line(self.value(node))

    # Leaves.

    def _literal(self, node):
        value = node.value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(node.type, Pointer):
            return "None"
        if is_float(node.type):
            return self.constant(dtype(node.type).type(value))
        if value is True or value is False:
            return repr(bool(value))
        return f"({int(value)})" if value < 0 else repr(int(value))

    def _text(self, text):
        """A pointer to the characters of a text in quotes, with the 0 behind them."""
        codes = [convert_value(code, CHAR) for code in text_codes(text)]
        return f"m.local({self.constant(repr(text))}, {self.type_constant(CHAR)}, {len(codes)}, {codes})"

    def _name(self, node):
        return self.read(node, self.place(node))

    def _special(self, node):
        return self.special(node.name)

    def _index(self, node):
        return self.read(node, self.place(node))

    def _member(self, node):
        return self.read(node, self.place(node))

    def _deref(self, node):
        return self.read(node, self.place(node))

    def _address(self, node):
        place = self.place(node.operand)
        if isinstance(place, Variable):
            return self.name(place.symbol)
        distance = f"{place.index} * {place.stride}" if place.index != "0" else ""
        if place.displacement:
            distance = f"{distance} + {place.displacement}" if distance else f"{place.displacement}"
        return f"{place.pointer}.moved({distance})" if distance else place.pointer

    # Operators.

    def _unary(self, node):
        value = self.value(node.operand)
        if node.op == "!":
            return f"opposite({value})"
        self._count(node, flop=is_float(node.type))
        if is_float(node.type):
            return f"(-{value})"
        return f"{conversion(node.type)}({node.op}{value})"

    def _binary(self, node):
        if node.op in ("&&", "||"):
            return self._short_circuit(node)
        if isinstance(node.left.type, (Pointer, Array)) or isinstance(node.right.type, (Pointer, Array)):
            return self._pointer_binary(node)
        left = self.value(node.left)
        if has_effects(node.right) and any(map(_changes_something, walk(node.right))):
            left = self.keep(left)
        right = self.value(node.right)
        self._count(node, flop=is_float(node.left.type) and node.op in "+-*/")
        return self.operate(node.op, left, right, node.left.type)

    def operate(self, op, left, right, kind):
        """left op right for values of one scalar type."""
        if op == "*" and is_float(kind):
            return f"times({left}, {right})"
        if op in COMPARISONS or is_float(kind):
            return f"({left} {op} {right})"
        wrap = conversion(kind)
        if op in ("/", "%"):
            return f"{'divide' if op == '/' else 'remainder'}({left}, {right}, {wrap})"
        if op in ("<<", ">>"):
            return f"shift_{'left' if op == '<<' else 'right'}({left}, {right}, {8 * kind.size}, {wrap})"
        return f"{wrap}({left} {op} {right})"

    def _pointer_binary(self, node):
        left, right = self.value(node.left), self.value(node.right)
        if node.op in COMPARISONS:
            return f"compare_pointers({left}, {right}, {self.constant(node.op)})"
        if isinstance(node.right.type, Pointer) and isinstance(node.left.type, Pointer):
            return f"pointer_difference({left}, {right}, {node.left.type.to.size})"
        if isinstance(node.right.type, Pointer):
            left, right, pointer = right, left, node.right.type
        else:
            pointer = node.left.type
        sign = "-" if node.op == "-" else ""
        return f"{left}.moved({sign}{right} * {pointer.to.size})"

    def _short_circuit(self, node):
        left = self.value(node.left)
        join = "both" if node.op == "&&" else "either"
        if not has_effects(node.right):
            return f"{join}({left}, {self.value(node.right)})"
        left, result = self.keep(left, "c"), self.fresh("c")
        needed = left if node.op == "&&" else f"opposite({left})"
        self.line(f"{result} = {node.op == '||'}")
        self.under(
            f"m.meet({self.mask}, {needed})", lambda: self.line(f"{result} = {self.value(node.right)}")
        )
        return f"{join}({left}, {result})"

    def under(self, mask, emit):
        """Emit lines that run for the lanes of `mask` only; arithmetic in them is counted for those lanes."""
        name = self.fresh("m")
        self.line(f"{name} = {mask}")
        self.line(f"if {name} is not False:")
        old, outside = self.enter(name), (self.operations, self.flops)
        self.operations = self.flops = 0
        self.depth += 1
        emit()
        self.flush_arithmetic(None)
        self.depth -= 1
        self.operations, self.flops = outside
        self.leave(old)

    def _select(self, node):
        self._count(node, flop=False)
        condition = self.value(node.condition)
        if not has_effects(node.then) and not has_effects(node.other):
            return self._choose(node.type, condition, self.value(node.then), self.value(node.other))
        condition = self.keep(condition, "c")
        then, other = self.fresh("t"), self.fresh("t")
        self.line(f"{then} = {other} = {self.zero(node.type)}")
        self.under(
            f"m.meet({self.mask}, {condition})", lambda: self.line(f"{then} = {self.value(node.then)}")
        )
        self.under(
            f"m.meet({self.mask}, opposite({condition}))",
            lambda: self.line(f"{other} = {self.value(node.other)}"),
        )
        return self._choose(node.type, condition, then, other)

    def _choose(self, kind, condition, then, other):
        if isinstance(kind, Pointer):
            return f"choose_pointer({condition}, {then}, {other})"
        if isinstance(kind, Struct):
            kinds = f"[{', '.join(self.type_constant(k) for k in flat(kind))}]"
            return f"[select({condition}, a, b, d) for a, b, d in zip({then}, {other}, {kinds})]"
        return f"select({condition}, {then}, {other}, {self.type_constant(kind)})"

    def zero(self, kind):
        """A zero of any type."""
        if isinstance(kind, Struct):
            return f"[{', '.join(self.zero(k) for k in flat(kind))}]"
        if isinstance(kind, Pointer):
            return "None"
        if is_float(kind):
            return self.constant(dtype(kind).type(0))
        return "False" if kind.kind == "bool" else "0"

    def _cast(self, node):
        source, target = node.operand.type, node.type
        value = self.value(node.operand)
        if isinstance(target, Struct) or isinstance(target, Pointer) or source == target:
            return value
        if isinstance(target, Scalar) and target.kind == "void":
            return value
        if isinstance(source, Pointer):
            return f"pointer_number({value})" if target.kind != "bool" else f"({value} is not None)"
        if is_integer(source) and is_integer(target) and isinstance(node.operand, t.Literal):
            return self._literal(t.Literal(node.at, target, convert_value(int(node.operand.value), target)))
        return f"{conversion(target)}({value})"

    def _construct(self, node):
        if isinstance(node.type, Array):
            return "[" + ", ".join(self.value(p) for p in node.parts) + "]"
        values, kinds = [], [f.type for f in node.type.fields]
        for i, kind in enumerate(kinds):
            part = self.value(node.parts[i]) if i < len(node.parts) else self.zero(kind)
            values.append(f"*{part}" if isinstance(kind, (Struct, Array)) else part)
        return f"[{', '.join(values)}]"

    def _comma(self, node):
        self.discard(node.left)
        return self.value(node.right)

    # Assignments.

    def _assign(self, node):
        self._do_assign(node)
        return self.value(node.target)

    def _do_assign(self, node):
        if node.op is None:
            value = self.value(node.value)
            place = self.place(node.target)
            self.write(node.target, place, value)
            return
        place = self._once(self.place(node.target))
        old = self.read(node.target, place)
        if isinstance(node.target.type, Pointer):
            sign = "-" if node.op == "-" else ""
            self.write(
                node.target,
                place,
                f"{old}.moved({sign}{self.value(node.value)} * {node.target.type.to.size})",
            )
            return
        common = node.common or node.target.type
        value = self.value(node.value)
        if common != node.target.type:
            old = f"{conversion(common)}({old})"
        self._count_compound(node, common)
        new = self.operate(node.op, old, value, common)
        if common != node.target.type:
            new = f"{conversion(node.target.type)}({new})"
        self.write(node.target, place, new)

    def _once(self, place):
        """A place whose index is computed once although it is read and written."""
        if hasattr(place, "index"):
            place.index = self.keep(place.index, "at")
        return place

    def _increment(self, node):
        old = None
        if not node.prefix:
            old = self.fresh("t")
            place = self._once(self.place(node.target))
            self.line(f"{old} = {self.read(node.target, place)}")
            self._write_increment(node, place, old)
            return old
        self._do_increment(node)
        return self.value(node.target)

    def _do_increment(self, node):
        place = self._once(self.place(node.target))
        self._write_increment(node, place, self.read(node.target, place))

    def _write_increment(self, node, place, old):
        kind = node.target.type
        if isinstance(kind, Pointer):
            self.write(node.target, place, f"{old}.moved({node.op}{kind.to.size})")
            return
        self._count(node, flop=is_float(kind))
        one = self.constant(dtype(kind).type(1)) if is_float(kind) else "1"
        self.write(node.target, place, self.operate(node.op, old, one, kind))

    # Arithmetic on data: one instruction each; a multiply-add contracts to one.

    def _count(self, node, flop):
        if not is_data(node):
            return
        if (
            isinstance(node, t.Binary)
            and node.op in COMPARISONS
            and getattr(self, "free_comparison", None) is node
        ):
            return
        self.operations += not self._contracts(node)
        self.flops += flop

    def _contracts(self, node):
        """True for a + or - that takes in the multiplication of one of its sides."""
        if not (isinstance(node, t.Binary) and node.op in "+-" and is_float(node.type)):
            return False
        return any(_is_product(side) and is_data(side) for side in (node.left, node.right))

    def _count_compound(self, node, common):
        if not is_data(node.value) and not is_data(node.target):
            return
        product = node.op in "+-" and is_float(common) and _is_product(node.value) and is_data(node.value)
        self.operations += not product
        self.flops += is_float(common)

    def flush_arithmetic(self, node):
        """Emit the count of the arithmetic since the last flush."""
        if self.operations and self.counting:
            at = node if node is not None else self.here
            site = self.site(at, "arith", operations=self.operations, flops=self.flops)
            self.line(f"m.arith({site}, {self.mask})")
        self.operations = self.flops = 0


def _is_product(node):
    return isinstance(node, t.Binary) and node.op == "*" and is_float(node.type)


def _changes_something(node):
    return isinstance(node, (t.Assign, t.Increment, t.Call))
