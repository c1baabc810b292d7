"""A kernel that any number of blocks can run: each takes piece after piece."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, at_most


def case(random, pieces, blocks):
    x = random.random(64 * pieces, dtype=np.float32)
    return Case(blocks, 64, {"a": x, "pieces": pieces}, {"a": 2 * x})


exercise = Exercise(
    kernel="any_grid",
    case=case,
    sizes=[{"pieces": 10, "blocks": 3}, {"pieces": 2, "blocks": 5}, {"pieces": 64, "blocks": 8}],
    gates=[
        at_most(
            "global_load_requests",
            128,
            "each piece is two requests: all 64 threads work on one piece at a time",
        )
    ],
    hints=[
        "A block that is done with its piece can take another one. Which piece does nobody else take?",
        "for (int piece = blockIdx.x; piece < pieces; piece += ...): the step is the number of blocks.",
        "The number of blocks is gridDim.x.",
        ("runs", "The loop's condition must also protect blocks that have no piece at all."),
        ("reports", "Two blocks work on one piece. Each begins at its own, blockIdx.x."),
    ],
    why="The kernel no longer cares how many blocks there are. That is how a persistent kernel fills a card exactly once.",
)
