"""A tile that is filled again and again: a barrier before it is read, and one before it is overwritten."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, references, points):
    ref = 1 + random.random(references, dtype=np.float32)
    pt = random.random(points, dtype=np.float32)
    best = np.abs(pt[:, None] - ref).min(1)
    arguments = {"ref": ref, "pt": pt, "best": Output(points), "nref": references, "n": points}
    return Case(-(-points // 64), 64, arguments, {"best": best})


exercise = Exercise(
    kernel="nearest",
    case=case,
    sizes=[
        {"references": 100, "points": 90},
        {"references": 64, "points": 200},
        {"references": 128, "points": 64},
    ],
    gates=[
        at_least("shared_requests", 1, "the references should pass through the tile"),
        at_most("global_load_requests", 100, "each block fetches each reference once"),
    ],
    hints=[
        "In the last trip some threads have no reference to fetch. They must come to the barrier, too.",
        "Let all threads count m = 0, 64, 128, ... and guard the load. What may stand in the unused words?",
        (
            "reports",
            "All threads come to every barrier, also those without a point. And a quick warp fills the tile again "
            "while a slow one still reads it: a second barrier, at the end of the loop.",
        ),
        (
            "results",
            "What stands in the unused words of the last tile must be further away than any reference.",
        ),
    ],
    why="The first barrier orders write before read, the second read before the next write. "
    "The guards stand around loads and stores; every thread of the block makes the same trips.",
)
