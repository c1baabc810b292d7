"""Cooperative groups exist while reading only: what they do becomes shuffles, votes and barriers."""

from __future__ import annotations

from dataclasses import dataclass

from ..parse.expressions import assignment
from ..parse.functions import place_of
from ..parse.names import arguments
from ..parse.rules import rule
from ..parse.types import LIBRARY_TYPES
from ..parse.values import braced
from ..text.mistakes import Mistake, did_you_mean
from ..tree.nodes import Construct, Declare, Expression, Literal, Name, Special
from ..tree.types import INT, UINT, ULONGLONG, VECTORS
from ..typing import operators as check
from ..typing.builtins import BUILTINS
from ..typing.builtins import call as call_builtin
from ..typing.scope import BASE, Constant, Helper, ValuePlaceholder
from .lambdas import OPERATIONS, call_prelude, functor, ghost_value, lambda_meaning
from .lanes import as_uint, block_rank, block_size, first_lane, lane_in_warp, linear, mask_of, op, uint
from .library import HELPERS, MEMBERS, helper, member
from .templates import template_arguments


@dataclass(frozen=True)
class Group:
    """A group's type.  kind : "block", "tile", "coalesced", "grid" or "any" (thread_group)"""

    kind: str
    width: int = 0
    ghost = True
    size = align = 1

    def __str__(self):
        return f"thread_block_tile<{self.width}>" if self.kind == "tile" else f"{self.kind} group"


@dataclass(eq=False)
class GroupValue:
    """A group: its type, and the mask of its lanes when that is known at run time only (an expression).

    parent : the width of the tile that it is a part of, 0 for a part of a block
    """

    type: Group
    at: object
    mask: Expression | None = None
    parent: int = 0


BLOCK, GRID, COALESCED, ANY = Group("block"), Group("grid"), Group("coalesced"), Group("any")

