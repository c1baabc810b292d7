"""Maps over two parameters: a value is the depth of one colour; the best and the reader's own are edged."""

import numpy as np

from ..written import percent, three
from .paper import begin, center, fit, headline, write
from .shapes import cells, diamonds, rounded
from .theme import MARGIN, NOTE, VALUE

TOP = 64.0  # points: where the cells start
LEVELS = 12  # a ramp is drawn in so many steps of one alpha


def heatmap(values, columns, rows, *, column="", row="", unit="", color="load", text=three, best=None,
            here=None, measured=None, limit=None, title=None, note=None, ax=None):  # fmt: skip
    """Draw values over two parameters; more is deeper.

    values : (rows, columns) float, NaN where a setting is not possible: the cell stays empty, with a dash
    columns, rows : the settings, written at the edges;  column, row : names of the two parameters
    best : "low" or "high": that cell gets a heavy edge;  here : (row, column) of the reader, dashed
    measured : {(row, column): text}, a diamond in the cell's corner and the number in the description
    limit : the value of full depth;  text : function that writes a value
    return : ax; its height depends on the number of rows only

    >>> times = [[4, 2], [3, np.nan]]
    >>> heatmap(times, [16, 32], [1, 2], column="TILE", row="COARSE", unit="ms", best="low").headline
    'Best: 2 ms at TILE 32, COARSE 1'
    """
    values, measured = np.asarray(values, float), measured or {}
    if values.shape != (len(rows), len(columns)):
        raise ValueError(f"values have shape (rows, columns) = {len(rows), len(columns)}; got {values.shape}")
    plan = _HeatmapPlan(len(columns), len(rows), ax)
    ax, *_ = begin(ax, TOP + plan.high * len(rows) + 8)
    _draw_edges(ax, plan, columns, rows, column, row)
    _draw_cells(ax, plan, values, color, text, limit)
    chosen = _best(values, best)
    rounded(ax, [plan.box(*chosen)] if chosen else [], 1, None, "ink", 2)
    rounded(ax, [plan.box(*here)] if here is not None else [], 1, None, "ink", 1.2, None, (2, 1.5))
    diamonds(ax, [(plan.x(c + 1) - 5, plan.y(r) + 5.5) for r, c in measured], 2.4)

    def setting(r, c):
        return f"{column} {columns[c]}".strip() + ", " + f"{row} {rows[r]}".strip()

    told = [f"measured {shown} at {setting(*place)}" for place, shown in measured.items()]
    headline(
        ax,
        title or _sentence(values, chosen or here, setting, unit, text, best),
        note if note is not None else "deeper is more" + ("; ◆ measured there" if measured else ""),
        f"Map of {unit or 'values'} over {column or 'columns'} and {row or 'rows'}",
        "; ".join(told),
    )
    return ax


class _HeatmapPlan:
    """Where the cell of a row and a column stands."""

    def __init__(self, columns, rows, ax):
        width = 345.6 if ax is None else float(ax.get_xlim()[1])
        self.left = MARGIN + 40.0
        self.wide = (width - MARGIN - self.left) / max(columns, 1)
        self.high = min(20.0, 260.0 / max(rows, 1))

    def x(self, column):
        return self.left + column * self.wide

    def y(self, row):
        return TOP + row * self.high

    def box(self, row, column):
        return self.x(column) + 0.6, self.y(row) + 0.6, self.wide - 1.2, self.high - 1.2


def _draw_edges(ax, plan, columns, rows, column, row):
    """Write the settings along the top and the left, as many as fit, and the names of the parameters."""
    write(ax, plan.left, TOP - 16, column, NOTE, "muted")
    every, thin = max(1, round(9.0 / plan.high)), max(1, round(22.0 / plan.wide))
    for c in range(0, len(columns), thin):
        name = str(columns[c])
        size = fit(name, NOTE, plan.wide * thin - 2)
        write(ax, plan.x(c + 0.5), TOP - 4.5, name, size, "muted", "center")
    write(ax, MARGIN, TOP - 4.5, row, fit(row, NOTE, plan.left - MARGIN - 4, least=5), "muted")
    for r in range(0, len(rows), every):
        name = str(rows[r])
        write(ax, plan.left - 5, plan.y(r + 0.5) + 3, name, fit(name, NOTE, 34), "muted", "right")


def _draw_cells(ax, plan, values, color, text, limit):
    """Draw the cells in a few depths of one colour, and write the values where they fit."""
    known = np.isfinite(values)
    most = limit or (values[known].max() if known.any() else 1) or 1
    depth = np.ceil(np.clip(values / most, 0, 1) * LEVELS)
    for level in range(1, LEVELS + 1):
        boxes = [plan.box(*place) for place in np.argwhere(depth == level)]
        cells(ax, boxes, color, alpha=0.06 + 0.94 * level / LEVELS)
    hollow = [plan.box(*place) for place in np.argwhere(~known | (depth == 0))]
    cells(ax, hollow, None, "idle", 0.5, 0.5)
    for (r, c), value in np.ndenumerate(values):
        shown = text(value) if known[r, c] else "–"
        size = fit(shown, VALUE, plan.wide - 4, least=1)
        if size >= 5 and plan.high >= 8:
            on = "idle" if not known[r, c] else "bg" if depth[r, c] > 0.62 * LEVELS else "ink"
            center(ax, plan.x(c + 0.5), plan.y(r + 0.5), shown, min(size, plan.high - 2), on)


def _best(values, best):
    """Return (row, column) of the best value, or None."""
    if not best or not np.isfinite(values).any():
        return None
    pick = np.nanargmin if best == "low" else np.nanargmax
    return tuple(int(place) for place in np.unravel_index(pick(values), values.shape))


def _sentence(values, chosen, setting, unit, text, best):
    known = values[np.isfinite(values)]
    if chosen is not None:
        value = values[tuple(chosen)]
        shown = f"{text(value)} {unit}".strip() if np.isfinite(value) else "not possible"
        return f"{'Best: ' if best else ''}{shown} at {setting(*chosen)}"
    if not known.size:
        return "no setting is possible"
    return f"{text(known.min())} to {text(known.max())} {unit}".strip()


def occupancy_heatmap(fractions, threads, shared, *, here=None, title=None, note=None, ax=None):
    """Draw occupancy over the threads and the shared memory of a block.

    fractions : (len(shared), len(threads)) float from 0 to 1, NaN where the launch is refused
    shared : labels of the rows, such as "48 KB";  here : (row, column) of the reader
    return : ax

    >>> occupancy_heatmap([[1, .5]], [256, 1024], ["0 KB"], here=(0, 1)).headline
    '50 % at threads 1024, shared 0 KB'
    """
    note = note if note is not None else "warps resident / the most an SM holds"
    return heatmap(fractions, threads, shared, column="threads", row="shared", text=percent, limit=1.0,
                   here=here, title=title, note=note, ax=ax)  # fmt: skip
