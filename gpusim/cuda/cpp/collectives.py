"""What a whole group of threads does together: reduce, scans, copies."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.types import INT, UINT, Pointer
from ..typing import operators as check
from ..typing.scope import Constant
from .groups import GroupValue
from .lambdas import Operation, OperationValue


class Collectives:
    """Part of the parser: collective operations of cooperative groups."""

    def tile_of(self, group, token):
        if not isinstance(group, GroupValue) or group.type.kind != "tile":
            raise Mistake(
                f"{token.text} works on tiles of a thread block here",
                token,
                unsupported=True,
                hint="cg::tiled_partition<32>(block) gives one",
            )
        return Constant(UINT, group.type.width)

    def group_and_rest(self, token):
        """The arguments of a function whose first one is a group."""
        given = self.arguments()
        if not given:
            raise Mistake("too few arguments in function call", token)
        return given[0], given[1:]

    def helper_reduce(self, token):
        """reduce(tile, value, plus<int>())"""
        group, given = self.group_and_rest(token)
        width = self.tile_of(group, token)
        return self.call_prelude("cg_reduce", [self.mask_of(group, self.at(token)), *given], token, [width])

    def helper_inclusive_scan(self, token):
        group, given = self.group_and_rest(token)
        width, at = self.tile_of(group, token), self.at(token)
        if len(given) == 1:
            given.append(self.addition(at))
        rank = self.group_thread_rank(group, [], token)
        return self.call_prelude(f"cg_{token.text}", [self.mask_of(group, at), rank, *given], token, [width])

    helper_exclusive_scan = helper_inclusive_scan

    def helper_memcpy_async(self, token):
        """memcpy_async(block, to, from, bytes): the threads of the group copy word by word, at once."""
        group, given = self.group_and_rest(token)
        if len(given) != 3 or not isinstance(group, GroupValue):
            raise Mistake(
                "memcpy_async takes a group, two pointers and the bytes here", token, unsupported=True
            )
        at = self.at(token)
        to, source = (
            check.cast(given[0], Pointer(INT), at),
            check.cast(given[1], Pointer(INT, const=True), at),
        )
        rank, size = self.group_thread_rank(group, [], token), self.group_size(group, [], token)
        return self.call_prelude("cg_memcpy_async", [rank, size, to, source, given[2]], token)

    def helper_wait(self, token):
        return self.helper_sync(token)

    @staticmethod
    def addition(at):
        return OperationValue(Operation("+"), at)
