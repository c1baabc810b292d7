"""The models: how blocks and warps are scheduled, what limits a launch, and how long it may take."""

from . import blas, blocks, bounds, estimate, occupancy, sparse, steps, tensor, warps, waves

__all__ = ["blas", "blocks", "bounds", "estimate", "occupancy", "sparse", "steps", "tensor", "warps", "waves"]
