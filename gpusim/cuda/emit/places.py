"""Places: what an lvalue means, a Python variable, a part of a struct in registers, or memory behind a
pointer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import CudaUnsupported
from ..tree import nodes as t
from ..tree.types import Array, Pointer, Struct, Union, dtype
from ..tree.walks import root
from .rows import check_inner, check_row
from .tables import changes, discard, value, values


@dataclass(frozen=True)
class Variable:
    """A scalar, pointer or whole struct in registers."""

    symbol: t.Symbol
    type: object


@dataclass(frozen=True)
class Part:
    """Some of the flat values of a struct in registers: `count` of them from `first`."""

    symbol: t.Symbol
    type: object
    first: int
    count: int


@dataclass(frozen=True)
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

    def inner(self, kind, offset):
        """What lies `offset` bytes further on in this place."""
        return replace(self, type=kind, displacement=self.displacement + offset)


def steps(index, size, sign=""):
    """The Python expression for the bytes of so many elements: 64 bits, whatever the type of the number."""
    return f"{sign}{index if index.isdigit() else f'i64({index})'} * {size}"


def flat(kind):
    """The scalars and pointers that a value of this type consists of, in order; of a union, its words."""
    kind = kind.words if isinstance(kind, Union) else kind
    if isinstance(kind, Struct):
        return [s for f in kind.fields for s in flat(f.type)]
    if isinstance(kind, Array):
        return flat(kind.of) * (kind.count or 0)
    return [kind]


def in_buffer(symbol):
    """True for a local variable that needs an address: arrays, and what & is taken of."""
    return symbol.storage in ("local", "parameter") and (
        isinstance(symbol.type, Array) or symbol.address_taken
    )


def elements(e, kind):
    """The dtype of the elements of a local array (of all of it, where they differ) and their number, as text."""
    kinds = flat(kind)
    alike = len({dtype(k) for k in kinds}) == 1 and len(kinds) * kinds[0].size == kind.size
    return f"{e.type_constant(kinds[0]) if alike else e.constant(dtype(kind))}, {len(kinds)}"


def title(node):
    """What messages call the memory behind a pointer expression."""
    symbol = root(node)
    return symbol.name if symbol is not None else "memory"


def place(e, node):
    """The place that an lvalue names."""
    if isinstance(node, t.Name):
        return named(e, node.symbol)
    if isinstance(node, t.Index):
        return _indexed(e, node)
    if isinstance(node, t.Member):
        return _part_of_struct(e, node)
    if isinstance(node, t.Deref):
        return pointed_to(e, node.pointer, node.type)
    if isinstance(node, t.Cast) and isinstance(node.operand.type, type(node.type)):
        return place(e, node.operand)
    if isinstance(node, t.Comma):
        discard(e, node.left)
        return place(e, node.right)
    if _gives_itself(node):
        discard(e, node)
        return e.aliases[node.target.parameters[0]]
    raise CudaUnsupported(
        "this expression has no address that a value could be written to",
        line=node.at.line,
        column=node.at.column,
        length=node.at.length,
    )


def pointed_to(e, pointer, kind):
    """The place that a pointer expression leads to."""
    volatile = getattr(pointer.type, "volatile", False)
    return Memory(e.keep(value(e, pointer), "p"), "0", kind.size, 0, kind, title(pointer), volatile=volatile)


def once(e, place):
    """A place whose index is computed once although it is read and written."""
    if isinstance(place, Memory):
        return replace(place, index=e.keep(place.index, "at"))
    return place


def fixed(e, place):
    """A place that stays where it is, whatever happens to its pointer and index."""
    if isinstance(place, Memory):
        return replace(place, pointer=e.fix(place.pointer, stem="p"), index=e.fix(place.index, stem="at"))
    return place


def _gives_itself(node):
    """True for a call of a method that returns *this."""
    return isinstance(node, t.Call) and getattr(node.target, "itself", False)


def named(e, symbol):
    """The place of a variable."""
    if symbol in e.aliases:
        return e.aliases[symbol]
    if symbol.storage in ("local", "parameter") and not in_buffer(symbol):
        return Variable(symbol, symbol.type)
    size = max(1, symbol.type.size)
    return Memory(e.name(symbol), "0", size, 0, symbol.type, symbol.name, in_buffer(symbol), symbol.volatile)


def _indexed(e, node):
    size = node.type.size
    if isinstance(node.base.type, Pointer):
        pointer, index = values(e, [node.base, node.index])
        pointer = e.keep(pointer, "p")
        if e.rows:
            check_row(e, node, pointer)
        kind = node.base.type
        return Memory(pointer, index, size, 0, node.type, title(node.base), volatile=kind.volatile)
    base = place(e, node.base)
    if changes(e, node.index):
        base = fixed(e, base)
    index = value(e, node.index)
    if isinstance(base, (Variable, Part)):
        return _part_of_array(node, base, index)
    if e.rows and base.index != "0":
        check_inner(e, node, index)
    if base.index == "0":
        pointer = base.pointer
    elif base.stride % size == 0:
        pointer, times = base.pointer, f" * {base.stride // size}" if base.stride != size else ""
        index = f"i64({base.index}{times} + {index})"
    else:
        pointer = e.keep(f"{base.pointer}.moved({steps(base.index, base.stride)})", "p")
    return replace(base, pointer=pointer, index=index, stride=size, type=node.type)


def _part_of_array(node, base, index):
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


def _part_of_struct(e, node):
    kind = node.base.type
    member = kind.field(node.field)
    made = isinstance(node.base, (t.Call, t.Construct, t.Select, t.Assign)) and not _gives_itself(node.base)
    base = _unnamed(e, node.base) if made else place(e, node.base)
    if isinstance(base, Memory):
        return base.inner(member.type, member.offset)
    before = sum(len(flat(f.type)) for f in kind.fields[: kind.fields.index(member)])
    first = base.first if isinstance(base, Part) else 0
    return Part(base.symbol, member.type, first + before, len(flat(member.type)))


def _unnamed(e, node):
    """A struct that a call or a constructor gives, as a variable."""
    whole = t.Symbol("value", node.type, "local", node.at, e.new_region())
    e.line(f"{e.name(whole)} = {value(e, node)}")
    return Variable(whole, node.type)
