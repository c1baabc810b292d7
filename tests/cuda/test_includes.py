"""Quoted includes: files beside a kernel's are read, and no others."""

import numpy as np
import pytest

import gpusim as gs
from gpusim.cuda.text.includes import beside
from gpusim.errors import CudaSyntaxError
from gpusim.machine.program import Program

KERNEL = """#include "helper.h"
__global__ void k(float *out) {
    out[threadIdx.x] = HELP * twice(threadIdx.x);
}
"""
HELPER = """#pragma once
#define HELP 3
__device__ float twice(float x) {
    return 2 * x;
}
"""


@pytest.fixture
def read(tmp_path):
    """program(text, **{name: text of a header}) in a folder of its own"""

    def program(text=KERNEL, **headers):
        place = tmp_path / "project"
        for name, content in {"helper.h": HELPER, **headers}.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(content)
        return Program(text, str(place / "k.cu"), None, beside(place / "k.cu"))

    return program


def test_macros_and_functions_of_a_header_are_there(read):
    out = gs.zeros(32, np.float32)
    read()["k"][1, 32](out)
    assert (gs.asnumpy(out) == 6 * np.arange(32)).all()


def test_headers_include_headers_each_once(read):
    loop = {
        "helper.h": '#include "more/a.h"\n' + HELPER,
        "more/a.h": '#include "helper.h"\n#include "more/a.h"\n',
    }
    assert list(read(**loop).kernels) == ["k"]


def test_a_mistake_in_a_header_has_its_name_and_line(read):
    with pytest.raises(CudaSyntaxError) as caught:
        read(**{"helper.h": HELPER.replace("* x", "* y")})
    error = caught.value
    assert (error.file.endswith("helper.h"), error.line, error.column) == (True, 4, 16)
    assert error.text == "    return 2 * y;"


def test_counts_and_reports_have_the_lines_of_the_header(read):
    racy = HELPER.replace(
        "return 2 * x", "__shared__ float s[64]; s[threadIdx.x] = x; return s[63 - threadIdx.x]"
    )
    run = read(**{"helper.h": racy})["k"][1, 64](gs.zeros(64, np.float32))
    assert "helper.h:4" in str(run.source())
    assert run.reports[0].file.endswith("helper.h") and run.reports[0].line == run.reports[0].other_line == 4


def test_what_lies_outside_the_folder_is_not_read(read, tmp_path):
    (tmp_path / "secret.h").write_text(HELPER)
    read()
    (tmp_path / "project" / "link.h").symlink_to(tmp_path / "secret.h")
    for name in (
        "../secret.h",
        str(tmp_path / "secret.h"),
        "sub/../../secret.h",
        "link.h",
        "none.h",
        ".",
        "\0",
    ):
        with pytest.raises(CudaSyntaxError) as caught:
            read(KERNEL.replace("helper.h", name))
        assert "undefined" in caught.value.message, name


def test_an_if_may_not_reach_out_of_a_header(read):
    with pytest.raises(CudaSyntaxError, match="never closed"):
        read(**{"helper.h": "#if 1\n" + HELPER})


def test_keywords_reach_the_macros_of_a_header(tmp_path):
    (tmp_path / "helper.h").write_text(HELPER)
    out = gs.zeros(32, np.float32)
    Program(KERNEL, "k.cu", {"HELP": 5}, beside(tmp_path / "k.cu"))["k"][1, 32](out)
    assert gs.asnumpy(out)[1] == 10
