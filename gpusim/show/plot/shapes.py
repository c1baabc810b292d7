"""The dozen shapes that figures are made of, in points; a colour is a name of the theme's palette.

Many equal shapes become one compound path: an SVG stays small and a frame takes milliseconds.
"""

import numpy as np

from .theme import LIGHT

INSTALL = "drawing needs matplotlib: pip install matplotlib   (or: pip install 'gpusim[plots]')"


def matplotlib():
    """Import matplotlib when something is drawn, or say how to get it. No pyplot, no global state."""
    try:
        import matplotlib.figure
        import matplotlib.patches
        import matplotlib.path
    except ImportError as error:
        raise ImportError(INSTALL) from error
    return matplotlib


def _add(ax, vertices, codes, face=None, edge=None, width=0.8, alpha=None, dash=None):
    from matplotlib.colors import to_rgba
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    # alpha is that of the fill (a tint in a firm outline), or of the stroke where there is no fill
    patch = PathPatch(
        Path(vertices, codes),
        clip_on=False,
        snap=False,
        capstyle="butt",
        joinstyle="round",
        facecolor=to_rgba(LIGHT[face], alpha) if face else "none",
        edgecolor=to_rgba(LIGHT[edge], None if face else alpha) if edge else "none",
        linewidth=width if edge else 0,
        linestyle=(0, dash) if dash and edge else "solid",
    )
    return ax.add_artist(patch)


def cells(ax, boxes, face=None, edge=None, width=0.8, alpha=None, dash=None):
    """Draw boxes (n, 4) of x, y, width, height as one path; returns it, or None when there are none."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    if not len(boxes):
        return None
    x, y, w, h = boxes.T
    corners = np.stack(
        [
            np.stack([x, y], 1),
            np.stack([x + w, y], 1),
            np.stack([x + w, y + h], 1),
            np.stack([x, y + h], 1),
            np.stack([x, y], 1),
        ],
        1,
    )
    return _add(ax, corners.reshape(-1, 2), [1, 2, 2, 2, 79] * len(boxes), face, edge, width, alpha, dash)


def rounded(ax, boxes, radius=2.6, face=None, edge="muted", width=0.9, alpha=None, dash=None):
    """Draw boxes (n, 4) with round corners as one path."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    if not len(boxes):
        return None
    x, y, w, h = boxes.T
    r = np.minimum(radius, np.minimum(w, h) / 2)
    right, low = x + w, y + h
    outline = [
        (x + r, y),
        (right - r, y),
        (right, y),
        (right, y + r),
        (right, low - r),
        (right, low),
        (right - r, low),
        (x + r, low),
        (x, low),
        (x, low - r),
        (x, y + r),
        (x, y),
        (x + r, y),
        (x + r, y),
    ]
    vertices = np.stack([np.stack(point, 1) for point in outline], 1)
    codes = [1, 2, 3, 3, 2, 3, 3, 2, 3, 3, 2, 3, 3, 79]
    return _add(ax, vertices.reshape(-1, 2), codes * len(boxes), face, edge, width, alpha, dash)


