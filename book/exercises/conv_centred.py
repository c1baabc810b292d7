"""A centred window: a halo on both sides, and zeros beyond the ends of the array."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, n):
    x = random.random(n, dtype=np.float32)
    padded = np.r_[np.zeros(3), x, np.zeros(3)].astype(np.float32)
    sums = np.lib.stride_tricks.sliding_window_view(padded, 7).sum(1)
    return Case(-(-n // 128), 128, {"in": x, "out": Output(n), "n": n}, {"out": sums})


exercise = Exercise(
    kernel="conv_centred",
    case=case,
    sizes=[{"n": 200}, {"n": 5}, {"n": 1024}],
    gates=[
        at_most("global_load_requests", 40, "a block needs 134 inputs: 4 full requests and one for the halo"),
        at_least("shared_requests", 1, "the inputs should pass through shared memory"),
    ],
    hints=[
        "A block of 128 outputs needs 134 inputs: 3 to its left, 3 to its right.",
        "Let s[k] hold in[first + k] with first = blockIdx.x * 128 - 3. Then thread t adds s[t] to s[t + 6].",
        "for (int k = threadIdx.x; k < 134; k += 128): the first six threads fetch two. "
        "Outside of the array store a zero.",
        (
            "runs",
            "The block at the left edge begins at -3, the one at the right edge ends behind n. Check both sides.",
        ),
        (
            "reports",
            "A sum needs what other threads have fetched: the whole block has to wait between the two loops.",
        ),
        (
            "results",
            "Do the outputs at the ends of a block miss the three inputs beside it? Neighbour blocks have them.",
        ),
    ],
    why="The zeros go into shared memory, so the sum needs no guard, "
    "and no thread leaves before the barrier.",
)
