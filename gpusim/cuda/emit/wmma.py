"""Fragments and tensor instructions: wmma's functions become operations of the machine on eight values a lane."""

from __future__ import annotations

from ..tree.types import HALF, Array, dtype
from .places import Memory, Part

HELD = 8  # different elements in each lane; factors keep each of them twice, as CUDA's headers lay them out
INSTRUCTIONS = 2  # mma.m16n8k16, for one product of 16 x 16 x 16
FLOPS = 2 * 16**3 // 32  # a lane


class Matrices:
    """Part of the emitter: wmma."""

    def matrix_call(self, node):
        """A call of one of wmma's functions."""
        return getattr(self, f"_{node.target.removeprefix('wmma::')}")(node)

    def _held(self, node, kind, count):
        """(base, stride, site) of a fragment's elements in a local array, or a Part of a struct in registers."""
        place, element = self.place(node), node.type.element
        if not isinstance(place, Memory):
            return Part(place.symbol, Array(element, count), getattr(place, "first", 0), count)
        base = place.pointer
        if place.index != "0":
            base = self.keep(f"{base}.moved({self.keep(place.index, 'at')} * {place.stride})", "p")
        site = self.site(
            node,
            kind,
            name=place.name,
            dtype=dtype(element),
            stride=element.size,
            displacement=place.displacement,
        )
        return site, base

    def _elements(self, node):
        """The Python name of the list of a fragment's eight values."""
        held = self._held(node, "load", HELD)
        if isinstance(held, Part):
            return self.keep(self.read(node, held), "x")
        site, base = held
        return self.keep(f"[m.load({site}, {base}, i, {self.mask}) for i in range({HELD})]", "x")

    def _set(self, node, values):
        """Emit the assignment of eight values (a Python expression) to a fragment."""
        count = node.type.fields[0].type.count
        values = self.keep(f"{values} * {count // HELD}" if count > HELD else values, "x")
        held = self._held(node, "store", count)
        if isinstance(held, Part):
            self.write(node, held, values)
            return
        site, base = held
        self.line(f"for i in range({count}): m.store({site}, {base}, i, {values}[i], {self.mask})")

    def _fill_fragment(self, node):
        target, value = node.arguments
        value = self.keep(self.value(value))
        self.line(f"m.whole_warps({self.site(node, 'call', name='fill_fragment')}, {self.mask})")
        self._set(target, f"([{value}] * {HELD})")
        return ""

    def _matrix(self, node, kind):
        """What the machine must know to move a matrix: sites of narrow and of wide accesses, use, layout, pointer,
        stride."""
        part, pointer, stride, layout = node.arguments
        element, title = part.type.element, self._title(pointer)
        at, stride = self.keep(self.value(pointer), "p"), self.keep(self.value(stride))
        wide = 8 if kind == "load" and element == HALF and part.type.use != "accumulator" else None
        narrow = 2 if element == HALF or not layout.value else 1
        sites = ", ".join(
            self.site(node, kind, name=title, dtype=dtype(element), width=width, stride=1, scale=width)
            if width
            else "None"
            for width in (narrow, wide)
        )
        use = self.constant(part.type.use)
        return f"({sites}), {use}, {not layout.value}, {at}, {stride}"

    def _load_matrix_sync(self, node):
        self._set(
            node.arguments[0], self.keep(f"m.load_matrix({self._matrix(node, 'load')}, {self.mask})", "x")
        )
        return ""

    def _store_matrix_sync(self, node):
        values = self._elements(node.arguments[0])
        self.line(f"m.store_matrix({self._matrix(node, 'store')}, {values}, {self.mask})")
        return ""

    def _mma_sync(self, node):
        target, *factors = node.arguments
        values = ", ".join(self._elements(factor) for factor in factors)
        site = self.site(node, "tensor", name="mma_sync", operations=INSTRUCTIONS, flops=FLOPS)
        kinds = ", ".join(self.type_constant(x.type.element) for x in (factors[2], target))
        self._set(target, self.keep(f"m.multiply({site}, {values}, ({kinds}), {self.mask})", "x"))
        return ""
