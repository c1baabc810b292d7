"""Rows: an optional check that an index stays in its row, for arrays of two dimensions and for flat ones
written as row * width + column."""

from __future__ import annotations

from ..analysis.data import has_effects
from ..tree import nodes as t
from ..tree.walks import root, walk


class Rows:
    """Part of the emitter, used when the launch asks for the check."""

    def check_row(self, node, pointer):
        """pointer[r * width + c]: have the machine look whether `width` is the array's row length and c lies
        within."""
        if has_effects(node.index) or has_effects(node.base):
            return
        terms = list(_terms(node.index))
        for term in terms:
            product = _plain(term)
            if not (isinstance(product, t.Binary) and product.op == "*"):
                continue
            rest = [self.value(other) for other in terms if other is not term]
            for width in (product.right, product.left):
                if not any(isinstance(n, t.Special) and "Idx" in n.name for n in walk(width)):
                    self._within(node, f"m.width_of({pointer}, {self.value(width)})", " + ".join(rest) or "0")

    def check_inner(self, node, index, base):
        """tile[y][x]: x must be smaller than the inner extent."""
        if getattr(node.base.type, "count", None):
            self._within(node, str(node.base.type.count), index)

    def _within(self, node, width, column):
        symbol = root(node)
        site = self.site(node, "row", name=symbol.name if symbol is not None else "memory")
        self.line(f"m.within_row({site}, {width}, {column}, {self.mask})")


def _plain(node):
    while isinstance(node, t.Cast):
        node = node.operand
    return node


def _terms(node):
    node = _plain(node)
    if isinstance(node, t.Binary) and node.op == "+":
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node
