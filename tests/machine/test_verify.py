"""gs.verify: several schedules, one verdict, the smallest evidence."""

import numpy as np
import pytest

import gpusim as gs

X = np.random.default_rng(0).random(16 * 256, np.float32)
SUMS = X.reshape(16, 256).sum(axis=1)


def reduction(**barriers):
    out = gs.zeros(16, np.float32)
    return gs.verify(gs.load("reduce_barriers", **barriers), 16, 256, gs.asarray(X), out, expect=SUMS), out


def test_a_right_kernel_passes_and_leaves_its_result():
    verdict, out = reduction()
    assert verdict and verdict.ok and verdict.reports == [] and verdict.evidence == ""
    assert np.allclose(gs.asnumpy(out), SUMS)
    assert [o.order for o in verdict.outcomes] == [
        "lockstep",
        "forward",
        "reverse",
        "random:1",
        "random:2",
        "blocks in reverse",
    ]
    assert "No fault found" in str(verdict) and "for these arguments" in str(verdict)


def test_a_missing_barrier_is_reported_with_wrong_elements_beside_it():
    verdict, _ = reduction(LOAD_BARRIER=0)
    assert not verdict and verdict.reports[0].kind == "read-after-write race"
    assert not verdict.outcomes[0].wrong, "lockstep hides it"
    assert any(o.wrong for o in verdict.outcomes)
    assert "line 15" in verdict.evidence and "elements wrong, the first out[" in verdict.evidence


def test_elements_that_nobody_writes():
    """The grid of floor(1000 / 32) blocks each way leaves the last rows and columns."""
    scale = gs.cuda("""__global__ void scale2(float *d, int n) {
  int x = blockIdx.x*32 + threadIdx.x, y = blockIdx.y*32 + threadIdx.y;
  if (x < n && y < n) d[y*n + x] *= 2.f;
}""").scale2
    ones = np.ones((1000, 1000), np.float32)
    short = gs.verify(scale, (31, 31), (32, 32), gs.asarray(ones), 1000, expect=2 * ones)
    assert short.untouched == {"d": (15936, 1000000)} and not short
    assert "15,936 of 1,000,000 elements of d were never written" in str(short)
    assert gs.verify(scale, (32, 32), (32, 32), gs.asarray(ones), 1000, expect=2 * ones)


def test_a_result_that_depends_on_the_order_of_warps():
    """Atomics race with nothing, but what each warp finds is left to chance."""
    text = "__global__ void k(int *next, int *mine) { mine[threadIdx.x] = atomicAdd(next, 1); }"
    verdict = gs.verify(gs.cuda(text).k, 1, 128, gs.zeros(1, np.int32), gs.zeros(128, np.int32))
    assert (
        not verdict and verdict.reports[0].kind == "order of execution" and verdict.reports[0].array == "mine"
    )


def test_a_result_that_depends_on_the_order_of_blocks():
    text = "__global__ void k(float *a, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i > 0) a[i] = a[i - 1] + 1; }"
    verdict = gs.verify(gs.cuda(text).k, 8, 32, gs.zeros(256, np.float32), 256)
    assert "between blocks" in {r.scope for r in verdict.reports} or "race" in verdict.reports[0].kind


@pytest.mark.parametrize(
    "text, kind",
    [
        (
            "__global__ void k(float *a) { if (threadIdx.x < 40) __syncthreads(); else __syncthreads(); }",
            "barrier",
        ),
        ("__global__ void k(volatile float *a) { while (a[0] == 0) { } }", "no progress"),
        ("__global__ void k(float *a) { a[threadIdx.x + 1] = 0; }", "out of bounds"),
    ],
)
def test_kernels_that_do_not_finish_are_a_verdict_not_a_crash(text, kind):
    verdict = gs.verify(gs.cuda(text).k, 1, 64, gs.zeros(64, np.float32))
    assert not verdict and kind in {r.kind for r in verdict.reports}
    assert verdict.evidence and "<pre" in verdict._repr_html_()


def test_what_is_expected_must_name_an_array():
    saxpy, arrays = gs.load("saxpy"), [gs.zeros(32, np.float32) for _ in range(2)]
    assert gs.verify(saxpy, 1, 32, 2.0, *arrays, 32, expect={"y": np.zeros(32)})
    assert gs.verify(saxpy, 1, 32, 2.0, *arrays, 32, expect={2: np.zeros(32)})
    with pytest.raises(gs.GpusimError, match="no parameter 'Z'"):
        gs.verify(saxpy, 1, 32, 2.0, *arrays, 32, expect={"Z": np.zeros(32)})
    with pytest.raises(gs.GpusimError, match="may write 2 arrays"):
        gs.verify(gs.cuda("__global__ void k(float *a, float *b) { }").k, 1, 32, *arrays, expect=np.zeros(32))


def test_nan_and_infinity_in_data_are_data():
    data = np.array([np.nan, np.inf, -np.inf, 0.0] * 8, np.float32)
    twice = gs.cuda("__global__ void k(const float *a, float *b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }").k
    assert gs.verify(twice, 1, 32, gs.asarray(data), gs.empty(32, np.float32), expect=2 * data)
