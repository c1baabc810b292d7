"""What a whole group of threads does together: reduce, scans, copies."""

from __future__ import annotations

from ..parse.names import arguments
from ..text.mistakes import Mistake
from ..tree.types import INT, UINT, Pointer
from ..typing.conversions import cast
from ..typing.scope import Constant
from .groups import GroupValue
from .lambdas import Operation, OperationValue, call_prelude
from .lanes import mask_of
from .library import helper
from .members import group_size, group_thread_rank, helper_sync


def tile_of(p, group, token):
    if not isinstance(group, GroupValue) or group.type.kind != "tile":
        raise Mistake(
            f"{token.text} works on tiles of a thread block here",
            token,
            unsupported=True,
            hint="cg::tiled_partition<32>(block) gives one",
        )
    return Constant(UINT, group.type.width)


def group_and_rest(p, token):
    """The arguments of a function whose first one is a group."""
    given = arguments(p)
    if not given:
        raise Mistake("too few arguments in function call", token)
    return given[0], given[1:]


@helper("reduce")
def helper_reduce(p, token):
    """reduce(tile, value, plus<int>())"""
    group, given = group_and_rest(p, token)
    width = tile_of(p, group, token)
    return call_prelude(p, "cg_reduce", [mask_of(p, group, p.at(token)), *given], token, [width])


@helper("inclusive_scan", "exclusive_scan")
def helper_inclusive_scan(p, token):
    group, given = group_and_rest(p, token)
    width, at = tile_of(p, group, token), p.at(token)
    if len(given) == 1:
        given.append(addition(at))
    rank = group_thread_rank(p, group, [], token)
    return call_prelude(p, f"cg_{token.text}", [mask_of(p, group, at), rank, *given], token, [width])


@helper("memcpy_async")
def helper_memcpy_async(p, token):
    """memcpy_async(block, to, from, bytes): the threads of the group copy word by word, at once."""
    group, given = group_and_rest(p, token)
    if len(given) != 3 or not isinstance(group, GroupValue):
        raise Mistake("memcpy_async takes a group, two pointers and the bytes here", token, unsupported=True)
    at = p.at(token)
    to, source = (
        cast(given[0], Pointer(INT), at),
        cast(given[1], Pointer(INT, const=True), at),
    )
    rank, size = group_thread_rank(p, group, [], token), group_size(p, group, [], token)
    return call_prelude(p, "cg_memcpy_async", [rank, size, to, source, given[2]], token)


@helper("wait")
def helper_wait(p, token):
    return helper_sync(p, token)


def addition(at):
    return OperationValue(Operation("+"), at)
