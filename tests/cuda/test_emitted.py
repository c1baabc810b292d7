"""The Python that kernels become, to be read beside their texts: tests/data/emitted.

After a change that is meant, `python tests/cuda/test_emitted.py` writes them again: read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from places import DATA  # noqa: E402

import gpusim as gs  # noqa: E402

EARLY = """
__device__ void limit(float &x, float most) {
    if (x < most) return;
    x = most;
}
__global__ void early_return(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i];
    limit(x, 1.0f);
    a[i] = x;
}
"""
BOOK = ("matmul_naive", "transpose_tile", "reduce_v4", "histogram_shared")
NAMES = (*BOOK, "early_return")


def emitted(name):
    kernel = gs.load(name) if name in BOOK else gs.cuda(EARLY)[name]
    return kernel.source_of(counting=name == "matmul_naive")


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_becomes_the_python_that_was_read(name):
    assert emitted(name) == (DATA / "emitted" / f"{name}.py").read_text()


def test_an_expression_of_an_access_stands_once():
    for line in emitted("matmul_naive").splitlines():
        assert line.count("m.load(S3,") <= 1


if __name__ == "__main__":
    for name in NAMES:
        (DATA / "emitted" / f"{name}.py").write_text(emitted(name))
