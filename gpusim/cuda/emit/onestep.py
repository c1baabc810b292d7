"""Counting loops, in symbolic code only: the first time round stands for all times that are certain."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.loops import unrolled
from ..tree.types import Array, Fragment, Pointer
from .places import Memory, flat, in_buffer
from .tables import value


@dataclass
class OneStep:
    """loop : the Python name of the machine's axis;  starts, steps : {variable: Python expression};  blurred : variables
    that carry loaded values"""

    loop: str
    starts: dict
    steps: dict
    blurred: list


def carried(kind):
    """Registers in which a variable of this type goes from one round of a loop to the next; the factors of a matrix
    product are loaded anew.
    """
    if isinstance(kind, Array):
        return kind.count * carried(kind.of)
    return 0 if isinstance(kind, Fragment) and kind.layout else len(flat(kind))


def open_step(e, node, counting):
    """Offer a counting loop to the machine."""
    variable = e.name(counting.variable)
    steps = {s: _step_value(e, s, step) for s, step in counting.inductions.items()}
    loop = e.fresh("L")
    e.line(
        f"{loop} = m.axis({e.site(node, 'axis')}, {e.mask}, {variable}, {e.constant(counting.op)}, "
        f"{value(e, counting.bound)}, {steps[counting.variable]}, {unrolled(node)}, "
        f"{sum(carried(s.type) for s in counting.blurred)})"
    )
    step = OneStep(loop, {s: e.fresh("t") for s in counting.inductions}, steps, counting.blurred)
    e.line(f"if {loop}:")
    with e.indented():
        for symbol, start in step.starts.items():
            e.line(f"{start} = {e.name(symbol)}")
            e.line(f"{e.name(symbol)} = {loop}.along({start}, {steps[symbol]})")
        _blur(e, step.blurred)
    return step


def close_step(e, step):
    """At the end of the round that stands for all."""
    e.line(f"if {step.loop}:")
    with e.indented():
        for symbol, start in step.starts.items():
            e.line(f"{e.name(symbol)} = {step.loop}.past({start}, {step.steps[symbol]})")
        _blur(e, step.blurred)
        e.line(f"{step.loop} = m.leave({step.loop})")


def _step_value(e, symbol, step):
    by = value(e, step)
    return f"{by} * {symbol.type.to.size}" if isinstance(symbol.type, Pointer) else by


def _blur(e, symbols):
    """Before and after the one iteration that stands for all, what carries loaded values is unknown."""
    for symbol in symbols:
        meant = e.aliases.get(symbol)  # of a reference: what it stands for
        if isinstance(meant, Memory):
            if meant.local:
                e.line(f"m.blur_array({meant.pointer})")
            continue
        symbol = meant.symbol if meant else symbol
        name = e.name(symbol)
        e.line(f"m.blur_array({name})" if in_buffer(symbol) else f"{name} = m.blur({name})")
