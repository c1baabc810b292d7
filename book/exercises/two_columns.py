"""A thread computes two columns of C, so that an element of A serves two multiply-adds."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, N):
    A, B = (random.standard_normal((N, N)).astype(np.float32) for _ in range(2))
    grid = (-(-N // 32), -(-N // 8))
    return Case(grid, (16, 8), {"A": A, "B": B, "C": Output((N, N)), "N": N}, {"C": A @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[{"N": 33}, {"N": 7}, {"N": 64}],
    gates=[
        at_most("global_load_requests", 12500, "an element of A is loaded once for both columns"),
        at_least("flops", 2 * 64**3, "every product is computed"),
    ],
    hints=[
        "Two sums, one loop: load `A[row * N + k]` into a variable and use it twice.",
        "Where N is odd the last thread of a row has no second column: neither load nor store it.",
        "`bool both = col + 1 < N;` before the loop, `if (both)` around what belongs to the second column.",
        (
            "runs",
            "An odd N leaves the last thread of a row one column: guard the load and the store of the other.",
        ),
    ],
    tolerance=1e-3,
    why="Three loads for two multiply-adds instead of four: 4 FLOP for 12 bytes, 0.33 FLOP a byte instead of "
    "0.25. With V x V elements a thread it would be V / 4; section 23 does that.",
)
