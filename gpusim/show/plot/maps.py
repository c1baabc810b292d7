"""Maps over two parameters: values as depth of one colour; and elements that are right or wrong."""

import numpy as np

from .paper import begin, center, fit, headline, write
from .shapes import cells, crosses, diamonds, merged, rounded, strokes
from .theme import MARGIN, NOTE, VALUE, integer, percent, plural, three

TOP = 64.0
LEVELS = 12  # a ramp is drawn in so many steps of one alpha


def heatmap(
    values,
    columns,
    rows,
    *,
    column="",
    row="",
    unit="",
    color="load",
    text=three,
    best=None,
    here=None,
    measured=None,
    limit=None,
    title=None,
    note=None,
    ax=None,
):
    """Draw values over two parameters; more is deeper.

    values : (rows, columns) float, NaN where a setting is not possible: the cell stays empty, with a dash
    columns, rows : the settings, written at the edges;  column, row : names of the two parameters
    best : "low" or "high": that cell gets a heavy edge;  here : (row, column) of the reader, dashed
    measured : {(row, column): text}, a diamond in the cell's corner and the number in the description
    limit : the value of full depth;  text : function that writes a value
    return : ax; its height depends on the number of rows only

    >>> times = [[4, 2], [3, np.nan]]
    >>> heatmap(times, [16, 32], [1, 2], column="TILE", row="COARSE", unit="ms", best="low").headline
    'best: 2 ms at TILE 32, COARSE 1'
    """
    values = np.asarray(values, float)
    if values.shape != (len(rows), len(columns)):
        raise ValueError(f"values have shape (rows, columns) = {len(rows), len(columns)}; got {values.shape}")
    high = min(20.0, 260.0 / max(len(rows), 1))
    ax, width, _ = begin(ax, TOP + high * len(rows) + 8)
    left = MARGIN + 40.0
    wide = (width - MARGIN - left) / max(len(columns), 1)
    _draw_edges(ax, columns, rows, column, row, left, wide, high)
    known = values[np.isfinite(values)]
    most = limit or (known.max() if known.size else 1)
    depth = np.ceil(np.clip(values / (most or 1), 0, 1) * LEVELS)

    def box(r, c):
        return left + c * wide + 0.6, TOP + r * high + 0.6, wide - 1.2, high - 1.2

    for level in range(1, LEVELS + 1):
        cells(
            ax, [box(r, c) for r, c in np.argwhere(depth == level)], color, alpha=0.06 + 0.94 * level / LEVELS
        )
    cells(
        ax, [box(r, c) for r, c in np.argwhere(~np.isfinite(values) | (depth == 0))], None, "idle", 0.5, 0.5
    )
    for (r, c), value in np.ndenumerate(values):
        shown = text(value) if np.isfinite(value) else "–"
        size = fit(shown, VALUE, wide - 4, least=1)
        if size >= 5 and high >= 8:
            on = (
                "bg"
                if np.isfinite(value) and depth[r, c] > 0.62 * LEVELS
                else "ink"
                if np.isfinite(value)
                else "idle"
            )
            center(ax, left + (c + 0.5) * wide, TOP + (r + 0.5) * high, shown, min(size, high - 2), on)
    chosen = None
    if best and known.size:
        pick = np.nanargmin if best == "low" else np.nanargmax
        chosen = np.unravel_index(pick(values), values.shape)
        rounded(ax, [box(*chosen)], 1, None, "ink", 2)
    if here is not None:
        rounded(ax, [box(*here)], 1, None, "ink", 1.2, None, (2, 1.5))
    diamonds(ax, [(left + (c + 1) * wide - 5, TOP + r * high + 5.5) for r, c in measured or ()], 2.4)
    headline(
        ax,
        title or _sentence(values, chosen or here, columns, rows, column, row, unit, text, best),
        note if note is not None else "deeper is more" + ("; ◆ measured there" if measured else ""),
        f"Map of {unit or 'values'} over {column or 'columns'} and {row or 'rows'}",
        "; ".join(
            f"measured {shown} at {column} {columns[c]}, {row} {rows[r]}"
            for (r, c), shown in (measured or {}).items()
        ),
    )
    return ax


def _draw_edges(ax, columns, rows, column, row, left, wide, high):
    write(ax, left, TOP - 16, column, NOTE, "muted")
    every, thin = max(1, round(9.0 / high)), max(1, round(22.0 / wide))
    for c, name in list(enumerate(columns))[::thin]:
        write(
            ax,
            left + (c + 0.5) * wide,
            TOP - 4.5,
            str(name),
            fit(str(name), NOTE, wide * thin - 2),
            "muted",
            "center",
        )
    write(ax, MARGIN, TOP - 4.5, row, fit(row, NOTE, left - MARGIN - 4, least=5), "muted")
    for r, name in list(enumerate(rows))[::every]:
        write(
            ax,
            left - 5,
            TOP + (r + 0.5) * high + 3,
            str(name),
            fit(str(name), NOTE, left - MARGIN - 6),
            "muted",
            "right",
        )


def _sentence(values, chosen, columns, rows, column, row, unit, text, best):
    known = values[np.isfinite(values)]
    if chosen is not None:
        value = values[tuple(chosen)]
        shown = f"{text(value)} {unit}".strip() if np.isfinite(value) else "not possible"
        where = f"{column} {columns[chosen[1]]}".strip() + ", " + f"{row} {rows[chosen[0]]}".strip()
        return f"{'best: ' if best else ''}{shown} at {where}"
    return (
        f"{text(known.min())} to {text(known.max())} {unit}".strip()
        if known.size
        else "no setting is possible"
    )


