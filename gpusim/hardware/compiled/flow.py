"""How often warps execute machine instructions, worked out from what a run tells of the text's lines.

The basic blocks of the machine code form a graph; what flows in flows out, but for warps that split or end.  The
accesses, barriers and arithmetic of each line say how often its copies are executed in all; a linear program finds
the flow that agrees with them best (SciPy's HiGHS, where it is installed).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from .anchors import Anchors, anchors
from .listing import Listing

FLOATS = ("FADD", "FMUL", "FFMA")
TENSOR = ("HMMA", "IMMA", "DMMA", "QGMMA", "HGMMA")
EXACT, CLOSE = 1.0, 0.3  # what a warp too many or too few at an anchor costs
RATHER, FAINT = (
    1e-3,
    1e-6,
)  # of two flows that agree: fewer predicated accesses and splits, then fewer instructions


@dataclass(frozen=True)
class Flow:
    """warp_instructions, divergent_branches : of the whole launch; blocks : [(first instruction, behind the last)]
    times : how often warps execute each block; doubt : share of the anchors that the flow could not keep"""

    warp_instructions: int
    divergent_branches: int
    blocks: list
    times: list
    doubt: float


def flow(listing: Listing, run) -> Flow:
    """Executions of each basic block of a listing in a run (or a count)."""
    return _Program(listing.instructions, anchors(run)).solved()


def basic_blocks(instructions) -> list[tuple[int, int]]:
    """(first, behind the last) of the runs of instructions that are entered at the top and left at the bottom."""
    place = {instruction.address: number for number, instruction in enumerate(instructions)}
    starts = {0}
    for number, instruction in enumerate(instructions):
        if instruction.target in place:
            starts.add(place[instruction.target])
        if instruction.jumps or instruction.name in ("BSSY", "BSYNC", "WARPSYNC"):
            starts.add(number + 1)
    ordered = sorted(start for start in starts if start < len(instructions))
    return list(zip(ordered, [*ordered[1:], len(instructions)]))


class _Program:
    """A linear program: the executions of each block, the flow along each edge, what misses an anchor."""

    def __init__(self, instructions, known: Anchors):
        self.instructions, self.known = instructions, known
        self.blocks = basic_blocks(instructions)
        self.block_at = {n: b for b, (first, end) in enumerate(self.blocks) for n in range(first, end)}
        self.costs, self.equal, self.most = [], [], []  # rows: ({variable: factor}, value)
        self.times = [self.variable(FAINT * (end - first)) for first, end in self.blocks]
        self.inflow, self.origin, self.backward = defaultdict(list), {}, set()
        self.splits = defaultdict(list)  # line -> variables of its branches
        self.missed = []
        self.graph()
        self.anchor()

    def variable(self, cost=0.0):
        self.costs.append(cost)
        return len(self.costs) - 1

    def near(self, factors, value, under, over):
        """A sum that should be `value`: each unit below costs `under`, each above `over`."""
        short, beyond = self.variable(under), self.variable(over)
        self.equal.append(({**factors, short: 1, beyond: -1}, value))
        if under == EXACT:
            self.missed.append((short, beyond, value))

    # The graph

    def graph(self):
        place = {instruction.address: number for number, instruction in enumerate(self.instructions)}
        waiting = {}  # barrier register -> the block that set it
        for block, (_, end) in enumerate(self.blocks):
            last = self.instructions[end - 1]
            following = block + 1 if block + 1 < len(self.blocks) else None
            target = self.block_at.get(place.get(last.target))
            if last.name == "BSSY":
                waiting[last.operands.split(",")[0]] = block
            self.leave(block, last, following, target, waiting)
        for block, time in enumerate(self.times):
            entering = {edge: -1 for edge in self.inflow[block]}
            self.equal.append(({time: 1, **entering}, self.known.warps if block == 0 else 0))

    def leave(self, block, last, following, target, waiting):
        """Edges out of a block, by its last instruction."""
        if last.conditional and last.opcode != "BRA.DIV" and target is not None and following is not None:
            taken, passed, split = (
                self.edge(block, target),
                self.edge(block, following),
                self.variable(RATHER),
            )
            self.splits[last.line].append(split)
            self.equal.append(({self.times[block]: 1, split: 1, taken: -1, passed: -1}, 0))
            self.most += [({split: 1, taken: -1}, 0), ({split: 1, passed: -1}, 0)]
        elif last.name == "BRA" and last.opcode != "BRA.DIV":
            if target is not None:
                self.all(block, target)
        elif last.name == "EXIT":
            if last.predicate and following is not None:  # some lanes end; a warp goes on while one is left
                self.most.append(({self.edge(block, following): 1, self.times[block]: -1}, 0))
        elif last.name == "BSYNC" and following is not None:  # the sides of a split meet and go on as one
            edge, opened = self.edge(block, following), waiting.get(last.operands.split(",")[0])
            self.most.append(({edge: 1, self.times[block]: -1}, 0))
            if opened is not None:
                self.near({edge: 1, self.times[opened]: -1}, 0, 0.01, 0.01)
        elif last.name not in ("RET", "BRX", "JMP") and following is not None:
            self.all(block, following)

    def edge(self, origin, block):
        made = self.variable()
        self.inflow[block].append(made)
        self.origin[made] = origin
        if block <= origin:
            self.backward.add((block, origin))
        return made

    def all(self, block, following):
        """Every warp goes on there."""
        self.equal.append(({self.times[block]: 1, self.edge(block, following): -1}, 0))

    # The anchors

    def anchor(self):
        known = self.known
        for (line, space, kind), (requests, size) in known.accesses.items():
            those = [n for n in self.on(line) if self.is_access(n, space, kind)]
            if those:
                cost = CLOSE if known.tensor else EXACT  # a matrix's load has a width of its own
                self.near(self.requesting(those, size), requests, cost, cost)
                self.bound(line, those, known.sites[line, space, kind], size)
        for line, warps in known.barriers.items():
            self.match(line, ("BAR",), warps, EXACT)
        for line, warps in known.tensor.items():
            self.match(line, TENSOR, warps, EXACT)
        for line, warps in known.arithmetic.items():
            self.match(line, FLOATS, warps, CLOSE)
        for line, splits in self.splits.items():
            if line in known.splits:
                self.near(dict.fromkeys(splits, 1), known.splits[line], 0.0, 0.05)

    def on(self, line):
        return [n for n, instruction in enumerate(self.instructions) if instruction.line == line]

    def is_access(self, n, space, kind):
        instruction = self.instructions[n]
        return instruction.space in (space, "generic") and instruction.kind == kind

    def requesting(self, those, size):
        """Factors of the requests that accesses make; a predicated one makes none where no lane has its predicate."""
        found = defaultdict(float)
        for n in those:
            time, weight = self.times[self.block_at[n]], self.instructions[n].width / size
            if self.instructions[n].predicate:
                made = self.variable(RATHER)
                self.most.append(({made: 1, time: -1}, 0))
                time = made
            found[time] += weight
        return dict(found)

    def executing(self, those):
        found = defaultdict(int)
        for n in those:
            found[self.times[self.block_at[n]]] += 1
        return dict(found)

    def match(self, line, names, warps, cost):
        those = [n for n in self.on(line) if self.instructions[n].name in names]
        if those:
            self.near(self.executing(those), warps, cost, cost)

    def bound(self, line, those, sites, size):
        """A loop that the compiler copied k times goes round a whole number of times: trips / k for each entry."""
        for (head, tail), inside in self.rings(those).items():
            copies = (
                sum(self.instructions[n].width for n in inside) / size / sites
            )  # a wide one merged several
            for loop in self.known.loops.get(line, ()):
                trips = loop.rounds / loop.entries if loop.entries else 0
                if copies < trips:
                    break
                copies /= max(
                    trips, 1
                )  # all rounds of this loop stand side by side: look at the one around it
            else:
                continue
            entering = {edge: -(trips // copies) for edge in self.entries(head, tail)}
            for block in {self.block_at[n] for n in inside}:
                self.most.append(({self.times[block]: 1, **entering}, 0))

    def rings(self, those):
        """{(head, tail): instructions} by the innermost loop of the machine code around each, blocks head to tail."""
        found = defaultdict(list)
        for n in those:
            around = [(h, u) for h, u in self.backward if h <= self.block_at[n] <= u]
            if around:
                found[min(around, key=lambda ring: ring[1] - ring[0])].append(n)
        return found

    def entries(self, head, tail):
        """Edges into a loop from outside."""
        return [
            edge
            for block in range(head, tail + 1)
            for edge in self.inflow[block]
            if not head <= self.origin[edge] <= tail
        ]

    def solved(self) -> Flow:
        from scipy.optimize import linprog

        scale = float(max(self.known.warps, *(value for _, value in self.equal)))
        rows, values = _matrix(self.equal, len(self.costs))
        above, limits = _matrix(self.most, len(self.costs)) if self.most else (None, None)
        found = linprog(
            self.costs,
            A_eq=rows,
            b_eq=values / scale,
            A_ub=above,
            b_ub=None if limits is None else limits / scale,
            method="highs",
        )
        x = found.x * scale
        times = [float(x[time]) for time in self.times]
        instructions = sum(time * (end - first) for time, (first, end) in zip(times, self.blocks))
        divergent = sum(float(x[split]) for splits in self.splits.values() for split in splits)
        wanted = sum(value for *_, value in self.missed) or 1
        doubt = sum(float(x[short] + x[beyond]) for short, beyond, _ in self.missed) / wanted
        return Flow(round(instructions), round(divergent), self.blocks, times, doubt)


def _matrix(rows, width):
    import numpy as np
    from scipy.sparse import csr_array

    entries = [
        (factor, row, column) for row, (factors, _) in enumerate(rows) for column, factor in factors.items()
    ]
    data, row, column = zip(*entries)
    return csr_array((data, (row, column)), shape=(len(rows), width)), np.array([v for _, v in rows], float)
