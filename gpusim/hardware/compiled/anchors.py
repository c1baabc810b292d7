"""Anchors: what a run tells about how often warps execute the lines of a text, for `flow` to hold machine code against.

Accesses, barriers, tensor instructions and arithmetic of each line are known exactly; loops give how often their
lines are visited, from the text's tree.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from ...cuda.tree import nodes as t
from ...cuda.tree.types import is_float
from ...cuda.tree.walks import children, within

LOOPS = (t.For, t.While, t.DoWhile)


@dataclass(frozen=True)
class Round:
    """The loop around a line: warps that come to it, and rounds that they make in all."""

    entries: int
    rounds: int


@dataclass
class Anchors:
    """warps : of the launch

    accesses : {(line, space, kind): (requests, bytes a lane of one request)}; barriers, tensor : {line: warps}
    arithmetic : {line: floating-point instructions of warps}; splits : {line: divergent branches}
    loops : {line: [Round]} of the loops around it, from inside to outside; sites : {(line, space, kind): accesses in the text}
    """

    warps: int
    accesses: dict = field(default_factory=dict)
    sites: dict = field(default_factory=dict)
    barriers: dict = field(default_factory=dict)
    tensor: dict = field(default_factory=dict)
    arithmetic: dict = field(default_factory=dict)
    splits: dict = field(default_factory=dict)
    loops: dict = field(default_factory=dict)


def anchors(run) -> Anchors:
    """The anchors of a run or a count."""
    blocks = run.grid[0] * run.grid[1] * run.grid[2]
    threads = run.block[0] * run.block[1] * run.block[2]
    found = Anchors(blocks * -(-threads // 32))
    accesses, barriers, tensor, splits, counted = (defaultdict(int) for _ in range(5))
    sizes, sites, rounds = {}, defaultdict(int), {}
    for (site, space, kind), entry in run.tally.entries.items():
        if space:
            key = site.line, space, kind.removesuffix("_inc")
            accesses[key] += int(entry.cost[0])
            sizes[key], sites[key] = site.size, sites[key] + 1
        elif site.kind == "barrier":
            barriers[site.line] += entry.warps
        elif site.kind == "tensor":
            tensor[site.line] += entry.warps * site.operations
        elif site.kind == "arith" and site.flops:
            counted[site.line] += entry.warps * site.operations
        elif site.kind in ("branch", "loop"):
            splits[site.line] += entry.split
            if site.kind == "loop":
                rounds[site.line, site.column] = entry.warps
    found.accesses = {key: (requests, sizes[key]) for key, requests in accesses.items()}
    found.sites, found.barriers, found.tensor, found.splits = sites, barriers, tensor, splits
    _visit(run.kernel.tree.body, (), False, rounds, found)
    found.arithmetic |= counted  # what loads feed is counted, the rest follows from the text
    return found


def _visit(node, around, guarded, rounds, found):
    """Walk the tree with the loops around a node, from inside to outside, and whether an `if` decides about it."""
    if isinstance(node, LOOPS):
        checks = rounds.get((node.at.line, node.at.column))
        entries = around[0].rounds if around else found.warps
        if checks is not None:
            around = (Round(min(entries, checks), max(checks - entries, 0)), *around)
        for line in {below.at.line for below in within(node)}:
            found.loops[line] = around
        _visit(node.body, around, guarded or checks is None, rounds, found)
        return
    if isinstance(node, (t.Evaluate, t.Declare)) and not guarded:
        visits = around[0].rounds if around else found.warps
        operations = _operations(node)
        if operations:
            line = node.at.line
            found.arithmetic[line] = found.arithmetic.get(line, 0) + visits * operations
    for child in children(node, called=False):
        if isinstance(child, t.Statement):
            _visit(child, around, guarded or isinstance(node, (t.If, t.Switch)), rounds, found)


def _operations(statement):
    """Single-precision instructions of a statement, a multiply-add as one; 0 where a division, a call or a choice
    makes that uncertain."""
    count = 0
    for node in within(statement):
        if isinstance(node, (t.Call, t.Select, t.Cast)) and not _plain(node):
            return 0
        operation = isinstance(node, (t.Binary, t.Assign)) and node.op
        if not operation or not is_float(node.type) or node.type.size != 4:
            continue
        if operation == "/":
            return 0
        parts = (node.left, node.right) if isinstance(node, t.Binary) else (node.value,)
        fused = operation in "+-" and any(isinstance(part, t.Binary) and part.op == "*" for part in parts)
        count += operation in "+-*" and not fused
    return count


def _plain(node):
    return isinstance(node, t.Cast) and not is_float(node.type)
