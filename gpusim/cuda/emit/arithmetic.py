"""Arithmetic: the Python expressions of operators and conversions, and the count of what works on data.

On data each operator is one instruction; a multiply-add contracts to one.
"""

from __future__ import annotations

from ..analysis.data import is_data
from ..tree import nodes as t
from ..tree.types import BOOL, Pointer, Struct, dtype, is_float
from .places import flat

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def conversion(kind):
    """The name of the function of values.py that converts to a scalar type."""
    if kind == BOOL or kind.kind == "bool":
        return "to_bool"
    return {"int": "i", "uint": "u", "float": "f"}[kind.kind] + str(8 * kind.size)


def operate(op, left, right, kind):
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


def zero(e, kind, pointer="None"):
    """A zero of any type; `pointer` : what stands for one, NOWHERE where nothing is there yet."""
    if isinstance(kind, Struct):
        return f"[{', '.join(zero(e, k, pointer) for k in flat(kind))}]"
    if isinstance(kind, Pointer):
        return pointer
    if is_float(kind):
        return e.constant(dtype(kind).type(0))
    return "False" if kind.kind == "bool" else "0"


# Counting.


def count(e, node, flop):
    """Count an operator, if it works on data and is not the comparison that a branch contains."""
    if not is_data(node) or (node is e.free and isinstance(node, t.Binary) and node.op in COMPARISONS):
        return
    e.operations += not _contracts(node)
    e.flops += flop


def count_compound(e, node, common):
    """Count the operator of `target op= value`."""
    if is_data(node.value) or is_data(node.target):
        product = node.op in "+-" and is_float(common) and _is_product(node.value) and is_data(node.value)
        e.operations += not product
        e.flops += is_float(common)


def flush_arithmetic(e, node):
    """Emit the count of the arithmetic since the last flush."""
    if e.operations and e.counting:
        at = node if node is not None else e.here
        site = e.site(at, "arith", operations=e.operations, flops=e.flops)
        e.line(f"m.arith({site}, {e.mask})")
    e.operations = e.flops = 0


def _contracts(node):
    """True for a + or - that takes in the multiplication of one of its sides."""
    if not (isinstance(node, t.Binary) and node.op in "+-" and is_float(node.type)):
        return False
    return any(_is_product(side) and is_data(side) for side in (node.left, node.right))


def _is_product(node):
    return isinstance(node, t.Binary) and node.op == "*" and is_float(node.type)
