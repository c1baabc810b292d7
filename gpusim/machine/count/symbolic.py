"""The symbolic space: all blocks of a launch at once, with an axis for each loop that is taken in one
step."""

from __future__ import annotations

import numpy as np

from ..values.pattern import Irregular
from ..values.space import Space
from ..values.unknown import UNKNOWN
from ..values.value import by_thread, is_by_thread
from .regions import evaluate


class SymbolicSpace(Space):
    """All blocks of a launch at once, never spread into lanes; the machine adds an axis for each loop it
    stands in."""

    symbolic = True

    def require_lanes(self, what, cycles=None):
        raise Irregular(what, cycles)

    def offsets(self, pattern):
        raise Irregular("a value for each lane")

    def truth(self, condition):
        raise Irregular("a condition for each lane")

    def choose(self, condition, a, b):
        """condition ? a : b, where threads alone decide; otherwise a value that must not reach an address."""
        return _chosen(self, condition, a, b)


def _chosen(space, condition, a, b):
    yes, no = evaluate(space, [({}, None)], condition)
    if not yes or not no:
        return a if yes else b
    plain = is_by_thread(a) and is_by_thread(b)
    if plain and len(yes) == 1 and not yes[0][0] and yes[0][1] is not None:
        left, right = by_thread(a), by_thread(b)
        return space.thread_value(
            np.broadcast_to(
                np.where(yes[0][1].array, left, right),
                np.broadcast_shapes(yes[0][1].array.shape, np.shape(left), np.shape(right), (1, 1, 1)),
            )
        )
    return UNKNOWN
