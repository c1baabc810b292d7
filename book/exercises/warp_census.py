"""Number the threads of a block of any shape, find each warp's first lane, and let it alone write."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, block):
    size = int(np.prod(block))
    warps = -(-size // 32)
    one = np.minimum(32, size - 32 * np.arange(warps)).astype(np.int32)
    arguments = {"threads": Output(3 * warps, np.int32), "warps": warps}
    return Case(3, block, arguments, {"threads": np.tile(one, 3)})


exercise = Exercise(
    kernel="census",
    case=case,
    sizes=[{"block": (10, 10)}, {"block": (33, 1)}, {"block": (8, 4, 4)}, {"block": (5, 7, 3)}],
    gates=[at_most("global_store_bytes", 3 * 4 * 4, "one thread of each warp is enough")],
    hints=[
        "x runs fastest. Count the threads in front of this one: whole layers (z), whole rows (y), then x.",
        "t = (z * blockDim.y + y) * blockDim.x + x. The first lane of a warp has t % 32 == 0.",
        "The warp that starts at thread t has 32 threads, or what is left of the block: size - t.",
    ],
    why="The block (5, 7, 3) has 105 threads: three full warps and one of 9.",
)
