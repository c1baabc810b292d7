"""A dense product that does not read what a zero would throw away."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, Output, at_most


def case(random, n, block):
    a = random.random((n, n), dtype=np.float32)
    x = np.where(random.random(n) < 0.25, random.random(n), 0).astype(np.float32)
    x[0] = 1
    expect = (a.astype(np.float64) * x).sum(axis=1).astype(np.float32)
    return Case(-(-n // block), block, {"A": a, "x": x, "y": Output(n), "n": n}, {"y": expect})


exercise = Exercise(
    kernel="skip_zeros",
    case=case,
    sizes=[{"n": 100, "block": 32}, {"n": 33, "block": 64}, {"n": 128, "block": 64}],
    gates=[
        at_most("global_load_requests", 750, "A is still read where x is zero"),
        at_most("divergent_branches", 0, "all lanes of a warp look at the same x[k]"),
    ],
    hints=[
        "All threads of a warp see the same v. So an `if` on v never splits them.",
        "Put the load of A inside the `if`.",
    ],
    why="The whole warp skips together, so nothing diverges, and three quarters of the reads of A are gone. "
    "This is sparsity of the vector; CSR is sparsity of the matrix.",
)
