"""Kernels of CUDA text and of Python answer all that a launch, a check or a page asks of one."""

from __future__ import annotations

import inspect

import pytest

import gpusim as gs
from gpusim.machine.kernel import Kernel


@gs.kernel
def twice(t, a, n):
    i = t.blockIdx.x * t.blockDim.x + t.threadIdx.x
    with t.where(i < n):
        t.store(a, i, 2 * t.load(a, i))


TEXT = "__global__ void twice(float *a, int n) { int i = threadIdx.x; if (i < n) a[i] *= 2; }"
KERNELS = [gs.cuda(TEXT).twice, twice, gs.load("transpose_tile", PAD=1)]


@pytest.mark.parametrize("kernel", KERNELS, ids=["CUDA", "Python", "book"])
def test_a_kernel_answers_what_the_protocol_lists(kernel):
    for name in Kernel.__annotations__:
        assert hasattr(kernel, name), name
    for name, method in vars(Kernel).items():
        if inspect.isfunction(method) and method.__module__ == Kernel.__module__:
            asked, given = (
                list(inspect.signature(m).parameters) for m in (method, getattr(type(kernel), name))
            )
            assert given == asked, name
    assert all(hasattr(kernel.unit, name) for name in ("line", "where", "named", "headers", "first", "alone"))


@pytest.mark.parametrize("kernel", KERNELS[:2], ids=["CUDA", "Python"])
def test_parameters_have_names_whoever_wrote_the_kernel(kernel):
    assert [parameter.name for parameter in kernel.parameters] == ["a", "n"]
    with pytest.raises(gs.LaunchError, match="takes 2 arguments"):
        kernel[1, 32](gs.zeros(32))
    run = kernel[1, 32](gs.zeros(32, "float32"), 32)
    assert {access.array for access in run.accesses} == {"a"} and "n = 32" in str(run.source())
