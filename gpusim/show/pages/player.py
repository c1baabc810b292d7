"""An explorer as HTML for the built page: controls, first frame, counts, table, and frames for player.js."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import re

from ..page import escape, prose

PIECE = re.compile(r"<[^>]*>|[^<]+")


def player(explorer) -> str:
    """Everything that the page needs to show any setting with no kernel, and the first one with no script."""
    drawn = explorer.all_frames()
    first = drawn[explorer.settings().index(explorer.start)]
    frames = compressed(*packed([frame.picture for frame in drawn]))
    return (
        '<figure class="gs-explorer">'
        f'<div class="gs-explore" role="group" aria-label="{escape(explorer.label)}">'
        f'<div class="gs-controls">{"".join(map(_control, explorer.axes, explorer.start))}</div>'
        f'<div class="gs-plot">{first.picture}</div>{readout(explorer.names(drawn), first.counts)}'
        f"{_all_settings(explorer.table(drawn))}"
        f'<script type="text/plain" class="gs-data">{frames}</script></div>'
        f"{figcaption(explorer.caption)}</figure>"
    )


def first_frame(explorer) -> str:
    """The first frame, its counts and the caption: what stands where nothing can move."""
    frame = explorer.frame(explorer.start)
    return (
        f'<figure class="gs-explorer"><div class="gs-explore"><div class="gs-plot">{frame.picture}</div>'
        f"{readout(frame.counts, frame.counts)}</div>"
        f"{figcaption(f'Shown: {explorer.shown()}. {explorer.caption}')}</figure>"
    )


def readout(names, counts) -> str:
    """The line of counts under a picture, read aloud when it changes."""
    pairs = (f"<span>{escape(name)} <b>{escape(counts.get(name, '–'))}</b></span>" for name in names)
    return f'<div class="gs-readout" role="status">{"".join(pairs)}</div>'


def figcaption(caption: str) -> str:
    """The sentence under a figure, or nothing."""
    return f'<figcaption class="gs-caption">{prose(caption)}</figcaption>' if caption else ""


def packed(pictures) -> tuple:
    """Pictures as one list of distinct pieces of markup, and for each picture the pieces' numbers in order.

    Neighbouring frames differ in a few marks: most pieces are shared. A run of numbers is written "3-7".

    >>> packed(["<a>1</a><b>", "<a>2</a><b>"])
    (['<a>', '1', '</a>', '<b>', '2'], ['0-3', '0 4 2-3'])
    """
    index, listed = {}, []
    for picture in pictures:
        numbers = [index.setdefault(piece, len(index)) for piece in PIECE.findall(picture)]
        listed.append(" ".join(_runs(numbers)))
    return list(index), listed


def _runs(numbers):
    """Numbers as text, each rising run as its two ends."""
    for _, run in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in run]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def compressed(pieces, listed) -> str:
    """The frames for the player: JSON, gzip, base64; a tenth of the size, and no markup to trip on."""
    told = json.dumps({"pieces": pieces, "frames": listed}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(told.encode(), mtime=0)).decode()


def _control(axis, at: int) -> str:
    return _buttons(axis, at) if axis.named else _range(axis, at)


def _buttons(axis, at: int) -> str:
    name = escape(axis.name)
    buttons = "".join(
        f'<button type="button" aria-pressed="{str(index == at).lower()}">{escape(label)}</button>'
        for index, label in enumerate(axis.labels)
    )
    shown = f'<span class="gs-name" aria-hidden="true">{name}</span>'
    return f'<div class="gs-choice" role="group" aria-label="{name}">{shown}<div>{buttons}</div></div>'


def _range(axis, at: int) -> str:
    """A native range over the list's places: steps go from value to value, whatever lies between."""
    label, last = escape(axis.labels[at]), len(axis.labels) - 1
    values = escape(json.dumps(axis.labels, ensure_ascii=False))
    return (
        f'<label><span class="gs-name">{escape(axis.name)}</span>'
        f'<span class="gs-value" aria-hidden="true">{label}</span>'
        f'<input type="range" min="0" max="{last}" step="1" value="{at}" aria-valuetext="{label}"'
        f' data-values="{values}" autocomplete="off"></label>'
    )


def _all_settings(table) -> str:
    head, *rows = [[escape(cell) for cell in row] for row in table]
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    title = f"All {len(rows)} settings as a table"
    return (
        f'<details class="gs-all"><summary>{title}</summary>'
        f'<div class="gs-scroll" tabindex="0" role="region" aria-label="{title}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )
