"""What the compiler made of a kernel: read off its machine code, and counted against what an H200 executed."""

import functools
import json

import compare
import launches
import listings
import numpy as np
import pytest
from places import ROOT

import gpusim as gs
from gpusim.hardware.compiled import toolkit
from gpusim.hardware.compiled.door import compiled
from gpusim.hardware.compiled.flow import flow
from gpusim.hardware.compiled.recorded import recorded
from gpusim.hardware.text import KernelText

ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")
KERNELS = sorted((ROOT / "book" / "kernels").glob("*.cu"))


def listing(name, **defines):
    return gs.machine(gs.load(name, **defines), gs.H200)


def test_an_if_becomes_predicated_instructions_and_no_branch():
    guarded = listing("reduce_v1").lines[14]
    assert guarded.branches == 0
    assert guarded.predicated == len(guarded.instructions)
    assert guarded.accesses == {("shared", "load", 4): 2, ("shared", "store", 4): 1}


def test_a_wide_access_is_one_instruction():
    moved = [i for i in listing("multiply_vec4").instructions if i.space == "global"]
    assert {i.width for i in moved} == {16}


def test_a_modulo_by_a_variable_takes_some_twenty_instructions():
    assert len(listing("reduce_v1").lines[13].instructions) >= 15


def test_an_unrolled_loop_holds_copies_of_its_loads():
    loads = listing("spmv_thread").lines
    assert max(line.accesses.get(("global", "load", 4), 0) for line in loads.values()) > 8


def test_every_kernel_is_recorded_for_every_architecture_as_it_stands():
    missing = [
        f"{path.name} for {arch}: run make listings"
        for path in KERNELS
        for arch in ARCHITECTURES
        if recorded(KernelText(path.stem, path.read_text()), arch) is None
    ]
    assert not missing


def test_a_text_with_other_macros_is_no_recorded_one():
    assert recorded(KernelText("reduce_v1", KERNELS[0].read_text()), "sm_90") is None


def test_texts_are_recorded_once_each_whoever_launches_them():
    texts = listings.texts("sm_75")
    assert len(texts) == len(KERNELS)
    assert set(texts) <= set(listings.texts(listings.MEASURED))


@pytest.mark.skipif(toolkit.disassembler() is None, reason=f"pip install {toolkit.PACKAGES}")
@pytest.mark.parametrize("name", ["reduce_v1", "spmv_thread", "matmul_tiled"])
def test_the_compiler_makes_today_what_was_recorded(name):
    text = KernelText(name, (ROOT / "book" / "kernels" / f"{name}.cu").read_text())
    standing, made = recorded(text, "sm_90"), compiled(text, "sm_90")
    if made.compiler == standing.compiler:
        assert made == standing
    else:  # another version schedules otherwise; accesses stay
        assert made.registers == pytest.approx(standing.registers, abs=16)


def test_without_the_packages_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setattr(toolkit, "toolkit", lambda: None)
    program = gs.cuda("__global__ void mine(float *a) { a[threadIdx.x] *= 3; }")
    with pytest.raises(gs.GpusimError, match="nvidia-cuda-nvrtc"):
        gs.machine(program.mine)


@functools.cache
def measured():
    """{launch name: what the H200 counted}"""
    files = (ROOT / "book" / "measured").glob("h200-*.json")
    return {
        record["name"]: record["counts"]
        for path in files
        for record in json.loads(path.read_text())["records"]
        if record.get("counts", {}).get("warp_instructions")
    }


@functools.cache
def executed():
    """{launch name: (Flow, counts of the H200)} of launches that can be counted without data, one for each text."""
    counted = json.loads(compare.SIMULATED.read_text())  # others take minutes
    found, seen = {}, set()
    for launch in launches.launches():
        text = launch.text.fingerprint
        if launch.name not in measured() or launch.name not in counted or text in seen:
            continue
        seen.add(text)
        arguments = [
            gs.spec(a.shape, a.dtype) if isinstance(a, np.ndarray) else a for a in launch.arguments()
        ]
        try:
            kernel = gs.load(launch.kernel, **launch.defines)
            run = gs.count(kernel, launch.grid, launch.block, *arguments, shared=launch.shared)
        except (gs.NotCountable, gs.CudaUnsupported):
            continue
        found[launch.name] = flow(recorded(launch.text, "sm_90"), run), measured()[launch.name]
    return found


@pytest.mark.slow
def test_warp_instructions_as_compiled_are_within_five_percent_on_nine_launches_of_ten():
    off = {
        name: made.warp_instructions / real["warp_instructions"] - 1
        for name, (made, real) in executed().items()
    }
    wrong = {name: round(error, 3) for name, error in off.items() if abs(error) > 0.05}
    assert len(off) > 150
    assert len(wrong) <= 0.1 * len(off), wrong


@pytest.mark.slow
def test_what_was_text_alone_is_further_from_the_hardware():
    """The lecture's count of instructions leaves out index arithmetic: the compiled one is there to close that gap."""
    made, real = next(pair for name, pair in executed().items() if name.startswith("reduce_v1 "))
    assert made.warp_instructions == pytest.approx(real["warp_instructions"], rel=0.01)
    assert made.divergent_branches == real["divergent_branches"] == 0
