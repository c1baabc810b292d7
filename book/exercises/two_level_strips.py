"""C = A^T B: strips in shared memory under a register tile of 2 x 2."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, rows, cols, inner):
    A, B = (random.standard_normal((inner, many)).astype(np.float32) for many in (rows, cols))
    arguments = {"A": A, "B": B, "C": Output((rows, cols)), "rows": rows, "cols": cols, "inner": inner}
    return Case((-(-cols // 32), -(-rows // 32)), (16, 16), arguments, {"C": A.T @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[
        {"rows": 33, "cols": 70, "inner": 16},
        {"rows": 70, "cols": 5, "inner": 8},
        {"rows": 64, "cols": 64, "inner": 64},
    ],
    gates=[
        at_most("global_load_bytes", 65536, "each float is fetched once a block"),
        at_most("global_load_sectors_per_request", 4, "the fetch follows a row of A or B"),
        at_least("shared_load_requests", 1, "the multiplication reads the strips"),
    ],
    hints=[
        "256 threads, 256 elements in a strip: each thread fetches one element of A and one of B.",
        "Number the threads, `tid = ty * 16 + tx`. A warp should fetch a row: `tid / 32` and `tid % 32`.",
        "A barrier after the fetch, and one after the eight steps, before the next fetch.",
        ("reports", "The next fetch overwrites the strips: one barrier before they are read, and one after."),
        (
            "runs",
            "Strips reach beyond the matrices: fetch a 0 in the columns that A or B does not have.",
        ),
    ],
    tolerance=1e-3,
    why="Each float of a strip serves 32 rows or columns of the block's tile, and in registers 2 more: "
    "the loads fall from 2N³/2 for a register tile to 2N³/32.",
)
