"""C = A^T B: both loads are contiguous or broadcast in either mapping; the store decides."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, inner, rows, cols):
    A, B = (random.standard_normal((inner, many)).astype(np.float32) for many in (rows, cols))
    blocks = -(-max(rows, cols) // 32)
    arguments = {"A": A, "B": B, "C": Output((rows, cols)), "inner": inner, "rows": rows, "cols": cols}
    return Case((blocks, blocks), (32, 32), arguments, {"C": A.T @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[
        {"inner": 40, "rows": 33, "cols": 70},
        {"inner": 5, "rows": 70, "cols": 33},
        {"inner": 64, "rows": 64, "cols": 64},
    ],
    gates=[
        at_most("global_load_sectors_per_request", 2.5, "a load's lanes lie in different rows of a matrix"),
        at_most("global_store_sectors_per_request", 4, "the lanes of one store lie in different rows of C"),
        at_most("warp_instructions", 25000, "a warp should store once"),
    ],
    hints=[
        "The loads are fine in either mapping: one is a row, the other a broadcast. Look at the store.",
        "Lanes differ in threadIdx.x. Which of row and col may differ from lane to lane, so that "
        "`row * cols + col` grows by one?",
        "Let threadIdx.x drive the column, and exchange blockIdx.x and blockIdx.y in the same way.",
    ],
    tolerance=1e-3,
    why="With x as the row, A is read in rows and B is a broadcast: 5 sectors a step, as good as the other "
    "mapping. But the store runs down a column of C, 32 sectors. With x as the column all three are "
    "contiguous or broadcast.",
)
