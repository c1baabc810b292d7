"""A loop over all elements, shared out to the threads of a launch of any size."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n, grid, block):
    a, b = random.random((2, n), dtype=np.float32)
    return Case(grid, block, {"a": a, "b": b, "c": Output(n), "n": n}, {"c": a * b})


exercise = Exercise(
    kernel="spread",
    case=case,
    sizes=[
        {"n": 1000, "grid": 3, "block": 64},
        {"n": 50, "grid": 2, "block": 64},
        {"n": 4096, "grid": 4, "block": 128},
    ],
    gates=[
        at_most("global_load_requests", 2 * 4096 // 32, "each element should be loaded by one thread only"),
        at_most("global_load_sectors_per_request", 4, "lanes of a warp should read neighbours"),
    ],
    hints=[
        "Each thread should start at its own element and leave out those that others take.",
        "There are gridDim.x * blockDim.x threads. A thread can step over that many elements at a time.",
        "Start at blockIdx.x * blockDim.x + threadIdx.x and add gridDim.x * blockDim.x.",
    ],
    why="The launch may have any number of threads. In each round they stand side by side in the array.",
)
