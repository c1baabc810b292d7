"""Counting pieces of a launch: what one block does there, times how many blocks and loop steps do the same."""

from __future__ import annotations

from ...units import WORD, warps_of
from ..account.cost import TAG_PERIOD, ZERO
from ..account.footprint import convolve
from ..values.value import start, strides, table
from .offsets import block_cost
from .regions import common_box, items_of, volume


def population(space, threads):
    """(warps with an active lane, active lanes) of one block; threads : a Table, or None for all."""
    if threads is None:
        return warps_of(space.thread_count), space.thread_count
    key = "population", space.lanes_shape
    known = threads.memo.get(key)
    if known is None:
        rows = _rows(space, threads)
        known = threads.memo[key] = int(rows.any(axis=1).sum()), int(rows.sum())
    return known


def _rows(space, threads):
    return space.active_by_warp(threads.array.reshape(1, 1, 1, *threads.array.shape))


def arith(m, site, mask):
    """Arithmetic, a shuffle, a barrier: warps and lanes come by."""
    _pass_by(m, site, mask)


def _pass_by(m, site, mask, split=0, taken=None):
    warps = lanes = 0
    if mask is not False:
        m.script.note(site, mask, taken)
        for box, threads in items_of(mask):
            times = volume(m.space, box)
            some = population(m.space, threads)
            warps, lanes = warps + times * some[0], lanes + times * some[1]
    m.tally.pass_by(site, warps, lanes, split)


def count_branch(m, site, mask, yes, no):
    """Count a branch, and the warps that go both ways."""
    split = 0
    if yes is not False and no is not False:
        for box, on in yes.items:
            for other, off in no.items:
                split += _split_warps(m.space, box, on, other, off)
    _pass_by(m, site, mask, split, yes)


def _split_warps(space, box, on, other, off):
    """Warps with lanes in both pieces."""
    if on is None or off is None:
        return 0
    shared = common_box(space, box, other)
    if shared is None:
        return 0
    key = "split", space.lanes_shape, off
    known = on.memo.get(key)
    if known is None:
        one, two = (_rows(space, threads).any(axis=1) for threads in (on, off))
        known = on.memo[key] = int((one & two).sum())
    return known * volume(space, shared)


def count_access(m, site, memory, kind, at, mask):
    """Count an access: for each piece, how often each residue of the offset occurs, times what one block costs
    then.  Returns (its Entry, how many warps make it)."""
    modulus = max(1, (TAG_PERIOD if memory == "global" else WORD) // site.size)
    threads_of = table(at)
    memo = site.memo if threads_of is None else threads_of.memo
    total = ZERO
    for box, threads in items_of(mask):
        key = "warps", m.space.lanes_shape, threads
        residues = _residues(m.space, at, box, modulus)
        total = total + block_cost(m.space, memo, key, kind, memory, site.size, threads_of, threads, residues)
    return m.tally.access(site, memory, kind, total), int(total[0])


def _residues(space, at, box, modulus):
    """[(residue, how many blocks and loop steps have it)] of an access's offset."""
    along = strides(at)
    if not along:
        return [(start(at) % modulus, volume(space, box))]
    counts = {start(at) % modulus: 1}
    for axis, extent in enumerate(space.extents):
        first, last = box.get(axis, (0, extent))
        counts = convolve(counts, along[axis] if axis < len(along) else 0, first, last, modulus)
    return list(counts.items())
