"""The counting machine: runs a kernel once for all blocks without data, and counts exactly at any size.

Loads give `Unknown`.  As long as none of them reaches an address or a branch, every address is a pattern, and
the sectors of all its warps follow from the few ways in which block and loop offsets can fall into a sector.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import OutOfBounds
from ...units import WORD, warps_of
from ..account.cost import ZERO
from ..account.footprint import convolve
from ..account.waits import Waits
from ..check.report import more_shared
from ..lanes.matrices import Matrices
from ..lanes.progress import Progress
from ..memory.buffers import LocalBuffer, Pointer, SharedBuffer, atomic_target, element, target
from ..values.arithmetic import Unknown
from ..values.pattern import Irregular, Pattern
from .dataless import Dataless
from .loops import Loops
from .offsets import TAG_PERIOD, block_cost
from .regions import Pieces, common_box, evaluate, items_of, subtract, unite, volume
from .script import Script
from .symbolic import UNKNOWN, use


class CountingMachine(Dataless, Loops, Progress, Matrices):
    """Drives generated code over a SymbolicSpace; masks are True, False or Pieces."""

    dataless = True

    def __init__(self, launch, space, tally, through, cycles):
        self.launch, self.space, self.tally = launch, space, tally
        self.watch_loops(through, cycles)
        self.shared_buffers, self.script = {}, Script()
        self.watch_progress(launch.step_limit)
        self.waits = tally.waits = Waits(space.block_count * warps_of(space.thread_count))

    def special(self, name):
        return self.space.variables[name]

    # Masks.

    def split(self, site, mask, condition):
        yes, no = self._sides(site, mask, condition)
        self._count_branch(site, mask, yes, no)
        return yes, no

    def _sides(self, site, mask, condition):
        self._certain(site, condition)
        if condition is True or condition is False or isinstance(condition, np.bool_):
            return (mask, False) if condition else (False, mask)
        yes, no = evaluate(self.space, items_of(mask), condition)
        if not yes or not no:
            return (mask, False) if yes else (False, mask)
        return Pieces(yes), Pieces(no)

    def _certain(self, site, condition):
        if type(condition) is Unknown:
            if condition.site is not None:
                raise self.launch.not_countable(site, condition)
            raise Irregular("a branch on a value that the machine has not followed")

    def meet(self, mask, condition):
        return (
            self._sides(None, mask, condition)[0]
            if type(condition) is not Unknown
            else self._certain(None, condition)
        )

    def without(self, mask, gone):
        if gone is False or mask is False:
            return mask
        if gone is True:
            return False
        left = subtract(self.space, items_of(mask), items_of(gone))
        return Pieces(left) if left else False

    def join(self, a, b):
        if a is False or b is True:
            return b
        if b is False or a is True:
            return a
        items = unite(self.space, a.items, b.items)
        lanes = sum(volume(self.space, box) * self._threads(threads)[1] for box, threads in items)
        return True if lanes == self._volume() * self.space.thread_count else Pieces(items)

    def loop(self, site, mask, condition):
        self.step(site, mask)
        yes, no = self._sides(site, mask, condition)
        self._count_branch(site, mask, yes, no)
        return yes

    def merge(self, mask, new, old, dtype):
        if mask is True or old is None:
            return new
        if new is old or (type(new) is int and type(old) is int and new == old):
            return new
        if type(new) is Unknown or type(old) is Unknown:
            return new if type(new) is Unknown else old
        items = mask.items
        plain = all(type(x) is int or (type(x) is Pattern and x.only_threads()) for x in (new, old))
        if (
            plain
            and len(items) == 1
            and not items[0][0]
            and items[0][1] is not None
            and np.dtype(dtype).kind in "iu"
        ):
            on = items[0][1].array
            left, right = (
                x.thread_array() if type(x) is Pattern else np.full((1, 1, 1), x, np.int64)
                for x in (new, old)
            )
            return self.space.thread_value(np.where(on, left, right))
        return UNKNOWN

    def merge_pointer(self, mask, new, old):
        if mask is True or old is None:
            return new
        if new is not None and new.buffer == old.buffer:
            return Pointer(new.buffer, self.merge(mask, new.offset, old.offset, np.int64))
        raise Irregular("a pointer that leads to different arrays in different threads")

    # Counting.

    def _volume(self):
        return math.prod(self.space.extents)

    def _threads(self, threads):
        """(warps with an active lane, active lanes) of one block."""
        if threads is None:
            return warps_of(self.space.thread_count), self.space.thread_count
        key = "population", self.space.lanes_shape
        known = threads.memo.get(key)
        if known is None:
            rows = self.space.active_by_warp(threads.array.reshape(1, 1, 1, *threads.array.shape))
            known = threads.memo[key] = int(rows.any(axis=1).sum()), int(rows.sum())
        return known

    def arith(self, site, mask):
        self._pass_by(site, mask)

    def _pass_by(self, site, mask, split=0, taken=None):
        warps = lanes = 0
        if mask is not False:
            self.script.note(site, mask, taken)
            for box, threads in items_of(mask):
                times = volume(self.space, box)
                some = self._threads(threads)
                warps, lanes = warps + times * some[0], lanes + times * some[1]
        self.tally.pass_by(site, warps, lanes, split)

    def _count_branch(self, site, mask, yes, no):
        split = 0
        if yes is not False and no is not False:
            for box, on in yes.items:
                for other, off in no.items:
                    split += self._split_warps(box, on, other, off)
        self._pass_by(site, mask, split, yes)

    def _split_warps(self, box, on, other, off):
        """Warps with lanes in both pieces."""
        if on is None or off is None:
            return 0
        shared = common_box(self.space, box, other)
        if shared is None:
            return 0
        key = "split", self.space.lanes_shape, off
        known = on.memo.get(key)
        if known is None:
            rows = [
                self.space.active_by_warp(x.array.reshape(1, 1, 1, *x.array.shape)).any(axis=1)
                for x in (on, off)
            ]
            known = on.memo[key] = int((rows[0] & rows[1]).sum())
        return known * volume(self.space, shared)

    def _access(self, site, space, kind, at, mask):
        """Count an access: for each piece, how often each residue of the offset occurs, times what one block
        costs then."""
        modulus = max(1, (TAG_PERIOD if space == "global" else WORD) // site.size)
        table = at.table if type(at) is Pattern else None
        memo = site.memo if table is None else table.memo
        total = ZERO
        for box, threads in items_of(mask):
            key = "warps", self.space.lanes_shape, threads
            total = total + block_cost(
                self.space,
                memo,
                key,
                kind,
                space,
                site.size,
                table,
                threads,
                self._residues(at, box, modulus),
            )
        return self.tally.access(site, space, kind, total), int(total[0])

    def _residues(self, at, box, modulus):
        """[(residue, how many blocks and loop steps have it)] of an access's offset."""
        if type(at) is int:
            return [(at % modulus, volume(self.space, box))]
        counts = {at.c % modulus: 1}
        for axis, extent in enumerate(self.space.extents):
            first, last = box.get(axis, (0, extent))
            stride = at.strides[axis] if axis < len(at.strides) else 0
            counts = convolve(counts, stride, first, last, modulus)
        return list(counts.items())

    # Memory.

    def shared(self, name, nbytes):
        if name not in self.shared_buffers:
            self.shared_buffers[name] = SharedBuffer(name[0], nbytes, np.zeros(nbytes, np.uint8))
        return Pointer(self.shared_buffers[name])

    def dynamic(self, name):
        found = self.shared((name, "dynamic"), self.launch.shared_bytes)
        found.buffer.dynamic = True
        return found

    def variable(self, name):
        return self.launch.variable(name)

    def local(self, name, dtype, count, values):
        return Pointer(LocalBuffer(name, dtype, values if values is not None else [UNKNOWN] * count))

    def load(self, site, pointer, index, mask):
        buffer = target(site, pointer)
        at = element(site, pointer, index)
        if buffer.space == "local":
            return self._load_local(site, buffer, at)
        requests = self._touch(site, buffer, "load", at, mask)
        strides = at.strides[3:] if type(at) is Pattern else ()
        strides = (*strides, *(0,) * len(self.waits.scopes))[: len(self.waits.scopes)]
        value = Unknown(site, self.waits.issue(site, buffer.space == "shared", requests, strides))
        return [value] * site.width if site.width > 1 else value

    def store(self, site, pointer, index, value, mask):
        buffer = target(site, pointer)
        at = element(site, pointer, index)
        if buffer.space == "local":
            return self._store_local(site, buffer, at, value, mask)
        for part in value if isinstance(value, list) else [value]:
            use(part)
        if buffer.space == "global":
            self.waits.hold()
        self._touch(site, buffer, "store", at, mask)

    def atomic(self, site, op, pointer, index, operands, mask, used):
        for operand in operands:
            use(operand)
        self.waits.hold()
        self._touch(
            site,
            atomic_target(site, pointer),
            "atomic_inc" if site.increment else "atomic",
            element(site, pointer, index),
            mask,
        )
        return Unknown(site)

    def _touch(self, site, buffer, kind, at, mask):
        """Count an access; returns how many warps make it."""
        if type(at) is Unknown:
            if at.site is not None:
                raise self.launch.not_countable(site, at)
            raise Irregular("an address that the machine has not followed")
        self._inside(site, buffer, at, mask)
        self.spend(0)
        self.script.note(site, mask, None, kind, buffer.space, buffer.name, at)
        entry, requests = self._access(site, buffer.space, kind, at, mask)
        if buffer.space == "global":
            entry.footprints.append((buffer, site.size, at, items_of(mask), tuple(self.space.extents)))
        return requests

    def _inside(self, site, buffer, at, mask):
        count = buffer.nbytes // site.size
        lo, hi = (at, at) if type(at) is int else (at.lo, at.hi)
        if lo >= 0 and hi < count:
            return
        for condition in (at >= 0, at < count):
            if evaluate(self.space, items_of(mask), condition)[1]:
                self._refuse(site, buffer, lo, hi, count)

    def _refuse(self, site, buffer, lo, hi, count):
        raise OutOfBounds(
            f"an index of {buffer.name} runs from {lo} to {hi}, but {buffer.name} has {count} elements",
            line=site.line,
            column=site.column,
            **more_shared(buffer),
        )

    def _load_local(self, site, buffer, at):
        whole = range(site.width)
        if type(at) is int:
            at = at * site.width
            if not 0 <= at <= len(buffer.values) - site.width:
                raise OutOfBounds(
                    f"index {at} is outside {buffer.name}, which has {len(buffer.values)} elements",
                    line=site.line,
                    column=site.column,
                )
            return [buffer.values[at + i] for i in whole] if site.width > 1 else buffer.values[at]
        value = next((x for x in buffer.values if type(x) is Unknown and x.load is not None), UNKNOWN)
        return [value] * site.width if site.width > 1 else value

    def _store_local(self, site, buffer, at, value, mask):
        values = value if site.width > 1 else [value]
        if type(at) is not int:
            buffer.values[:] = [values[0] if type(values[0]) is Unknown else UNKNOWN] * len(buffer.values)
            return
        for i, item in enumerate(values):
            place = at * site.width + i
            if not 0 <= place < len(buffer.values):
                raise OutOfBounds(
                    f"index {place} is outside {buffer.name}, which has {len(buffer.values)} elements",
                    line=site.line,
                    column=site.column,
                )
            buffer.values[place] = self.merge(mask, item, buffer.values[place], buffer.dtype)
