"""Barriers: who arrives, who is missing, on which card it matters; masks of warp functions."""

import numpy as np
import pytest

import gpusim as gs

PARTIAL = gs.cuda("""extern "C" __global__ void partial(const float *v, float *out, int n) {
  __shared__ float s[128];
  float acc = 0.f;
  for (int i = threadIdx.x; i < n; i += 128) {
    s[threadIdx.x] = v[i];
    __syncthreads();
    acc += s[(threadIdx.x + 1) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}""").partial
ORDERS = ["lockstep", "forward", "reverse", "random:3", "threads"]


def run_partial(n, **options):
    return gs.launch(
        PARTIAL, 1, 128, gs.zeros(n, np.float32), gs.zeros(128, np.float32), n, **options
    ).reports


def run(body, block=64, grid=1, parameters="float *out", arguments=None, **options):
    text = f"__global__ void k({parameters}) {{ int t = threadIdx.x; {body} }}"
    return gs.launch(
        gs.cuda(text).k, grid, block, *(arguments or [gs.zeros(4096, np.float32)]), **options
    ).reports


@pytest.mark.parametrize("order", ORDERS)
def test_a_length_that_does_not_divide_leaves_threads_out_of_the_third_round(order):
    assert run_partial(256, order=order) == []
    first, second = run_partial(300, order=order)
    assert first.kind == second.kind == "partial barrier" and (first.line, second.line) == (6, 8)
    assert "reached by 44 of 128 threads of block (0,0,0) the 3rd time round" in first.message
    assert (first.index, first.count, first.thread) == (44, 84, (44, 0, 0))


def test_threads_that_have_returned_are_waited_for_on_older_cards_only():
    with pytest.raises(
        gs.BarrierError, match=r"44 of 128 threads .* GTX 980 \(compute capability 5.2\) waits for it"
    ):
        run_partial(300, gpu=gs.GTX_980)
    assert run_partial(256, gpu=gs.GTX_980) == []


@pytest.mark.parametrize("order", ORDERS)
def test_edge_threads_that_return_early_leave_elements_unset(order):
    """The lectures' edge case: N = 10, tiles of 4; the report says what the missing threads did not load."""
    tiled = gs.load("matmul_tiled_switches", TILE=4, EARLY_RETURN=1)
    matrix = gs.asarray(np.ones((10, 10), np.float32))
    found = gs.launch(
        tiled, (3, 3), (4, 4), matrix, matrix, gs.zeros((10, 10), np.float32), 10, order=order
    ).reports
    barriers = [r for r in found if r.kind == "partial barrier"]
    assert [r.line for r in barriers] == [39, 46]
    assert "8 of 16 threads of block (2,0,0)" in barriers[0].message
    assert "120 reads of As (line 43) met elements that nobody had written" in barriers[0].message
    with pytest.raises(gs.BarrierError):
        gs.launch(
            tiled,
            (3, 3),
            (4, 4),
            matrix,
            matrix,
            gs.zeros((10, 10), np.float32),
            10,
            gpu=gs.GTX_980,
            order=order,
        )


@pytest.mark.parametrize("order", ORDERS)
def test_different_barriers_at_once_are_an_error(order):
    with pytest.raises(gs.BarrierError, match="line 1"):
        run("if (t < 40) { __syncthreads(); out[t] = 1; } else { __syncthreads(); }", order=order)


@pytest.mark.parametrize("order", ORDERS)
def test_blocks_may_differ_in_their_barriers(order):
    assert (
        run(
            "__shared__ float s[64]; if (blockIdx.x == 1) { s[t] = t; __syncthreads(); out[t] = s[63 - t]; }",
            grid=3,
            order=order,
        )
        == []
    )
    assert (
        run(
            "__shared__ float s[64]; for (int k = 0; k < blockIdx.x; k++) { s[t] = t; __syncthreads(); out[64 * blockIdx.x + t] = s[63 - t];"
            " __syncthreads(); }",
            grid=3,
            order=order,
        )
        == []
    )


def test_a_barrier_in_a_branch():
    (report,) = [r for r in run("if (t < 32) __syncthreads(); out[t] = t;") if r.kind == "partial barrier"]
    assert "reached by 32 of 64 threads" in report.message and report.thread == (32, 0, 0)
    assert (
        gs.load("barrier_in_if")[1, 64](gs.zeros(64, np.float32), gs.zeros(64, np.float32)).reports[0].kind
        == "partial barrier"
    )


# Warp functions.


@pytest.mark.parametrize(
    "body, words",
    [
        ("if (t % 32 < 16) __syncwarp(); out[t] = t;", "is named in the mask but is not at this instruction"),
        ("__syncwarp(0xffff); out[t] = t;", "is not named in the mask that it passes"),
        (
            "if (t % 2) out[t] = __shfl_down_sync(0xffffffff, t, 2);",
            "is named in the mask but is not at this instruction",
        ),
        ("out[t] = __shfl_down_sync(0xff, t, 2);", "is not named in the mask that it passes"),
        (
            "if (t % 32 < 16) out[t] = __shfl_down_sync(0xffff, t, 8);",
            "shuffles from lane 16, which does not take part",
        ),
        ("int v = __any_sync(0x1, t > 3); out[t] = v;", "is not named in the mask that it passes"),
        (
            "if (t == 0) out[t] = __reduce_add_sync(0xffffffff, t);",
            "is named in the mask but is not at this instruction",
        ),
    ],
)
def test_masks_that_disagree_with_the_lanes(body, words):
    found = [r for r in run(body) if r.kind == "warp mask"]
    assert any(words in r.message for r in found), str(found)


@pytest.mark.parametrize(
    "body, block",
    [
        ("out[t] = __shfl_down_sync(0xffffffff, t, 16);", 64),
        ("if (t < 32) out[t] = __shfl_xor_sync(0xffffffff, t, 1);", 64),
        ("if (t % 32 < 16) out[t] = __shfl_down_sync(0xffff, t, 8, 16);", 64),
        ("if (t % 2) out[t] = __shfl_xor_sync(0xaaaaaaaa, t, 2);", 64),
        ("if (t >= 32) return; __syncwarp(); out[t] = t;", 64),
        ("if (t % 32 >= 16) return; __syncwarp(); out[t] = __shfl_down_sync(0xffffffff, t, 8, 16);", 64),
        ("__syncwarp(); out[t] = t;", 40),
        ("unsigned m = __activemask(); __syncwarp(m); out[t] = t;", 64),
        (
            "unsigned m = __ballot_sync(0xffffffff, t % 3 == 0); if (t % 3 == 0) __syncwarp(m); out[t] = t;",
            64,
        ),
    ],
)
def test_masks_that_fit(body, block):
    assert run(body, block) == []


def test_masks_and_sources_that_differ_from_block_to_block():
    body = "int b = blockIdx.x; unsigned m = b == 1 ? 0xffffu : 0xffffffffu; if (t % 32 < 16 || b != 1) out[t] = __shfl_sync(m, t, b);"
    assert run(body, grid=3) == [r for r in run(body, grid=3) if "race" in r.kind]
    (report,) = [r for r in run(body.replace("0xffffu", "0xffffffffu"), grid=3) if r.kind == "warp mask"]
    assert report.block == (1, 0, 0) and report.thread == (16, 0, 0) and report.count == 32
