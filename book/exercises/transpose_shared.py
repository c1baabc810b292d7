"""Transpose through shared memory: full sectors on both sides, no bank conflict, any size."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, rows, cols):
    matrix = random.standard_normal((rows, cols)).astype(np.float32)
    return Case(
        grid=(-(-cols // 32), -(-rows // 32)),
        block=(32, 8),
        arguments={"in": matrix, "out": Output((cols, rows)), "rows": rows, "cols": cols},
        expect={"out": matrix.T},
    )


exercise = Exercise(
    kernel="transpose",
    case=case,
    sizes=[{"rows": 70, "cols": 100}, {"rows": 33, "cols": 65}, {"rows": 96, "cols": 64}],
    gates=[
        at_most("global_load_sectors_per_request", 4, "32 lanes of one load lie in more than 128 bytes"),
        at_most("global_store_sectors_per_request", 4, "neighbouring lanes store to different rows of `out`"),
        at_most("shared_excess", 0, "a column of the tile lies in one bank"),
        at_least("shared_requests", 1, "the tile is not used"),
    ],
    hints=[
        "Let the warp read a row of `in` and write a row of `out`. Only the tile in between is turned.",
        "Store `tile[j][threadIdx.x]`, wait for the block, then load `tile[threadIdx.x][j]`. "
        "The block's place in `out` has `blockIdx.x` and `blockIdx.y` exchanged.",
        "A row of 32 words puts a whole column into one bank: give the tile 33 columns. "
        "The second guard compares with `rows` and `cols` exchanged.",
        ("reports", "The tile is read by other threads than filled it: the whole block waits in between."),
        ("shared_excess", "A row of 32 words puts a whole column into one bank: give the tile 33 columns."),
        ("runs", "`out` has cols rows and rows columns: its guard compares with the two exchanged."),
        ("results", "`out` has cols rows and rows columns: its guard compares with the two exchanged."),
    ],
    why="Shared memory turns the matrix: there a column costs no more than a row once a row has 33 words.",
)
