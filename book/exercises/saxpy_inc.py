"""saxpy with strides: vectors whose elements are not neighbours."""

import numpy as np

from gpusim.show.exercises import Case, Exercise, at_most


def case(random, n, incx, incy, block):
    x, y = random.random(n * incx, dtype=np.float32), random.random(n * incy, dtype=np.float32)
    expect = y.copy()
    expect[::incy] += np.float32(2.5) * x[::incx]
    arguments = {"n": n, "a": 2.5, "x": x, "incx": incx, "y": y, "incy": incy}
    return Case(-(-n // block), block, arguments, {"y": expect})


exercise = Exercise(
    kernel="saxpy_inc",
    case=case,
    sizes=[
        {"n": 1000, "incx": 3, "incy": 2, "block": 128},
        {"n": 50, "incx": 1, "incy": 4, "block": 64},
        {"n": 1024, "incx": 1, "incy": 1, "block": 256},
    ],
    gates=[at_most("global_load_requests", 64, "each thread reads one element of x and one of y")],
    hints=[
        "Element number i of x lies i * incx places from the start.",
        "The two vectors have increments of their own.",
        ("runs", "y is as long as its own increment says: incx for x, incy for y."),
        "y[i * incy] += a * x[i * incx];",
    ],
    why="A row of a column-major matrix is a vector with the increment ld. The price of the stride is sectors, not instructions.",
)
