"""Thread coarsening downwards: four tiles of C below each other share each tile of B."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, N):
    A, B = (random.standard_normal((N, N)).astype(np.float32) for _ in range(2))
    arguments = {"A": A, "B": B, "C": Output((N, N)), "N": N}
    return Case((N // 16, -(-N // 64)), (16, 16), arguments, {"C": A @ B})


exercise = Exercise(
    kernel="multiply",
    case=case,
    sizes=[{"N": 80}, {"N": 16}, {"N": 64}],
    gates=[
        at_most("global_load_bytes", 4 * (64**3 // 16 + 64**3 // 64), "a tile of B should serve four of A"),
        at_least("shared_requests", 1, "the tiles are not used"),
    ],
    hints=[
        "Four sums a thread: `float sum[4]`. The loop over phases comes first, the one over the four tiles "
        "inside it.",
        "In a phase fetch the tile of B once. Then for each `c` fetch the tile of A at row "
        "`blockIdx.y * 64 + c * 16 + ty`, wait, add to `sum[c]`, wait.",
        "Skip the fetch and the store where the row is not below N. The barriers are for all threads: "
        "keep them outside of that `if`, or make sure that the whole block takes the same side.",
        (
            "runs",
            "The last block may have fewer than four tiles: where the row is not below N, neither fetch nor store.",
        ),
        (
            "reports",
            "The tile of A is overwritten four times a phase: one barrier before it is read, and one after.",
        ),
    ],
    tolerance=1e-3,
    why="B is now fetched a quarter as often; A as often as before. A block that coarsens in both directions "
    "saves on both sides: section 23.",
)
