"""Built-in functions that the machine itself carries out: atomics, warp functions, barriers, output.

Each takes the state, the call and whether its result is used, and gives the Python expression of the result.
"""

from __future__ import annotations

from dataclasses import replace

from ..tree import nodes as t
from ..tree.types import Struct, dtype
from .access import read
from .arithmetic import conversion
from .places import fixed, flat, place, pointed_to
from .tables import changes, emits, value, values
from .wmma import MATRICES

ATOMICS = {f"atomic{name}": name.lower() for name in "Add Sub Min Max And Or Xor Exch Inc Dec".split()} | {
    "atomicCAS": "cas"
}
SHUFFLES = {
    "__shfl_sync": "idx",
    "__shfl_up_sync": "up",
    "__shfl_down_sync": "down",
    "__shfl_xor_sync": "xor",
}
VOTES = {"__ballot_sync": "ballot", "__any_sync": "any", "__all_sync": "all", "__activemask": "active"}
REDUCTIONS = {f"__reduce_{op}_sync": op for op in ("add", "min", "max", "and", "or", "xor")}
BARRIERS = {
    "__syncthreads": None,
    "__syncthreads_count": "count",
    "__syncthreads_and": "and",
    "__syncthreads_or": "or",
}
FENCES = {"__threadfence": "device", "__threadfence_system": "device", "__threadfence_block": "block"}
NOTHING = ("__nanosleep", "__builtin_assume", "__assume", "__brkpt")

OPERATIONS = dict(MATRICES)  # name of a built-in function: what emits a call of it


def target_of(e, argument):
    """The place that the pointer argument of a built-in function leads to."""
    if isinstance(argument, t.Address):
        return place(e, argument.operand)
    return pointed_to(e, argument, argument.type.to)


@emits(OPERATIONS, *(name + scope for name in ATOMICS for scope in ("", "_block", "_system")))
def _atomic(e, node, used):
    op = ATOMICS[node.target.removesuffix("_block").removesuffix("_system")]
    where = target_of(e, node.arguments[0])
    if any(changes(e, a) for a in node.arguments[1:]):
        where = fixed(e, where)
    given = ", ".join(values(e, node.arguments[1:]))
    second = node.arguments[1]
    site = e.site(
        node,
        "atomic",
        name=where.name,
        dtype=dtype(flat(where.type)[0]),
        width=len(flat(where.type)),
        stride=where.stride,
        displacement=where.displacement,
        increment=op == "add" and not used and isinstance(second, t.Literal) and second.value == 1,
    )
    at = f"{where.pointer}, {where.index}"
    call = f"m.atomic({site}, {e.constant(op)}, {at}, [{given}], {e.mask}, {used})"
    if used:
        return e.keep(call if isinstance(where.type, Struct) else f"{conversion(where.type)}({call})")
    e.line(call)
    return ""


@emits(OPERATIONS, "__ldg")
def _ldg(e, node, used):
    return read(e, node, replace(target_of(e, node.arguments[0]), type=node.type))


# Warps.


@emits(OPERATIONS, *SHUFFLES)
def _shuffle(e, node, used):
    mask, given, argument, *width = values(e, node.arguments)
    width = width[0] if width else "32"
    site = e.site(node, "shuffle", name=node.target, operations=1)
    return e.keep(
        f"m.shuffle({site}, {e.constant(SHUFFLES[node.target])}, {given}, {argument}, {width}, {e.mask}, "
        f"{e.type_constant(node.type)}, {mask}, {e.frames[0].gone})"
    )


@emits(OPERATIONS, *REDUCTIONS)
def _reduce(e, node, used):
    site = e.site(node, "shuffle", name=node.target, operations=1)
    members, given = values(e, node.arguments)
    answer = (
        f"m.reduce({site}, {e.constant(REDUCTIONS[node.target])}, {given}, {e.mask}, "
        f"{e.type_constant(node.type)}, {members}, {e.frames[0].gone})"
    )
    return e.keep(f"{conversion(node.type)}({answer})")


@emits(OPERATIONS, *VOTES)
def _vote(e, node, used):
    site = e.site(node, "shuffle", name=node.target, operations=1)
    arguments = values(e, node.arguments)
    kind = e.constant(VOTES[node.target])
    predicate = arguments[1] if len(arguments) > 1 else "True"
    members = arguments[0] if arguments else "None"
    answer = f"m.vote({site}, {kind}, {predicate}, {e.mask}, {members}, {e.frames[0].gone})"
    return e.keep(f"{conversion(node.type)}({answer})")


@emits(OPERATIONS, "__syncwarp")
def _syncwarp(e, node, used):
    members = value(e, node.arguments[0]) if node.arguments else "0xffffffff"
    e.line(f"m.sync_warp({e.site(node, 'sync')}, {e.mask}, {members}, {e.frames[0].gone})")
    return ""


@emits(OPERATIONS, *BARRIERS)
def _barrier(e, node, used):
    site = e.site(node, "barrier", name=node.target)
    predicate = e.keep(value(e, node.arguments[0])) if node.arguments else None
    e.line(f"yield m.barrier({site}, {e.mask}, {e.frames[0].gone})")
    if predicate is None:
        return ""
    return e.keep(f"i32(m.block_vote({e.constant(BARRIERS[node.target])}, {predicate}, {e.mask}))")


# What has no result.


@emits(OPERATIONS, "printf")
def _printf(e, node, used):
    given = ", ".join(values(e, node.arguments[1:]))
    text = e.constant(node.arguments[0].value)
    e.line(f"m.print({e.site(node, 'call')}, {text}, [{given}], {e.mask})")
    return ""


@emits(OPERATIONS, "assert", "__trap")
def _claim(e, node, used):
    site = e.site(node, "call")
    e.line(f"m.claim({site}, {value(e, node.arguments[0]) if node.arguments else False}, {e.mask})")
    return ""


@emits(OPERATIONS, "clock", "clock64")
def _clock(e, node, used):
    return f"m.clock({e.mask})"


@emits(OPERATIONS, *FENCES)
def _fence(e, node, used):
    e.line(f"m.fence({e.mask}, {e.constant(FENCES[node.target])})")
    return "0"


@emits(OPERATIONS, *NOTHING)
def _nothing(e, node, used):
    return "0"
