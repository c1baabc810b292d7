"""Reading and writing places: a name, a part of a list, or a load or store of the machine; a write changes the lanes
of the present mask only."""

from __future__ import annotations

from ..tree.types import Array, Pointer, Struct, Union, dtype
from .places import Memory, Part, Variable, flat, once
from .state import copied


def one_access(kind):
    """True if the hardware moves a value of this type with one instruction: scalars, pointers, aligned
    vectors."""
    if not isinstance(kind, Struct):
        return not isinstance(kind, Array)
    return kind.vector and kind.align == kind.size and kind.size <= 16


def pieces(kind):
    """(offset, type) of the single accesses that move a struct."""
    kind = kind.words if isinstance(kind, Union) else kind
    if one_access(kind):
        return [(0, kind)]
    if isinstance(kind, Array):
        return [
            (i * kind.of.size + offset, piece) for i in range(kind.count) for offset, piece in pieces(kind.of)
        ]
    return [(f.offset + offset, piece) for f in kind.fields for offset, piece in pieces(f.type)]


def access_site(e, node, kind, place):
    """The name of a new site for one access to a place in memory."""
    value = place.type
    scalar = value.fields[0].type if isinstance(value, Struct) else value
    return e.site(
        node,
        kind,
        name=place.name,
        dtype=dtype(scalar),
        width=len(value.fields) if isinstance(value, Struct) else 1,
        stride=place.stride,
        displacement=place.displacement,
        volatile=place.volatile,
    )


# Reading.


def read(e, node, place):
    """The Python expression for the value at a place."""
    if isinstance(place, Variable):
        return e.name(place.symbol)
    if isinstance(place, Memory):
        return _load(e, node, place)
    whole = isinstance(place.type, (Struct, Array))
    part = f"{place.first}:{place.first + place.count}" if whole else place.first
    return f"{e.name(place.symbol)}[{part}]"


def _load(e, node, place):
    if one_access(place.type):
        site = access_site(e, node, "load", place)
        return f"m.load({site}, {place.pointer}, {place.index}, {e.mask})"
    place = once(e, place)
    parts = []
    for offset, kind in pieces(place.type):
        part = _load(e, node, place.inner(kind, offset))
        parts.append(f"*{part}" if isinstance(kind, Struct) else part)
    return f"[{', '.join(parts)}]"


# Writing.


def write(e, node, place, value):
    """Emit the assignment of a value (a Python expression) to a place, under the present mask."""
    if isinstance(place, Variable):
        assign(e, place.symbol, value)
    elif isinstance(place, Part):
        _write_part(e, place, value)
    elif one_access(place.type):
        site = access_site(e, node, "store", place)
        e.line(f"m.store({site}, {place.pointer}, {place.index}, {value}, {e.mask})")
    else:
        whole, place, at = e.keep(value), once(e, place), 0
        for offset, kind in pieces(place.type):
            count = len(flat(kind))
            part = f"{whole}[{at}:{at + count}]" if isinstance(kind, Struct) else f"{whole}[{at}]"
            write(e, node, place.inner(kind, offset), part)
            at += count


def _write_part(e, place, value):
    name, kinds = e.name(place.symbol), flat(place.type)
    values = [value]
    if isinstance(place.type, (Struct, Array)):
        whole = e.keep(value)
        values = [f"{whole}[{i}]" for i in range(len(kinds))]
    for i, (new, kind) in enumerate(zip(values, kinds), place.first):
        e.line(f"{name}[{i}] = {merged(e, place.symbol, new, f'{name}[{i}]', kind)}")


def assign(e, symbol, value):
    """Emit `symbol = value` for the lanes of the present mask."""
    name = e.name(symbol)
    if not isinstance(symbol.type, Struct):
        e.line(f"{name} = {merged(e, symbol, value, name, symbol.type)}")
    elif e.homes[symbol].number == e.region.number:
        e.line(f"{name} = {copied(value, symbol.type)}")
    else:
        whole = e.keep(value)
        parts = (
            merged(e, symbol, f"{whole}[{i}]", f"{name}[{i}]", kind)
            for i, kind in enumerate(flat(symbol.type))
        )
        e.line(f"{name} = [{', '.join(parts)}]")


def merged(e, symbol, new, old, kind):
    """The value after an assignment: new for the lanes of the present mask, old for the others.

    In the region that is its home a variable has no other lanes; nor has it where the mask has not
    changed since.
    """
    home = e.homes[symbol]
    if home.number == e.region.number or e.mask == "True":
        return new
    if home.mask == "True":
        return merge_of(e, new, old, kind)
    new = e.keep(new)
    return f"{new} if {e.mask} is {home.mask} else {merge_of(e, new, old, kind)}"


def merge_of(e, new, old, kind):
    """The Python expression for `new` in the lanes of the present mask and `old` in the others."""
    if isinstance(kind, Pointer):
        return f"m.merge_pointer({e.mask}, {new}, {old})"
    return f"m.merge({e.mask}, {new}, {old}, {e.type_constant(kind)})"
