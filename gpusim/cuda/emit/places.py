"""Places: what an lvalue means, a Python variable, a part of a struct in registers, or memory behind a
pointer."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import CudaUnsupported
from ..tree import nodes as t
from ..tree.types import Array, Pointer, Scalar, Struct, dtype
from ..tree.walks import root
from .rows import Rows


@dataclass
class Variable:
    """A scalar, pointer or whole struct in registers."""

    symbol: t.Symbol
    type: object


@dataclass
class Part:
    """Some of the flat values of a struct in registers: `count` of them from `first`."""

    symbol: t.Symbol
    type: object
    first: int
    count: int


@dataclass
class Memory:
    """pointer[index] with `stride` bytes between neighbours, `displacement` bytes further on."""

    pointer: str
    index: str
    stride: int
    displacement: int
    type: object
    name: str
    local: bool = False
    volatile: bool = False


def flat(kind):
    """The scalars and pointers that a value of this type consists of, in order."""
    if isinstance(kind, Struct):
        return [s for f in kind.fields for s in flat(f.type)]
    if isinstance(kind, Array):
        return flat(kind.of) * (kind.count or 0)
    return [kind]


def one_access(kind):
    """True if the hardware moves a value of this type with one instruction: scalars, pointers, aligned
    vectors."""
    if not isinstance(kind, Struct):
        return not isinstance(kind, Array)
    return kind.vector and kind.align == kind.size and kind.size <= 16


def in_buffer(symbol):
    """True for a local variable that needs an address: arrays, and what & is taken of."""
    return symbol.storage in ("local", "parameter") and (
        isinstance(symbol.type, Array) or symbol.address_taken
    )


class Places(Rows):
    """Part of the emitter: lvalues, loads and stores."""

    def place(self, node):
        """The place that an lvalue names."""
        if isinstance(node, t.Name):
            return self._named(node)
        if isinstance(node, t.Index):
            return self._indexed(node)
        if isinstance(node, t.Member):
            return self._part_of_struct(node)
        if isinstance(node, t.Deref):
            return Memory(
                self.keep(self.value(node.pointer), "p"),
                "0",
                node.type.size,
                0,
                node.type,
                self._title(node.pointer),
            )
        if isinstance(node, t.Cast) and isinstance(node.operand.type, type(node.type)):
            return self.place(node.operand)
        raise CudaUnsupported(
            "this expression has no address that a value could be written to",
            line=node.at.line,
            column=node.at.column,
            length=node.at.length,
        )

    def _named(self, node):
        symbol = node.symbol
        if symbol in self.aliases:
            return self.aliases[symbol]
        if symbol.storage in ("local", "parameter") and not in_buffer(symbol):
            return Variable(symbol, symbol.type)
        return Memory(
            self.name(symbol),
            "0",
            max(1, symbol.type.size),
            0,
            symbol.type,
            symbol.name,
            in_buffer(symbol),
            symbol.volatile,
        )

    def _indexed(self, node):
        size, index = node.type.size, self.value(node.index)
        if isinstance(node.base.type, Pointer):
            if self.rows:
                self.check_row(node, self.value(node.base))
            return Memory(
                self.keep(self.value(node.base), "p"), index, size, 0, node.type, self._title(node.base)
            )
        base = self.place(node.base)
        if isinstance(base, (Variable, Part)):
            return self._part_of_array(node, base, index)
        if self.rows and base.index != "0":
            self.check_inner(node, index, base)
        if base.index == "0":
            return Memory(
                base.pointer, index, size, base.displacement, node.type, base.name, base.local, base.volatile
            )
        if base.stride % size == 0:
            joined = (
                f"i64({base.index} * {base.stride // size} + {index})"
                if base.stride != size
                else f"i64({base.index} + {index})"
            )
            return Memory(
                base.pointer, joined, size, base.displacement, node.type, base.name, base.local, base.volatile
            )
        moved = self.keep(f"{base.pointer}.moved({base.index} * {base.stride})", "p")
        return Memory(moved, index, size, base.displacement, node.type, base.name, base.local, base.volatile)

    def _part_of_array(self, node, base, index):
        count = len(flat(node.type))
        if not index.isdigit():
            raise CudaUnsupported(
                "an array inside a struct in registers needs a constant index",
                line=node.at.line,
                column=node.at.column,
                hint="use a plain local array",
            )
        first = base.first if isinstance(base, Part) else 0
        return Part(base.symbol, node.type, first + int(index) * count, count)

    def _part_of_struct(self, node):
        kind = node.base.type
        member = kind.field(node.field)
        if isinstance(node.base, (t.Call, t.Construct, t.Select)):
            whole = t.Symbol("value", kind, "local", node.at, self._next_region())
            self.line(f"{self.name(whole)} = {self.value(node.base)}")
            base = Variable(whole, kind)
        else:
            base = self.place(node.base)
        if isinstance(base, Memory):
            return Memory(
                base.pointer,
                base.index,
                base.stride,
                base.displacement + member.offset,
                member.type,
                base.name,
                base.local,
                base.volatile,
            )
        before = sum(len(flat(f.type)) for f in kind.fields[: kind.fields.index(member)])
        first = base.first if isinstance(base, Part) else 0
        return Part(base.symbol, member.type, first + before, len(flat(member.type)))

    @staticmethod
    def _title(node):
        symbol = root(node)
        return symbol.name if symbol is not None else "memory"

    # Reading.

    def read(self, node, place):
        """The Python expression for the value at a place."""
        if isinstance(place, Variable):
            return self.name(place.symbol)
        if isinstance(place, Part):
            name = self.name(place.symbol)
            if isinstance(place.type, (Struct, Array)):
                return f"{name}[{place.first}:{place.first + place.count}]"
            return f"{name}[{place.first}]"
        return self._load(node, place)

    def _load(self, node, place):
        if one_access(place.type):
            site = self._access(node, "load", place)
            return f"m.load({site}, {place.pointer}, {place.index}, {self.mask})"
        pointer, index = place.pointer, self.keep(place.index, "at")
        parts = [
            self._load(
                node,
                Memory(
                    pointer, index, place.stride, place.displacement + offset, kind, place.name, place.local
                ),
            )
            for offset, kind in pieces(place.type)
        ]
        spread = ", ".join(
            f"*{p}" if isinstance(kind, Struct) else p for p, (_, kind) in zip(parts, pieces(place.type))
        )
        return f"[{spread}]"

    def _access(self, node, kind, place):
        value = place.type
        width = len(value.fields) if isinstance(value, Struct) else 1
        scalar = value.fields[0].type if isinstance(value, Struct) else value
        return self.site(
            node,
            kind,
            name=place.name,
            dtype=dtype(scalar),
            width=width,
            stride=place.stride,
            displacement=place.displacement,
            volatile=place.volatile,
        )

    # Writing.

    def write(self, node, place, value):
        """Emit the assignment of a value (a Python expression) to a place, under the present mask."""
        if isinstance(place, Variable):
            self.assign(place.symbol, value)
        elif isinstance(place, Part):
            self._write_part(place, value)
        elif one_access(place.type):
            site = self._access(node, "store", place)
            self.line(f"m.store({site}, {place.pointer}, {place.index}, {value}, {self.mask})")
        else:
            whole, index, at = self.keep(value), self.keep(place.index, "at"), 0
            for offset, kind in pieces(place.type):
                count = len(flat(kind))
                part = f"{whole}[{at}:{at + count}]" if isinstance(kind, Struct) else f"{whole}[{at}]"
                self.write(
                    node,
                    Memory(
                        place.pointer,
                        index,
                        place.stride,
                        place.displacement + offset,
                        kind,
                        place.name,
                        place.local,
                    ),
                    part,
                )
                at += count

    def _write_part(self, place, value):
        name = self.name(place.symbol)
        kinds = flat(place.type)
        if not isinstance(place.type, (Struct, Array)):
            self.line(
                f"{name}[{place.first}] = {self.merged(place.symbol, value, f'{name}[{place.first}]', kinds[0])}"
            )
            return
        whole = self.keep(value)
        for i, kind in enumerate(kinds):
            self.line(
                f"{name}[{place.first + i}] = {self.merged(place.symbol, f'{whole}[{i}]', f'{name}[{place.first + i}]', kind)}"
            )

    def assign(self, symbol, value):
        """Emit `symbol = value` for the lanes of the present mask."""
        name = self.name(symbol)
        if isinstance(symbol.type, Struct):
            if self.homes[symbol].number == self.region.number:
                self.line(f"{name} = list({value})")
                return
            whole = self.keep(value)
            merged = ", ".join(
                self.merged(symbol, f"{whole}[{i}]", f"{name}[{i}]", kind)
                for i, kind in enumerate(flat(symbol.type))
            )
            self.line(f"{name} = [{merged}]")
            return
        self.line(f"{name} = {self.merged(symbol, value, name, symbol.type)}")

    def merged(self, symbol, new, old, kind):
        """The value after an assignment: new for the lanes of the present mask, old for the others.

        In the region of its declaration a variable has no other lanes; nor has it where the mask has not
        changed since.
        """
        home = self.homes[symbol]
        if home.number == self.region.number or self.mask == "True":
            return new
        if isinstance(kind, Pointer):
            merge = f"m.merge_pointer({self.mask}, {new}, {old})"
        else:
            merge = f"m.merge({self.mask}, {new}, {old}, {self.type_constant(kind)})"
        return merge if home.mask == "True" else f"{new} if {self.mask} is {home.mask} else {merge}"

    def type_constant(self, kind):
        """The name of a NumPy dtype."""
        key = f"D_{dtype(kind).char}" if not isinstance(kind, Scalar) or kind.kind != "bool" else "D_bool"
        self.constants[key] = dtype(kind)
        return key


def pieces(kind):
    """(offset, type) of the single accesses that move a struct."""
    if one_access(kind):
        return [(0, kind)]
    if isinstance(kind, Array):
        return [
            (i * kind.of.size + offset, piece) for i in range(kind.count) for offset, piece in pieces(kind.of)
        ]
    return [(f.offset + offset, piece) for f in kind.fields for offset, piece in pieces(f.type)]
