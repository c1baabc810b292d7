"""Launch limits: what a GPU refuses before a kernel starts."""

from __future__ import annotations

import math
import numbers

from ..errors import LaunchError

MOST_THREADS = 1 << 36  # that a launch goes through


def triple(size, what):
    """A grid or block size as (x, y, z).

    >>> triple((4, 2), "grid")
    (4, 2, 1)
    """
    sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    if not 1 <= len(sizes) <= 3 or not all(
        isinstance(n, numbers.Integral) and not isinstance(n, bool) for n in sizes
    ):
        raise LaunchError(f"the {what} is one to three whole numbers (x, y, z); got {size!r}")
    if any(n < 1 for n in sizes):
        raise LaunchError(f"the {what} {size!r} has a size below 1: every dimension needs at least 1")
    return (*(int(n) for n in sizes), 1, 1)[:3]


def check_launch(gpu, grid, block, static_shared, dynamic_shared, declared=()):
    """Raise LaunchError if the GPU cannot start this launch.

    grid, block : (x, y, z); shared memory in bytes; declared : (variable, its place) of the static part
    """
    threads = block[0] * block[1] * block[2]
    if threads > gpu.threads_per_block:
        raise LaunchError(
            f"a block of {block} has {threads} threads; {gpu.name} allows at most {gpu.threads_per_block} a block"
        )
    for axis, size, most in zip("xyz", block, gpu.block_shape):
        if size > most:
            raise LaunchError(f"blockDim.{axis} is {size}; {gpu.name} allows at most {most}")
    for axis, size, most in zip("xyz", grid, gpu.grid_shape):
        if size > most:
            raise LaunchError(f"gridDim.{axis} is {size}; {gpu.name} allows at most {most}")
    if (
        isinstance(dynamic_shared, bool)
        or not isinstance(dynamic_shared, numbers.Integral)
        or dynamic_shared < 0
    ):
        raise LaunchError(
            f"the size of dynamic shared memory is a number of bytes from 0 up; got {dynamic_shared!r}"
        )
    if static_shared > gpu.shared_per_block:
        raise LaunchError(
            f"the kernel's __shared__ arrays take {static_shared:,} bytes ({static_shared:#x}); static shared memory "
            f"is limited to {gpu.shared_per_block:,} bytes ({gpu.shared_per_block:#x}) on {gpu.name}",
            hint="use smaller tiles, or dynamic shared memory (extern __shared__) which may be larger",
            **_too_much(gpu, declared),
        )
    if static_shared + dynamic_shared > gpu.shared_per_block_optin:
        raise LaunchError(
            f"the block needs {static_shared + dynamic_shared:,} bytes of shared memory; {gpu.name} allows at most "
            f"{gpu.shared_per_block_optin:,} a block"
        )


def _too_much(gpu, declared):
    """Where the __shared__ array stands with which the limit is passed, as the parts of an error."""
    total = 0
    for symbol, at in declared:
        total += symbol.type.size
        if total > gpu.shared_per_block:
            return {"line": at.line, "column": at.column, "length": at.length}
    return {}


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
