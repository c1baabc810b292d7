"""Every kernel of the book compiles with NVIDIA's own compiler: for a T4, an A100 and an H200."""

import re

import launches
import nvrtc
import pytest
from places import ROOT

from gpusim.show.exercises import load_exercise

KERNELS = sorted((ROOT / "book" / "kernels").glob("*.cu"))
EXERCISES = sorted(path.stem for path in (ROOT / "book" / "exercises").glob("*.cu"))
HERE = nvrtc.toolkit()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        HERE is None,
        reason=f"NVRTC is not installed (Linux only): pip install {nvrtc.WHEELS}; `make test` does that",
    ),
]


@pytest.fixture(scope="module")
def compiler():
    return nvrtc.load(HERE)


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90"])
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_the_text_compiles(compiler, path, arch):
    code, log = nvrtc.compile_text(compiler, HERE, path.read_text(), path.name, arch)
    assert code[:4] == b"\x7fELF"
    assert "warning" not in log, log


@pytest.mark.parametrize("name", EXERCISES)
def test_the_starter_and_the_solution_of_an_exercise_compile(compiler, name):
    exercise = load_exercise(name)
    macros = [[macro, str(value)] for macro, value in exercise.defines.items()]
    for text in (exercise.starter, exercise.solution):
        code, _ = nvrtc.compile_text(compiler, HERE, text, f"{name}.cu", "sm_90", macros)
        assert code[:4] == b"\x7fELF"


def test_every_launch_compiles_with_its_macros(compiler):
    texts = {(launch.kernel, launch.text.fingerprint): launch.text for launch in launches.launches()}
    assert len(texts) > len(KERNELS)
    for (name, _), text in texts.items():
        nvrtc.compile_text(
            compiler,
            HERE,
            text.compiled,
            name,
            "sm_90",
            [option[2:].split("=", 1) for option in text.options],
        )


def test_a_wrong_text_is_refused_with_its_line(compiler):
    with pytest.raises(AssertionError, match=re.escape('bad.cu(2): error: identifier "b" is undefined')):
        nvrtc.compile_text(compiler, HERE, "__global__ void k(int *a) {\n    a[0] = b;\n}", "bad.cu", "sm_75")