def occupancy_heatmap(fractions, threads, shared, *, here=None, title=None, note=None, ax=None):
    """Draw occupancy over the threads and the shared memory of a block.

    fractions : (len(shared), len(threads)) float from 0 to 1, NaN where the launch is refused
    shared : labels of the rows, such as "48 KB";  here : (row, column) of the reader
    return : ax

    >>> occupancy_heatmap([[1, .5]], [256, 1024], ["0 KB"], here=(0, 1)).headline
    '50 % at threads 1024, shared 0 KB'
    """
    return heatmap(
        fractions,
        threads,
        shared,
        column="threads",
        row="shared",
        text=percent,
        limit=1.0,
        here=here,
        title=title,
        note=note if note is not None else "warps resident / the most an SM holds",
        ax=ax,
    )


RIGHT, NAN, WRONG, OUTSIDE = 0, 1, 2, 3


def correctness_map(
    result, expected, *, tile=None, tolerance=1e-5, title=None, note=None, height=None, ax=None
):
    """Draw which elements of a result are right, wrong, or not a number.

    result, expected : (rows, columns) float, or (n,)
    tile : (columns, rows) of a block's tile, outlined, or one int
    tolerance : relative error that still counts as right;  height : points of the map, or None
    return : ax

    >>> wrong = np.eye(4); wrong[0, 1] = 7; wrong[2, 2] = np.nan
    >>> correctness_map(wrong, np.eye(4)).headline
    '14 of 16 right, 1 wrong, 1 NaN'
    """
    result, expected = np.atleast_2d(np.asarray(result, float)), np.atleast_2d(np.asarray(expected, float))
    if result.shape != expected.shape:
        raise ValueError(f"result has shape {result.shape}, expected has shape {expected.shape}")
    rows, columns = result.shape
    with np.errstate(invalid="ignore"):
        near = np.abs(result - expected) <= tolerance * np.maximum(1, np.abs(expected))
    state = np.where(np.isnan(result) & ~np.isnan(expected), NAN, np.where(near, RIGHT, WRONG))
    room = 345.6 - 2 * MARGIN if ax is None else float(ax.get_xlim()[1]) - 2 * MARGIN
    cell = min(room / columns, (height or 240.0) / rows, 20.0)
    ax, width, bottom = begin(ax, 44 + (height or cell * rows) + 24)
    top = 42.0
    gap = min(1.0, cell * 0.14)

    few = state.size <= 1024
    found = (
        merged(state, None)
        if not few
        else [(r, r + 1, c, c + 1, state[r, c]) for r, c in np.ndindex(state.shape)]
    )

    def boxes(what):
        return [
            (
                MARGIN + left * cell + gap / 2,
                top + r * cell + gap / 2,
                (right - left) * cell - gap,
                (low - r) * cell - gap,
            )
            for r, low, left, right, kind in found
            if kind == what
        ]

    cells(ax, boxes(RIGHT), "shared")
    cells(ax, boxes(WRONG), "bad")
    cells(
        ax,
        [(x + 0.3, y + 0.3, w - 0.6, h - 0.6) for x, y, w, h in boxes(NAN)],
        None,
        "bad",
        min(0.8, cell / 6),
    )
    crosses(ax, boxes(NAN), min(1.2, cell / 6))
    if not few and cell > 2.5:
        edge = [(MARGIN + c * cell, top, MARGIN + c * cell, top + rows * cell) for c in range(1, columns)]
        edge += [(MARGIN, top + r * cell, MARGIN + columns * cell, top + r * cell) for r in range(1, rows)]
        strokes(ax, edge, "bg", gap)
    if tile:
        tx, ty = (tile, tile) if np.ndim(tile) == 0 else tile
        outline = [
            (MARGIN + c * cell, top + r * cell, min(tx, columns - c) * cell, min(ty, rows - r) * cell)
            for r in range(0, rows, ty)
            for c in range(0, columns, tx)
        ]
        rounded(ax, outline, 1, None, "muted", 0.9)
    x = MARGIN
    for face, edge, text in (
        ("shared", None, "right"),
        ("bad", None, "wrong value"),
        (None, "bad", "NaN: never written"),
    ):
        cells(ax, [(x, bottom - 14.5, 7, 7)], face, edge, 0.8)
        crosses(ax, [(x, bottom - 14.5, 7, 7)] if edge else [], 0.9)
        write(ax, x + 11, bottom - 8, text, NOTE, "muted")
        x += 11 + 6 * len(text) + 8
    right, wrong, nan = (int((state == what).sum()) for what in (RIGHT, WRONG, NAN))
    bad = ", ".join(f"{integer(n)} {what}" for n, what in ((wrong, "wrong"), (nan, "NaN")) if n)
    sentence = (
        f"{integer(right)} of {integer(state.size)} right, {bad}" if bad else f"all {integer(right)} right"
    )
    headline(
        ax,
        title or sentence,
        note or f"{rows} × {columns} elements" + (f", tiles of {tile}" if tile else ""),
        "Map of right and wrong elements",
        plural(state.size - right, "bad element"),
        "bad" if bad else "ink",
    )
    return ax
