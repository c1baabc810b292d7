"""Races between two barriers: the accesses of that time, judged for one block where the blocks are alike,
else for each.

Threads of different warps race if no barrier stands between them; threads of one warp race if no __syncwarp()
does, since from compute capability 7.0 on the lanes of a warp need not run in step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...units import LANES
from ..values.value import is_formula, strides
from ..values.value import key as key_of
from .events import block_events, join, lane_events
from .partial import lanes_known
from .private import shared_only
from .racing import NAMES, find_races
from .words import races_report

BETWEEN, INSIDE = "between warps", "inside a warp"
VARIANTS = 8  # kinds of blocks that are judged one by one; more of them are judged all together
EVENTS = 1 << 20  # accesses by threads that are sorted at once
_VERDICTS = {}


@dataclass(frozen=True)
class Finding:
    """Races of one kind between two places of the text; threads are linear ids; count : threads of one block,
    or of all."""

    name: str
    scope: str
    site: object
    other: object
    array: str
    index: int
    thread: int
    other_thread: int
    block: int
    count: int
    strides: tuple = ()  # how the index grows from block to block
    single: bool = False  # the array is one __shared__ variable
    waits: bool = False  # the threads wait for each other, so a barrier between them would hang


def judge(launch, space, entries):
    """Report the races among the accesses of one space of blocks."""
    in_step = float(launch.gpu.compute_capability) < 7.0
    for blocks, findings in _verdicts(space, entries, in_step):
        for f in findings:
            races_report(
                launch, space, f, np.unravel_index(int(blocks[0]), space.extents[:3]), f.count * len(blocks)
            )


def _verdicts(space, entries, in_step):
    """[(linear block numbers, findings of the first of them, counted for one of them)]"""
    groups = _variants(space, entries) if _block_free(entries) else None
    if groups is None:
        yield from _all_blocks(space, entries, in_step)
        return
    for blocks, masks in groups:
        numbers = {}
        key = (
            in_step,
            *(
                (
                    e.site,
                    numbers.setdefault(e.buffer, len(numbers)),
                    e.kind,
                    key_of(e.at),
                    None if m is None else m.tobytes(),
                    e.turn,
                    e.space.lanes_shape,
                    None if e.space.threads is None else e.space.threads.tobytes(),
                )
                for e, m in zip(entries, masks)
            ),
        )
        verdict = _VERDICTS.get(key)
        if verdict is None:
            if len(_VERDICTS) > 4096:
                _VERDICTS.clear()
            events = join([block_events(e, m) for e, m in zip(entries, masks)])
            verdict = _VERDICTS[key] = _find(entries, events, in_step)
        if verdict:
            yield blocks, verdict


def _block_free(entries):
    """True if the accesses to each buffer differ between blocks by nothing but a common offset, and no values
    matter."""
    steps = {}
    for e in entries:
        if e.space.packed is not None or np.ndim(e.value) >= 6 or not is_formula(e.at):
            return False
        if e.buffer is not None:
            own = (*strides(e.at)[:3], 0, 0, 0)[:3]
            step = tuple(s * e.site.size for s in own)
            if steps.setdefault(e.buffer, step) != step:
                return False
    return True


def _variants(space, entries):
    """[(linear block numbers, one thread mask an entry)] for each kind of block, or None if there are too
    many kinds.

    A thread mask is None (all) or a flat boolean array over the lanes of the entry's machine.
    """
    differing, masks = [], []
    for e in entries:
        if e.mask is True:
            masks.append(None)
        elif e.mask.shape[:3] == (1, 1, 1):
            masks.append(np.broadcast_to(e.mask[0, 0, 0], e.space.lanes_shape).reshape(-1))
        else:
            masks.append(len(differing))
            differing.append(np.broadcast_to(e.mask, e.space.full_shape).reshape(space.block_count, -1))
    if not differing:
        return [(np.arange(space.block_count, dtype=np.int64), masks)]
    packed = np.packbits(np.concatenate(differing, axis=1), axis=1)
    _, first, kind = np.unique(
        packed.view(f"V{packed.shape[1]}").reshape(-1), return_index=True, return_inverse=True
    )
    if len(first) > VARIANTS:
        return None
    return [
        (np.flatnonzero(kind.reshape(-1) == i), [differing[m][block] if type(m) is int else m for m in masks])
        for i, block in enumerate(first)
    ]


def _all_blocks(space, entries, in_step):
    """Findings of every block, without memory: addresses, masks or values differ from block to block."""
    entries = shared_only(space, entries)
    if not entries:
        return
    parts = [lane_events(space, e) for e in entries]
    total = max(1, sum(len(p[0]) for p in parts))
    step = max(1, space.block_count * EVENTS // total)
    for low in range(0, space.block_count, step):
        some = parts
        if step < space.block_count:
            picks = [(p[0] >= low) & (p[0] < low + step) for p in parts]
            some = [
                (p[0][k], p[1][k], p[2][k], None if p[3] is None else p[3][k]) for p, k in zip(parts, picks)
            ]
        findings = _find(entries, join(some), in_step)
        for finding in findings:
            yield np.array([finding.block]), [replace(finding, strides=())]


def _find(entries, events, in_step):
    """Findings among events, between warps and inside warps."""
    block, thread, at, number, values = events
    if not len(block):
        return []
    turns = np.array([e.turn for e in entries], np.int64)
    kinds = np.array([-1 if e.kind is None else e.kind for e in entries], np.int64)
    phase = _phases(entries, block, thread, number, turns)
    known = None if in_step else lanes_known(entries, block, thread, at, number)
    buffers = {b: i for i, b in enumerate(dict.fromkeys(e.buffer for e in entries if e.buffer is not None))}
    grain = {b: min([4] + [e.site.size for e in entries if e.buffer == b]) for b in buffers}
    real = kinds[number] >= 0
    event = np.flatnonzero(real)  # the number among all, __syncwarps included
    block, thread, at, number, phase = (x[real] for x in (block, thread, at, number, phase))
    per = np.array([1 if e.buffer is None else e.site.size // grain[e.buffer] for e in entries], np.intp)[
        number
    ]
    owner = np.array([0 if e.buffer is None else buffers[e.buffer] for e in entries], np.int64)[number]
    source = np.repeat(np.arange(len(at), dtype=np.int64), per)  # the event that a word belongs to
    offset = np.arange(len(source), dtype=np.int64) - np.repeat(np.cumsum(per, dtype=np.int64) - per, per)
    word = at[source] * per[source] + offset
    cell = _compress(block[source], owner[source], word)
    grains = np.array([4 if e.buffer is None else grain[e.buffer] for e in entries], np.int64)[number][source]
    value = _values(values, number, source, offset, grains)
    kind, step = kinds[number][source], turns[number][source]
    found = _scope(BETWEEN, find_races(thread[source] // LANES, cell, kind, step, value))
    if known is not None:
        warp_cell = _compress(cell, thread[source] // LANES)
        found += _scope(INSIDE, known.races(warp_cell, event[source], number[source], kind, value))
    elif not in_step:
        lane_cell = _compress(cell, thread[source] // LANES, phase[source])
        found += _scope(INSIDE, find_races(thread[source] % LANES, lane_cell, kind, step, value))
    return _grouped(found, source, block, thread, at, number, entries)


def _phases(entries, block, thread, number, turns):
    """How many times each event's thread has been through a __syncwarp before; (n,) int."""
    phase = np.zeros(len(block), np.int64)
    if all(e.buffer is not None for e in entries):
        return phase
    who = _compress(block, thread)
    count = np.zeros(int(who.max()) + 1, np.int64)
    bounds = np.searchsorted(number, np.arange(len(entries) + 1, dtype=np.int64))
    for i, entry in enumerate(entries):
        here = slice(bounds[i], bounds[i + 1])
        phase[here] = count[who[here]]
        if entry.buffer is None:
            count[who[here]] += 1
    return phase


