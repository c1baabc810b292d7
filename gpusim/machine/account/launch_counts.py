"""Launch counts: what the time model needs to know about a run, from its tally, its footprints and its
waits."""

from __future__ import annotations

import math

import numpy as np

from ...counters import TENSOR_FLOPS, LaunchCounts
from ...units import SECTOR, warps_of
from .cost import FIELDS
from .footprint import distinct_pieces, distinct_sectors, filled_sectors
from .touch import by_buffer

PIECE, DRAM_PIECE = 512, 64  # bytes: of memory that one atomic unit serves; of one read of device memory


def launch_counts(run):
    """The LaunchCounts of a run.  Exact sums; waits are those of the rule in waits.py, or a guess where data
    decides."""
    entries = run.tally.entries
    accesses = [
        (site, entry, dict(zip(FIELDS, map(int, entry.cost))))
        for (site, _, _), entry in entries.items()
        if entry.space
    ]

    def total(field, *kinds):
        return sum(cost[field] for _, entry, cost in accesses if not kinds or _kind(entry) in kinds)

    touched = [touch for _, entry, _ in accesses for touch in entry.touches]
    blocks = math.prod(run.grid)
    return LaunchCounts(
        blocks=blocks,
        threads=math.prod(run.block),
        shared_bytes=run.kernel.static_shared + run.shared_bytes,
        warp_instructions=run.counts.warp_instructions,
        flops=run.counts.flops,
        tensor_flops=TENSOR_FLOPS * run.counts.tensor_instructions,
        l1_data=total("l1_data"),
        l1_tag=total("l1_tag"),
        l1_bytes=sum(cost["lanes"] * site.size for site, _, cost in accesses),
        l2_read_sectors=_block_sectors(accesses, blocks),
        store_sectors=total("sectors", "global_store"),
        partial_sectors=total("partial_sectors", "global_store"),
        footprint=SECTOR * _over_buffers(touched, distinct_sectors, accesses),
        dram_bytes=_dram_bytes(accesses),
        shared_wavefronts=total("wavefronts"),
        atomic_rounds=total("sectors", "global_atomic"),
        atomic_pieces=_over_buffers(
            [touch for _, entry, _ in accesses if _kind(entry) == "global_atomic" for touch in entry.touches],
            lambda found: distinct_pieces(found, PIECE),
            accesses,
            "global_atomic",
            PIECE,
        ),
        **_waits(run, accesses, blocks),
    )


def _kind(entry):
    return f"{entry.space}_{entry.kind.removesuffix('_inc')}"


def _over_buffers(touches, measure, accesses, kind=None, piece=SECTOR):
    """Sum a measure over arrays; arrays of which only marks exist count their marked sectors in pieces."""
    total = sum(measure(found) for found in by_buffer(touches).values())
    marks = {}
    for _, entry, _ in accesses:
        if kind is None or _kind(entry) == kind:
            for buffer, touched in entry.marks.items():
                marks[buffer] = marks[buffer] | touched if buffer in marks else touched
    return total + sum(_marked(touched, piece // SECTOR) for touched in marks.values())


def _marked(touched, step):
    """Pieces of `step` sectors with a marked one."""
    if step == 1:
        return int(touched.sum())
    padded = np.pad(touched, (0, -len(touched) % step))
    return int(padded.reshape(-1, step).any(axis=1).sum())


def _block_sectors(accesses, blocks):
    """Distinct load sectors of each block, summed over blocks: what an ideal L1 would ask of L2."""
    loads = [(entry, cost) for _, entry, cost in accesses if _kind(entry) == "global_load"]
    if any(entry.marks for entry, _ in loads):
        return sum(cost["sectors"] for _, cost in loads)
    total = 0
    for found in by_buffer(touch for entry, _ in loads for touch in entry.touches).values():
        total += distinct_sectors(found, per_block=True)
    return total


def _dram_bytes(accesses):
    """Loads in pieces of 64 bytes, stores in sectors, and one read of each sector that no store fills."""
    loads = [
        touch
        for _, entry, _ in accesses
        if _kind(entry) in ("global_load", "global_atomic")
        for touch in entry.touches
    ]
    total = DRAM_PIECE * _over_buffers(
        loads,
        lambda found: distinct_pieces(found, DRAM_PIECE),
        [a for a in accesses if _kind(a[1]) != "global_store"],
        piece=DRAM_PIECE,
    )
    stores = [a for a in accesses if _kind(a[1]) == "global_store"]
    for buffer, found in by_buffer(touch for _, entry, _ in stores for touch in entry.touches).items():
        sectors = distinct_sectors(found)
        partial = any(
            cost["partial_sectors"]
            for _, entry, cost in stores
            for touch in entry.touches
            if touch.buffer == buffer
        )
        total += SECTOR * (2 * sectors - filled_sectors(found) if partial else sectors)
    return total + SECTOR * _over_buffers([], None, stores)


def _waits(run, accesses, blocks):
    waits = run.tally.waits
    if waits is not None:
        return dict(
            rounds=waits.rounds,
            l1_rounds=waits.l1_rounds,
            shared_rounds=waits.shared_rounds,
            load_loops=tuple(waits.loops),
        )
    # Where data decides, loads of one line are taken to go out together, once for each time that a warp comes
    # by.
    warps = blocks * warps_of(math.prod(run.block))
    lines = {"global": {}, "shared": {}}
    for site, entry, cost in accesses:
        if entry.kind == "load" and entry.space in lines:  # __constant__ memory waits for nothing
            by_line = lines[entry.space]
            by_line[site.line] = max(by_line.get(site.line, 0), cost["requests"] / warps)
    return dict(rounds=sum(lines["global"].values()), shared_rounds=sum(lines["shared"].values()))
