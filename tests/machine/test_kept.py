"""What stays from launch to launch: the arrays and what was worked out for the next time, and names stay the caller's."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import gpusim as gs
from gpusim.machine.account.tally import Tally
from gpusim.machine.launch import Launch
from gpusim.machine.values import tables
from gpusim.machine.values.space import Space

TEXT = """__global__ void k(const int *index, float *a, float *out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = a[index[i]] + a[5] + a[t] + (1 << t % 8);
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < index[i] % 50; j++) sum += s[(t + j) % 64];
    if (i < n) out[i] = sum;
}"""


@gs.kernel
def in_python(t, index, a, out, n):
    i = t.blockIdx.x * t.blockDim.x + t.threadIdx.x
    with t.where(i < n):
        t.store(out, i, t.load(a, t.load(index, i)))


def kept(kernel):
    """(objects of launches that are alive, results that memos hold)"""
    gc.collect()
    things = [x for x in gc.get_objects() if isinstance(x, (Space, Launch, Tally))]
    emitted = [made.sites for _, made in getattr(kernel, "_functions", {}).values()]
    sites = [*getattr(kernel, "sites", {}).values(), *(site for found in emitted for site in found)]
    memos = [*(site.memo for site in sites), *(table.memo for table in tables._TABLES.values())]
    return len(things), sum(map(len, memos))


@pytest.mark.slow
@pytest.mark.parametrize("order", ["lockstep", "reverse"])
@pytest.mark.parametrize("kernel", [gs.cuda(TEXT).k, in_python], ids=["CUDA", "Python"])
def test_no_object_of_a_launch_is_kept_and_no_memo_grows_once_it_knows(kernel, order):
    index = gs.asarray(np.arange(1024, dtype=np.int32) * 37 % 1024)
    a, out = gs.full(1024, 1, np.float32), gs.zeros(1024, np.float32)
    before = []
    for blocks in (16, 16, 7, 16, 7):
        gs.launch(kernel, blocks, 64, index, a, out, blocks * 64, order=order)
        before.append(kept(kernel))
    assert before[2] == before[3] == before[4] and before[0][0] == before[4][0]


def test_a_kernel_that_cannot_be_counted_without_data_does_not_keep_its_first_launch():
    kernel = gs.cuda("__global__ void k(const int *at, float *a) { a[at[threadIdx.x]] = 1; }").k
    held = kept(kernel)[0]
    kernel[1, 32](gs.zeros(32, np.int32), gs.zeros(32, np.float32))
    assert kernel.uncountable is not None and kept(kernel)[0] == held


SHIFTED = """__global__ void k(const float *in, float *out, int n, int far) {
    const float *moved = in + far;
    int i = threadIdx.x;
    float x = n ? in[i + n] : moved[i];
    out[i] = x;
}"""


@pytest.mark.parametrize(("n", "far", "name"), [(100, 0, "in"), (0, 100, "in"), (0, -1, "in")])
def test_a_message_names_the_parameter_of_the_access_where_one_array_is_given_twice(n, far, name):
    kernel, a = gs.cuda(SHIFTED).k, gs.zeros(32, np.float32)
    with pytest.raises(gs.OutOfBounds, match=f"outside {name},"):
        kernel[1, 32](a, a, n, far)
    found = gs.launch(kernel, 1, 32, a, a, n, far, bounds="report").reports
    assert [r.array for r in found if r.kind == "out of bounds"] == [name]


def test_reports_of_one_array_given_twice_name_what_each_access_went_through():
    twice = gs.cuda(
        "__global__ void k(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x ^ 32]; }"
    ).k
    a = gs.empty(64, np.float32)
    named = [(r.kind.split()[0], r.array) for r in twice[1, 64](a, a).reports]
    assert named == [("unset", "in"), ("write-after-read", "out")]
    across = gs.cuda(
        "__global__ void k(const float *in, float *out) { out[blockIdx.x] = in[1 - blockIdx.x] + 1; }"
    ).k
    (report,) = across[2, 1](*[gs.zeros(2, np.float32)] * 2).reports
    assert report.scope == "between blocks" and report.array in report.message and report.array == "out"


def test_a_launch_leaves_the_names_of_the_callers_arrays_alone():
    a = gs.zeros(32, np.float32)
    gs.cuda("__global__ void k(float *x) { x[threadIdx.x] = 1; }").k[1, 32](a)
    run = gs.launch(in_python, 1, 32, gs.zeros(32, np.int32), a, a, 32)
    assert a.buffer.name == "array" and {access.array for access in run.accesses} == {"index", "a", "out"}
