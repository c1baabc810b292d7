"""Sparse times dense with a warp for each row."""

import numpy as np

from gpusim.models.sparse import random_csr
from gpusim.show.exercises import Case, Exercise, at_least, at_most


def case(random, rows, length, block):
    a = random_csr(np.full(rows, length), 512, seed=rows)
    x = random.random(512, dtype=np.float32)
    arguments = {
        "data": a.data,
        "col": a.col_index,
        "ptr": a.row_ptr,
        "x": x,
        "y": np.ones(rows, np.float32),
        "rows": rows,
    }
    return Case(-(-32 * rows // block), block, arguments, {"y": (1 + a.dot(x)).astype(np.float32)})


exercise = Exercise(
    kernel="warp_row",
    case=case,
    sizes=[
        {"rows": 13, "length": 40, "block": 128},
        {"rows": 3, "length": 7, "block": 64},
        {"rows": 32, "length": 128, "block": 128},
    ],
    gates=[
        at_most("global_load_sectors", 6000, "the lanes of a warp should read neighbouring numbers"),
        at_least("shuffles", 100, "the lanes' sums have to meet"),
    ],
    hints=[
        "Lane l starts at ptr[row] + l and goes on in steps of 32.",
        "Afterwards each lane has a part of the sum. Five rounds of __shfl_down_sync bring them to lane 0.",
        "for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);",
        ("results", "Lane 0 has its own part of the row only: the other lanes' sums have to come to it."),
    ],
    why="Eight neighbouring numbers share a sector, and one request reads them all. Five shuffles a row are the price.",
)
