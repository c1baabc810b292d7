"""What the lanes of a warp, or the threads of a block, do together: shuffles, votes, reductions."""

from __future__ import annotations

import numpy as np

from ...errors import LaunchError
from ...units import LANES
from ..values.arithmetic import lanes, truth
from ..values.members import as_bits, has_bits, spread_rows, taking_part
from ..values.value import unknown_of


def _rows(space, value, dtype):
    """(rows of 32 lanes, block axes) of any value."""
    array = np.asarray(lanes(value, dtype))
    array = np.broadcast_to(array, np.broadcast_shapes(array.shape, (1,) * 6))
    return space.by_warp(array), array.shape[:3]


def shuffle(m, site, kind, value, argument, width, mask, dtype, members=None, gone=False):
    """What each lane receives; kind : "idx", "up", "down" or "xor"; lanes whose source is out of reach
    keep their own."""
    width = shuffle_width(site, width)
    m.arith(site, mask)
    unknown = unknown_of(value, argument)
    if unknown is not None:
        return unknown
    (rows, had), (given, other) = _rows(m.space, value, dtype), _rows(m.space, argument, np.int64)
    blocks = np.broadcast_shapes(had, other)
    rows, given = spread_rows(rows, had, blocks), spread_rows(given, other, blocks)
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
    if m.checks is not None:
        m.checks.shuffle(m, site, source, mask, blocks, members, gone)
    return m.space.from_warps(result, blocks)


def vote(m, site, kind, predicate, mask, members=None, gone=False):
    """__ballot_sync, __any_sync, __all_sync and __activemask: each lane asks those that take part with it."""
    m.arith(site, mask)
    if m.checks is not None:
        m.checks.vote(m, site, mask, members, gone)
    predicate = truth(predicate)
    shapes = (np.shape(x)[:3] or (1, 1, 1) for x in (mask, predicate, lanes(members, np.int64)))
    blocks = np.broadcast_shapes(*shapes)
    active = m.space.active_by_warp(mask, blocks)
    group = taking_part(m.space, active, members, blocks)
    answer = group & as_bits(active & m.space.active_by_warp(predicate, blocks))
    if kind in ("any", "all"):
        answer = answer != 0 if kind == "any" else answer == group
    else:
        answer = answer.astype(np.uint32)
    return m.space.from_warps(np.broadcast_to(answer, active.shape), blocks)


def reduce(m, site, op, value, mask, dtype, members=None, gone=False):
    """__reduce_add_sync and its kin."""
    m.arith(site, mask)
    if m.checks is not None:
        m.checks.vote(m, site, mask, members, gone)
    rows, blocks = _rows(m.space, value, dtype)
    shapes = (np.shape(x)[:3] or (1, 1, 1) for x in (mask, lanes(members, np.int64)))
    wide = np.broadcast_shapes(blocks, *shapes)
    active = m.space.active_by_warp(mask, wide)
    group = taking_part(m.space, active, members, wide)
    rows = spread_rows(rows, blocks, wide)
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
    return m.space.from_warps(result, wide)


def sync_warp(m, site, mask, members, gone=False):
    """__syncwarp: lanes of a warp wait for each other; nothing to do where they run in step."""
    if m.checks is not None:
        m.checks.sync_warp(m, site, mask, members, gone)


def fence(m, mask, scope):
    """__threadfence: what a lane did before it is seen before what it does afterwards; scope : "block" or
    "device"."""
    if m.checks is not None:
        m.checks.fence(m, mask, scope)


def block_vote(m, kind, predicate, mask):
    """What __syncthreads_count, _and and _or return: how many threads of the block say yes, whether all
    do, whether one does."""
    yes = np.broadcast_to(truth(predicate), m.space.full_shape) & mask
    if kind == "or":
        return yes.any(axis=(3, 4, 5), keepdims=True).astype(np.int32)
    if kind == "and":
        return (yes | ~np.broadcast_to(mask, yes.shape)).all(axis=(3, 4, 5), keepdims=True).astype(np.int32)
    return yes.sum(axis=(3, 4, 5), keepdims=True).astype(np.int32)


def _limits(dtype):
    return np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else np.finfo(dtype)


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