BASE["cooperative_groups"].names.update(
    {
        "thread_block": BLOCK,
        "grid_group": GRID,
        "coalesced_group": COALESCED,
        "thread_group": ANY,
        **{
            name: Helper(name)
            for name in (
                "thread_block_tile",
                "this_thread_block",
                "this_grid",
                "tiled_partition",
                "coalesced_threads",
                "sync",
                "reduce",
                "thread_rank",
                "group_size",
                "inclusive_scan",
                "exclusive_scan",
                "memcpy_async",
                "wait",
            )
        },
        **{name: Helper(name) for name in ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")},
    }
)


def special_meaning(p, meaning, token):
    """Names of namespaces that the parser reads itself, and variables that are groups."""
    if isinstance(meaning, GroupValue):
        return meaning
    if isinstance(meaning, Helper):
        if meaning.name in OPERATIONS:
            return functor(p, token)
        return HELPERS.get(meaning.name, no_helper)(p, token)
    return lambda_meaning(p, meaning, token)


def no_helper(p, token):
    raise Mistake(f'cooperative_groups "{token.text}" is not supported', token, unsupported=True)


# Types and values


def tile_type(p):
    """thread_block_tile<32> as a type."""
    given = template_arguments(p)
    return Group("tile", tile_width(given[0], p.here))


def tile_width(value, token):
    if isinstance(value, ValuePlaceholder):
        return value.name
    width = getattr(value, "value", None)
    if width not in (1, 2, 4, 8, 16, 32):
        raise Mistake(
            f"a tile has 1, 2, 4, 8, 16 or 32 threads, not {width}",
            token,
            unsupported=width in (64, 128, 256, 512),
        )
    return int(width)


@helper("this_thread_block")
def helper_this_thread_block(p, token):
    arguments(p)
    return GroupValue(BLOCK, p.at(token))


@helper("this_grid")
def helper_this_grid(p, token):
    arguments(p)
    return GroupValue(GRID, p.at(token))


@helper("coalesced_threads")
def helper_coalesced_threads(p, token):
    arguments(p)
    at = p.at(token)
    return GroupValue(COALESCED, at, call_builtin(BUILTINS["__activemask"], [], at))


@helper("tiled_partition")
def helper_tiled_partition(p, token):
    """tiled_partition<32>(block), or tiled_partition(block, 32)."""
    explicit = template_arguments(p) if p.texts[p.i] == "<" else []
    given = arguments(p)
    width = (
        explicit[0] if explicit else given[1] if len(given) == 2 and isinstance(given[1], Literal) else None
    )
    if (
        not given
        or not isinstance(given[0], GroupValue)
        or given[0].type.kind not in ("block", "tile", "any")
    ):
        raise Mistake("tiled_partition divides a thread block or a tile", token)
    made, outer = Group("tile", tile_width(width, token)), given[0].type.width
    if isinstance(outer, int) and isinstance(made.width, int) and 0 < outer < made.width:
        raise Mistake(f"a tile of {outer} threads has no part of {made.width}", token)
    return GroupValue(made, p.at(token), None, outer)


@rule
def group_declaration(p, found, body):
    """cg::thread_block block = ...; : a name, and no variable but a coalesced group's mask."""
    while True:
        token = p.name()
        value = group_initialiser(p, found.type, token)
        made = bind_ghost(p, token, value)
        if made is not None:
            body.append(made)
        if not p.accept(","):
            break
    p.expect(";")


def group_initialiser(p, kind, token):
    if p.accept("="):
        value = assignment(p)
    elif p.texts[p.i] in ("(", "{"):
        given = arguments(p) if p.texts[p.i] == "(" else braced(p, None)
        value = given[0] if given else None
    else:
        value = None
    if not isinstance(value, GroupValue) or kind.kind not in ("any", value.type.kind):
        raise Mistake(f'"{token.text}" needs a {kind} as its value', token)
    return value


@rule
def bind_ghost(p, token, value):
    """Declare a name for a value that exists while reading; the Declare of a mask it needs, or None."""
    if isinstance(value, GroupValue) and value.mask is not None and not isinstance(value.mask, Name):
        symbol = p.symbol(token._replace(text=f"{token.text}_mask"), UINT, "local", const=True)
        made = Declare(p.at(token), symbol, value.mask)
        p.declare(token, GroupValue(value.type, value.at, Name(p.at(token), UINT, symbol)))
        return made
    p.declare(token, value)
    return None


# Parameters


@rule
def ghost_parameter(p, parameter, kind, scope, symbols):
    """A group as a parameter: nothing is passed but a coalesced group's mask."""
    token, at = parameter.token, p.at(parameter.token)
    if not isinstance(kind, Group):
        scope[token.text] = ghost_value(p, kind, at)
        return
    mask = None
    if kind.kind == "coalesced":
        symbol = p.symbol(token._replace(text=f"{token.text}_mask"), UINT, "parameter")
        symbols.append(symbol)
        mask = Name(at, UINT, symbol)
    scope[token.text] = GroupValue(kind, at, mask)


@rule
def ghost_argument(p, value, kind, token):
    if getattr(value, "type", None) != kind:
        raise Mistake(f'argument is incompatible with parameter of type "{kind}"', place_of(p, value, token))
    return [value.mask] if getattr(value, "mask", None) is not None else []


def accepts(p, kind, value):
    return kind == value.type or kind == ANY and isinstance(value, GroupValue)


@rule
def unify_ghost(p, pattern, kind, bindings):
    """thread_block_tile<N> against a tile."""
    if isinstance(pattern, Group) and isinstance(kind, Group) and isinstance(pattern.width, str):
        bindings.setdefault(pattern.width, Constant(UINT, kind.width))


# Members


@rule
def ghost_member(p, group, token):
    """group.sync(), tile.shfl_down(v, 1), tile.thread_rank(), ..."""
    if not isinstance(group, GroupValue):
        raise Mistake(f'"{token.text}" is no member of this', token)
    made = MEMBERS.get(token.text)
    if made is None:
        raise Mistake(
            f'"{group.type}" has no member "{token.text}" here',
            token,
            did_you_mean(token.text, MEMBERS),
            unsupported=True,
        )
    return made(p, group, arguments(p), token)


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
        rank = op("+", op("*", check.cast(block, ULONGLONG, at), block_size(p, at), at), rank, at)
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
        return op("*", check.cast(grid, ULONGLONG, at), size, at)
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


LIBRARY_TYPES[Helper("thread_block_tile")] = tile_type
