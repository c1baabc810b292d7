"""Ranks and masks of threads in their block and warp, as expressions of threadIdx and blockDim."""

from __future__ import annotations

from ..tree.nodes import Literal, Special
from ..tree.types import UINT
from ..typing import operators as check

FULL = 0xFFFFFFFF


class Lanes:
    """Part of the parser: arithmetic that cooperative groups stand for."""

    def mask_of(self, group, at):
        """The lanes of a group within its warp."""
        if group.mask is not None:
            return group.mask
        width = group.type.width
        if width == 32 or not width:
            return self.uint(FULL, at)
        return self.op("<<", self.uint((1 << width) - 1, at), self.first_lane(group, at), at)

    def first_lane(self, group, at):
        return self.op("&", self.block_rank(at), self.uint(32 - group.type.width, at), at)

    def lane(self, at):
        return self.op("&", self.block_rank(at), self.uint(31, at), at)

    def block_rank(self, at):
        return self.linear("threadIdx", "blockDim", at)

    def linear(self, index, dim, at):
        """index.x + dim.x * (index.y + dim.y * index.z)"""
        part = {x: Special(at, UINT, f"{index}.{x}") for x in "xyz"}
        size = {x: Special(at, UINT, f"{dim}.{x}") for x in "xy"}
        plane = self.op("+", part["y"], self.op("*", size["y"], part["z"], at), at)
        return self.op("+", part["x"], self.op("*", size["x"], plane, at), at)

    def block_size(self, at):
        x, y, z = (Special(at, UINT, f"blockDim.{x}") for x in "xyz")
        return self.op("*", self.op("*", x, y, at), z, at)

    @staticmethod
    def op(op, left, right, at):
        return check.binary(op, left, right, at)

    @staticmethod
    def uint(value, at):
        return Literal(at, UINT, value)

    @staticmethod
    def as_uint(value, at):
        return check.cast(value, UINT, at)
