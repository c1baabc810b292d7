"""A histogram whose banks do not depend on the data: lane t always works in bank t."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, n, blocks):
    v = random.integers(0, 256, (blocks, n), dtype=np.uint8)
    counted = np.array([np.bincount(row, minlength=256) for row in v], np.uint32)
    return Case(blocks, 32, {"v": v, "hist": Output((blocks, 256), np.uint32), "n": n}, {"hist": counted})


exercise = Exercise(
    kernel="votes",
    case=case,
    sizes=[{"n": 100, "blocks": 3}, {"n": 33, "blocks": 1}, {"n": 2048, "blocks": 1}],
    gates=[
        at_most("shared_excess", 0, "some lanes still meet in one bank"),
        at_least("shared_store_requests", 320, "each vote is a store of its own"),
    ],
    hints=[
        "A bank is a word of 4 bytes wide, and holds four counters. Which four can lane t keep in one word of its bank?",
        "Word w lies in bank w % 32. Let the word be (x / 4) * 32 + lane.",
        "In bytes that is (x / 4) * 128 + lane * 4, plus x % 4 for the counter inside the word.",
        ("reports", "Two lanes may vote for the same x at once: each lane needs counters of its own."),
        ("results", "The votes and the sum at the end have to use the same place for (x, lane)."),
    ],
    why="Whatever the data, lane t works in bank t, and every request takes one wavefront. The counters are bytes: "
    "a lane with 256 equal votes would wrap to 0.",
)
