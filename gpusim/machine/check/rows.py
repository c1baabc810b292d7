"""Rows: an index that leaves its row of a matrix but not the matrix; looked for only where a launch says
rows=True."""

from __future__ import annotations

import numpy as np

from ...errors import indexed
from ..values.arithmetic import lanes
from ..values.space import settle
from .report import Report


def width_of(pointer, factor):
    """The row length of the array behind a pointer, if an index multiplies by it; else None."""
    columns = pointer.buffer.columns
    return columns if columns is not None and type(factor) is int and factor == columns else None


def within_row(m, site, width, column, mask):
    """Report lanes whose column is not in [0, width)."""
    if width is None or (type(column) is int and 0 <= column < width):
        return
    values = np.broadcast_to(column if type(column) is int else lanes(column, np.int64), m.space.full_shape)
    outside = settle(((values < 0) | (values >= width)) & mask)
    if outside is False:
        return
    block, thread, place = m.space.first(outside, values)
    m.launch.add(
        Report(
            "row overrun",
            f"thread {indexed(thread)} in block {indexed(block)} reaches column {place} of {site.name}, whose "
            f"rows have {width}: that is another row of the same array",
            block=block,
            thread=thread,
            array=site.name,
            index=place,
            count=m.space.lanes_of(outside),
            hint="guard the column too: if (column < width)",
        ),
        site,
    )
