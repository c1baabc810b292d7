"""A thread's columns lie 16 apart, so that a request to shared memory is one row of neighbours."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, rows, cols):
    A, B = (random.standard_normal((8, many)).astype(np.float32) for many in (rows, cols))
    arguments = {"A": A, "B": B, "C": Output((rows, cols)), "rows": rows, "cols": cols}
    return Case((-(-cols // 64), -(-rows // 16)), (16, 16), arguments, {"C": A.T @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[{"rows": 17, "cols": 70}, {"rows": 33, "cols": 130}, {"rows": 32, "cols": 128}],
    gates=[
        at_most("shared_load_excess", 0, "lanes of one request meet in a bank"),
        at_least("shared_load_requests", 1, "the multiplication reads the strip"),
        at_most("global_store_sectors_per_request", 4, "a store's lanes write neighbouring columns"),
    ],
    hints=[
        "Lanes of a warp differ in tx. With `4 * tx + v` they lie 4 words apart: which banks do they use?",
        "The thread still has 4 columns. Let v step by 16 and tx by 1.",
        "`16 * v + tx` in the read, and the same column in the store.",
    ],
    tolerance=1e-3,
    why="16 neighbouring words lie in 16 banks, so a request takes one wavefront. The price: the four "
    "columns of a thread are no longer neighbours, and cannot be one float4. The store gains as well.",
)
