"""Eight elements a thread, and still 32 neighbouring ones in each request of a warp."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n, block):
    x = random.random(n, dtype=np.float32)
    return Case(-(-n // (8 * block)), block, {"in": x, "out": Output(n), "n": n}, {"out": x})


exercise = Exercise(
    kernel="copy_eight",
    case=case,
    sizes=[{"n": 1000, "block": 64}, {"n": 5001, "block": 96}, {"n": 8192, "block": 128}],
    gates=[
        at_most("global_load_sectors_per_request", 4, "the lanes of one load lie in more than 128 bytes"),
        at_most("global_store_sectors_per_request", 4, "the lanes of one store lie in more than 128 bytes"),
        at_most("global_load_requests", 256, "8192 floats are 256 full requests: let all 32 lanes work"),
    ],
    hints=[
        "Fix k and look at 32 neighbouring threads: which elements does this one instruction read?",
        "In each step the block should read blockDim.x elements in a row, one a thread.",
        "A block owns 8 * blockDim.x elements. Begin at its first one plus threadIdx.x and go on in steps of "
        "blockDim.x.",
    ],
    why="Each thread still copies 8 floats, now blockDim.x apart. What counts is that the 32 lanes read "
    "side by side in each step: 4 sectors a request instead of 32.",
)
