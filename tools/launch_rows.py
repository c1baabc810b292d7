"""The rows of the table: which kernel, in which settings, on which data."""
from __future__ import annotations

import launch_inputs as data
import numpy as np
from launch_inputs import F, nan, uniform
from launches import row, sweep, up

MI = 1 << 20
SMS = 132                  # of the H200; settings that fill a card exactly are made for it


# ---- elementwise kernels -----------------------------------------------------------------------------------------------

row("vector_add", sweep(n=[MI, 1000, 64 * MI]), 256, lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n], lambda p, a: {2: a[0] + a[1]})
row("saxpy", sweep(n=[MI, 64 * MI]), 256, lambda p: up(p.n, 256),
    lambda p: [F(2.5), uniform(p.n, 1), uniform(p.n, 2), p.n], lambda p, a: {2: a[0] * a[1] + a[2]})
row("multiply_serial", sweep(n=[1024]), 1, 1,
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n], lambda p, a: {2: a[0] * a[1]})
row("multiply_vec4", sweep(n=[1024, MI, 64 * MI]), 256, lambda p: up(p.n // 4, 256),
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n // 4], lambda p, a: {2: a[0] * a[1]})
row("multiply", sweep(n=[1024, MI, 64 * MI]), 256, lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), uniform(p.n, 2), nan(p.n), p.n], lambda p, a: {2: a[0] * a[1]})
row("multiply_double", sweep(n=[8191, MI]), 512, lambda p: up(p.n, 512),
    lambda p: [p.n, np.full(p.n, np.nan), uniform(p.n, 1).astype(float), uniform(p.n, 2).astype(float)],
    lambda p, a: {1: a[2] * a[3]})

