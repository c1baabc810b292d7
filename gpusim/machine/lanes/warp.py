"""What the lanes of a warp do together, and what lanes do to one word one after the other: shuffles, votes,
atomics."""

from __future__ import annotations

import numpy as np

from ...errors import LaunchError
from ...units import LANES
from ..memory.buffers import LocalBuffer, Pointer, atomic_target, element
from ..values.arithmetic import Unknown, lanes, truth
from ..values.members import as_bits, has_bits, taking_part


class WarpOps:
    """Part of the lanes machine: shuffles, votes and atomics."""

    # Shuffles and votes see rows of 32 lanes.

    def _rows(self, value, dtype):
        """(rows of 32 lanes, block axes) of any value."""
        array = np.asarray(lanes(value, dtype))
        array = np.broadcast_to(array, np.broadcast_shapes(array.shape, (1,) * 6))
        return self.space.by_warp(array), array.shape[:3]

    def shuffle(self, site, kind, value, argument, width, mask, dtype, members=None, gone=False):
        """What each lane receives; kind : "idx", "up", "down" or "xor"; lanes whose source is out of reach
        keep their own."""
        width = shuffle_width(site, width)
        if self.tally is not None:
            self.arith(site, mask)
        if type(value) is Unknown or type(argument) is Unknown:
            return value if type(value) is Unknown else argument
        (rows, had), (given, other) = self._rows(value, dtype), self._rows(argument, np.int64)
        blocks = np.broadcast_shapes(had, other)
        rows, given = self.spread_rows(rows, had, blocks), self.spread_rows(given, other, blocks)
        lane = np.arange(LANES, dtype=np.int64)
        start = lane - lane % width
        source = {
            "idx": lambda: start + given % width,
            "up": lambda: lane - given,
            "down": lambda: lane + given,
            "xor": lambda: lane ^ given,
        }[kind]()
        reach = {
            "up": source >= start,
            "idx": True,
            "xor": source < start + width,
            "down": source < start + width,
        }[kind]
        source = np.where(reach, source, lane) % LANES
        result = np.take_along_axis(rows, np.broadcast_to(source, rows.shape), axis=1)
        if self.checks is not None:
            self.checks.shuffle(self, site, source, mask, blocks, members, gone)
        return self.space.from_warps(result, blocks)

    def spread_rows(self, rows, had, blocks):
        """Rows of the block axes `had`, repeated to the block axes `blocks`."""
        if tuple(had) == tuple(blocks):
            return rows
        rows = rows.reshape(*had, -1)
        return np.broadcast_to(rows, (*blocks, rows.shape[-1])).reshape(-1, LANES)

    def vote(self, site, kind, predicate, mask, members=None, gone=False):
        """__ballot_sync, __any_sync, __all_sync and __activemask: each lane asks those that take part with it."""
        if self.tally is not None:
            self.arith(site, mask)
        if self.checks is not None:
            self.checks.vote(self, site, mask, members, gone)
        predicate = truth(predicate)
        shapes = (np.shape(x)[:3] or (1, 1, 1) for x in (mask, predicate, lanes(members, np.int64)))
        blocks = np.broadcast_shapes(*shapes)
        active = self.space.active_by_warp(mask, blocks)
        group = taking_part(self.space, active, members, blocks)
        answer = group & as_bits(active & self.space.active_by_warp(predicate, blocks))
        if kind in ("any", "all"):
            answer = answer != 0 if kind == "any" else answer == group
        else:
            answer = answer.astype(np.uint32)
        return self.space.from_warps(np.broadcast_to(answer, active.shape), blocks)

    def reduce(self, site, op, value, mask, dtype, members=None, gone=False):
        """__reduce_add_sync and its kin."""
        if self.tally is not None:
            self.arith(site, mask)
        if self.checks is not None:
            self.checks.vote(self, site, mask, members, gone)
        rows, blocks = self._rows(value, dtype)
        shapes = (np.shape(x)[:3] or (1, 1, 1) for x in (mask, lanes(members, np.int64)))
        wide = np.broadcast_shapes(blocks, *shapes)
        active = self.space.active_by_warp(mask, wide)
        group = taking_part(self.space, active, members, wide)
        rows = self.spread_rows(rows, blocks, wide)
        ufunc, neutral = {
            "add": (np.add, 0),
            "min": (np.minimum, _limits(dtype).max),
            "max": (np.maximum, _limits(dtype).min),
            "and": (np.bitwise_and, -1),
            "or": (np.bitwise_or, 0),
            "xor": (np.bitwise_xor, 0),
        }[op]
        neutral, result = np.array(neutral).astype(dtype), np.zeros(rows.shape, dtype)
        for lane in range(32) if group.shape[1] > 1 else [slice(None)]:  # for each lane, or for all at once
            asked = group[:, lane] if group.shape[1] == 1 else group[:, lane, None]
            part = np.where(has_bits(asked), rows, neutral)
            total = ufunc.reduce(part, axis=1).astype(dtype)
            result[:, lane] = total if group.shape[1] > 1 else total[:, None]
        return self.space.from_warps(result, wide)

    def sync_warp(self, site, mask, members, gone=False):
        """__syncwarp: lanes of a warp wait for each other; nothing to do where they run in step."""
        if self.checks is not None:
            self.checks.sync_warp(self, site, mask, members, gone)

    def fence(self, mask, scope):
        """__threadfence: what a lane did before it is seen before what it does afterwards; scope : "block" or
        "device"."""
        if self.checks is not None:
            self.checks.fence(self, mask, scope)

    def block_vote(self, kind, predicate, mask):
        """What __syncthreads_count, _and and _or return: how many threads of the block say yes, whether all
        do, whether one does."""
        yes = np.broadcast_to(truth(predicate), self.space.full_shape) & mask
        if kind == "or":
            return yes.any(axis=(3, 4, 5), keepdims=True).astype(np.int32)
        if kind == "and":
            return (
                (yes | ~np.broadcast_to(mask, yes.shape)).all(axis=(3, 4, 5), keepdims=True).astype(np.int32)
            )
        return yes.sum(axis=(3, 4, 5), keepdims=True).astype(np.int32)

    # What a kernel says.

    def print(self, site, text, values, mask):
        """printf: one line for each active thread, in order, kept in the run."""
        where = np.broadcast_to(mask, self.space.full_shape)
        columns = [
            [printed(v)] * int(where.sum())
            if v is None or isinstance(v, Pointer)
            else np.broadcast_to(np.asarray(lanes(truth(v), np.int64)), self.space.full_shape)[where]
            for v in values
        ]
        self.launch.print(text, list(zip(*columns)) if columns else [()] * int(where.sum()))

    def claim(self, site, condition, mask):
        """assert: report the first thread for which the condition is false."""
        failed = self.without(mask, truth(condition))
        if failed is not False:
            self.launch.report_claim(self, site, failed)

    def clock(self, mask):
        """clock64: no clock runs here; every read gives a later number."""
        self.launch.ticks += 1
        return self.launch.ticks

    # Atomics.

    def atomic(self, site, op, pointer, index, operands, mask, used=True):
        """A read-modify-write by each lane of `mask`, in block and thread order; returns what each lane found
        there."""
        buffer, at = atomic_target(site, pointer), element(site, pointer, index)
        at, mask = self.inside(site, buffer, at, mask)
        if mask is False:
            return by_part(site, [site.dtype.type(0)] * site.width)
        if self.tally is not None and buffer.space != "constant":
            self._count_access(site, buffer, "atomic_inc" if site.increment else "atomic", at, mask)
        if self.dataless:
            return by_part(site, [Unknown(site)] * site.width)
        parts = zip(*operands) if site.width > 1 else [operands]
        done = [
            self._read_modify_write(site, op, buffer, at, values, mask, used, part)
            for part, values in enumerate(parts)
        ]
        if self.checks is not None:
            self.checks.atomic(self, site, buffer, at, mask, done[0][1])
        return by_part(site, [old for old, _ in done])

    def _read_modify_write(self, site, op, buffer, at, operands, mask, used, part):
        """(what each lane found, for "cas" which lanes wrote) of one number of the element."""
        places, where = self._places(buffer, at, mask, site, part)
        values = [
            np.broadcast_to(np.asarray(lanes(x, site.dtype), site.dtype), self.space.full_shape)[where]
            for x in operands
        ]
        flat = buffer.view(site.dtype).reshape(-1)
        if not used and op in _PLAIN:
            _PLAIN[op].at(flat, places, values[0])
            return site.dtype.type(0), None
        found, old = _one_by_one(flat, places, op, values), np.zeros(self.space.full_shape, site.dtype)
        old[where] = found
        return old, found == values[0] if op == "cas" else None

    def _places(self, buffer, at, mask, site, part=0):
        """Flat indices of the words that the active lanes touch, and where those lanes are."""
        where = np.broadcast_to(mask, self.space.full_shape)
        index = np.broadcast_to(lanes(at, np.int64), self.space.full_shape)[where]  # idle lanes have any
        index = index * site.width + part
        if buffer.space == "shared":
            buffer.grow(self.space.block_shape)
            view = buffer.view(site.dtype)
            own = [
                np.broadcast_to(b if view.shape[a] > 1 else 0, self.space.full_shape)[where]
                for a, b in enumerate(self.space.block_index)
            ]
            index = np.ravel_multi_index((*own, index), view.shape)
        return index, where


