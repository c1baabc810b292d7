"""Launches of the kernels on coalescing and shared memory."""

from __future__ import annotations

import launch_inputs as data
import numpy as np
from launch_inputs import MI, SMS, F, nan, uniform
from launches import row, sweep, up

STRIDES = [1, 0, 2, 3, 4, 5, 7, 8, 16, 32]
row(
    "copy_stride",
    [*sweep(n=4 * MI, stride=[1, 2, 4, 8, 16, 32]), *sweep(n=32, stride=STRIDES)],
    lambda p: min(p.n, 256),
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n * max(p.stride, 1), 1), nan(p.n), p.n, p.stride],
    lambda p, a: {1: a[0][np.arange(p.n) * p.stride]},
)
row(
    "scatter_stride",
    [*sweep(n=4 * MI, stride=[1, 2, 4, 8, 32]), *sweep(n=32, stride=[1, 2, 4, 8, 32])],
    lambda p: min(p.n, 256),
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), np.zeros(p.n * p.stride, F), p.n, p.stride],
    lambda p, a: {1: np.where(np.arange(p.n * p.stride) % p.stride == 0, np.repeat(a[0], p.stride), F(0))},
)
row(
    "copy_offset",
    [*sweep(n=4 * MI, offset=[0, 1, 2, 4, 8]), *sweep(n=32, offset=[0, 1, 2, 3, 4, 8])],
    lambda p: min(p.n, 256),
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n + p.offset, 1), nan(p.n), p.n, p.offset],
    lambda p, a: {1: a[0][p.offset :]},
)
row(
    "gather",
    sweep(n=[MI, 16 * MI, 4096], order=["random", "warp", "inorder"]),
    256,
    lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), data.order(p.order, p.n), nan(p.n), p.n],
    lambda p, a: {2: a[0][a[1]]},
)


def elements(p):
    """Floats in one element of copy_elements."""
    return {"float": 1, "float2": 2, "float4": 4}[p.ELEMENT]


row(
    "copy_elements",
    [
        *sweep(n=16 * MI, ELEMENT=["float", "float2", "float4"], stride=1, offset=0),
        *sweep(n=4096, ELEMENT=["float", "float2", "float4"], stride=[1, 2], offset=[0, 1]),
    ],
    256,
    lambda p: up(p.n, 256),
    lambda p: [
        uniform((p.n * p.stride + p.offset) * elements(p), 1),
        nan(p.n * elements(p)),
        p.n,
        p.stride,
        p.offset,
    ],
    lambda p, a: {1: a[0].reshape(-1, elements(p))[p.offset + np.arange(p.n) * p.stride].reshape(-1)},
)


def averaged(x, window, n):
    return (sum(x[k : k + n].astype(float) for k in range(window)) / window).astype(F)


WINDOWS = [*sweep(n=MI, WINDOW=[3, 7]), *sweep(n=4096, WINDOW=3), *sweep(n=64 * MI, WINDOW=[3, 7, 31])]
for name in ("conv_global", "conv_shared"):
    row(
        name,
        WINDOWS,
        128,
        lambda p: p.n // 128,
        lambda p: [uniform(p.n + p.WINDOW - 1, 1), nan(p.n)],
        lambda p, a: {1: averaged(a[0], p.WINDOW, p.n)},
    )


def wrong(p, outputs, arguments):
    """How many elements of the last output differ from what a correct kernel gives."""
    right = averaged(arguments[0], p.WINDOW, p.n)
    return {"wrong_elements": int((~np.isclose(outputs[1], right, atol=1e-6)).sum()), "elements": p.n}


row(
    "conv_no_barrier",
    sweep(n=[MI, 64 * MI], WINDOW=3),
    128,
    lambda p: p.n // 128,
    lambda p: [uniform(p.n + p.WINDOW - 1, 1), nan(p.n)],
    observe=wrong,
)

COUNTERS = sweep(blocks=[64, 1])
row(
    "counter_race",
    COUNTERS,
    256,
    lambda p: p.blocks,
    lambda p: [np.zeros(1, np.int32)],
    observe=lambda p, out, a: {"counter": int(out[0][0]), "threads": 256 * p.blocks},
)
row(
    "counter_atomic",
    COUNTERS,
    256,
    lambda p: p.blocks,
    lambda p: [np.zeros(1, np.int32)],
    lambda p, a: {0: np.array([256 * p.blocks], np.int32)},
)
for name in ("histogram_global", "histogram_shared"):
    row(
        name,
        sweep(n=[MI, 16 * MI, 65536], data=["random", "eight", "same"]),
        256,
        lambda p: min(2 * SMS, p.n // 256),
        lambda p: [data.values_256(p.data, p.n), np.zeros(256, np.int32), p.n],
        lambda p, a: {1: np.bincount(a[0], minlength=256).astype(np.int32)},
    )
row(
    "warp_exchange",
    sweep(SYNC=[1, 0]),
    32,
    1,
    lambda p: [uniform(32, 1), nan(32)],
    lambda p, a: {1: a[0][np.arange(32) ^ 1]} if p.SYNC else {},
)

row(
    "shared_stride",
    sweep(stride=[0, 1, 2, 3, 4, 8, 16, 32, 33], offset=[0]),
    32,
    4,
    lambda p: [uniform(p.WORDS, 1), nan(128), p.stride, p.offset],
    lambda p, a: {1: np.tile(a[0][(np.arange(32) * p.stride + p.offset) % 1024], 4)},
)
row(
    "shared_column",
    sweep(WIDTH=[32, 33, 34, 35, 36, 40, 48, 64], blocks=[1024]),
    (32, 32),
    lambda p: p.blocks,
    lambda p: [uniform(1024 * p.blocks, 1), nan(1024 * p.blocks)],
    lambda p, a: {1: a[0].reshape(-1, 32, 32).transpose(0, 2, 1).reshape(-1)},
)