def strokes(ax, segments, color="idle", width=0.5, alpha=None, dash=None):
    """Draw straight strokes (n, 4) of x0, y0, x1, y1 as one path."""
    segments = np.asarray(segments, float).reshape(-1, 2)
    if not len(segments):
        return None
    return _add(ax, segments, [1, 2] * (len(segments) // 2), None, color, width, alpha, dash)


def line(ax, points, color="load", width=1.6, dash=None, alpha=None):
    """Draw one line through points (n, 2); NaN breaks it."""
    points = np.asarray(points, float).reshape(-1, 2)
    good = np.isfinite(points).all(1)
    codes = np.where(np.r_[True, ~good[:-1]], 1, 2)[good]
    return _add(ax, points[good], codes, None, color, width, alpha, dash) if good.any() else None


def polygon(ax, points, face, alpha=None, edge=None, width=0.8):
    """Fill one closed outline of points (n, 2)."""
    points = np.asarray(points, float).reshape(-1, 2)
    codes = [1] + [2] * (len(points) - 1) + [79]
    return _add(ax, np.vstack([points, points[:1]]), codes, face, edge, width, alpha)


def arrows(ax, segments, color="muted", width=0.9, head=4.0):
    """Draw arrows (n, 4) of x0, y0, x1, y1 for data that moves, from source to receiver."""
    segments = np.asarray(segments, float).reshape(-1, 4)
    if not len(segments):
        return None
    start, tip = segments[:, :2], segments[:, 2:]
    along = (tip - start) / np.maximum(np.hypot(*(tip - start).T), 1e-9)[:, None]
    side, neck = along[:, ::-1] * (-1, 1) * head * 0.45, tip - head * along
    strokes(ax, np.hstack([start, neck]), color, width)
    heads = np.stack([tip, neck + side, neck - side, tip], 1).reshape(-1, 2)
    return _add(ax, heads, [1, 2, 2, 79] * len(segments), color)


def dots(ax, points, color="ink", radius=2.6, ring=False):
    """Draw dots at points (n, 2) with a page-coloured rim; ring: an estimate, hollow."""
    from matplotlib.path import Path

    points, disc = np.asarray(points, float).reshape(-1, 2), Path.unit_circle()

    def draw(reach, face, edge=None):
        vertices = (points[:, None] + reach * disc.vertices).reshape(-1, 2)
        return _add(ax, vertices, list(disc.codes) * len(points), face, edge, 1.3)

    if not len(points):
        return None
    if ring:
        return draw(radius, "bg", color)
    draw(radius + 0.9, "bg")
    return draw(radius, color)


def diamonds(ax, points, radius=3.4):
    """Draw measured values at points (n, 2): ink, with a page-coloured rim."""
    points = np.asarray(points, float).reshape(-1, 2)
    if not len(points):
        return None
    corners = np.array([(0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)])

    def draw(reach, color):
        vertices = (points[:, None] + reach * corners).reshape(-1, 2)
        return _add(ax, vertices, [1, 2, 2, 2, 79] * len(points), color)

    draw(radius + 1.2, "bg")
    return draw(radius, "ink")


def crosses(ax, boxes, width=1.3):
    """Draw a red cross over boxes (n, 4): an error in a map."""
    inset = [(x + 0.22 * w, y + 0.22 * h, x + 0.78 * w, y + 0.78 * h) for x, y, w, h in boxes]
    return strokes(ax, [s for a, b, c, d in inset for s in ((a, b, c, d), (a, d, c, b))], "bad", width)


def merged(kinds, tile=None):
    """Merge equal neighbours of a map into boxes: rows that are alike, then runs along a row.

    kinds : (rows, columns) int;  tile : (columns, rows) that no box may cross, or None
    return : [(row, end row, column, end column, kind)]

    >>> merged(np.array([[1, 1, 2], [1, 1, 2]]))
    [(0, 2, 0, 2, 1), (0, 2, 2, 3, 2)]
    """
    across, down = tile or (kinds.shape[1], kinds.shape[0])
    new_row = (kinds[1:] != kinds[:-1]).any(1) | (np.arange(1, len(kinds)) % down == 0)
    starts = np.r_[0, np.flatnonzero(new_row) + 1, len(kinds)].tolist()
    found = []
    for first, end in zip(starts, starts[1:], strict=False):
        row = kinds[first]
        cuts = np.flatnonzero((row[1:] != row[:-1]) | (np.arange(1, len(row)) % across == 0)) + 1
        edges = [0, *cuts.tolist(), len(row)]
        found += [(first, end, a, b, int(row[a])) for a, b in zip(edges, edges[1:], strict=False)]
    return found


def image(ax, box, rgba):
    """Draw a (rows, columns, 4) array of colours into a box x, y, width, height: for maps of many cells."""
    from matplotlib.image import AxesImage

    x, y, w, h = box
    picture = AxesImage(ax, extent=(x, x + w, y + h, y), interpolation="none", origin="upper")
    picture.set_data((np.asarray(rgba) * 255).round().astype(np.uint8))
    picture.set_clip_on(False)
    picture.set_zorder(1)
    return ax.add_artist(picture)


def ramp(values, color, low=None, high=None):
    """Return colours for `image`: one colour, transparent at `low`, solid at `high`; NaN is transparent."""
    from matplotlib.colors import to_rgb

    values = np.asarray(values, float)
    low = np.nanmin(values) if low is None else low
    high = np.nanmax(values) if high is None else high
    share = np.clip((values - low) / ((high - low) or 1), 0, 1)
    rgba = np.empty(values.shape + (4,))
    rgba[..., :3] = to_rgb(LIGHT[color])
    rgba[..., 3] = np.where(np.isfinite(values), share, 0)
    return rgba
