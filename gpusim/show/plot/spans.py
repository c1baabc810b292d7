"""Who does what and when: rows of named spans on one time axis, such as host, bus and GPU."""

from ..written import percent, plural, three
from .paper import begin, center, fit, headline, text_width, write
from .scales import steps, tick_text
from .shapes import cells, strokes
from .theme import LABEL, MARGIN, NOTE, TINT, VALUE

TOP, ROW = 48.0, 26.0  # points: first row, row to row
COLORS = {"copy": "store", "kernel": "compute", "launch": "issue", "work": "load", "wait": "idle"}


def spans(rows, *, unit="µs", until=None, title=None, note=None, ax=None):
    """Draw rows of spans; a span that waits is dashed.

    rows : {name: [(start, end, kind)]}; kind is "copy", "kernel", "launch", "work", "wait" or another word
    unit : of time;  until : end of the time axis, None for the last end
    return : ax; its height depends on the number of rows only

    >>> spans({"host": [(0, 1, "launch"), (1, 6, "wait")], "GPU": [(1, 6, "kernel")]}).headline
    'host is busy 17 %, GPU 83 % of 6 µs'
    """
    last = until or max([end for row in rows.values() for _, end, _ in row] + [1e-9])
    ax, width, height = begin(ax, TOP + ROW * len(rows) + 22)
    left = MARGIN + max(text_width(name, LABEL, True) for name in rows) + 8
    scale = (width - MARGIN - 4 - left) / last
    for place, (name, row) in enumerate(rows.items()):
        top = TOP + place * ROW
        write(ax, left - 6, top + 12, name, LABEL, align="right", bold=True)
        strokes(ax, [(left, top + 19, width - MARGIN, top + 19)], "idle", 0.5, 0.5)
        for start, end, kind in row:
            _draw(ax, left + start * scale, top, (end - start) * scale, kind)
    for tick in steps(0, last, 5):
        write(ax, left + tick * scale, height - 8, tick_text(tick), NOTE, "muted", "center")
    write(ax, MARGIN, height - 8, unit, NOTE, "muted")
    busy = {name: sum(end - start for start, end, kind in row if kind != "wait")
            for name, row in rows.items()}  # fmt: skip
    shares = ", ".join(
        f"{name} {'is busy ' if not place else ''}{percent(time / last)}"
        for place, (name, time) in enumerate(busy.items())
    )
    told = "; ".join(
        f"{name}: {kind} from {three(start)} to {three(end)} {unit}"
        for name, row in rows.items()
        for start, end, kind in row
    )
    headline(ax, title or f"{shares} of {three(last)} {unit}", note or plural(len(rows), "row"),
             "Timeline", told)  # fmt: skip
    return ax


def _draw(ax, x, y, wide, kind):
    color = COLORS.get(kind, "load")
    if kind == "wait":
        cells(ax, [(x, y + 1, max(wide, 0.6), 16)], "idle", "idle", 0.6, 0.12, (2, 1.5))
    else:
        cells(ax, [(x, y + 1, max(wide - 0.6, 0.8), 16)], color, color, 0.8, TINT)
    size = fit(kind, VALUE, wide - 3, least=1)
    if size >= 5.5:
        center(ax, x + wide / 2, y + 9, kind, size, "muted" if kind == "wait" else "ink")
