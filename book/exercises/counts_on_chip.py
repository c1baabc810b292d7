"""An array of counters that is indexed at run time, moved from local memory into shared memory."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most

SLOTS, ITEMS, BLOCK = 16, 32, 128


def case(random, n):
    values = random.integers(0, SLOTS, (ITEMS, n), dtype=np.int32)
    most = (values[None] == np.arange(SLOTS)[:, None, None]).sum(1).max(0).astype(np.int32)
    return Case(-(-n // BLOCK), BLOCK, {"in": values, "out": Output(n, np.int32), "n": n}, {"out": most})


exercise = Exercise(
    kernel="most",
    case=case,
    sizes=[{"n": 300}, {"n": 1024}],
    gates=[
        at_least("shared_requests", 1, "the counters should live in shared memory"),
        at_most("shared_excess", 0, "lanes of a warp queue at one bank"),
    ],
    hints=[
        "Shared memory belongs to the block: it needs room for the counters of all 128 threads.",
        "Two dimensions, slot and thread. Which should be the last, so that lanes stand side by side?",
        "__shared__ int count[SLOTS][128]: in any slot, the words of 32 lanes lie in 32 banks.",
        (
            "results",
            "Shared memory starts with whatever was left there: each thread sets its counters to 0. "
            "And no two threads may count in the same place.",
        ),
    ],
    why="With the thread last, thread t always uses bank t % 32, whatever the slot. No barrier is needed: "
    "no thread reads what another one wrote. It takes 8 KB a block; thousands of slots would not fit.",
)
