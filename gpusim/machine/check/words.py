"""What reports of races say: who did what to which element, and what usually helps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import indexed
from ...rules.races import RAW, WAR
from .report import Report

INSIDE = "inside a warp"
FENCES = (
    "let both touch it only while they hold the lock, or after the flag; a __threadfence() stands before the "
    "atomic or volatile write that lets the next one go on"
)


def races_report(launch, space, finding, at, count):
    """Add the report of a race inside a block.

    finding : a checks_epoch.Finding;  at : (z, y, x) of the block in `space`;  count : threads that it
        concerns, in all blocks
    """
    block = tuple(int(space.blocks[axis][0] + at[axis]) for axis in (2, 1, 0))
    thread, other = (_thread(space, t) for t in (finding.thread, finding.other_thread))
    index = finding.index + sum(int(s) * int(a) for s, a in zip(finding.strides, at))
    near = " of the same warp" if finding.scope == INSIDE else " of another warp"
    message = sentence(
        finding.name,
        f"thread {indexed(thread)}",
        f"thread {indexed(other)}{near}",
        finding.array if finding.single else f"{finding.array}[{index}]",
        f" in block {indexed(block)}",
        _lacking(finding),
    )
    launch.add(
        Report(
            f"{finding.name} race",
            message,
            block=block,
            thread=thread,
            other_thread=other,
            other_block=block,
            array=finding.array,
            index=index,
            count=count,
            scope=finding.scope,
            hint=_remedy(finding, launch.kernel.unit),
        ),
        finding.site,
        finding.other,
    )


def _lacking(finding):
    if finding.waits:
        return "nothing that orders them stands"
    return "no __syncwarp() stands" if finding.scope == INSIDE else "no barrier stands"


def sentence(name, who, other, what, where, missing):
    """One sentence for a race.

    >>> sentence("read-after-write", "thread 5", "thread 37 of another warp", "s[37]", "", "no barrier stands")
    'thread 5 reads s[37], which thread 37 of another warp writes; no barrier stands between, so it may read
    too early'
    """
    if name == RAW:
        return f"{who}{where} reads {what}, which {other} writes; {missing} between, so it may read too early"
    if name == WAR:
        return f"{who}{where} writes {what}, which {other} reads; {missing} between, so it may overwrite the value too early"
    return f"{who}{where} and {other} both write {what}; {missing} between, so either value may stay"


def _thread(space, linear):
    z, y, x = np.unravel_index(int(linear), space.shape)
    return int(x), int(y), int(z)


def _remedy(finding, unit):
    first, second = finding.other.line, finding.site.line
    named = unit.named
    if finding.waits:  # a barrier between threads that wait for each other would hang
        return FENCES
    barrier = "__syncwarp()" if finding.scope == INSIDE else "__syncthreads()"
    if first == second and finding.name == RAW:
        return f"the value comes from an earlier time round the loop: put {barrier} at the end of its body"
    if first == second:
        return f"give each thread its own element of {finding.array}, or use an atomic function such as atomicAdd"
    if first > second:
        return f"put {barrier} at the end of the loop, after line {named(first)}"
    return f"put {barrier} between line {named(first)} and line {named(second)}"


def one_barrier_each(reports) -> list:
    """The reports; those that a barrier asked for by another one repairs as well say that, and ask for none.

    A barrier repairs another race if it stands inside the other's lines and orders at least its threads.
    """
    asked = {
        place: r.hint.rpartition("put ")[2]
        for place, r in enumerate(reports)
        if "put __sync" in (r.hint or "")
    }

    def covers(one, other):
        a, b = reports[one], reports[other]
        strong = a.scope == b.scope or b.scope == INSIDE
        if not strong or (a.file, a.other_file) != (b.file, b.other_file):
            return False
        there = asked[one].partition(" ")[2]
        if there == asked[other].partition(" ")[2]:
            return a.scope != b.scope or one < other
        between = there.startswith("between") and " between line " in asked[other]
        return between and b.other_line <= a.other_line and a.line <= b.line

    told = list(reports)
    spared = {o: [one for one in asked if one != o and covers(one, o)] for o in asked}
    for place, others in spared.items():
        enough = next((one for one in others if not spared[one]), None)
        if enough is not None:
            where = "above" if enough < place else "below"
            told[place] = replace(
                told[place], hint=f"the {asked[enough]}, asked for {where}, repairs this as well"
            )
    return told
