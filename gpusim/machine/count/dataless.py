"""What lanes do together, answered without data: the access is counted, its result is unknown."""

from __future__ import annotations

from ...units import LANES
from ..lanes.warp import shuffle_width
from ..values.pattern import Irregular
from .regions import items_of
from .symbolic import UNKNOWN, use


class Dataless:
    """The part of the counting machine that warps and blocks share; needs `_pass_by`, `without` and `waits`."""

    def shuffle(self, site, kind, value, argument, width, mask, dtype, members, gone=False):
        if type(width) is int:
            shuffle_width(site, width)
        self._pass_by(site, mask)
        use(value)
        return UNKNOWN

    def vote(self, site, kind, predicate, mask, members, gone=False):
        self._pass_by(site, mask)
        return UNKNOWN

    def reduce(self, site, op, value, mask, dtype, members, gone=False):
        self._pass_by(site, mask)
        return UNKNOWN

    def sync_warp(self, site, mask, members, gone=False):
        pass

    def whole_warps(self, site, mask):
        for _, threads in items_of(mask):
            warps, lanes = self._threads(threads)
            if lanes != LANES * warps:
                raise Irregular("a matrix of which part of a warp holds something")

    def block_vote(self, kind, predicate, mask):
        return UNKNOWN

    def barrier(self, site, mask, gone):
        self._pass_by(site, mask)
        self.waits.hold(barrier=True)
        if self.without(self.without(True, gone), mask) is not False:
            raise Irregular("a barrier that some threads do not reach")

    def print(self, site, text, values, mask):
        pass

    def claim(self, site, condition, mask):
        pass

    def clock(self, mask):
        return UNKNOWN

    def finish(self):
        pass
