"""Fragments and tensor instructions: wmma's functions become operations of the machine on eight values a lane."""

from __future__ import annotations

from dataclasses import dataclass

from ...units import LANES
from ..tree.types import HALF, Array, dtype
from .access import read, write
from .places import Part, place, title
from .tables import emits, value

HELD = 8  # different elements in each lane; factors keep each of them twice, as CUDA's headers lay them out
INSTRUCTIONS = 2  # mma.m16n8k16, for one product of 16 x 16 x 16
FLOPS = 2 * 16**3 // LANES  # a lane

MATRICES = {}  # name of one of wmma's functions: what emits a call of it


@dataclass
class InMemory:
    """A fragment's elements in a local array: names of the site of an access and of the pointer to the first."""

    site: str
    base: str


def _held(e, node, kind, count):
    """Where `count` elements of a fragment are: InMemory, or a Part of a struct in registers."""
    found, element = place(e, node), node.type.element
    if not hasattr(found, "pointer"):
        return Part(found.symbol, Array(element, count), getattr(found, "first", 0), count)
    base = found.pointer
    if found.index != "0":
        base = e.keep(f"{base}.moved({e.keep(found.index, 'at')} * {found.stride})", "p")
    site = e.site(
        node,
        kind,
        name=found.name,
        dtype=dtype(element),
        stride=element.size,
        displacement=found.displacement,
    )
    return InMemory(site, base)


def _elements(e, node):
    """The Python name of the list of a fragment's eight values."""
    held = _held(e, node, "load", HELD)
    if isinstance(held, Part):
        return e.keep(read(e, node, held), "x")
    return e.keep(f"[m.load({held.site}, {held.base}, i, {e.mask}) for i in range({HELD})]", "x")


def _set(e, node, values):
    """Emit the assignment of eight values (a Python expression) to a fragment."""
    count = node.type.fields[0].type.count
    values = e.keep(f"{values} * {count // HELD}" if count > HELD else values, "x")
    held = _held(e, node, "store", count)
    if isinstance(held, Part):
        write(e, node, held, values)
        return
    e.line(f"for i in range({count}): m.store({held.site}, {held.base}, i, {values}[i], {e.mask})")


@emits(MATRICES, "wmma::fill_fragment")
def _fill(e, node, used):
    target, given = node.arguments
    given = e.keep(value(e, given))
    e.line(f"m.whole_warps({e.site(node, 'call', name='fill_fragment')}, {e.mask})")
    _set(e, target, f"([{given}] * {HELD})")
    return ""


def _matrix(e, node, kind):
    """What the machine must know to move a matrix: sites of narrow and of wide accesses, use, layout, pointer,
    stride."""
    part, pointer, stride, layout = node.arguments
    element, name = part.type.element, title(pointer)
    at, stride = e.keep(value(e, pointer), "p"), e.keep(value(e, stride))
    wide = 8 if kind == "load" and element == HALF and part.type.use != "accumulator" else None
    narrow = 2 if element == HALF or not layout.value else 1
    sites = ", ".join(
        e.site(node, kind, name=name, dtype=dtype(element), width=width, stride=1, scale=width)
        if width
        else "None"
        for width in (narrow, wide)
    )
    use = e.constant(part.type.use)
    return f"({sites}), {use}, {not layout.value}, {at}, {stride}"


@emits(MATRICES, "wmma::load_matrix_sync")
def _load_matrix(e, node, used):
    _set(e, node.arguments[0], e.keep(f"m.load_matrix({_matrix(e, node, 'load')}, {e.mask})", "x"))
    return ""


@emits(MATRICES, "wmma::store_matrix_sync")
def _store_matrix(e, node, used):
    values = _elements(e, node.arguments[0])
    e.line(f"m.store_matrix({_matrix(e, node, 'store')}, {values}, {e.mask})")
    return ""


@emits(MATRICES, "wmma::mma_sync")
def _mma(e, node, used):
    target, *factors = node.arguments
    values = ", ".join([_elements(e, factor) for factor in factors])
    site = e.site(node, "tensor", name="mma_sync", operations=INSTRUCTIONS, flops=FLOPS)
    kinds = ", ".join(e.type_constant(x.type.element) for x in (factors[2], target))
    _set(e, target, e.keep(f"m.multiply({site}, {values}, ({kinds}), {e.mask})", "x"))
    return ""
