"""What a kernel says: printf, assert, clock64."""

from __future__ import annotations

import numpy as np

from ..memory.buffers import LocalBuffer, Pointer
from ..values.arithmetic import lanes, truth
from .masks import without


def print(m, site, text, values, mask):
    """printf: one line for each active thread, in order, kept in the run."""
    where = np.broadcast_to(mask, m.space.full_shape)
    columns = [
        [printed(v)] * int(where.sum())
        if v is None or isinstance(v, Pointer)
        else np.broadcast_to(np.asarray(lanes(truth(v), np.int64)), m.space.full_shape)[where]
        for v in values
    ]
    m.launch.findings.print(text, list(zip(*columns)) if columns else [()] * int(where.sum()))


def claim(m, site, condition, mask):
    """assert: report the first thread for which the condition is false."""
    failed = without(mask, truth(condition))
    if failed is not False:
        m.launch.findings.claim(m, site, failed)


def clock(m, mask):
    """clock64: no clock runs here; every read gives a later number."""
    m.launch.ticks += 1
    return m.launch.ticks


def printed(pointer):
    """What printf shows of a pointer: the text that it leads to, or its place."""
    if pointer is None:
        return "(null)"
    buffer, offset = pointer.buffer, pointer.offset
    if isinstance(buffer, LocalBuffer) and buffer.dtype == np.int8 and type(offset) is int:
        codes = [code for code in buffer.values[offset:] if type(code) is int]
        return bytes(code & 255 for code in codes[: codes.index(0) if 0 in codes else None]).decode(
            errors="replace"
        )
    return f"{buffer.name}+{offset}" if type(offset) is int else buffer.name
