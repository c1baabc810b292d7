"""A tall strip, fetched along its short rows and kept transposed: full sectors, and a padding that fits."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, rows, cols):
    matrix = random.standard_normal((rows, cols)).astype(np.float32)
    arguments = {"in": matrix, "out": Output((cols, rows)), "rows": rows, "cols": cols}
    return Case((cols // 8, -(-rows // 64)), 128, arguments, {"out": matrix.T})


exercise = Exercise(
    kernel="fetch_tall",
    case=case,
    sizes=[{"rows": 100, "cols": 24}, {"rows": 33, "cols": 8}, {"rows": 128, "cols": 32}],
    gates=[
        at_most("global_load_sectors_per_request", 4, "neighbouring threads fetch from different rows"),
        at_most("global_store_sectors_per_request", 4, "one store reaches different rows of `out`"),
        at_most("shared_excess", 0, "lanes of one access want different words of one bank"),
        at_least("shared_requests", 1, "the strip is not used"),
    ],
    hints=[
        "A row of the strip has 8 floats, one sector. A warp should fetch four whole rows.",
        "`y = e / COLS; x = e % COLS;` gives full sectors. Now the lanes store to 8 rows of `strip` and 4 "
        "neighbouring places in each. In which banks are these?",
        (
            "shared_excess",
            "With rows of 64 words all 8 rows of `strip` start in bank 0. They should start 4 banks apart.",
        ),
        (
            "reports",
            "What a thread writes out, others have fetched: the whole block waits between the two loops.",
        ),
        ("runs", "The last strip reaches below the matrix: guard the fetch and the store alike."),
    ],
    why="With rows of 68 words, lane (x, y) stores to bank (4 x + y) mod 32: eight rows, four banks each, "
    "all different. Padding by one would make them overlap.",
)
