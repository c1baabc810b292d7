"""Wide stores side by side: each request fills the sectors that it touches."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n, block):
    x = random.random(n, dtype=np.float32)
    return Case(-(-n // block), block, {"in": x, "out": Output(8 * n), "n": n}, {"out": np.repeat(x, 8)})


exercise = Exercise(
    kernel="spread",
    case=case,
    sizes=[{"n": 100, "block": 64}, {"n": 33, "block": 32}, {"n": 1024, "block": 128}],
    gates=[
        at_most("global_store_sectors_per_request", 16, "512 bytes are 16 sectors, if they lie side by side"),
        at_most("global_store_requests", 64, "a float4 a lane and store"),
    ],
    hints=[
        "Fix one store instruction and look at 32 neighbouring lanes: which float4 should lane t + 1 write?",
        "Neighbouring lanes should write neighbouring float4. Two of them need the same input.",
        "A block owns 2 * blockDim.x float4. Thread t writes number t and number t + blockDim.x; "
        "number j holds in[j / 2].",
        ("runs", "The last block has more than it needs: check each float4's number against 2 * n."),
    ],
    why="Half as many sectors in the stores. Whether that is felt depends on what else the kernel does.",
)
