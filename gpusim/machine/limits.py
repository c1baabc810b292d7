"""Limits of a launch that are not the card's: those of the kernel's text, and of the reader's patience."""

from __future__ import annotations

import math

from ..errors import LaunchError

MOST_THREADS = 1 << 36  # that a launch goes through


def check_size(grid, block):
    """Raise LaunchError for a launch that would go through its threads for hours."""
    threads = math.prod(grid) * math.prod(block)
    if threads > MOST_THREADS:
        raise LaunchError(
            f"{threads:,} threads, one after the other, take hours: {MOST_THREADS:,} are the most",
            hint="gs.count counts any size at once where all addresses are regular and no int overflows; "
            "a smaller launch checks the results",
        )


def check_bounds(kernel, block):
    """Raise LaunchError for a block of more threads than the kernel's __launch_bounds__ allow."""
    threads, most = block[0] * block[1] * block[2], (kernel.launch_bounds or (None,))[0]
    if most is not None and threads > most:
        raise LaunchError(
            f"a block of {block} has {threads} threads; {kernel.name} has __launch_bounds__({most}): at most {most}",
            line=kernel.at.line,
            column=kernel.at.column,
        )
