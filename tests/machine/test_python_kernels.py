"""Kernels in Python run on the same machine as CUDA text: the same results, the same counts."""

import numpy as np

import gpusim as gs

TEXT = gs.cuda("""
__global__ void mix(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = threadIdx.x * 0.5 + 1.0 / (threadIdx.x + 1) - blockIdx.x / 2.0;
}
""").mix


@gs.kernel
def mix(t, x, n):
    i = t.blockIdx.x * t.blockDim.x + t.threadIdx.x
    value = t.threadIdx.x * 0.5 + 1 / (t.threadIdx.x + 1) - t.blockIdx.x / 2
    with t.where(i < n):
        t.store(x, i, value)


def test_numbers_of_threads_and_blocks_compute_with_floats():
    ours, texts = gs.zeros(100, np.float32), gs.zeros(100, np.float32)
    run, other = mix[4, 32](ours, 100), TEXT[4, 32](texts, 100)
    assert np.allclose(gs.asnumpy(ours), gs.asnumpy(texts), rtol=1e-6)
    assert run.counts.global_store_sectors == other.counts.global_store_sectors == 13


def test_their_comparison_with_a_float_is_a_condition_of_lanes():
    @gs.kernel
    def upper(t, x):
        with t.where(t.threadIdx.x > 15.5):
            t.store(x, t.threadIdx.x, 1.0)

    x = gs.zeros(32, np.float32)
    upper[1, 32](x)
    assert gs.asnumpy(x).tolist() == [0.0] * 16 + [1.0] * 16