def _compress(*columns):
    """One small number for each different row."""
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        low = int(column.min()) if len(column) else 0
        spread = (int(column.max()) - low + 1) if len(column) else 1
        key = key * spread + (column - low)
    return key


def _values(values, number, source, offset, grains):
    """What a write leaves in each word, where lanes of one instruction may meet; elsewhere 0: they cannot
    differ."""
    if all(v is None for v in values):
        return np.zeros(len(source), np.uint32)
    table = np.zeros((len(number), 16), np.uint8)
    bounds = np.searchsorted(number, np.arange(len(values) + 1, dtype=np.int64))
    for i, value in enumerate(values):
        if value is not None:
            table[bounds[i] : bounds[i + 1], : value.shape[1]] = value
    columns = (offset * grains)[:, None] + np.arange(4, dtype=np.int64)
    words = np.where(
        np.arange(4, dtype=np.int64) < grains[:, None], table[source[:, None], np.minimum(columns, 15)], 0
    ).astype(np.uint8)
    return words.view(np.uint32).reshape(-1)


def _scope(scope, races):
    earlier, later, name = races
    return [(scope, earlier, later, name)] if len(later) else []


def _grouped(found, source, block, thread, at, number, entries):
    """Findings: one for each kind of race and pair of places, with its first example and how many threads it
    concerns."""
    findings = []
    for scope, earlier, later, name in found:
        a, b = source[earlier], source[later]
        pair = (name * len(entries) + number[a]) * len(entries) + number[b]
        order = np.lexsort((thread[b], block[b], pair))
        _, first = np.unique(pair[order], return_index=True)
        for group in np.split(order, first[1:]):
            one, other = b[group[0]], a[group[0]]
            later_entry = entries[number[one]]
            along = strides(later_entry.at) if later_entry.space.packed is None else ()
            findings.append(
                Finding(
                    NAMES[name[group[0]]],
                    scope,
                    later_entry.site,
                    entries[number[other]].site,
                    later_entry.buffer.name,
                    int(at[one]),
                    int(thread[one]),
                    int(thread[other]),
                    int(block[one]),
                    len(np.unique(b[group])),
                    along,
                    later_entry.buffer.space == "shared"
                    and later_entry.buffer.nbytes == later_entry.site.size,
                )
            )
    return _merge(findings)


def _merge(findings):
    """Findings at the same pair of places are one."""
    merged = {}
    for f in findings:
        key = f.name, f.scope, f.site, f.other, f.array
        known = merged.get(key)
        merged[key] = f if known is None else replace(known, count=known.count + f.count)
    return list(merged.values())
