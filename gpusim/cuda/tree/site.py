"""Sites: the places of a text that do something countable, each known by line and column; the machine keeps
counts by site."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(eq=False)
class Site:
    """One access expression, branch, barrier or statement of the text.

    kind : "load", "store", "atomic", "branch", "loop", "barrier", "shuffle", "tensor",
        "arith" or "call"
    dtype, width : an access moves `width` elements of `dtype` a lane
    stride : bytes between two neighbours of the array that is indexed; displacement : bytes to the field that
        is meant
    name : the array as the text calls it
    """

    line: int
    column: int
    kind: str
    name: str = ""
    dtype: np.dtype | None = None
    width: int = 1
    stride: int = 0
    displacement: int = 0
    operations: int = 0  # instructions of arithmetic on data
    flops: int = 0  # floating-point operations among them; a multiply-add is two
    increment: bool = False  # atomicAdd of a constant 1 whose result nobody reads
    volatile: bool = False
    scale: int = 1  # elements of the text's array for each of the access: more where a matrix is moved
    unrolled: bool = False  # a loop that the compiler unrolls
    counts: bool = False  # a loop that goes towards a bound, by a number in the text or by a variable
    surely: bool = False  # ... by a number in the text
    watched: dict | None = (
        None  # {name in Python: in the text} of what decides whether a loop goes on; None: all may
    )
    memory: bool = True  # ... and whether memory does
    meets: bool = False  # a loop with a barrier in it
    weight: int = 4  # operators of one round of a loop
    memo: dict = field(default_factory=dict)

    def __post_init__(self):
        self.size = self.dtype.itemsize * self.width if self.dtype is not None else 0
        self.step = self.stride // self.size if self.size and self.stride % self.size == 0 else None
