"""Launches of the transposes."""

from __future__ import annotations

from launch_inputs import nan, uniform
from launches import row, sweep, up


def turned(p, a):
    return {1: a[0].reshape(p.rows, p.cols).T.reshape(-1)}


def sheet(p):
    return [uniform(p.rows * p.cols, 1), nan(p.rows * p.cols), p.rows, p.cols]


BLOCKS = [(32, 8), (16, 16), (8, 32), (32, 32)]
STEEP = [(4, 64), (64, 4)]
PLAIN = [
    *sweep(rows=4096, cols=4096, block=BLOCKS),
    *sweep(rows=64, cols=64, block=[(32, 32), (16, 16), (32, 8), (8, 32)]),
    *sweep(rows=8192, cols=4096, block=[(32, 8)]),
]
row(
    "transpose_copy",
    [*PLAIN, *sweep(rows=4096, cols=4096, block=STEEP)],
    lambda p: p.block,
    lambda p: (up(p.cols, p.bx), up(p.rows, p.by)),
    sheet,
    lambda p, a: {1: a[0]},
)
row(
    "transpose_naive",
    [*PLAIN, *sweep(rows=4096, cols=4096, block=STEEP)],
    lambda p: p.block,
    lambda p: (up(p.cols, p.bx), up(p.rows, p.by)),
    sheet,
    turned,
)
row(
    "transpose_swapped",
    [
        *sweep(rows=4096, cols=4096, block=[*BLOCKS, *STEEP]),
        *sweep(rows=64, cols=64, block=[(32, 32), (32, 8)]),
    ],
    lambda p: p.block,
    lambda p: (up(p.rows, p.bx), up(p.cols, p.by)),
    sheet,
    turned,
)

TILES = [
    *sweep(rows=4096, cols=4096, TILE=[32, 16], PAD=[0, 1]),
    *sweep(rows=64, cols=64, TILE=[32, 16], PAD=[0, 1]),
    *sweep(rows=8192, cols=4096, TILE=32, PAD=[0, 1]),
]
for name in ("transpose_tile", "transpose_tile_store"):
    row(
        name, TILES, lambda p: (p.TILE, p.TILE), lambda p: (p.cols // p.TILE, p.rows // p.TILE), sheet, turned
    )
row(
    "transpose_swizzle",
    [*sweep(rows=4096, cols=4096), *sweep(rows=64, cols=64)],
    (32, 32),
    lambda p: (p.cols // 32, p.rows // 32),
    sheet,
    turned,
)
FOUR = [*sweep(rows=4096, cols=4096), *sweep(rows=[64, 128], cols=128), *sweep(rows=8192, cols=4096)]
row("transpose_four", FOUR, (32, 8), lambda p: (p.cols // 32, p.rows // 32), sheet, turned)
row(
    "transpose_pad_four",
    [*sweep(rows=4096, cols=4096, PAD=[1, 0]), *sweep(rows=64, cols=128, PAD=[1, 0])],
    (32, 8),
    lambda p: (p.cols // 32, p.rows // 32),
    sheet,
    turned,
)
row(
    "transpose_registers",
    [
        *sweep(rows=4096, cols=4096, block=[(8, 32), (16, 16), (4, 64)]),
        *sweep(rows=256, cols=128, block=[(8, 32)]),
    ],
    lambda p: p.block,
    lambda p: (p.cols // (4 * p.bx), p.rows // (4 * p.by)),
    sheet,
    turned,
)
row("transpose_vec4", FOUR, (16, 16), lambda p: (p.cols // 64, p.rows // 64), sheet, turned)
row(
    "transpose_copy_vec4",
    FOUR,
    (16, 16),
    lambda p: (p.cols // 64, p.rows // 64),
    sheet,
    lambda p, a: {1: a[0]},
)
row(
    "transpose_guarded",
    [*sweep(rows=1000, cols=1500), *sweep(rows=70, cols=50), *sweep(rows=4096, cols=4096)],
    lambda p: (p.TILE, p.TILE),
    lambda p: (up(p.cols, p.TILE), up(p.rows, p.TILE)),
    sheet,
    turned,
)
