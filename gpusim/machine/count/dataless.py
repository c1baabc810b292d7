"""What lanes do together, answered without data: it is counted, its result is unknown."""

from __future__ import annotations

from ...units import LANES
from ..lanes.warp import shuffle_width
from ..values.pattern import Irregular
from ..values.unknown import UNKNOWN, use
from .counting import arith, population
from .masks import without
from .regions import items_of


def shuffle(m, site, kind, value, argument, width, mask, dtype, members, gone=False):
    """Counted; lanes wait for the value that they give."""
    if type(width) is int:
        shuffle_width(site, width)
    arith(m, site, mask)
    use(value)
    return UNKNOWN


def vote(m, site, kind, predicate, mask, members, gone=False):
    """Counted."""
    arith(m, site, mask)
    return UNKNOWN


def reduce(m, site, op, value, mask, dtype, members, gone=False):
    """Counted."""
    arith(m, site, mask)
    return UNKNOWN


def sync_warp(m, site, mask, members, gone=False):
    """Costs nothing."""


def fence(m, mask, scope):
    """Costs nothing."""


def whole_warps(m, site, mask):
    """Leave it to the lanes machine where a warp is not whole."""
    for _, threads in items_of(mask):
        warps, lanes = population(m.space, threads)
        if lanes != LANES * warps:
            raise Irregular("a matrix of which part of a warp holds something")


def barrier(m, site, mask, gone):
    """Counted where all threads that have not returned come."""
    arith(m, site, mask)
    m.waits.hold(barrier=True)
    if without(m, without(m, True, gone), mask) is not False:
        raise Irregular("a barrier that some threads do not reach")


def block_vote(m, kind, predicate, mask):
    """The barrier has been counted."""
    return UNKNOWN


def print(m, site, text, values, mask):
    """Nothing is printed."""


def claim(m, site, condition, mask):
    """Nothing is known to be false."""


def clock(m, mask):
    """No clock runs."""
    return UNKNOWN
