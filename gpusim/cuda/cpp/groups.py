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
from ..tree.nodes import Block, Declare, Expression, Literal, Name
from ..tree.types import UINT
from ..typing.builtins import BUILTINS
from ..typing.builtins import call as call_builtin
from ..typing.scope import BASE, Constant, Helper, ValuePlaceholder
from .lambdas import OPERATIONS, LambdaValue, capture, functor, ghost_value, lambda_meaning
from .library import HELPERS, MEMBERS, helper
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
    copies = capture(p, value) if isinstance(value, LambdaValue) else []
    return Block(p.at(token), copies) if copies else None


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


LIBRARY_TYPES[Helper("thread_block_tile")] = tile_type
