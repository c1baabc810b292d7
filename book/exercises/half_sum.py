"""Sums of half-precision numbers, kept in single precision."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n, threads, block):
    x = (random.random((n, threads)) + 0.5).astype(np.float16)
    expect = x.astype(np.float64).sum(axis=0).astype(np.float32)
    return Case(
        -(-threads // block),
        block,
        {"in": x, "out": Output(threads), "n": n, "threads": threads},
        {"out": expect},
    )


exercise = Exercise(
    kernel="half_sum",
    case=case,
    sizes=[{"n": 3000, "threads": 100, "block": 32}, {"n": 600, "threads": 33, "block": 64}],
    gates=[
        at_most("global_load_sectors_per_request", 3, "neighbouring threads should read neighbouring numbers")
    ],
    hints=[
        "Which variable is rounded to 11 bits after every addition?",
        "Make sum a float, and start it with 0.0f.",
        "sum += (float)in[k * threads + t];",
        ("global_load_sectors_per_request", "In step k, thread t should read number k * threads + t."),
    ],
    why="The inputs stay in half precision, as tensor cores take them; only the sum is kept in single, as tensor cores do.",
)
