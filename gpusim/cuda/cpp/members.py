"""Members of groups: sync, ranks and sizes, shuffles and votes, as expressions of the threads' own numbers."""

from __future__ import annotations

from ..parse.names import arguments
from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Literal, Special
from ..tree.types import INT, UINT, ULONGLONG, VECTORS
from ..typing.builtins import BUILTINS
from ..typing.builtins import call as call_builtin
from ..typing.conversions import cast
from .groups import GroupValue
from .lambdas import call_prelude
from .lanes import as_uint, block_rank, block_size, first_lane, lane_in_warp, linear, mask_of, op, uint
from .library import helper, member


@member("sync")
def group_sync(p, group, given, token):
    at = p.at(token)
    if group.type.kind == "grid":
        raise p.refuse("grid", token)
    if group.type.kind == "block":
        return call_builtin(BUILTINS["__syncthreads"], [], at)
    return call_builtin(BUILTINS["__syncwarp"], [mask_of(p, group, at)], at)


@helper("sync")
def helper_sync(p, token):
    given = arguments(p)
    if len(given) != 1 or not isinstance(given[0], GroupValue):
        raise Mistake("cooperative_groups sync takes a group", token)
    return group_sync(p, given[0], [], token)


@member("thread_rank")
def group_thread_rank(p, group, given, token):
    at, kind = p.at(token), group.type.kind
    if kind == "coalesced":
        lane = lane_in_warp(p, at)
        below = op("-", op("<<", uint(1, at), lane, at), uint(1, at), at)
        return as_uint(call_builtin(BUILTINS["__popc"], [op("&", group.mask, below, at)], at), at)
    rank = block_rank(p, at)
    if kind == "grid":
        block = linear(p, "blockIdx", "gridDim", at)
        rank = op("+", op("*", cast(block, ULONGLONG, at), block_size(p, at), at), rank, at)
    return op("%", rank, uint(group.type.width, at), at) if kind == "tile" else rank


@member("size", "num_threads")
def group_size(p, group, given, token):
    at, kind = p.at(token), group.type.kind
    if kind == "tile":
        return uint(group.type.width, at)
    if kind == "coalesced":
        return as_uint(call_builtin(BUILTINS["__popc"], [group.mask], at), at)
    size = block_size(p, at)
    if kind == "grid":
        grid = op(
            "*",
            op("*", *(Special(at, UINT, f"gridDim.{x}") for x in "xy"), at),
            Special(at, UINT, "gridDim.z"),
            at,
        )
        return op("*", cast(grid, ULONGLONG, at), size, at)
    return size


@member("meta_group_rank")
def group_meta_group_rank(p, group, given, token):
    at, rank = p.at(token), block_rank(p, p.at(token))
    if group.type.kind == "coalesced":
        return uint(0, at)
    if group.parent:
        rank = op("%", rank, uint(group.parent, at), at)
    return op("/", rank, uint(group.type.width or 32, at), at)


@member("meta_group_size")
def group_meta_group_size(p, group, given, token):
    at, width = p.at(token), group.type.width or 32
    if group.parent or group.type.kind == "coalesced":
        return uint(group.parent // width if group.parent else 1, at)
    return op("/", op("+", block_size(p, at), uint(width - 1, at), at), uint(width, at), at)


@member("group_index")
def group_group_index(p, group, given, token):
    return dim3_value(p, "blockIdx", token)


@member("thread_index")
def group_thread_index(p, group, given, token):
    return dim3_value(p, "threadIdx", token)


@member("group_dim", "dim_threads")
def group_group_dim(p, group, given, token):
    return dim3_value(p, "blockDim", token)


def dim3_value(p, name, token):
    at = p.at(token)
    if p.texts[p.i] == "." and p.texts[p.i + 1] in ("x", "y", "z"):
        p.i += 2
        return Special(at, UINT, f"{name}.{p.texts[p.i - 1]}")
    return Construct(at, VECTORS["dim3"], [Special(at, UINT, f"{name}.{x}") for x in "xyz"])


@member("shfl", "shfl_up", "shfl_down", "shfl_xor")
def shuffle(p, group, given, token):
    at, builtin = p.at(token), BUILTINS[f"__{token.text}_sync"]
    if group.type.kind == "coalesced" and token.text == "shfl" and len(given) == 2:
        nth = op("+", given[1], Literal(at, INT, 1), at)
        lane = call_prelude(p, "__fns", [group.mask, uint(0, at), nth], token)
        if isinstance(nth, Literal) and nth.value == 1:
            lane = op("-", call_builtin(BUILTINS["__ffs"], [group.mask], at), nth, at)
        return call_builtin(builtin, [group.mask, given[0], lane], at)
    width = group.type.width
    if not width:
        raise Mistake(f'"{group.type}" has no member "{token.text}" here', token, unsupported=True)
    return call_builtin(
        builtin,
        [mask_of(p, group, at), *given, *([Literal(at, UINT, width)] if width < 32 else [])],
        at,
    )


@member("ballot")
def group_ballot(p, group, given, token):
    at = p.at(token)
    made = call_builtin(BUILTINS["__ballot_sync"], [mask_of(p, group, at), *given], at)
    if group.type.kind == "coalesced":  # by rank, not by lane
        made = call_prelude(p, "cg_pack", [group.mask, made], token)
    if group.type.kind == "tile" and group.type.width < 32:
        made = op(
            "&",
            op(">>", made, first_lane(p, group, at), at),
            uint((1 << group.type.width) - 1, at),
            at,
        )
    return made


@member("any", "all")
def group_any(p, group, given, token):
    at = p.at(token)
    return call_builtin(BUILTINS[f"__{token.text}_sync"], [mask_of(p, group, at), *given], at)
