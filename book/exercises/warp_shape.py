"""Which 32 elements a warp takes together: neither a row nor a column, but a patch."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, rows, cols):
    matrix = random.random((rows, cols), dtype=np.float32)
    arguments = {"in": matrix, "out": Output((cols, rows)), "rows": rows, "cols": cols}
    return Case((-(-cols // 32), -(-rows // 32)), 256, arguments, {"out": np.ascontiguousarray(matrix.T)})


exercise = Exercise(
    kernel="transpose",
    case=case,
    sizes=[{"rows": 50, "cols": 70}, {"rows": 33, "cols": 20}, {"rows": 96, "cols": 64}],
    gates=[
        at_most("global_load_sectors_per_request", 8, "the lanes lie in too many rows of in"),
        at_most("global_store_sectors_per_request", 8, "the lanes lie in too many columns of in"),
        at_most("global_store_requests", 192, "each element is written once, by full warps"),
    ],
    hints=[
        "A warp has the numbers 32 w to 32 w + 31 in a round. "
        "Let it cover 8 columns and 4 rows, or 4 columns and 8 rows.",
        "k % 8 is a column of the patch. k / 8 goes on to the next row. After 32 rows, move 8 columns on.",
        "256 numbers are 8 columns of 32 rows: x = k / 256 * 8 + k % 8, y = k % 256 / 8.",
        ("runs", "Pieces at the edge reach beyond the matrix: keep the check of x and y."),
        (
            "results",
            "Numbers 0 to 1023 must reach each of the 32 x 32 elements once: k / 256 takes part, too.",
        ),
    ],
    why="A patch of 8 x 4 elements is 4 full sectors in one matrix and 8 half ones in the other: "
    "12 instead of 36. The block's shape need not be the launch's: "
    "any mapping from thread to element will do.",
)
