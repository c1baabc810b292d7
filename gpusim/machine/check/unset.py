"""Memory that nobody has set: shared memory at the start of a block, and global arrays from gs.empty.

What is still unset is kept as bytes, 1 for unset, in the same layout as the memory itself; a store writes
zeros there.
"""

from __future__ import annotations

import numpy as np

from ...errors import indexed
from ..memory.buffers import SharedBuffer
from ..memory.moves import read, read_shared, write, write_shared
from ..values.space import settle
from ..values.value import by_lane, is_by_thread, is_formula, start, table
from .report import Report

UINTS = {1: np.dtype("u1"), 2: np.dtype("u2"), 4: np.dtype("u4"), 8: np.dtype("u8")}
MOST_LATE = 512  # stores to a global array that are kept for later


class Unset:
    """Watches reads of one launch."""

    def __init__(self, launch):
        self.launch = launch
        self.start()

    def start(self):
        """New blocks: all shared memory is unset again."""
        self.marks, self.known, self.found = {}, set(), {}

    def summary(self):
        """What was read unset, for the report of a barrier that some threads did not reach."""
        if not self.found:
            return ""
        return "; " + " and ".join(
            f"{n} reads of {name} (line {line}) met elements that nobody had written"
            for (name, line), n in self.found.items()
        )

    # Shared memory.

    def shared_access(self, machine, site, buffer, kind, at, mask):
        """A load, store or atomic of shared memory."""
        marks = self.marks.get(buffer, self)
        if marks is None:  # all of it is set
            return
        key = self._key(machine, site, buffer, kind == "store", at, mask)
        if key in self.known:
            return
        if marks is self:
            marks = self.marks[buffer] = SharedBuffer(
                buffer.name, buffer.nbytes, np.ones(buffer.nbytes, np.uint8)
            )
        clean = kind == "store" or self._read_shared(machine, site, buffer, marks, at, mask)
        if kind != "load":
            write_shared(machine.space, marks, UINTS[site.dtype.itemsize], site.width, at, 0, mask)
            if not marks.cells.any():
                self.marks[buffer] = None
        if key is not None and clean:
            self.known.add(key)

    def _key(self, machine, site, buffer, store, at, mask):
        """What names an access that has been seen to be right: from then on it stays right, as set memory
        stays set."""
        if mask is not True and mask.size > 1024:
            return None
        if not is_by_thread(at) or (type(at) is not int and machine.space.packed is not None):
            return None
        return (
            buffer,
            store,
            site.size,
            start(at),
            table(at),
            True if mask is True else mask.tobytes(),
            machine.space,
        )

    def _read_shared(self, machine, site, buffer, marks, at, mask):
        """Report the lanes that read unset bytes; True if there are none."""
        found = read_shared(machine.space, marks.view(UINTS[site.dtype.itemsize], site.width), at, mask)
        return self._report(
            machine, site, buffer, found, at, mask, "__shared__ memory starts with whatever was left there"
        )

    def _report(self, machine, site, buffer, found, at, mask, why):
        unset = found != 0
        if site.width > 1:
            unset = unset.any(axis=-1)
        if not np.any(unset):
            return True
        unset = np.broadcast_to(unset, np.broadcast_shapes(np.shape(unset), (1,) * 6))
        unset = settle(unset & mask)
        if unset is False:
            return True
        self.report(machine, site, buffer, unset, at, why)
        return False

    def report(self, machine, site, buffer, unset, at, why):
        """Report that lanes read elements `at` that are unset."""
        values = by_lane(at)
        block, thread, index = machine.space.first(unset, values)
        count = int(np.broadcast_to(unset, machine.space.full_shape).sum())
        key = buffer.name, site.line
        self.found[key] = self.found.get(key, 0) + count
        self.launch.add(
            Report(
                "unset read",
                f"thread {indexed(thread)} in block {indexed(block)} reads {buffer.name}[{index}], "
                "which " + ("it has not" if buffer.space == "local" else "no thread has") + " written",
                block=block,
                thread=thread,
                array=buffer.name,
                index=index,
                count=count,
                hint=f"{why}: write {buffer.name} before it is read",
            ),
            site,
        )

    # Global memory.

    def global_access(self, machine, site, buffer, kind, at, mask):
        """A load, store or atomic of an array from gs.empty; stores are noted and applied when somebody
        reads."""
        if kind == "store":
            buffer.memory.late.append((machine.space, UINTS[site.dtype.itemsize], site.width, at, mask))
            if len(buffer.memory.late) > MOST_LATE or not is_formula(at):
                apply_late(buffer)
            return
        apply_late(buffer)
        if buffer.memory.unset is None:
            return
        view = _view(buffer.memory.unset, UINTS[site.dtype.itemsize], site.width)
        found = read(machine.space, view, at, mask)
        self._report(
            machine,
            site,
            buffer,
            found,
            at,
            mask,
            "gs.empty and cudaMalloc give memory with whatever was left there",
        )
        if kind == "atomic":
            write(machine.space, view, at, 0, mask)


def apply_late(buffer):
    """Mark as set what the noted stores have written."""
    if not buffer.memory.late:
        return
    for space, dtype, width, at, mask in buffer.memory.late:
        write(space, _view(buffer.memory.unset, dtype, width), at, 0, mask)
    buffer.memory.late.clear()
    if not buffer.memory.unset.any():
        buffer.memory.unset = None


def _view(unset, dtype, width):
    whole = unset[: len(unset) - len(unset) % (dtype.itemsize * width)].view(dtype)
    return whole if width == 1 else whole.reshape(-1, width)


def mark_written(written, machine, site, buffer, at, mask):
    """Note in `written` (buffer -> a bool a byte) what a store writes."""
    if buffer not in written:
        written[buffer] = np.zeros(buffer.nbytes, bool)
    write(
        machine.space,
        _view(written[buffer], UINTS[site.dtype.itemsize], site.width),
        at,
        UINTS[site.dtype.itemsize].type(1),
        mask,
    )
