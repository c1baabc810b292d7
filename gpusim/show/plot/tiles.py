"""Tiled matrix multiplication: which tiles a block holds in which phase."""

from ..written import plural
from .paper import begin, fit, headline, write
from .shapes import arrows, cells, rounded, strokes
from .theme import LABEL, MARGIN, NOTE, TINT

LEFT, TOP, SIDE, GAP = MARGIN + 26, 58.0, 122.0, 16.0  # points: A, B, side of a matrix, between two


def tile_phases(n, tile, phase, block=(0, 0), *, coarse=1, title=None, note=None, ax=None):
    """Draw one phase of a tiled multiplication C = A B: the tiles loaded now, those done, the result's tile.

    n : rows and columns of the matrices;  tile : TILE;  phase : from 0;  block : (x, y) of the block
    coarse : neighbouring tiles of C that a block computes, one after another in each phase
    return : ax, always of one height; of a tile that stands over the edge the zero-filled part is dashed

    >>> tile_phases(64, 16, 1).headline
    'phase 2 of 4: each of 512 values feeds 16 multiply-adds'
    >>> tile_phases(64, 16, 1, (1, 0), coarse=2).headline
    'phase 2 of 4: each value of A feeds 32 multiply-adds, of B 16'
    """
    plan = _TilePlan(n, tile)
    ax, *_ = begin(ax, TOP + 2 * SIDE + GAP + 12)
    _draw_matrices(ax, plan)
    _draw_tiles(ax, plan, phase, *block, coarse)
    bx, by = block[0] * coarse, block[1]
    steps = (f"load tile A({by}, {phase})", f"load tile B({phase}, {bx})", "barrier",
             f"{tile} multiply-adds a thread", "barrier")  # fmt: skip
    if coarse > 1:
        steps += (f"again from 2 for B({phase}, {bx + 1})" + (" …" if coarse > 2 else ""),)
    for row, step in enumerate(steps):
        text = f"{row + 1}. {step}"
        write(ax, MARGIN, TOP + 12 + 15 * row, text, fit(text, NOTE, LEFT + SIDE - MARGIN - 4))
    valid = _valid(n, tile, phase) * (_valid(n, tile, by) + _valid(n, tile, bx))
    each = f"each of {valid} values feeds {tile} multiply-adds"
    if coarse > 1:
        each = f"each value of A feeds {coarse * tile} multiply-adds, of B {tile}"
    sentence = f"phase {phase + 1} of {plan.phases}: {each}"
    upto = f" to C({by}, {bx + coarse - 1})" if coarse > 1 else ""
    what = f"{n} × {n} in tiles of {tile} × {tile}; block ({block[0]}, {by}) computes C({by}, {bx}){upto}"
    if valid < 2 * tile * tile and coarse == 1:
        what += f"; {2 * tile * tile - valid} zeros fill the edge"
    headline(ax, title or sentence, note or what, "Phases of a tiled matrix multiplication",
             f"{plural(phase, 'phase')} done, {plan.phases - phase - 1} to come")  # fmt: skip
    return ax


class _TilePlan:
    """Where the three matrices and their tiles stand: B above C, A at its left."""

    places = {"A": (LEFT, TOP + SIDE + GAP), "B": (LEFT + SIDE + GAP, TOP),
              "C": (LEFT + SIDE + GAP, TOP + SIDE + GAP)}  # fmt: skip

    def __init__(self, n, tile):
        self.phases = -(-n // tile)
        self.step = SIDE / self.phases
        self.edge = SIDE * n / (self.phases * tile)

    def box(self, name, row, column):
        """Return the part of a tile that lies inside its matrix."""
        x, y = self.places[name]
        x, y = x + column * self.step, y + row * self.step
        wide, high = (min(self.step, self.edge - place * self.step) for place in (column, row))
        return x, y, wide, high


def _draw_matrices(ax, plan):
    for name, (x, y) in plan.places.items():
        rounded(ax, [(x, y, plan.edge, plan.edge)], 1, None, "muted", 1)
        cuts = [k * plan.step for k in range(1, plan.phases) if k * plan.step < plan.edge]
        strokes(ax, [(x + cut, y, x + cut, y + plan.edge) for cut in cuts], "idle", 0.5, 0.5)
        strokes(ax, [(x, y + cut, x + plan.edge, y + cut) for cut in cuts], "idle", 0.5, 0.5)
        write(ax, x - 6, y + 8, name, LABEL, align="right", bold=True)


def _draw_tiles(ax, plan, phase, bx, by, coarse=1):
    """Tint the tiles that are done, fill those of this phase, and deepen the results with each phase."""
    columns = range(bx * coarse, (bx + 1) * coarse)
    done = [plan.box("A", by, k) for k in range(phase)]
    done += [plan.box("B", k, column) for k in range(phase) for column in columns]
    a, b = plan.box("A", by, phase), [plan.box("B", phase, column) for column in columns]
    c = [plan.box("C", by, column) for column in columns]
    cells(ax, done, "load", alpha=TINT)
    cells(ax, [a, *b], "load")
    whole = plan.step - 0.01
    over = [(x, y, plan.step, plan.step) for x, y, wide, high in (a, *b) if min(wide, high) < whole]
    cells(ax, over, None, "load", 0.8, None, (2, 1.5))
    cells(ax, c, "compute", alpha=TINT + (1 - TINT) * (phase + 1) / plan.phases)
    rounded(ax, c, 1, None, "ink", 1.4)
    across = a[0] + a[2] + 1, a[1] + a[3] / 2, c[0][0] - 1.5, c[0][1] + c[0][3] / 2
    down = [(x + wide / 2, y + high + 1, x + wide / 2, c[0][1] - 1.5) for x, y, wide, high in b]
    arrows(ax, [across, *down])


def _valid(n, tile, place):
    return max(0, min(tile, n - place * tile))
