"""A persistent kernel: few blocks walk over all elements, a whole grid of threads at a step."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, at_most


def case(random, n, blocks, block):
    x = random.random(n, dtype=np.float32)
    return Case(blocks, block, {"a": x, "n": n}, {"a": 2 * x})


exercise = Exercise(
    kernel="persistent",
    case=case,
    sizes=[
        {"n": 5000, "blocks": 3, "block": 128},
        {"n": 100, "blocks": 4, "block": 64},
        {"n": 4096, "blocks": 4, "block": 256},
    ],
    gates=[
        at_most(
            "global_load_sectors_per_request", 4.2, "neighbouring threads should read neighbouring elements"
        )
    ],
    hints=[
        "An `if` takes at most one element a thread. What takes several?",
        "Loop: for (int i = ...; i < n; i += ...). The step skips what all other threads take in the same round.",
        "All threads of the launch together: gridDim.x * blockDim.x.",
    ],
    why="One launch size serves every n, and neighbouring threads still read neighbouring elements. "
    "The pattern is called a grid-stride loop.",
)
