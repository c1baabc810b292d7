"""Cooperative groups exist while reading only: what they do becomes shuffles, votes and barriers."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.mistakes import Mistake, did_you_mean
from ..tree.nodes import Construct, Declare, Expression, Literal, Name, Special
from ..tree.types import INT, UINT, ULONGLONG, VECTORS
from ..typing import operators as check
from ..typing.builtins import BUILTINS
from ..typing.builtins import call as call_builtin
from ..typing.scope import BASE, Constant, Helper, ValuePlaceholder
from .lambdas import OPERATIONS


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


class Groups:
    """Reads cooperative groups."""

    def special_meaning(self, meaning, token):
        """Names of namespaces that the parser reads itself, and variables that are groups."""
        if isinstance(meaning, GroupValue):
            return meaning
        if isinstance(meaning, Helper):
            if meaning.name in OPERATIONS:
                return self.functor(token)
            return getattr(self, f"helper_{meaning.name}", self.no_helper)(token)
        return self.lambda_meaning(meaning, token)

    def no_helper(self, token):
        raise Mistake(f'cooperative_groups "{token.text}" is not supported', token, unsupported=True)

    # Types and values

    def helper_type(self):
        """thread_block_tile<32> as a type."""
        given = self.template_arguments()
        return Group("tile", self.tile_width(given[0], self.here))

    @staticmethod
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

    def helper_this_thread_block(self, token):
        self.arguments()
        return GroupValue(BLOCK, self.at(token))

    def helper_this_grid(self, token):
        self.arguments()
        return GroupValue(GRID, self.at(token))

    def helper_coalesced_threads(self, token):
        self.arguments()
        at = self.at(token)
        return GroupValue(COALESCED, at, call_builtin(BUILTINS["__activemask"], [], at))

    def helper_tiled_partition(self, token):
        """tiled_partition<32>(block), or tiled_partition(block, 32)."""
        explicit = self.template_arguments() if self.texts[self.i] == "<" else []
        given = self.arguments()
        width = (
            explicit[0]
            if explicit
            else given[1]
            if len(given) == 2 and isinstance(given[1], Literal)
            else None
        )
        if (
            not given
            or not isinstance(given[0], GroupValue)
            or given[0].type.kind not in ("block", "tile", "any")
        ):
            raise Mistake("tiled_partition divides a thread block or a tile", token)
        made, outer = Group("tile", self.tile_width(width, token)), given[0].type.width
        if isinstance(outer, int) and isinstance(made.width, int) and 0 < outer < made.width:
            raise Mistake(f"a tile of {outer} threads has no part of {made.width}", token)
        return GroupValue(made, self.at(token), None, outer)

    def group_declaration(self, found, body):
        """cg::thread_block block = ...; : a name, and no variable but a coalesced group's mask."""
        while True:
            token = self.name()
            value = self.group_initialiser(found.type, token)
            made = self.bind_ghost(token, value)
            if made is not None:
                body.append(made)
            if not self.accept(","):
                break
        self.expect(";")

    def group_initialiser(self, kind, token):
        if self.accept("="):
            value = self.assignment()
        elif self.texts[self.i] in ("(", "{"):
            given = self.arguments() if self.texts[self.i] == "(" else self.braced(None)
            value = given[0] if given else None
        else:
            value = None
        if not isinstance(value, GroupValue) or kind.kind not in ("any", value.type.kind):
            raise Mistake(f'"{token.text}" needs a {kind} as its value', token)
        return value

    def bind_ghost(self, token, value):
        """Declare a name for a value that exists while reading; the Declare of a mask it needs, or None."""
        if isinstance(value, GroupValue) and value.mask is not None and not isinstance(value.mask, Name):
            symbol = self.symbol(token._replace(text=f"{token.text}_mask"), UINT, "local", const=True)
            made = Declare(self.at(token), symbol, value.mask)
            self.declare(token, GroupValue(value.type, value.at, Name(self.at(token), UINT, symbol)))
            return made
        self.declare(token, value)
        return None

    # Parameters

    def ghost_parameter(self, parameter, kind, scope, symbols):
        """A group as a parameter: nothing is passed but a coalesced group's mask."""
        token, at = parameter.token, self.at(parameter.token)
        if not isinstance(kind, Group):
            scope[token.text] = self.ghost_value(kind, at)
            return
        mask = None
        if kind.kind == "coalesced":
            symbol = self.symbol(token._replace(text=f"{token.text}_mask"), UINT, "parameter")
            symbols.append(symbol)
            mask = Name(at, UINT, symbol)
        scope[token.text] = GroupValue(kind, at, mask)

    def ghost_argument(self, value, kind, token):
        if getattr(value, "type", None) != kind:
            raise Mistake(
                f'argument is incompatible with parameter of type "{kind}"', self.place(value, token)
            )
        return [value.mask] if getattr(value, "mask", None) is not None else []

    def accepts(self, kind, value):
        return kind == value.type or kind == ANY and isinstance(value, GroupValue)

    def unify_ghost(self, pattern, kind, bindings):
        """thread_block_tile<N> against a tile."""
        if isinstance(pattern, Group) and isinstance(kind, Group) and isinstance(pattern.width, str):
            bindings.setdefault(pattern.width, Constant(UINT, kind.width))

    # Members

    def ghost_member(self, group, token):
        """group.sync(), tile.shfl_down(v, 1), tile.thread_rank(), ..."""
        if not isinstance(group, GroupValue):
            raise Mistake(f'"{token.text}" is no member of this', token)
        made = getattr(self, f"group_{token.text}", None)
        if made is None:
            names = [name[6:] for name in dir(self) if name.startswith("group_")]
            raise Mistake(
                f'"{group.type}" has no member "{token.text}" here',
                token,
                did_you_mean(token.text, names),
                unsupported=True,
            )
        return made(group, self.arguments(), token)

    def group_sync(self, group, given, token):
        at = self.at(token)
        if group.type.kind == "grid":
            raise self.refuse("grid", token)
        if group.type.kind == "block":
            return call_builtin(BUILTINS["__syncthreads"], [], at)
        return call_builtin(BUILTINS["__syncwarp"], [self.mask_of(group, at)], at)

    def helper_sync(self, token):
        given = self.arguments()
        if len(given) != 1 or not isinstance(given[0], GroupValue):
            raise Mistake("cooperative_groups sync takes a group", token)
        return self.group_sync(given[0], [], token)

    def group_thread_rank(self, group, given, token):
        at, kind = self.at(token), group.type.kind
        if kind == "coalesced":
            lane = self.lane(at)
            below = self.op("-", self.op("<<", self.uint(1, at), lane, at), self.uint(1, at), at)
            return self.as_uint(
                call_builtin(BUILTINS["__popc"], [self.op("&", group.mask, below, at)], at), at
            )
        rank = self.block_rank(at)
        if kind == "grid":
            block = self.linear("blockIdx", "gridDim", at)
            rank = self.op(
                "+", self.op("*", check.cast(block, ULONGLONG, at), self.block_size(at), at), rank, at
            )
        return self.op("%", rank, self.uint(group.type.width, at), at) if kind == "tile" else rank

    def group_size(self, group, given, token):
        at, kind = self.at(token), group.type.kind
        if kind == "tile":
            return self.uint(group.type.width, at)
        if kind == "coalesced":
            return self.as_uint(call_builtin(BUILTINS["__popc"], [group.mask], at), at)
        size = self.block_size(at)
        if kind == "grid":
            grid = self.op(
                "*",
                self.op("*", *(Special(at, UINT, f"gridDim.{x}") for x in "xy"), at),
                Special(at, UINT, "gridDim.z"),
                at,
            )
            return self.op("*", check.cast(grid, ULONGLONG, at), size, at)
        return size

    group_num_threads = group_size

    def group_meta_group_rank(self, group, given, token):
        at, rank = self.at(token), self.block_rank(self.at(token))
        if group.type.kind == "coalesced":
            return self.uint(0, at)
        if group.parent:
            rank = self.op("%", rank, self.uint(group.parent, at), at)
        return self.op("/", rank, self.uint(group.type.width or 32, at), at)

    def group_meta_group_size(self, group, given, token):
        at, width = self.at(token), group.type.width or 32
        if group.parent or group.type.kind == "coalesced":
            return self.uint(group.parent // width if group.parent else 1, at)
        return self.op(
            "/", self.op("+", self.block_size(at), self.uint(width - 1, at), at), self.uint(width, at), at
        )

    def group_group_index(self, group, given, token):
        return self.dim3_value("blockIdx", token)

    def group_thread_index(self, group, given, token):
        return self.dim3_value("threadIdx", token)

    def group_group_dim(self, group, given, token):
        return self.dim3_value("blockDim", token)

    group_dim_threads = group_group_dim

    def dim3_value(self, name, token):
        at = self.at(token)
        if self.texts[self.i] == "." and self.texts[self.i + 1] in ("x", "y", "z"):
            self.i += 2
            return Special(at, UINT, f"{name}.{self.texts[self.i - 1]}")
        return Construct(at, VECTORS["dim3"], [Special(at, UINT, f"{name}.{x}") for x in "xyz"])

    def shuffle(self, group, given, token):
        at, builtin = self.at(token), BUILTINS[f"__{token.text}_sync"]
        if group.type.kind == "coalesced" and token.text == "shfl" and len(given) == 2:
            nth = self.op("+", given[1], Literal(at, INT, 1), at)
            lane = self.call_prelude("__fns", [group.mask, self.uint(0, at), nth], token)
            if isinstance(nth, Literal) and nth.value == 1:
                lane = self.op("-", call_builtin(BUILTINS["__ffs"], [group.mask], at), nth, at)
            return call_builtin(builtin, [group.mask, given[0], lane], at)
        width = group.type.width
        if not width:
            raise Mistake(f'"{group.type}" has no member "{token.text}" here', token, unsupported=True)
        return call_builtin(
            builtin,
            [self.mask_of(group, at), *given, *([Literal(at, UINT, width)] if width < 32 else [])],
            at,
        )

    group_shfl = group_shfl_up = group_shfl_down = group_shfl_xor = shuffle

    def group_ballot(self, group, given, token):
        at = self.at(token)
        made = call_builtin(BUILTINS["__ballot_sync"], [self.mask_of(group, at), *given], at)
        if group.type.kind == "coalesced":  # by rank, not by lane
            made = self.call_prelude("cg_pack", [group.mask, made], token)
        if group.type.kind == "tile" and group.type.width < 32:
            made = self.op(
                "&",
                self.op(">>", made, self.first_lane(group, at), at),
                self.uint((1 << group.type.width) - 1, at),
                at,
            )
        return made

    def group_any(self, group, given, token):
        at = self.at(token)
        return call_builtin(BUILTINS[f"__{token.text}_sync"], [self.mask_of(group, at), *given], at)

    group_all = group_any
