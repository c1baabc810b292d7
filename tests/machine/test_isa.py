"""The machine's verbs: both machines answer them alike, and emitted code asks for nothing else."""

from __future__ import annotations

import inspect
import re

import pytest
from places import ROOT

import gpusim as gs
from gpusim.machine import isa
from gpusim.machine.count.machine import CountingMachine
from gpusim.machine.lanes.machine import LanesMachine

MACHINES = [(LanesMachine, isa.ByLanes), (CountingMachine, isa.InOneStep)]
CALL = r"\bm\.([a-z_]+)\("
FORMS = [
    {"counting": True},
    {"counting": True, "symbolic": True},
    {"counting": True, "rows": True},
    {},
]


def parameters(verb):
    """What a verb takes beside the machine."""
    return [name for name in inspect.signature(verb).parameters if name not in ("self", "m")]


@pytest.mark.parametrize(("machine", "protocol"), MACHINES)
def test_a_machine_takes_for_each_verb_what_the_list_says(machine, protocol):
    for name, verb in isa.verbs(protocol).items():
        assert parameters(getattr(machine, name)) == parameters(verb), name


@pytest.mark.parametrize(("machine", "protocol"), MACHINES)
def test_a_machine_answers_the_verbs_of_the_list_and_nothing_else(machine, protocol):
    answered = {name for name in dir(machine) if not name.startswith("_")}
    assert answered - {"finish"} == set(isa.verbs(protocol))  # finish is the driver's


def asked(pattern, texts):
    return {verb for text in texts for verb in re.findall(pattern, text)}


def test_emitted_code_asks_for_the_listed_verbs_only_and_each_of_them_can_be_asked_for():
    texts = [path.read_text() for path in (ROOT / "gpusim/cuda/emit").glob("*.py")]
    listed = isa.verbs(isa.ByLanes) | isa.verbs(isa.InOneStep)
    assert asked(CALL, texts) == set(listed)


def test_the_code_of_the_books_kernels_asks_each_machine_for_its_own_verbs():
    kernels = [
        kernel
        for path in sorted((ROOT / "book/kernels").glob("*.cu"))
        if "asm" not in (text := path.read_text())
        for kernel in gs.cuda(text).kernels.values()
    ]
    sources = {True: [], False: []}
    for kernel in kernels:
        for form in FORMS:
            kernel.python(**form)
        for (_, symbolic, _), (_, emitted) in kernel._functions.items():
            sources[symbolic].append(emitted.source)
    assert asked(CALL, sources[False]) <= isa.verbs(isa.ByLanes).keys()
    assert asked(CALL, sources[True]) <= isa.verbs(isa.InOneStep).keys()
    assert len(kernels) > 40 and "load" in asked(CALL, sources[True])
