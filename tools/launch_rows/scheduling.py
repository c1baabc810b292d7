"""Launches of the kernels that show how blocks and warps are scheduled."""

from __future__ import annotations

import launch_inputs as data
import numpy as np
from launch_inputs import MI, SMS, F, nan, uniform
from launches import row, sweep


def started(p, outputs, arguments):
    """SM of each block, and its start and end in microseconds after the first start."""
    first = outputs[1].min()
    return {
        "sm": outputs[0].tolist(),
        "start_us": ((outputs[1] - first) / 1e3).tolist(),
        "end_us": ((outputs[2] - first) / 1e3).tolist(),
    }


row(
    "block_trace",
    sweep(blocks=[400, 800], cycles=40000, shared=102400),
    256,
    lambda p: p.blocks,
    lambda p: [
        np.full(p.blocks, -1, np.int32),
        np.zeros(p.blocks, np.int64),
        np.zeros(p.blocks, np.int64),
        p.cycles,
    ],
    shared=lambda p: p.shared,
    observe=started,
    profile=False,
)


def chased(p, a):
    """What load_compute leaves: the chain's parity fed into OPS multiply-adds a round."""
    j = np.arange(len(a[1]))
    x = np.ones(len(a[1]), F)
    for _ in range(p.rounds):
        j = a[0][j]
        x = x + (j % 2).astype(F)
        for _ in range(min(p.OPS, 60)):  # after 60 halvings more of them change nothing
            x = x * F(0.5) + F(0.25)
    return {1: x}


row(
    "load_compute",
    [*sweep(warps=[1, 2, 4, 8, 16, 32, 64], OPS=[4, 16, 100], rounds=100)],
    lambda p: 32 * min(p.warps, 32),
    lambda p: SMS * max(1, p.warps // 32),
    lambda p: [data.ring(4 * MI, 64 * 1024 + 32), nan(SMS * 32 * p.warps), p.rounds],
    chased,
    profile=lambda p: p.warps == 8,
)
row(
    "copy_loads",
    [
        *sweep(LOADS=[1, 2, 4, 8], n=64 * MI, shared=[0]),
        *sweep(LOADS=[1, 2, 4, 8], n=64 * MI, shared=[24, 36, 55, 111, 220]),
    ],
    256,
    lambda p: p.n // (256 * p.LOADS),
    lambda p: [uniform(p.n, 1), nan(p.n)],
    lambda p, a: {1: a[0]},
    shared=lambda p: 1024 * p.shared,
    profile=lambda p: p.shared == 0,
)


def settled(p, a):
    x = np.arange(len(a[0]), dtype=F)
    for _ in range(80):  # a fixed point long before
        x = x * F(0.5) + F(1)
    return {0: x}


row(
    "uniform_work",
    sweep(
        blocks=[1, 66, 131, 132, 133, 198, 263, 264, 265, 396, 400, 528, 529, 792, 793, 1000, 2640, 2641],
        steps=10000,
        shared=102400,
    ),
    256,
    lambda p: p.blocks,
    lambda p: [nan(256 * p.blocks), p.steps],
    settled,
    shared=lambda p: p.shared,
    profile=lambda p: p.blocks == 264,
)
row(
    "fma_peak",
    sweep(blocks=8 * SMS, steps=4096, CHAINS=[8, 1, 2, 4]),
    256,
    lambda p: p.blocks,
    lambda p: [nan(256 * p.blocks), F(0.5), F(1), p.steps],
    lambda p, a: {0: np.full(len(a[0]), 2.0 * p.CHAINS, F)},
)
row("empty", [{}], 32, 1, lambda p: [], profile=False)
