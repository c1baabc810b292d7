"""Two sets of tiles, so that one barrier a phase says both: complete, and free."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, N):
    A, B = (random.standard_normal((N, N)).astype(np.float32) for _ in range(2))
    blocks = -(-N // 16)
    return Case((blocks, blocks), (16, 16), {"A": A, "B": B, "C": Output((N, N)), "N": N}, {"C": A @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[{"N": 33}, {"N": 50}, {"N": 64}],
    gates=[
        at_most("barriers", 512, "one barrier a phase is enough"),
        at_least("shared_load_requests", 1, "the multiplication reads the tiles"),
        at_most("global_load_bytes", 131072, "each float is fetched once a block"),
    ],
    hints=[
        "Which barrier protects a tile that is still being read? Who overwrites it?",
        "`__shared__ float As[2][16][16]`, and `int now = at / 16 % 2;` in each phase.",
        "Keep the barrier between the fetch and the arithmetic; drop the other.",
        (
            "reports",
            "Without the second barrier a phase may not fill what the phase before still reads: "
            "two sets of tiles. And what is read in a phase needs the barrier behind its fetch.",
        ),
    ],
    tolerance=1e-3,
    why="The set that a phase fills was last read two phases ago, and the barrier in between tells that all "
    "threads have left it.",
)
