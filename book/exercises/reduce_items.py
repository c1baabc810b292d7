"""A reduction in which each thread adds several numbers before the rounds begin."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n):
    x = random.random(n, dtype=np.float32)
    blocks = -(-n // 2048)
    padded = np.concatenate([x, np.zeros(blocks * 2048 - n, np.float32)])
    sums = padded.reshape(blocks, 2048).astype(np.float64).sum(axis=1)
    return Case(blocks, 256, {"in": x, "out": Output(blocks), "n": n}, {"out": sums.astype(np.float32)})


exercise = Exercise(
    kernel="reduce_items",
    case=case,
    sizes=[{"n": 5000}, {"n": 100}, {"n": 8192}],
    gates=[
        at_most(
            "global_load_sectors_per_request", 4, "neighbouring threads should read neighbouring numbers"
        ),
        at_most("global_load_requests", 256, "each number is read once"),
    ],
    hints=[
        "Before the first barrier, a thread may add as many numbers as it likes into a variable of its own.",
        "Let thread t take i, i + 256, i + 512, ...: so the threads of a warp read neighbours each time.",
        ("runs", "Each of the eight numbers needs its own check against n."),
    ],
    why="Eight times as much work in a block's life, an eighth of the blocks, and the rounds hardly matter any more.",
)
