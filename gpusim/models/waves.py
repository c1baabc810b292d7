"""Waves: equal blocks run in rounds of as many as fit, and the last round may be nearly empty."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import LaunchError
from ..gpus import as_gpu
from ..inputs import whole


@dataclass(frozen=True)
class Waves:
    """size : blocks that the card holds at once;  count : rounds;  tail : blocks of the last round;
    utilisation : blocks / (count x size), the share of the slots that do work."""

    size: int
    count: int
    tail: int
    utilisation: float


def waves(gpu, blocks, per_sm) -> Waves:
    """Rounds that `blocks` equal blocks take if an SM holds `per_sm` of them.

    This counts slots.  Blocks of unequal length start as slots become free: see `models.blocks.schedule`.

    >>> waves("H100", blocks=400, per_sm=3)
    Waves(size=396, count=2, tail=4, utilisation=0.5050505050505051)
    """
    gpu = as_gpu(gpu)
    blocks, per_sm = whole("blocks", blocks, 1), whole("blocks on an SM", per_sm, 1)
    if per_sm > gpu.blocks_per_sm:
        raise LaunchError(f"{per_sm} blocks on an SM; the {gpu.name} allows {gpu.blocks_per_sm}")
    size = gpu.sms * per_sm
    count = -(-blocks // size)
    return Waves(size, count, blocks - (count - 1) * size, blocks / (count * size))