def by_part(site, values):
    """A value of a site: a list for a vector, as of half2."""
    return values if site.width > 1 else values[0]


_PLAIN = {
    "add": np.add,
    "sub": np.subtract,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _apply(op, old, values):
    """The new value of an atomic operation."""
    if op in _PLAIN:
        return _PLAIN[op](old, values[0])
    if op == "exch":
        return values[0]
    if op == "cas":
        return np.where(old == values[0], values[1], old)[()]
    if op == "inc":
        return np.where(old >= values[0], 0, old + 1).astype(old.dtype)[()]
    return np.where((old == 0) | (old > values[0]), values[0], old - 1).astype(old.dtype)[()]


def _one_by_one(flat, places, op, values):
    """Apply an operation lane after lane.  Returns what each found.

    Lanes on different words go in one round; where few words are contended by many lanes, word after word.
    """
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    fresh = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    if op == "add" and flat.dtype.kind in "iu":
        return _found_by_sums(flat, order, ordered, fresh, values[0])
    found = np.empty(len(places), flat.dtype)
    count = np.arange(len(ordered), dtype=np.int64)
    starts = count[fresh]
    turn = count - np.maximum.accumulate(np.where(fresh, count, 0))
    if len(starts) <= turn.max(initial=0):
        for who in np.split(order, starts[1:]):
            place = places[who[0]]
            found[who], flat[place] = _in_a_row(op, flat[place], [v[who] for v in values])
        return found
    by_turn = np.argsort(turn, kind="stable")
    for group in np.split(by_turn, np.flatnonzero(np.diff(turn[by_turn])) + 1):
        who = order[group]
        old = flat[places[who]]
        found[who] = old
        flat[places[who]] = _apply(op, old, [v[who] for v in values])
    return found


def _in_a_row(op, old, values):
    """Lanes that change one word one after the other: (what each finds, what the last leaves)."""
    if op in _PLAIN:
        states = _PLAIN[op].accumulate(np.concatenate([[old], values[0]]).astype(values[0].dtype))
        return states[:-1], states[-1]
    if op == "exch":
        return np.concatenate([[old], values[0][:-1]]), values[0][-1]
    found, at = np.empty_like(values[0]), 0
    while at < len(found):  # to the next lane that changes something
        changes = _apply(op, old, [v[at:] for v in values]) != old
        first = int(changes.argmax())
        if not changes[first]:
            found[at:] = old
            break
        found[at : at + first + 1] = old
        old, at = _apply(op, old, [v[at + first] for v in values]), at + first + 1
        if first < 8:  # often: then by single steps
            for place in range(at, min(at + 64, len(found))):
                found[place] = old
                old = _apply(op, old, [v[place] for v in values])
            at = min(at + 64, len(found))
    return found, old


def _found_by_sums(flat, order, ordered, fresh, amounts):
    """Additions in lane order, by running sums: integers wrap, so the order of adding does not matter."""
    amounts = amounts[order]
    running = np.cumsum(amounts, dtype=flat.dtype) - amounts
    before = running - np.repeat(running[fresh], np.diff(np.append(np.flatnonzero(fresh), len(ordered))))
    found = np.empty(len(order), flat.dtype)
    found[order] = flat[ordered] + before
    np.add.at(flat, ordered, amounts)
    return found


def _limits(dtype):
    return np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else np.finfo(dtype)


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


def shuffle_width(site, width):
    """The width of a shuffle, an int; LaunchError for one into which a warp does not divide."""
    values = np.unique(np.asarray(lanes(width, np.int64)))
    if len(values) > 1 or values[0] not in (1, 2, 4, 8, 16, 32):
        raise LaunchError(
            f"the width of a shuffle is 1, 2, 4, 8, 16 or 32, the same for all lanes; got {', '.join(map(str, values[:4]))}",
            line=site.line,
            column=site.column,
        )
    return int(values[0])
