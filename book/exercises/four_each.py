"""Four elements a thread, in an order in which neighbouring threads touch neighbouring elements."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n, block):
    a, b = random.random((2, n), dtype=np.float32)
    arguments = {"a": a, "b": b, "c": Output(n), "n": n}
    return Case(-(-n // (4 * block)), block, arguments, {"c": a * b})


exercise = Exercise(
    kernel="four_each",
    case=case,
    sizes=[
        {"n": 1000, "block": 64},
        {"n": 8191, "block": 256},
        {"n": 3, "block": 32},
        {"n": 8192, "block": 256},
    ],
    gates=[
        at_most("global_load_sectors_per_request", 4, "in a round, neighbours should read neighbours"),
        at_most("global_store_requests", 8192 // 32, "each element is written once"),
    ],
    hints=[
        "Each element needs one owner and one only. The launch has a quarter as many threads as elements.",
        "In round k (0 to 3) let the block's threads stand side by side, and move on by blockDim.x.",
        "A block starts at blockIdx.x * blockDim.x * 4. In round k add threadIdx.x + k * blockDim.x.",
        ("runs", "Each of the four elements needs its own check against n."),
    ],
    why="Four neighbouring elements a thread give the same results, but then a request spans 512 bytes and "
    "touches 16 sectors, four times over.",
)
