"""Four loads that go out together instead of one after the other."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most


def case(random, n, block):
    x = random.random(4 * n, dtype=np.float32)
    a, b, c, d = x.reshape(4, n)
    return Case(-(-n // block), block, {"in": x, "out": Output(n), "n": n}, {"out": a + b + c + d})


exercise = Exercise(
    kernel="sum_four",
    case=case,
    sizes=[{"n": 1000, "block": 128}, {"n": 77, "block": 32}, {"n": 4096, "block": 256}],
    gates=[
        at_most(
            "global_store_requests", 128, "one store a thread: a store in between holds the next load back"
        ),
        at_most("global_load_requests", 512, "four loads a thread are enough"),
        at_least("global_load_requests", 512, "all four numbers have to be read"),
    ],
    hints=[
        "Why can the second load not go out at once? Because the store before it might change in[i + n]: "
        "the compiler cannot know that in and out are different arrays.",
        "Keep the sum in a variable, and store it once, at the end.",
        "float a = in[i]; float b = in[i + n]; ... then one line that adds and stores.",
    ],
    why="All four loads are on their way before the first addition needs one: the warp waits once, not four times.",
)
