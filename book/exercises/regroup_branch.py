"""Give each warp elements of one kind, so that no warp has to walk through both sides."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, n, block):
    x = random.random(n, dtype=np.float32)
    once, damped = 2 * x, x.copy()
    for _ in range(16):
        damped = np.float32(0.9) * damped + np.float32(0.1)
    expect = np.where(np.arange(n) % 2 == 0, once, damped)
    return Case(-(-n // block), block, {"in": x, "out": Output(n), "n": n}, {"out": expect})


exercise = Exercise(
    kernel="regroup",
    case=case,
    sizes=[{"n": 1000, "block": 128}, {"n": 64, "block": 64}, {"n": 4096, "block": 256}],
    gates=[
        at_most("divergent_branches", 0, "some warp still has even and odd elements"),
        at_least("branches", 256, "both `if`s should stay: it is the grouping that changes"),
    ],
    hints=[
        "The block as a whole covers the same elements. Only which thread takes which one has to change.",
        "Let the first half of the block's threads take the even elements and the second half the odd ones.",
        "With t = threadIdx.x, half = blockDim.x / 2: 2 * t in the first half, 2 * (t - half) + 1 after.",
        ("results", "Each element is still taken once, and only from the block's own part of the array."),
    ],
    why="No warp diverges any more, but a warp's load now reads every second float: 8 sectors a request "
    "instead of 4. The instructions fall from 21 to 12.5 a warp. Which of the two matters, only time tells.",
)
