"""C = A B^T through tiles: both inputs are fetched along their rows, whatever the product wants."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, rows, cols, inner):
    A, B = (random.standard_normal((many, inner)).astype(np.float32) for many in (rows, cols))
    arguments = {"A": A, "B": B, "C": Output((rows, cols)), "rows": rows, "cols": cols, "inner": inner}
    return Case((-(-cols // 16), -(-rows // 16)), (16, 16), arguments, {"C": A @ B.T})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[
        {"rows": 33, "cols": 70, "inner": 32},
        {"rows": 50, "cols": 20, "inner": 48},
        {"rows": 64, "cols": 48, "inner": 64},
    ],
    gates=[
        at_most("global_load_sectors_per_request", 4, "lanes of one load lie in more than two rows"),
        at_most("global_load_bytes", 4 * 2 * 64 * 48 * 64 // 16, "each element should serve 16 threads"),
        at_most("shared_load_excess", 0, "threads with neighbouring `tx` read a column of the tile of B"),
        at_least("shared_requests", 1, "the tiles are not used"),
    ],
    hints=[
        "C(row, col) needs row `row` of A and row `col` of B. A block needs 16 rows of each, 16 columns "
        "at a time.",
        "Let thread (tx, ty) fetch `B[(blockIdx.x * 16 + ty) * inner + ph * 16 + tx]`, a row of B, and "
        "multiply `As[ty][k] * Bs[tx][k]`.",
        "Two barriers a phase, as in the kernel above. Rows of 17 floats keep columns of `Bs` free of "
        "conflicts. All threads must reach the barriers: fetch zeros for rows outside, and guard the store.",
        (
            "shared_load_excess",
            "Sixteen rows of 16 words start in two banks only. Give a row of `Bs` 17 floats.",
        ),
        ("reports", "The next phase overwrites the tiles: a barrier before they are read, and one after."),
        ("runs", "The last tiles reach beyond the matrices: fetch zeros there, and guard the store."),
    ],
    tolerance=1e-3,
    why="The product wants B across the grain, and no mapping of threads can change that. The tile can: it "
    "is filled along the rows of B and read down its columns, and shared memory does not mind.",
)
