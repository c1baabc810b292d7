"""Fragments and tensor instructions: wmma's functions become operations of the machine on eight values a lane."""

from __future__ import annotations

from dataclasses import replace

from .emit_places import Memory, Part
from .types import HALF, Array, dtype

HELD = 8  # different elements in each lane; factors keep each of them twice, as CUDA's headers lay them out
INSTRUCTIONS = 2  # mma.m16n8k16, for one product of 16 x 16 x 16
FLOPS = 2 * 16**3 // 32  # a lane


class Matrices:
    """Part of the emitter: wmma."""

    def matrix_call(self, node):
        """A call of one of wmma's functions."""
        return getattr(self, f"_{node.target.removeprefix('wmma::')}")(node)

    def _held(self, node, count=HELD):
        """The place of a fragment's elements, of the first `count`."""
        place, kind = self.place(node), Array(node.type.element, count)
        if isinstance(place, Memory):
            return replace(self._once(place), type=kind)
        return Part(place.symbol, kind, getattr(place, "first", 0), count)

    def _elements(self, node):
        """The Python name of the list of a fragment's eight values."""
        return self.keep(self.read(node, self._held(node)), "x")

    def _set(self, node, values):
        count = node.type.fields[0].type.count
        times = f" * {count // HELD}" if count > HELD else ""
        self.write(node, self._held(node, count), self.keep(f"{values}{times}", "x"))

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
            self.site(node, kind, name=title, dtype=dtype(element), width=width, stride=1)
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
        kind = self.type_constant(target.type.element)
        self._set(target, self.keep(f"m.multiply({site}, {values}, {kind}, {self.mask})", "x"))
        return ""
