"""Progress: loops that cannot end stop soon, and say what they wait for."""

import numpy as np
import pytest

import gpusim as gs


def run(text, grid, block, *arguments, **options):
    return gs.launch(gs.cuda(text).k, grid, block, *arguments, **options)


def test_a_spin_on_a_flag_that_nobody_sets():
    text = """__global__ void k(volatile int *flag, int *out) {
    while (flag[3] == 0) {
    }
    out[threadIdx.x] = 1;
}"""
    with pytest.raises(
        gs.StepLimit, match=r"thread \(0,0,0\) of block \(0,0,0\) and 63 others wait for flag\[3\] to change"
    ) as stopped:
        run(text, 1, 64, gs.zeros(4, np.int32), gs.zeros(64, np.int32))
    assert stopped.value.line == 2


def test_a_for_that_never_advances():
    text = "__global__ void k(float *a, int n) { for (int i = 0; i < n; ) a[threadIdx.x] = i; }"
    with pytest.raises(
        gs.StepLimit, match="n and i, which decide whether it goes on, are what they were before"
    ):
        run(text, 1, 32, gs.zeros(32, np.float32), 5)


def test_blocks_that_wait_for_blocks_that_have_not_started():
    spin = gs.load("grid_spin")
    with pytest.raises(
        gs.StepLimit,
        match=r"wait.* for arrived\[0\] to change.*the blocks after \(1055,0,0\) start only when these end",
    ):
        spin[2000, 256](gs.zeros(1, np.int32), gs.zeros(2000 * 256, np.int32))


def test_blocks_that_are_all_resident_may_wait_for_each_other():
    out = gs.zeros(20 * 64, np.int32)
    run = gs.load("grid_spin")[20, 64](gs.zeros(1, np.int32), out)
    assert (gs.asnumpy(out) == 20).all() and run.reports == []


def test_a_chain_of_blocks_runs_in_order():
    text = """__global__ void k(volatile int *flag, int *out) {
    if (blockIdx.x > 0) {
        while (flag[blockIdx.x - 1] == 0) {
        }
    }
    out[blockIdx.x] = blockIdx.x == 0 ? 1 : 2 * out[blockIdx.x - 1];
    __threadfence();
    flag[blockIdx.x] = 1;
}"""
    out = gs.zeros(8, np.int32)
    run(text, 8, 1, gs.zeros(8, np.int32), out)
    assert gs.asnumpy(out).tolist() == [1 << b for b in range(8)]


def test_a_lock_that_a_warp_takes_lane_by_lane_hangs_where_lanes_go_in_step():
    text = """__global__ void k(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    sum[0] += 1;
    atomicExch(lock, 0);
}"""
    with pytest.raises(gs.StepLimit, match=r"lock\[0\]"):
        run(text, 1, 32, gs.zeros(1, np.int32), gs.zeros(1, np.int32), gpu=gs.GPUS["GTX 980"])
    total = gs.zeros(1, np.int32)
    run(text, 1, 32, gs.zeros(1, np.int32), total)  # from compute capability 7.0 on the holder runs on
    assert gs.asnumpy(total)[0] == 32


@pytest.mark.parametrize(
    "body",
    [
        "while (true) { }",
        "do { n = n; } while (n > 0);",
        "for (;;) if (n < 0) break;",
        "while (a[0] == 0.0f) { int x = threadIdx.x * n; if (x == -7) break; }",
    ],
)
def test_other_loops_without_an_end(body):
    with pytest.raises(gs.StepLimit):
        run(f"__global__ void k(float *a, int n) {{ {body} }}", 2, 32, gs.zeros(4, np.float32), 5)
    with pytest.raises(gs.GpusimError):
        gs.count(gs.cuda(f"__global__ void k(float *a, int n) {{ {body} }}").k, 2, 32, gs.spec(4), 5)


def test_long_loops_that_do_end_are_left_alone():
    text = """__global__ void k(int *a, int n) {
    int seen = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 40; j++) {
            if (a[j % 4] > 100) seen++;
        }
    }
    a[threadIdx.x] = seen;
}"""
    a = gs.zeros(32, np.int32)
    run(text, 1, 32, a, 100)
    assert (gs.asnumpy(a) == 0).all()