for name, value in (("index_global", lambda i: i), ("index_block", lambda i: i // 4), ("index_thread", lambda i: i % 4)):
    row(name, [{}], 4, 3, lambda p: [np.full(12, -1, np.int32)], lambda p, a, value=value: {0: value(np.arange(12, dtype=np.int32))})

row("matrix_add", [*sweep(Nx=11, Ny=5, block=[(4, 3)]), *sweep(Nx=12, Ny=6, block=[(4, 3)]),
                   *sweep(Nx=4096, Ny=4096, block=[(32, 8), (8, 32)])],
    lambda p: p.block, lambda p: (up(p.Nx, p.bx), up(p.Ny, p.by)),
    lambda p: [uniform(p.Nx * p.Ny, 1), uniform(p.Nx * p.Ny, 2), nan(p.Nx * p.Ny), p.Nx, p.Ny], lambda p, a: {2: a[0] + a[1]})
row("matrix_add_unguarded", sweep(Nx=12, Ny=6, block=[(4, 3)]),
    lambda p: p.block, lambda p: (up(p.Nx, p.bx), up(p.Ny, p.by)),
    lambda p: [uniform(p.Nx * p.Ny, 1), uniform(p.Nx * p.Ny, 2), nan(p.Nx * p.Ny), p.Nx, p.Ny], lambda p, a: {2: a[0] + a[1]})

SHEETS = [*sweep(rows=256, cols=63), *sweep(rows=4096, cols=4096)]
row("bias_tile", SHEETS, (16, 8), lambda p: (up(p.cols, 16 * p.COLS), up(p.rows, 8 * p.ROWS)),
    lambda p: [uniform(p.rows * p.cols, 1), uniform(p.cols, 2), p.rows, p.cols],
    lambda p, a: {0: (a[0].reshape(p.rows, p.cols) + a[1]).reshape(-1)})
row("bias_column", SHEETS, 128, lambda p: (up(p.cols, 128), up(p.rows, p.ROWS)),
    lambda p: [uniform(p.rows * p.cols, 1), uniform(p.cols, 2), p.rows, p.cols],
    lambda p, a: {0: (a[0].reshape(p.rows, p.cols) + a[1]).reshape(-1)})


# ---- warps, divergence, kinds of memory --------------------------------------------------------------------------------

def threads(p):
    """Number of threads in a block of this setting."""
    return int(np.prod(p.block))


SHAPES = sweep(block=[(16, 8), (4, 3), (8, 4), (10, 10), (8, 8, 2)])
row("warp_ids", SHAPES, lambda p: p.block, 2, lambda p: [np.full(2 * threads(p), -1, np.int32) for _ in range(2)],
    lambda p, a: {0: np.tile(np.arange(threads(p)) // 32, 2).astype(np.int32),
                  1: np.tile(np.arange(threads(p)) % 32, 2).astype(np.int32)})
row("warp_ids_ptx", SHAPES, lambda p: p.block, 2, lambda p: [np.full(2 * threads(p), -1, np.int32) for _ in range(2)],
    lambda p, a: {0: np.tile(np.arange(threads(p)) // 32 * 32, 2).astype(np.int32),
                  1: np.tile(np.arange(threads(p)) % 32, 2).astype(np.int32)})

row("diverge", [*sweep(n=4096, data=["random", "positive", "negative", "sorted", "rare", "alternating", "by_warp"]),
                *sweep(n=16 * MI, data=["random", "positive", "negative", "sorted", "rare"], ELSE_OPS=[16, 256])],
    256, lambda p: up(p.n, 256), lambda p: [data.signed(p.data, p.n), nan(p.n), p.n],
    lambda p, a: {1: data.diverged(a[0], p.THEN_OPS, p.ELSE_OPS)})
row("diverge_select", sweep(n=[4096, 16 * MI], data="random"), 256, lambda p: up(p.n, 256),
    lambda p: [data.signed(p.data, p.n), nan(p.n), p.n], lambda p, a: {1: data.diverged(a[0], 1, 1)})
row("diverge_switch", [*sweep(n=4096, run=[1, 32]), *sweep(n=16 * MI, run=[1, 32], OPS=[8, 128])],
    256, lambda p: up(p.n, 256), lambda p: [uniform(p.n, 1), nan(p.n), p.n, p.run],
    lambda p, a: {1: data.switched(a[0], p.run, p.OPS)})


def most_frequent(values, slots, items, n):
    """For each of n columns of values: how often its most frequent value occurs."""
    counts = np.zeros((slots, n), np.int32)
    for line in values.reshape(items, n):
        np.add.at(counts, (line, np.arange(n)), 1)
    return counts.max(axis=0)


row("local_array", sweep(n=[4096, MI]), 256, lambda p: up(p.n, 256),
    lambda p: [np.random.default_rng(1).integers(0, p.SLOTS, p.ITEMS * p.n, dtype=np.int32), np.zeros(p.n, np.int32), p.n],
    lambda p, a: {1: most_frequent(a[0], p.SLOTS, p.ITEMS, p.n)})


def weights(p):
    return np.array([1.0 / (1 + abs(k - p.R)) for k in range(2 * p.R + 1)], F)


def weighted(x, weight, n):
    return sum(w * x[k:k + n] for k, w in enumerate(weight)).astype(F)


row("stencil_constant", sweep(n=[4096, MI, 64 * MI]), 256, lambda p: up(p.n, 256),
    lambda p: [uniform(p.n + 2 * p.R, 1), nan(p.n), p.n], lambda p, a: {1: weighted(a[0], weights(p), p.n)},
    constants=lambda p: {"weight": weights(p)})
row("stencil_global", sweep(n=[4096, MI, 64 * MI]), 256, lambda p: up(p.n, 256),
    lambda p: [uniform(p.n + 2 * p.R, 1), weights(p), nan(p.n), p.n], lambda p, a: {2: weighted(a[0], a[1], p.n)})

# 33 words on: each load needs another 128-byte line.  16 KB stay in L1, 8 MB in L2, 256 MB fit neither.
row("pointer_chase", [*sweep(words=[4096, 2 * MI], steps=65536), *sweep(words=64 * MI, steps=2 * MI)], 1, 1,
    lambda p: [data.ring(p.words, 33), np.full(1, -1, np.int32), p.steps],
    lambda p, a: {1: np.array([33 * p.steps % p.words], np.int32)}, profile=lambda p: p.steps <= 65536)


# ---- coalescing --------------------------------------------------------------------------------------------------------

STRIDES = [1, 0, 2, 3, 4, 5, 7, 8, 16, 32]
row("copy_stride", [*sweep(n=4 * MI, stride=[1, 2, 4, 8, 16, 32]), *sweep(n=32, stride=STRIDES)],
    lambda p: min(p.n, 256), lambda p: up(p.n, 256), lambda p: [uniform(p.n * max(p.stride, 1), 1), nan(p.n), p.n, p.stride],
    lambda p, a: {1: a[0][np.arange(p.n) * p.stride]})
row("scatter_stride", [*sweep(n=4 * MI, stride=[1, 2, 4, 8, 32]), *sweep(n=32, stride=[1, 2, 4, 8, 32])],
    lambda p: min(p.n, 256), lambda p: up(p.n, 256), lambda p: [uniform(p.n, 1), np.zeros(p.n * p.stride, F), p.n, p.stride],
    lambda p, a: {1: np.where(np.arange(p.n * p.stride) % p.stride == 0, np.repeat(a[0], p.stride), F(0))})
row("copy_offset", [*sweep(n=4 * MI, offset=[0, 1, 2, 4, 8]), *sweep(n=32, offset=[0, 1, 2, 3, 4, 8])],
    lambda p: min(p.n, 256), lambda p: up(p.n, 256), lambda p: [uniform(p.n + p.offset, 1), nan(p.n), p.n, p.offset],
    lambda p, a: {1: a[0][p.offset:]})
row("gather", sweep(n=[MI, 16 * MI, 4096], order=["random", "warp", "inorder"]), 256, lambda p: up(p.n, 256),
    lambda p: [uniform(p.n, 1), data.order(p.order, p.n), nan(p.n), p.n], lambda p, a: {2: a[0][a[1]]})


def elements(p):
    """Floats in one element of copy_elements."""
    return {"float": 1, "float2": 2, "float4": 4}[p.ELEMENT]


row("copy_elements", [*sweep(n=16 * MI, ELEMENT=["float", "float2", "float4"], stride=1, offset=0),
                      *sweep(n=4096, ELEMENT=["float", "float2", "float4"], stride=[1, 2], offset=[0, 1])],
    256, lambda p: up(p.n, 256),
    lambda p: [uniform((p.n * p.stride + p.offset) * elements(p), 1), nan(p.n * elements(p)), p.n, p.stride, p.offset],
    lambda p, a: {1: a[0].reshape(-1, elements(p))[p.offset + np.arange(p.n) * p.stride].reshape(-1)})


# ---- shared memory -----------------------------------------------------------------------------------------------------

def averaged(x, window, n):
    return (sum(x[k:k + n].astype(float) for k in range(window)) / window).astype(F)


WINDOWS = [*sweep(n=MI, WINDOW=[3, 7]), *sweep(n=4096, WINDOW=3), *sweep(n=64 * MI, WINDOW=[3, 7, 31])]
for name in ("conv_global", "conv_shared"):
    row(name, WINDOWS, 128, lambda p: p.n // 128, lambda p: [uniform(p.n + p.WINDOW - 1, 1), nan(p.n)],
        lambda p, a: {1: averaged(a[0], p.WINDOW, p.n)})


def wrong(p, outputs, arguments):
    """How many elements of the last output differ from what a correct kernel gives."""
    right = averaged(arguments[0], p.WINDOW, p.n)
    return {"wrong_elements": int((~np.isclose(outputs[1], right, atol=1e-6)).sum()), "elements": p.n}


row("conv_no_barrier", sweep(n=[MI, 64 * MI], WINDOW=3), 128, lambda p: p.n // 128,
    lambda p: [uniform(p.n + p.WINDOW - 1, 1), nan(p.n)], observe=wrong)

COUNTERS = sweep(blocks=[64, 1])
row("counter_race", COUNTERS, 256, lambda p: p.blocks, lambda p: [np.zeros(1, np.int32)],
    observe=lambda p, out, a: {"counter": int(out[0][0]), "threads": 256 * p.blocks})
row("counter_atomic", COUNTERS, 256, lambda p: p.blocks, lambda p: [np.zeros(1, np.int32)],
    lambda p, a: {0: np.array([256 * p.blocks], np.int32)})
for name in ("histogram_global", "histogram_shared"):
    row(name, sweep(n=[MI, 16 * MI, 65536], data=["random", "eight", "same"]), 256, lambda p: min(2 * SMS, p.n // 256),
        lambda p: [data.values_256(p.data, p.n), np.zeros(256, np.int32), p.n],
        lambda p, a: {1: np.bincount(a[0], minlength=256).astype(np.int32)})
row("warp_exchange", sweep(SYNC=[1, 0]), 32, 1, lambda p: [uniform(32, 1), nan(32)],
    lambda p, a: {1: a[0][np.arange(32) ^ 1]} if p.SYNC else {})

row("shared_stride", sweep(stride=[0, 1, 2, 3, 4, 8, 16, 32, 33], offset=[0]), 32, 4,
    lambda p: [uniform(p.WORDS, 1), nan(128), p.stride, p.offset],
    lambda p, a: {1: np.tile(a[0][(np.arange(32) * p.stride + p.offset) % 1024], 4)})
row("shared_column", sweep(WIDTH=[32, 33, 34, 35, 36, 40, 48, 64], blocks=[1024]), (32, 32), lambda p: p.blocks,
    lambda p: [uniform(1024 * p.blocks, 1), nan(1024 * p.blocks)],
    lambda p, a: {1: a[0].reshape(-1, 32, 32).transpose(0, 2, 1).reshape(-1)})


# ---- transposes --------------------------------------------------------------------------------------------------------

def turned(p, a):
    return {1: a[0].reshape(p.rows, p.cols).T.reshape(-1)}


def sheet(p):
    return [uniform(p.rows * p.cols, 1), nan(p.rows * p.cols), p.rows, p.cols]


BLOCKS = [(32, 8), (16, 16), (8, 32), (32, 32)]
PLAIN = [*sweep(rows=4096, cols=4096, block=BLOCKS), *sweep(rows=64, cols=64, block=[(32, 32), (16, 16), (32, 8), (8, 32)]),
         *sweep(rows=8192, cols=4096, block=[(32, 8)])]
row("transpose_copy", PLAIN, lambda p: p.block, lambda p: (up(p.cols, p.bx), up(p.rows, p.by)), sheet, lambda p, a: {1: a[0]})
row("transpose_naive", [*PLAIN, *sweep(rows=4096, cols=4096, block=[(4, 64), (64, 4)])],
    lambda p: p.block, lambda p: (up(p.cols, p.bx), up(p.rows, p.by)), sheet, turned)
row("transpose_swapped", [*sweep(rows=4096, cols=4096, block=BLOCKS), *sweep(rows=64, cols=64, block=[(32, 32), (32, 8)])],
    lambda p: p.block, lambda p: (up(p.rows, p.bx), up(p.cols, p.by)), sheet, turned)

TILES = [*sweep(rows=4096, cols=4096, TILE=[32, 16], PAD=[0, 1]), *sweep(rows=64, cols=64, TILE=[32, 16], PAD=[0, 1]),
         *sweep(rows=8192, cols=4096, TILE=32, PAD=[0, 1])]
for name in ("transpose_tile", "transpose_tile_store"):
    row(name, TILES, lambda p: (p.TILE, p.TILE), lambda p: (p.cols // p.TILE, p.rows // p.TILE), sheet, turned)
row("transpose_swizzle", [*sweep(rows=4096, cols=4096), *sweep(rows=64, cols=64)], (32, 32),
    lambda p: (p.cols // 32, p.rows // 32), sheet, turned)
row("transpose_guarded", [*sweep(rows=1000, cols=1500), *sweep(rows=70, cols=50), *sweep(rows=4096, cols=4096)],
    lambda p: (p.TILE, p.TILE), lambda p: (up(p.cols, p.TILE), up(p.rows, p.TILE)), sheet, turned)


# ---- how a kernel runs -------------------------------------------------------------------------------------------------

def started(p, outputs, arguments):
    """SM of each block, and its start and end in microseconds after the first start."""
    first = outputs[1].min()
    return {"sm": outputs[0].tolist(), "start_us": ((outputs[1] - first) / 1e3).tolist(), "end_us": ((outputs[2] - first) / 1e3).tolist()}


row("block_trace", sweep(blocks=[400, 800], cycles=40000, shared=102400), 256, lambda p: p.blocks,
    lambda p: [np.full(p.blocks, -1, np.int32), np.zeros(p.blocks, np.int64), np.zeros(p.blocks, np.int64), p.cycles],
    shared=lambda p: p.shared, observe=started, profile=False)


def chased(p, a):
    """What load_compute leaves: the chain's parity fed into OPS multiply-adds a round."""
    j = np.arange(len(a[1]))
    x = np.ones(len(a[1]), F)
    for _ in range(p.rounds):
        j = a[0][j]
        x = x + (j % 2).astype(F)
        for _ in range(min(p.OPS, 60)):           # after 60 halvings more of them change nothing
            x = x * F(0.5) + F(0.25)
    return {1: x}


row("load_compute", [*sweep(warps=[1, 2, 4, 8, 16, 32, 64], OPS=[4, 16, 100], rounds=100)],
    lambda p: 32 * min(p.warps, 32), lambda p: SMS * max(1, p.warps // 32),
    lambda p: [data.ring(4 * MI, 64 * 1024 + 32), nan(SMS * 32 * p.warps), p.rounds], chased, profile=lambda p: p.warps == 8)
row("copy_loads", [*sweep(LOADS=[1, 2, 4, 8], n=64 * MI, shared=[0]), *sweep(LOADS=[1, 2, 4, 8], n=64 * MI, shared=[24, 36, 55, 111, 220])],
    256, lambda p: p.n // (256 * p.LOADS), lambda p: [uniform(p.n, 1), nan(p.n)], lambda p, a: {1: a[0]},
    shared=lambda p: 1024 * p.shared, profile=lambda p: p.shared == 0)


def settled(p, a):
    x = np.arange(len(a[0]), dtype=F)
    for _ in range(80):                           # a fixed point long before
        x = x * F(0.5) + F(1)
    return {0: x}


row("uniform_work", sweep(blocks=[1, 66, 131, 132, 133, 198, 263, 264, 265, 396, 400, 528, 529, 792, 793, 1000, 2640, 2641],
                          steps=10000, shared=102400), 256, lambda p: p.blocks,
    lambda p: [nan(256 * p.blocks), p.steps], settled, shared=lambda p: p.shared, profile=lambda p: p.blocks == 264)
row("fma_peak", sweep(blocks=8 * SMS, steps=4096, CHAINS=[8, 1, 2, 4]), 256, lambda p: p.blocks,
    lambda p: [nan(256 * p.blocks), F(0.5), F(1), p.steps], lambda p, a: {0: np.full(len(a[0]), 2.0 * p.CHAINS, F)})
row("empty", [{}], 32, 1, lambda p: [], profile=False)


# ---- matrix multiplication ---------------------------------------------------------------------------------------------

def matrices(p):
    return [uniform(p.N * p.N, 11), uniform(p.N * p.N, 12), nan(p.N * p.N), p.N]


def multiplied(p, a):
    return {2: data.product(a[0], a[1], p.N)}


def multiplied_t(p, a):
    return {2: data.product(a[0], a[1], p.N, transposed=True)}


NAIVE = [*sweep(N=4096, block=[(32, 32), (16, 16)]), *sweep(N=256, block=[(32, 32), (16, 16), (8, 32), (32, 8)]),
         *sweep(N=32, block=[(16, 16), (32, 8)]), *sweep(N=1024, block=[(16, 16), (32, 32)])]
row("matmul_naive", NAIVE, lambda p: p.block, lambda p: (up(p.N, p.bx), up(p.N, p.by)), matrices, multiplied, tolerance=1e-4)
row("matmul_naive_xrow", NAIVE, lambda p: p.block, lambda p: (up(p.N, p.bx), up(p.N, p.by)), matrices, multiplied, tolerance=1e-4)

row("matmul_tiled", [*sweep(N=4096, TILE=[16, 32, 8]), *sweep(N=4096, TILE=16, UNROLL=16), *sweep(N=4096, TILE=32, UNROLL=32),
                     *sweep(N=256, TILE=[4, 8, 16, 32]), *sweep(N=256, TILE=16, UNROLL=16), *sweep(N=32, TILE=[1, 2, 4, 8, 16, 32]),
                     *sweep(N=1024, TILE=[4, 8, 16, 32])],
    lambda p: (p.TILE, p.TILE), lambda p: (p.N // p.TILE, p.N // p.TILE), matrices, multiplied, tolerance=1e-4)
row("matmul_tiled_guarded", [*sweep(N=10, TILE=4), *sweep(N=100, TILE=16), *sweep(N=1000, TILE=16), *sweep(N=4096, TILE=16)],
    lambda p: (p.TILE, p.TILE), lambda p: (up(p.N, p.TILE), up(p.N, p.TILE)), matrices, multiplied, tolerance=1e-4)


def wrong_product(p, outputs, arguments):
    right = data.product(arguments[0], arguments[1], p.N)
    return {"wrong_elements": int((~np.isclose(outputs[2], right, atol=1e-4)).sum()), "elements": p.N * p.N}


row("matmul_tiled_switches", [*sweep(N=32, TILE=8), *sweep(N=10, TILE=4), *sweep(N=1024, TILE=[8, 32], FIRST_BARRIER=0),
                              *sweep(N=1024, TILE=[8, 32], SECOND_BARRIER=0)],
    lambda p: (p.TILE, p.TILE), lambda p: (up(p.N, p.TILE), up(p.N, p.TILE)), matrices,
    lambda p, a: multiplied(p, a) if p.FIRST_BARRIER and p.SECOND_BARRIER else {}, observe=wrong_product, tolerance=1e-4)
row("matmul_coarse", [*sweep(N=4096, TILE=16, COARSE=[1, 2, 4, 8], UNROLL=[1, 16]), *sweep(N=32, TILE=8, COARSE=[1, 2, 4]),
                      *sweep(N=256, TILE=16, COARSE=[1, 2, 4])],
    lambda p: (p.TILE, p.TILE), lambda p: (p.N // (p.TILE * p.COARSE), p.N // p.TILE), matrices, multiplied, tolerance=1e-4)
row("matmul_register", [*sweep(N=4096, V=[4, 2, 8, 1]), *sweep(N=256, V=[1, 2, 4, 8])], (16, 16),
    lambda p: (p.N // (16 * p.V), p.N // (16 * p.V)), matrices, multiplied_t, tolerance=1e-4)
row("matmul_register_vec", [*sweep(N=4096, V=[4, 8]), *sweep(N=256, V=[4, 8])], (16, 16),
    lambda p: (p.N // (16 * p.V), p.N // (16 * p.V)), matrices, multiplied_t, tolerance=1e-4)


def configurations(*triples, **others):
    return [{**s, "L": L, "S": S, "V": V} for L, S, V in triples for s in sweep(**others)]


ALL = ((64, 8, 4), (32, 8, 1), (32, 8, 2), (32, 8, 4), (64, 8, 2), (64, 8, 8), (128, 8, 4), (128, 8, 8), (128, 8, 16), (128, 16, 8))
WIDE = [c for c in ALL if c[2] % 4 == 0]
for name, triples in (("matmul_two_level", ALL), ("matmul_two_level_vec", WIDE)):
    row(name, [*configurations(*triples, N=4096), *configurations(*triples, N=256),
               *configurations((64, 8, 4), N=[256, 4096], REVERSED=1), *configurations((64, 16, 4), N=256, REVERSED=[0, 1])],
        lambda p: (p.L // p.V, p.L // p.V), lambda p: (p.N // p.L, p.N // p.L), matrices, multiplied_t, tolerance=1e-4)
row("matmul_double_buffer", [*configurations((128, 8, 8), (128, 16, 8), (64, 8, 4), N=4096), *configurations((64, 8, 4), (128, 8, 8), N=256)],
    lambda p: (p.L // p.V, p.L // p.V), lambda p: (p.N // p.L, p.N // p.L), matrices, multiplied_t, tolerance=1e-4)
row("fetch_strip", [*sweep(L=64, S=8, REVERSED=[0, 1], cols=[65536, 4096]), *sweep(L=64, S=16, REVERSED=[0, 1], cols=4096),
                    *sweep(L=48, S=8, REVERSED=[0, 1], cols=4800)],
    128, lambda p: p.cols // p.L, lambda p: [uniform(p.S * p.cols, 1), nan(p.S * p.cols), p.cols], lambda p, a: {1: a[0]})
row("matmul_wmma", sweep(N=[4096, 1024, 256]), (32, 4), lambda p: (p.N // 16, p.N // 64),
    lambda p: [uniform(p.N * p.N, 11).astype(np.float16), uniform(p.N * p.N, 12).astype(np.float16), nan(p.N * p.N), p.N],
    multiplied, tolerance=1e-4)


# ---- reductions --------------------------------------------------------------------------------------------------------

def block_sums(items):
    return lambda p, a: {1: a[0].reshape(-1, items(p)).astype(float).sum(axis=1)}


for name in ("reduce_v1", "reduce_v2", "reduce_v3"):
    row(name, [*sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256), *sweep(n=MI // 4, BLOCK=[128, 512])],
        lambda p: p.BLOCK, lambda p: p.n // p.BLOCK, lambda p: [uniform(p.n, 5), nan(p.n // p.BLOCK)],
        block_sums(lambda p: p.BLOCK), tolerance=1e-4)
row("reduce_v4", [*sweep(n=[64 * MI, MI // 4, 4096], BLOCK=256), *sweep(n=MI // 4, BLOCK=[128, 512])],
    lambda p: p.BLOCK, lambda p: p.n // (2 * p.BLOCK), lambda p: [uniform(p.n, 5), nan(p.n // (2 * p.BLOCK))],
    block_sums(lambda p: 2 * p.BLOCK), tolerance=1e-4)


def padded_sums(p, a):
    whole = np.concatenate([a[0].astype(float), np.zeros(up(p.n, p.BLOCK) * p.BLOCK - p.n)])
    return {1: whole.reshape(-1, p.BLOCK).sum(axis=1)}


row("reduce_any", sweep(n=[1000000, MI // 4, 1000]), lambda p: p.BLOCK, lambda p: up(p.n, p.BLOCK),
    lambda p: [uniform(p.n, 5), nan(up(p.n, p.BLOCK)), p.n], padded_sums, tolerance=1e-4)


def wrong_sums(p, outputs, arguments):
    right = arguments[0].reshape(-1, p.BLOCK).astype(float).sum(axis=1)
    return {"wrong_elements": int((~np.isclose(outputs[1], right, atol=1e-3)).sum()), "elements": len(right)}


row("reduce_barriers", [*sweep(n=MI // 4), *sweep(n=MI // 4, LOAD_BARRIER=0), *sweep(n=MI // 4, ROUND_BARRIER=0)],
    lambda p: p.BLOCK, lambda p: p.n // p.BLOCK, lambda p: [uniform(p.n, 5), nan(p.n // p.BLOCK)], observe=wrong_sums)
row("grid_spin", sweep(blocks=[SMS, 8]), 32, lambda p: p.blocks, lambda p: [np.zeros(1, np.int32), np.zeros(32 * p.blocks, np.int32)],
    lambda p, a: {0: np.array([p.blocks], np.int32), 1: np.full(32 * p.blocks, p.blocks, np.int32)}, profile=False, repeat=False)


# ---- half precision, sparse --------------------------------------------------------------------------------------------

def halves(p):
    a, b = (np.random.default_rng(s).random((p.n, p.k)).astype(np.float16) for s in (0, 1))
    return [a.reshape(-1), b.reshape(-1), nan(p.n), p.n, p.k]


row("half_dot", sweep(n=256, k=[64, 256, 1024, 4096], ACCUMULATOR=["float", "half"]), 128, lambda p: up(p.n, 128), halves,
    lambda p, a: {2: data.half_dots(a[0].reshape(p.n, p.k), a[1].reshape(p.n, p.k), p.ACCUMULATOR)}, tolerance=1e-2)


def sparse(p):
    values, col, row_ptr = data.csr(data.row_lengths(p.data, p.rows), p.cols)
    return [values, col, row_ptr, uniform(p.cols, 42), np.zeros(p.rows, F), p.rows]


def multiplied_sparse(p, a):
    return {4: data.sparse_product(*a[:5])}


SPARSE = [*sweep(rows=256, cols=1024, data=["64", "8", "uneven"]), *sweep(rows=65536, cols=65536, data=["64", "8", "uneven"])]
row("spmv_serial", sweep(rows=256, cols=1024, data=["8"]), 1, 1, sparse, multiplied_sparse, tolerance=1e-4)
row("spmv_thread", SPARSE, 128, lambda p: up(p.rows, 128), sparse, multiplied_sparse, tolerance=1e-4)
row("spmv_warp", SPARSE, lambda p: p.BLOCK, lambda p: up(32 * p.rows, p.BLOCK), sparse, multiplied_sparse, tolerance=1e-4)
row("spmv_group", [{**s, "LANES": n} for s in SPARSE for n in (8, 1, 2, 4, 16, 32) if s["data"] != "uneven" or n in (1, 8, 32)], 128, lambda p: up(p.LANES * p.rows, 128),
    sparse, multiplied_sparse, tolerance=1e-4)

WEIGHTS = [*sweep(rows=4096, cols=4096), *sweep(rows=64, cols=256), *sweep(rows=16384, cols=16384)]
row("matvec_dense", WEIGHTS, 128, lambda p: up(p.rows, 4),
    lambda p: [uniform(p.rows * p.cols, 1), uniform(p.cols, 2), nan(p.rows), p.rows, p.cols],
    lambda p, a: {2: a[0].reshape(p.rows, p.cols).astype(F) @ a[1]}, tolerance=1e-4)
row("compress_24", WEIGHTS, 256, lambda p: up(p.rows * p.cols // 4, 256),
    lambda p: [uniform(p.rows * p.cols, 1), nan(p.rows * p.cols // 2), np.zeros(p.rows * p.cols // 4, np.uint8), p.rows * p.cols // 4],
    lambda p, a: dict(zip((1, 2), data.compressed(a[0]))))
row("matvec_24", WEIGHTS, 128, lambda p: up(p.rows, 4),
    lambda p: [*data.compressed(uniform(p.rows * p.cols, 1)), uniform(p.cols, 2), nan(p.rows), p.rows, p.cols],
    lambda p, a: {3: data.pruned(uniform(p.rows * p.cols, 1)).reshape(p.rows, p.cols) @ a[2]}, tolerance=1e-4)
