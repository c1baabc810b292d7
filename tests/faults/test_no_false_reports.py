"""Right kernels are not reported: those of the book, and random ones that are free of races by the way they are built."""

import launches
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpusim as gs

WRONG = {"conv_no_barrier", "counter_race", "barrier_in_if"}
# What runs long, or only on a real GPU.
SLOW = {
    "fma_peak",
    "pointer_chase",
    "copy_loads",
    "spmv_serial",
    "matmul_two_level",
    "matmul_two_level_vec",
    "uniform_work",
    "load_compute",
    "block_trace",
    "warp_ids_ptx",
    "matmul_double_buffer",
    "matmul_register",
    "matmul_register_vec",
}


def smallest():
    by_kernel = {}
    for launch in launches.launches():
        size = int(np.prod(launch.grid)) * int(np.prod(launch.block))
        if (
            launch.kernel not in WRONG | SLOW
            and size <= 1 << 20
            and size < by_kernel.get(launch.kernel, (1 << 30, None))[0]
        ):
            by_kernel[launch.kernel] = size, launch
    return [launch for _, launch in by_kernel.values()]


@pytest.mark.parametrize("launch", smallest(), ids=lambda x: x.kernel)
def test_no_kernel_of_the_book_is_reported(launch):
    kernel = gs.load(launch.kernel, **launch.defines)
    for name, value in launch.constants.items():
        kernel.program.constants[name] = value
    arguments = launch.arguments()
    device = [gs.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
    run = gs.launch(kernel, launch.grid, launch.block, *device, shared=launch.shared, rows=True)
    by_chance = launch.kernel == "reduce_barriers" and "0" in map(str, launch.setting.values())
    assert run.reports == [] or by_chance, str(run.reports)
    for place, right in launch.expected(arguments).items():
        assert np.allclose(
            gs.asnumpy(device[place]).reshape(np.shape(right)), right, 1e-3, 1e-4, equal_nan=True
        )


# Random kernels.  A round writes a tile in which every thread has words of its own, waits, and reads any of them.

INDEX = st.sampled_from(
    [
        "t",
        "63 - t",
        "t ^ 5",
        "(t + 17) % 64",
        "t / 2 * 2 + 1 - t % 2",
        "(t * 5 + 3) % 64",
        "t % 8 * 8 + t / 8",
    ]
)
ANY = st.sampled_from(
    ["t", "0", "63 - t", "(t + 1) % 64", "t / 32 * 32", "t % 7", "(int)v % 64", "k", "(t + k) % 64"]
)
LOCAL = st.sampled_from(["t ^ 1", "(t & ~31) + 31 - t % 32", "t / 32 * 32", "(t & ~31) + (t + 1) % 32"])


@st.composite
def rounds(draw):
    kind = draw(st.sampled_from(["block", "double", "warp", "atomic", "shuffle", "single"]))
    write, read, local = draw(INDEX), draw(ANY), draw(LOCAL)
    if kind == "block":
        return f"s[{write}] = v; __syncthreads(); v += s[{read}]; __syncthreads();"
    if kind == "double":
        return f"d[k % 2][{write}] = v; __syncthreads(); v += d[k % 2][{read}];"
    if kind == "warp":
        return f"w[t] = v; __syncwarp(); v += w[{local}]; __syncwarp();"
    if kind == "atomic":
        return f"atomicAdd(&n[{read}], 1); __syncthreads(); v += n[{read}]; __syncthreads();"
    if kind == "shuffle":
        return "v += __shfl_xor_sync(0xffffffff, v, 3);"
    return f"if (t == {draw(st.integers(0, 63))}) s[{draw(st.integers(0, 63))}] = v; __syncthreads(); v += s[{read}]; __syncthreads();"


def kernel_of(body, times):
    if sum("d[k % 2]" in part for part in body) > 1:  # two tiles a time round are enough for one user only
        body = [part + " __syncthreads();" for part in body]
    return (
        "__global__ void k(float *a) { __shared__ float s[64], d[2][64], w[64]; __shared__ int n[64]; int t = threadIdx.x;"
        " float v = a[blockIdx.x * 64 + t]; s[t] = 0; n[t] = 0; __syncthreads();"
        f" for (int k = 0; k < {times}; k++) {{ {' '.join(body)} }} a[blockIdx.x * 64 + t] = v; }}"
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(rounds(), min_size=1, max_size=4), st.integers(1, 4), st.sampled_from([64, 1 << 16]))
def test_random_kernels_without_races_are_not_reported(body, times, chunk):
    text = kernel_of(body, times)
    a = gs.asarray(np.arange(192, dtype=np.float32))
    found = gs.launch(gs.cuda(text).k, 3, 64, a, chunk=chunk).reports
    assert found == [], str(found)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(rounds(), min_size=1, max_size=3), st.integers(1, 3), st.randoms())
def test_random_kernels_without_one_of_their_barriers_are_reported_if_it_shows(body, times, random):
    """Where taking out a barrier changes what a schedule computes, there is a report."""
    text = kernel_of(body, times)
    places = [i for i in range(len(text)) if text.startswith("__syncthreads();", i)]
    at = random.choice(places)
    broken = gs.cuda(text[:at] + text[at + len("__syncthreads();") :]).k
    start = np.arange(192, dtype=np.float32)
    right, verdict = gs.asarray(start), None
    gs.launch(gs.cuda(text).k, 3, 64, right)
    verdict = gs.verify(broken, 3, 64, gs.asarray(start), expect=gs.asnumpy(right))
    if any(outcome.wrong for outcome in verdict.outcomes):
        assert any("race" in report.kind for report in verdict.reports), text
