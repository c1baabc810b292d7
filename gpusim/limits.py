"""Limits: what a GPU refuses before a kernel starts, and how many blocks an SM holds at once."""

from __future__ import annotations

from .errors import LaunchError, is_whole
from .units import LANES, warps_of

SMALLER = "use smaller tiles, or dynamic shared memory (extern __shared__) which may be larger"


def resident(gpu, threads, registers=0, shared=0):
    """How many blocks each resource of an SM holds, as the card rounds: {resource: blocks, or None for no limit}.

    threads, shared : of a block, shared in bytes; registers : of a thread, 0 where they are not known

    >>> from gpusim.gpus import H100
    >>> resident(H100, 256, 64, 49152)
    {'warps': 8, 'blocks': 32, 'registers': 4, 'shared': 4}
    """
    warps, by_registers = warps_of(threads), None
    if registers:
        a_warp = _round_up(registers * LANES, gpu.register_unit)
        fitting = gpu.registers_per_sm // a_warp // gpu.warp_unit * gpu.warp_unit
        by_registers = fitting // warps if a_warp * warps <= gpu.registers_per_block else 0
    a_block = _round_up(shared + gpu.shared_reserved, gpu.shared_unit)
    return {
        "warps": gpu.warps_per_sm // warps,
        "blocks": gpu.blocks_per_sm,
        "registers": by_registers,
        "shared": gpu.shared_per_sm // a_block if a_block else None,
    }


def _round_up(amount, unit):
    return -(-amount // unit) * unit


def check_launch(gpu, grid, block, static_shared=0, dynamic_shared=0, registers=None, declared=()):
    """Raise LaunchError, naming the limit, if the card cannot run this launch at all.

    grid, block : (x, y, z); static_shared, dynamic_shared : bytes a block; registers : a thread, or None
    declared : (variable, its place) of each __shared__ array of the static part

    >>> from gpusim.gpus import H100
    >>> check_launch(H100, (1, 1, 1), (32, 32, 2))
    Traceback (most recent call last):
    gpusim.errors.LaunchError: a block of 32 x 32 x 2 = 2048 threads; the H100 allows 1024 threads a block
    """
    for what, shape, most in (("grid", grid, gpu.grid_shape), ("block", block, gpu.block_shape)):
        for axis, size, limit in zip("xyz", shape, most, strict=True):
            if not _allowed(size, 1, limit):
                raise LaunchError(f"{what} {axis} is {size!r}; the {gpu.name} allows 1 to {limit}")
    threads, limit = block[0] * block[1] * block[2], gpu.threads_per_block
    shape = f"a block of {' x '.join(map(str, block))} = {threads} threads"
    _check(gpu, threads, limit, shape, f"{limit} threads a block")
    limit, asked = gpu.registers_per_thread, f"{registers!r} registers a thread"
    _check(gpu, registers or 0, limit, asked, f"{limit} registers a thread")
    limit, asked = gpu.shared_per_block, f"{_bytes(static_shared, '#x')} of static shared memory"
    where = _too_much(gpu, declared)
    _check(gpu, static_shared, limit, asked, f"{_bytes(limit, '#x')} a block", hint=SMALLER, **where)
    limit = gpu.shared_per_block_optin
    allowed = f"{_bytes(limit)} a block"
    _check(gpu, dynamic_shared, limit, f"{_bytes(dynamic_shared)} of shared memory", allowed)
    both = static_shared + dynamic_shared
    _check(gpu, both, limit, f"{_bytes(both)} of shared memory", allowed)


def _bytes(amount, more=""):
    """A number of bytes; more : "#x" for hexadecimal beside it, as NVIDIA's assembler says it."""
    if type(amount) is not int and not is_whole(amount):
        return f"{amount!r} bytes"
    return f"{amount:,} bytes" + (f" ({format(int(amount), more)})" if more else "")


def _allowed(number, least, most):
    if type(number) is int:
        return least <= number <= most
    return not isinstance(number, bool) and is_whole(number, least) and number <= most


def _check(gpu, amount, most, what, allowed, **more):
    if not _allowed(amount, 0, most):
        raise LaunchError(f"{what}; the {gpu.name} allows {allowed}", **more)


def _too_much(gpu, declared):
    """Where the __shared__ array stands with which the limit is passed, as the parts of an error."""
    total = 0
    for symbol, at in declared:
        total += symbol.type.size
        if total > gpu.shared_per_block:
            return {"line": at.line, "column": at.column, "length": at.length}
    return {}
