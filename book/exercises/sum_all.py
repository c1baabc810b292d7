"""One launch that adds up everything: partial sums meet in one atomic addition a block."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, at_least, at_most


def case(random, n):
    x = random.random(n, dtype=np.float32)
    total = np.array([x.astype(np.float64).sum()], np.float32)
    return Case(-(-n // 128), 128, {"in": x, "total": np.zeros(1, np.float32), "n": n}, {"total": total})


exercise = Exercise(
    kernel="sum_all",
    case=case,
    sizes=[{"n": 1000}, {"n": 77}, {"n": 2048}],
    gates=[
        at_most("global_atomic_requests", 16, "one atomic addition a block is enough"),
        at_least("shared_load_requests", 100, "the block should still add up in shared memory first"),
    ],
    hints=[
        "Every thread of the block holds the line `total[0] = s[0]`. How many should add?",
        "Several blocks add to one number: reading it, adding and writing it back is three steps. One call does all three.",
        "if (t == 0) atomicAdd(&total[0], s[0]);",
        (
            "reports",
            "`total[0] += ...` reads, adds and writes; between the two another block may write. One call does it at once.",
        ),
        ("results", "Does more than one thread of a block add? Then its sum counts more than once."),
    ],
    why="No block waits for another: atomicAdd makes reading, adding and writing one step, in whatever order the blocks come.",
)
