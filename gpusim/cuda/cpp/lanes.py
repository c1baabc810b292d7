"""Ranks and masks of threads in their block and warp, as expressions of threadIdx and blockDim."""

from __future__ import annotations

from ..tree.nodes import Literal, Special
from ..tree.types import UINT
from ..typing import operators as check
from ..typing.conversions import cast

FULL = 0xFFFFFFFF


def mask_of(p, group, at):
    """The lanes of a group within its warp."""
    if group.mask is not None:
        return group.mask
    width = group.type.width
    if width == 32 or not width:
        return uint(FULL, at)
    return op("<<", uint((1 << width) - 1, at), first_lane(p, group, at), at)


def first_lane(p, group, at):
    return op("&", block_rank(p, at), uint(32 - group.type.width, at), at)


def lane_in_warp(p, at):
    return op("&", block_rank(p, at), uint(31, at), at)


def block_rank(p, at):
    return linear(p, "threadIdx", "blockDim", at)


def linear(p, index, dim, at):
    """index.x + dim.x * (index.y + dim.y * index.z)"""
    part = {x: Special(at, UINT, f"{index}.{x}") for x in "xyz"}
    size = {x: Special(at, UINT, f"{dim}.{x}") for x in "xy"}
    plane = op("+", part["y"], op("*", size["y"], part["z"], at), at)
    return op("+", part["x"], op("*", size["x"], plane, at), at)


def block_size(p, at):
    x, y, z = (Special(at, UINT, f"blockDim.{x}") for x in "xyz")
    return op("*", op("*", x, y, at), z, at)


def op(op, left, right, at):
    return check.binary(op, left, right, at)


def uint(value, at):
    return Literal(at, UINT, value)


def as_uint(value, at):
    return cast(value, UINT, at)
