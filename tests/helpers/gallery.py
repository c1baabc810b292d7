"""Figures drawn at many settings: the gallery that the tests of figures look at."""

import itertools

import numpy as np

import gpusim as gs
from gpusim.models import blocks, occupancy
from gpusim.models import warps as scheduler

plot = gs.plot
LANE = np.arange(32)
RNG = np.random.default_rng(7)
ACCESSES = {
    "stride 1": (LANE * 4, None, 4),
    "stride 3": ((3 * LANE + 1) * 4, None, 4),
    "stride 8": (LANE * 32, None, 4),
    "stride 17": (LANE * 68, None, 4),
    "broadcast": (LANE * 0, None, 4),
    "two rows": (LANE // 16 * 8192, None, 4),
    "doubles": (LANE * 8 * 3, None, 8),
    "float4": (LANE * 16, None, 16),
    "bytes": (LANE + 5, None, 1),
    "halves": (7_340_032 + LANE * 6, LANE < 20, 2),
    "random": (RNG.permutation(4096)[:32] * 4, LANE % 3 > 0, 4),
    "nobody": (LANE * 4, LANE < 0, 4),
    "far apart": (LANE * 4 * 65537, None, 4),
}
SIDES = ["all", "all", "then"] + ["else"] * 16 + ["all"]
BOUNDS = {
    "naive, one thread a result": {
        "hbm": 5e-5,
        "l2": 4e-3,
        "l1": 24.7e-3,
        "issue": 9.4e-3,
        "compute": 2.2e-3,
    },
    "two-level tiles, 8 x 8 results a thread": {"hbm": 5e-5, "l2": 5e-4, "l1": 2.8e-3, "issue": 2.7e-3},
}
POINTS = {
    "naive, x = row": (8.5, 0.97e12),
    "naive, x = column": (8.2, 5.2e12),
    "tiled 32": (16.5, 8.9e12),
    "two-level": (340, 36.1e12),
}


def timeline(p):
    """Masks of four warps whose lanes take the short side with probability p."""
    taken = RNG.random((4, 32)) < p
    return np.stack([np.stack([m | True, m | True, m] + [~m] * 16 + [m | True]) for m in taken])


def convolution_races(threads):
    reader = np.repeat(np.arange(threads), 3)
    word = reader + np.tile([0, 1, 2], threads)
    writers = np.arange(threads + 2) % threads
    racing = writers[word] // 32 != reader // 32
    return np.stack([word, reader], 1)[racing], writers, threads


def limits(gpu, *asked):
    return plot.occupancy_limits(occupancy.occupancy(gpu, *asked), gpu, *asked)


FIGURES = {f"sector map, {name}": (lambda a=a: plot.sector_map(*a)) for name, a in ACCESSES.items()}
FIGURES |= {
    f"sector map of a store, {n}": (lambda a=a: plot.sector_map(*a, kind="store", rows=8))
    for n, a in ACCESSES.items()
}
FIGURES |= {f"bank map, {name}": (lambda a=a: plot.bank_heatmap(*a)) for name, a in ACCESSES.items()}
FIGURES |= {
    f"bank map, width {w}": (lambda w=w: plot.bank_heatmap(LANE * 4 * w)) for w in (2, 4, 8, 31, 32, 33)
}
FIGURES |= {
    f"bank map of {k}": (lambda k=k: plot.bank_heatmap(LANE % 4 * 4, kind=k))
    for k in ("atomic", "atomic_inc")
}
FIGURES |= {
    f"divergence, p {p}": (
        lambda p=p: plot.divergence_timeline(
            timeline(p), SIDES, ["load", "if", "then"] + ["else"] * 16 + ["store"]
        )
    )
    for p in (0, 0.05, 0.5)
}
FIGURES |= {
    f"ownership of {s} by {g} x {b}": (lambda g=g, b=b, s=s, k=k: plot.ownership_map(g, b, s, guard=k))
    for (g, b, s), k in itertools.product(
        (
            ((2, 2), (8, 4), (12, 6)),
            ((1, 2), (8, 4), (12, 6)),
            ((5, 4), (16, 16), (76, 62)),
            (4, 256, 1000),
            (8, 32, 200),
            (32, 256, 8191),
            (2, 16, 30),
        ),
        (True, False),
    )
}
FIGURES |= {
    f"block {b}": (lambda b=b: plot.block_warps(b))
    for b in ((8, 8), 33, (32, 4), (16, 16), (5, 7), (8, 4, 4), 256, (2, 64), (64, 2), (1, 128), 1024)
}
FIGURES |= {
    f"occupancy {a}": (lambda a=a: limits(*a))
    for a in (
        ("H200", 256, 40, 49152),
        ("T4", 1024, 32, 0),
        ("V100", 32, 16, 0),
        ("H100", 256, 255, 100000),
    )
}
FIGURES |= {f"waves of {n}": (lambda n=n: plot.waves(n, sms=132, per_sm=3)) for n in (4, 396, 397, 600, 5000)}
FIGURES |= {
    "bars": lambda: plot.bars({"naive": 17301504, "tiled": 1048576}, unit="sectors"),
    "bars, stacked": lambda: plot.bars(
        {"1 kernel a copy": {"copy": 120, "compute": 3}}, unit="ms", kind="estimated"
    ),
    "bars, log": lambda: plot.bars(
        {"FFMA": 1e9, "wgmma.m64n64k16": 16000}, unit="instructions", log=True, deep="FFMA"
    ),
    "bars, measured": lambda: plot.bars(
        {"copy": 0.2, "naive": 1.9, "tile": 0.31},
        unit="ms",
        kind="estimated",
        measured={"copy": 0.21, "naive": 1.2, "tile": 0.4},
        device="an H200",
    ),
    "roofline bars": lambda: plot.roofline_bars(BOUNDS, dict.fromkeys(BOUNDS, 26.4e-3), device="H200"),
    "roofline bars, tight": lambda: plot.roofline_bars(
        {"copy": {"hbm": 9.8e-4, "life": 9e-4}}, {"copy": 1e-3}
    ),
    "roofline bars, alone": lambda: plot.roofline_bars(
        {"copy": {"hbm": 2e-4, "start": 5e-5, "atomics": 0}}, limit=1e-3
    ),
    "roofline": lambda: plot.roofline(POINTS, 4.24e12, 63.5e12, device="H200"),
    "roofline, path": lambda: plot.roofline(
        {k: (*v, "estimated") for k, v in POINTS.items()},
        {"HBM": 3.35e12, "L2": 6e12},
        {"FP32": 66.9e12, "TF32": 378e12},
        path=True,
    ),
    "curve": lambda: plot.curve(
        (np.linspace(0, 1, 50), 1 - (1 - np.linspace(0, 1, 50)) ** 32),
        x="p",
        y="warps that diverge",
        here=(0.05, 0.806),
        measured=([0.05, 0.2], [0.79, 1]),
    ),
    "curve, log": lambda: plot.curve(
        {
            "dense": (np.geomspace(1e-3, 1, 9), np.ones(9), "estimated"),
            "CSR": (np.geomspace(1e-3, 1, 9), 2 * np.geomspace(1e-3, 1, 9), "measured"),
        },
        x="density",
        y="ms",
        xlog=True,
        ylog=True,
        marks={0.5: "break-even 0.5"},
    ),
    "curve, doublings": lambda: plot.curve(
        {"FP16": (2 ** np.arange(4, 14), 2.0 ** np.arange(10))}, x="K", xlog=2, y="e", level={400: "limit"}
    ),
    "gantt": lambda: plot.gantt(
        blocks.schedule(gs.TOY.with_(sms=3), [3, 3, 7, 5, 6, 6, 7, 3, 5, 13, 5, 8], per_sm=2)
    ),
    "gantt, deadlock": lambda: plot.gantt(
        [(0, 0, 0, 0, None), (1, 1, 0, 0, None)], waiting=range(2, 8), until=10
    ),
    "gantt, card": lambda: plot.gantt(blocks.schedule("H100", RNG.uniform(1, 2, 600), per_sm=2), height=250),
    "warps": lambda: plot.warp_timeline(scheduler.schedule(8, 20, 60, cycles=400)),
    "many warps": lambda: plot.warp_timeline(scheduler.schedule(48, 4, 200, "greedy", cycles=600)),
    "races": lambda: plot.race_map(*convolution_races(128)),
    "races of 1024": lambda: plot.race_map(*convolution_races(1024)),
    "no race": lambda: plot.race_map([], np.arange(64), 64),
    "heatmap": lambda: plot.heatmap(
        [[4, 2, 1.4], [3, np.nan, 1.2]],
        [16, 32, 64],
        [1, 2],
        column="TILE",
        row="COARSE",
        unit="ms",
        best="low",
        measured={(0, 1): "2.1 ms"},
    ),
    "occupancy map": lambda: plot.occupancy_heatmap(
        RNG.random((8, 12)), range(32, 416, 32), [f"{k} KB" for k in range(8)]
    ),
    "correctness": lambda: plot.correctness_map(
        np.where(np.eye(10) > 0, np.nan, 1.0), np.ones((10, 10)), tile=4
    ),
    "correctness, large": lambda: plot.correctness_map(np.ones((64, 64)), np.ones((64, 64)), tile=16),
    "tiles": lambda: plot.tile_phases(64, 16, 1, (2, 1)),
    "tiles at the edge": lambda: plot.tile_phases(10, 4, 2, (1, 1)),
    "fetch": lambda: plot.fetch_map(np.arange(256).reshape(8, 32)),
    "fetch, reversed": lambda: plot.fetch_map(np.arange(256).reshape(32, 8).T),
    "fetch, strip": lambda: plot.fetch_map(np.arange(1024).reshape(128, 8) % 256, leading=4096),
    "strip": lambda: plot.memory_strip(5, 7, 8, length=60),
    "strip by row": lambda: plot.memory_strip(3, 4, layout="row", offset=2),
    "csr": lambda: plot.csr([[5, 0, 0, 2, 0, 0], [0] * 6, [0, 1, 0, 0, 0, 3], [4, 0, 7, 0, 8, 0.5]], row=2),
    "two in four": lambda: plot.two_in_four(RNG.normal(size=(3, 16))),
    "ladder": lambda: plot.ladder(
        {k: v[1] / 1e12 for k, v in POINTS.items()},
        63.5,
        measured={k: v[1] / 1e12 for k, v in POINTS.items()},
    ),
    "waterfall": lambda: plot.waterfall(
        ("GTX 980", 4.6),
        {"SMs": 8.25, "lanes an SM": 1, "clock": 0.9, "tensor cores": 15},
        unit="TFLOP/s",
        end="H100 FP16",
    ),
    "latencies": lambda: plot.latency_ladder(
        {"register": 1, "shared": (20, 30), "device memory": (400, 800)}, measured={"shared": 29}
    ),
    "traffic": lambda: plot.traffic(["HBM", "shared", "registers", "multiply-adds"], [1.07e9, 68.7e9, 550e9]),
    "traffic of two": lambda: plot.traffic(
        ["HBM", "shared", "registers"], [8.6e9, 137e9], captions=["128 GB", "", ""]
    ),
    "scopes": lambda: plot.scopes("shared"),
    "refused": lambda: plot.refused("block of 2048 threads: at most 1024 threads a block on this card", 120),
    "lane widths": lambda: plot.lane_widths(40),
    "numbered lanes": lambda: plot.lane_widths(32, (1, 4)),
    "barrier": lambda: plot.barrier_wait(RNG.uniform(3, 9, (8, 3))),
    "spans": lambda: plot.spans(
        {"host": [(0, 2, "launch"), (2, 7, "work"), (7, 20, "wait")], "GPU": [(2, 20, "kernel")]}
    ),
}
FIGURES |= {
    f"tree, {k} of {n}": (lambda k=k, n=n: plot.tree(n, k))
    for k in ("interleaved", "strided", "sequential")
    for n in (4, 16, 32)
}


FIGURES["requests in matrices"] = lambda: plot.matrix_sectors(
    {
        "in": (LANE * 4, LANE >= 0, 4, "load"),
        "out": (LANE * 1024, LANE >= 0, 4, "store"),
        "B": (LANE * 0, LANE < 9, 4, "load"),
    },
    256,
)


FIGURES["curve, crowded at the right"] = lambda: plot.curve(
    {name: (np.arange(1, 17), np.arange(1, 17) / n) for name, n in (("round robin", 200), ("greedy", 190))},
    here=(16, 0.08, "8 %"),
    marks={15: "bytes take over"},
    x="warps",
    y="share",
)
FIGURES["bars, one bold"] = lambda: plot.bars(
    {"constant: passes": 4, "shared: wavefronts": 1, "global: sectors": 1},
    deep="shared: wavefronts",
    limit=32,
)


STEPS = """__global__ void f(const float* x, float* y) {
    __shared__ float s[64];
    int i = threadIdx.x;
    s[2 * i] = x[16 * i];
    __syncthreads();
    if (i < 9) y[i] = s[i] * 2;
}"""


def trace():
    """The events of a warp that loads, stores to shared memory, waits, branches, works and stores."""
    arrays = gs.zeros(512, np.float32), gs.zeros(32, np.float32)
    return gs.cuda(STEPS).f[1, 32](*arrays).trace(0, 0)


FIGURES |= {f"event {place}": (lambda place=place: plot.event_map(trace()[place])) for place in range(7)}
