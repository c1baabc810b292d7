"""The L1 cache: rounds of its tag stage and its data stage for one warp access to global memory.

L1 and shared memory are one piece of hardware with one data path, so global accesses queue at the same 32
banks.  These rules were inferred from patterns measured on one H200; they are documented nowhere, and other
GPUs may differ.
"""

from __future__ import annotations

import numpy as np

from ..units import BANKS, LINE, WORD
from .banks import _queue
from .warps import as_warps, numbered


def tag_bank(line):
    """The tag bank (0 to 3) of a 128-byte line; the masks were found by search over measured patterns.

    >>> tag_bank(np.arange(8)).tolist()
    [0, 1, 3, 2, 1, 0, 2, 3]
    """
    return TAG_BANK[line & 0b111111]


def l1_load_wavefronts(addresses, active, size):
    """Count the rounds of each warp's global load: (tag stage, data stage), both (warps,) int.

    addresses : (warps, 32) int, byte address of each lane; active : (warps, 32) bool; size : bytes a lane

    Tag stage: a round looks up one line in each of the 4 tag banks.  Data stage: each tag round fetches what
    its lines hold, half-warp by half-warp for 8 bytes and quarter by quarter for 16, and queues at the banks.

    >>> lane = np.arange(32)
    >>> [l1_load_wavefronts(lane * 4 * stride, True, 4) for stride in (2, 32)]
    [(array([1]), array([2])), (array([8]), array([32]))]
    """
    words, lines = _words(addresses, active, size)
    turn = _tag_turn(lines)
    tag = turn.max(axis=1, initial=-1) + 1
    data = np.zeros(len(words), dtype=np.int64)
    groups = words.reshape(len(words), -1, BANKS)
    turns = np.repeat(turn, words.shape[1] // turn.shape[1], axis=1).reshape(groups.shape)
    for round_ in range(int(tag.max(initial=0))):
        busy = np.flatnonzero(tag > round_)
        chosen = np.where(turns[busy] == round_, groups[busy], -1)
        data[busy] += sum(_queue(chosen[:, g]) for g in range(groups.shape[1]))
    return tag, data


def l1_store_wavefronts(addresses, active, size):
    """Count the data-stage rounds of each warp's global store, (warps,) int.

    That is the queue at the 32 banks, half-warp by half-warp for 8 bytes and quarter by quarter for 16.

    >>> l1_store_wavefronts(np.arange(32) * 16, True, 16)
    array([4])
    """
    words, _ = _words(addresses, active, size)
    groups = words.reshape(len(words), -1, BANKS)
    return sum(_queue(groups[:, g]) for g in range(groups.shape[1]))


def _words(addresses, active, size):
    """The words of each lane, (warps, 32 x words a lane), and its line, (warps, 32); -1 for idle lanes."""
    if size not in (1, 2, 4, 8, 16):
        raise ValueError(f"a lane loads or stores 1, 2, 4, 8 or 16 bytes at once, not {size}")
    addresses, active = as_warps(addresses, active)
    wide = max(1, size // WORD)
    word, _ = numbered(addresses, active, WORD, group=BANKS)
    words = np.where(active[:, :, None], word[:, :, None] + np.arange(wide, dtype=word.dtype), -1)
    return words.reshape(len(addresses), -1), np.where(active, addresses // LINE, -1)


def _tag_turn(lines):
    """The tag round that looks up each lane's line: lines of one bank go one by one, lowest lane first."""
    lanes = np.arange(lines.shape[1], dtype=np.int64)
    order = np.argsort(lines, axis=1, kind="stable")
    ordered = np.take_along_axis(lines, order, axis=1)
    fresh = np.diff(ordered, axis=1, prepend=ordered[:, :1] - 1) != 0
    start = np.maximum.accumulate(np.where(fresh, lanes, 0), axis=1)
    leader = np.empty_like(order)  # the lowest lane on the same line
    np.put_along_axis(leader, order, np.take_along_axis(order, start, axis=1), axis=1)
    leads = (leader == lanes) & (lines >= 0)
    place = (8 * tag_bank(lines)).astype(np.uint32)  # four counters of 8 bits, one a bank
    counters = np.cumsum(np.where(leads, np.uint32(1) << place, np.uint32(0)), axis=1, dtype=np.uint32)
    turn = (counters >> place & np.uint32(0xFF)).astype(np.int64) - 1
    return np.where(lines >= 0, np.take_along_axis(turn, leader, axis=1), -1)


def _parity(bits):
    for shift in (4, 2, 1):
        bits = bits ^ (bits >> shift)
    return bits & 1


# by the last six bits of a line
TAG_BANK = 2 * _parity(np.arange(64, dtype=np.int64) & 0b011010) + _parity(
    np.arange(64, dtype=np.int64) & 0b101111
)
