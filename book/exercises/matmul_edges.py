"""C = A B through tiles, for any size: phases rounded up, zeros at the edge, all threads at the barriers."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, rows, cols, inner):
    A = random.standard_normal((rows, inner)).astype(np.float32)
    B = random.standard_normal((inner, cols)).astype(np.float32)
    arguments = {"A": A, "B": B, "C": Output((rows, cols)), "rows": rows, "cols": cols, "inner": inner}
    return Case((-(-cols // 16), -(-rows // 16)), (16, 16), arguments, {"C": A @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[
        {"rows": 33, "cols": 50, "inner": 40},
        {"rows": 48, "cols": 70, "inner": 10},
        {"rows": 32, "cols": 48, "inner": 64},
    ],
    gates=[
        at_most("global_load_bytes", 4 * 2 * 32 * 48 * 64 // 16, "each element should serve 16 threads"),
        at_least("shared_requests", 1, "the tiles are not used"),
    ],
    hints=[
        "Three things are missing: the last phase, a check of each fetch, a check of the store.",
        "Round the phases up: `(inner + 15) / 16`. A fetch outside its matrix puts 0 into the tile; "
        "0 times anything adds nothing.",
        "A is inside if `row < rows && ka < inner`, B if `kb < inner && col < cols`. No thread may return "
        "before the last barrier: only the store is skipped.",
        (
            "reports",
            "Every thread fetches into the tile in every phase, a 0 where it has nothing, "
            "and comes to both barriers; only the store is skipped.",
        ),
        (
            "runs",
            "A fetch and the store each need a check of their own: A has rows x inner, B inner x cols, C rows x cols.",
        ),
    ],
    tolerance=1e-3,
    why="Threads over the edge have no element of C, but they are still needed: they fetch their part of the "
    "tiles, and the block waits for them at each barrier.",
)
