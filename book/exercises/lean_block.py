"""A block that asks for less, so that more of them fit: shared memory that nobody shares is given back."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, n):
    x = random.random((32, n), dtype=np.float32)
    sums = np.zeros(n, np.float32)
    for row in x:
        sums += row
    return Case(-(-n // 256), 256, {"in": x, "out": Output(n), "n": n}, {"out": sums})


exercise = Exercise(
    kernel="lean",
    case=case,
    sizes=[{"n": 1000}, {"n": 77}, {"n": 2048}],
    gates=[
        at_least("occupancy", 1.0, "the block's shared memory still keeps other blocks away"),
        at_most("global_load_requests", 2048, "each number is read once"),
    ],
    hints=[
        "Which thread reads kept[k * 256 + threadIdx.x]? The one that wrote it.",
        "A value that only one thread needs belongs in a register: a plain variable.",
        "Add in[...] to sum in the first loop, and drop the array and the second loop.",
    ],
    why="32 KB a block allow six blocks on an H100 SM, 1536 threads. Without the tile eight fit, 2048 threads. "
    "Shared memory pays when threads share; here nobody did.",
)
