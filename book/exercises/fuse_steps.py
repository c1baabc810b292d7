"""Two kernels made one: a value that stays in a register is neither written nor read again."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n):
    a, b, c = random.random((3, n), dtype=np.float32)
    return Case(-(-n // 128), 128, {"a": a, "b": b, "c": c, "out": Output(n), "n": n}, {"out": a * b + c})


exercise = Exercise(
    kernel="fused",
    case=case,
    sizes=[{"n": 1000}, {"n": 4096}],
    gates=[
        at_most("global_store_requests", 4096 // 32, "the product is written to memory in between"),
        at_most("global_load_requests", 3 * 4096 // 32, "each input is needed once"),
    ],
    hints=[
        "A local variable lives in a register: it costs no memory traffic.",
        "Put the product into a float, add c[i], and store once.",
        ("runs", "The last block has threads beyond n: keep the `if`."),
    ],
    why="Two kernels would move 6 numbers an element (2 in, 1 out, then 2 in, 1 out); one kernel moves 4.",
)
