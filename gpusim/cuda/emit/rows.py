"""Rows: an optional check that an index stays in its row, for arrays of two dimensions and for flat ones
written as row * width + column."""

from __future__ import annotations

from ..analysis.data import has_effects
from ..tree import nodes as t
from ..tree.walks import root, walk
from .tables import value


def check_row(e, node, pointer):
    """pointer[r * width + c]: have the machine look whether `width` is the array's row length and c lies
    within."""
    if has_effects(node.index) or has_effects(node.base):
        return
    terms = list(_terms(node.index))
    for term in terms:
        product = _plain(term)
        if not (isinstance(product, t.Binary) and product.op == "*"):
            continue
        rest = [value(e, other) for other in terms if other is not term]
        for width in (product.right, product.left):
            if not any(isinstance(n, t.Special) and "Idx" in n.name for n in walk(width)):
                _within(e, node, f"m.width_of({pointer}, {value(e, width)})", " + ".join(rest) or "0")


def check_inner(e, node, index):
    """tile[y][x]: x must be smaller than the inner extent."""
    if getattr(node.base.type, "count", None):
        _within(e, node, str(node.base.type.count), index)


def _within(e, node, width, column):
    symbol = root(node)
    site = e.site(node, "row", name=symbol.name if symbol is not None else "memory")
    e.line(f"m.within_row({site}, {width}, {column}, {e.mask})")


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
