"""Bad input: whatever a launch is given, the answer is an error or a report, soon and without a crash."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpusim as gs

COPY = gs.cuda("""__global__ void k(const float *a, float *b, int n) {
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x % 64] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n) b[i] = s[threadIdx.x % 64];
}""").k
EXTREMES = [
    0,
    1,
    -1,
    2**31 - 1,
    -(2**31),
    2**31,
    2**63 - 1,
    -(2**63),
    2**64,
    1e30,
    float("nan"),
    float("inf"),
    None,
    "4",
    [],
    True,
]


@pytest.mark.parametrize(
    "size", [0, -1, 1025, (1, 0), (2**40, 1), (1, 2, 3, 4), (), 1.5, None, "4", (1, 1, 65)]
)
def test_blocks_that_no_card_accepts(size):
    with pytest.raises(gs.LaunchError):
        COPY[1, size](gs.zeros(4, np.float32), gs.zeros(4, np.float32), 4)


@pytest.mark.parametrize(
    "size", [0, -1, 2**31, (1, 65536), (1, 1, 65536), (1, 2, 3, 4), 1.5, None, float("nan")]
)
def test_grids_that_no_card_accepts(size):
    with pytest.raises(gs.LaunchError):
        COPY[size, 32](gs.zeros(4, np.float32), gs.zeros(4, np.float32), 4)


@pytest.mark.parametrize("value", EXTREMES)
def test_a_number_at_its_limits(value):
    for bounds in ("raise", "report"):
        try:
            run = COPY[2, 32](gs.zeros(8, np.float32), gs.zeros(8, np.float32), value, bounds=bounds)
        except gs.GpusimError:
            continue
        assert value in (0, 1, -1, -(2**31), True) or run.reports.total("out of bounds") > 0


@pytest.mark.parametrize("shape", [0, (0, 5), (3, 0, 2), (), (1,), (2, 2)])
def test_arrays_of_any_shape(shape):
    a, b = gs.zeros(shape, np.float32), gs.empty(shape, np.float32)
    assert COPY[1, 32](a, b, a.size).reports == []
    if a.size < 32:
        with pytest.raises(gs.OutOfBounds):
            COPY[1, 32](a, b, 32)
        assert COPY[1, 32](a, b, 32, bounds="report").reports.total("out of bounds") > 0


@pytest.mark.parametrize("shared", [-1, 1.5, None, "1", 2**40, True])
def test_dynamic_shared_memory_that_no_card_has(shared):
    with pytest.raises(gs.LaunchError):
        COPY[1, 32, shared](gs.zeros(8, np.float32), gs.zeros(8, np.float32), 8)


def test_static_shared_memory_ends_at_48_kilobytes_and_dynamic_at_the_card():
    """6144 pairs of floats fit exactly; one more is refused, with required and allowed bytes."""
    text = """#ifndef NB
#define NB 6144
#endif
__global__ void big(float *out) { __shared__ float s[2][NB]; s[0][threadIdx.x] = 1; out[threadIdx.x] = s[0][threadIdx.x]; }"""
    assert gs.cuda(text).big[1, 32](gs.zeros(32, np.float32)).reports == []
    with pytest.raises(gs.LaunchError, match="49,160.*0xc008.*49,152.*0xc000"):
        gs.cuda(text, NB=6145).big[1, 32](gs.zeros(32, np.float32))
    dynamic = gs.cuda(
        "__global__ void k(float *out) { extern __shared__ float s[]; s[threadIdx.x] = 1; out[threadIdx.x] = s[threadIdx.x]; }"
    ).k
    most = {gs.T4: 65536, gs.A100: 166912, gs.H100: 232448}
    for gpu, limit in most.items():
        stages = limit // 49152
        assert dynamic[1, 32, 49152 * stages](gs.zeros(32, np.float32), gpu=gpu).reports == []
        with pytest.raises(gs.LaunchError, match=f"{limit:,}"):
            dynamic[1, 32, 49152 * (stages + 1)](gs.zeros(32, np.float32), gpu=gpu)


PIECE = st.sampled_from(
    [
        "a[{i}] = v;",
        "v = a[{i}];",
        "s[{i}] = v;",
        "v += s[{i}];",
        "__syncthreads();",
        "__syncwarp({i});",
        "if ({i} > 3) {{ {p} }}",
        "atomicAdd(&a[{i}], v);",
        "atomicAdd(&s[{i}], 1.0f);",
        "for (int k = 0; k < {i}; k++) {{ {p} break; }}",
        "return;",
        "v = __shfl_down_sync({i}, v, {i});",
        "l[{i}] = v;",
        "v = l[{i}];",
        "while ({i} == 2147483647) {{ {p} }}",
        "v = a[(int)v];",
        "a[{i} << 30] = 1;",
        "s[{i} * 65536 * 65536] = 1;",
        "*(float4 *)&s[{i}] = make_float4(v, v, v, v);",
        "v = ((float *)a)[-{i}];",
        "v = v / ({i} - {i});",
        "a[t / {i}] = v;",
        "a[t % {i}] = v;",
    ]
)
INDEX = st.sampled_from(
    [
        "t",
        "0",
        "63",
        "64",
        "-1",
        "t * 7",
        "b",
        "t + 64 * b",
        "(int)v",
        "2147483647",
        "-2147483647 - 1",
        "0xffffffff",
        "t ^ 1",
    ]
)


@st.composite
def statements(draw, depth=0):
    text = draw(PIECE)
    inner = draw(statements(depth + 1)) if "{p}" in text and depth < 2 else ";"
    return text.replace("{p}", inner.replace("{", "{{").replace("}", "}}")).format(i=draw(INDEX))


@pytest.mark.slow
@settings(max_examples=250, deadline=20000)
@given(
    st.lists(statements(), min_size=1, max_size=5),
    st.sampled_from(["raise", "report"]),
    st.sampled_from(["lockstep", "forward", "random:2", "threads"]),
)
def test_any_kernel_ends_in_a_run_or_in_an_error_of_gpusim(body, bounds, order):
    text = (
        "__global__ void k(float *a) { __shared__ float s[64]; float l[4]; int t = threadIdx.x, b = blockIdx.x; float v = 1;"
        f" {' '.join(body)} a[t] = v; }}"
    )
    data = np.array([np.nan, np.inf, -np.inf, 1e38] * 32, np.float32)
    try:
        run = gs.launch(gs.cuda(text).k, 2, 64, gs.asarray(data), bounds=bounds, order=order, step_limit=2000)
    except gs.GpusimError:
        return
    assert all(report.message and str(report) for report in run.reports)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gpu": "H200"}, "gpu is one of the GPUs of gpusim, such as gs.H200; got 'H200'"),
        ({"bounds": "ignore"}, "bounds is 'raise' or 'report'; got 'ignore'"),
        ({"block_order": "random"}, "block_order is 'forward' or 'reverse'; got 'random'"),
    ],
)
def test_options_that_a_launch_does_not_know(options, message):
    with pytest.raises(gs.LaunchError, match=message):
        COPY[1, 32](gs.zeros(4, np.float32), gs.zeros(4, np.float32), 4, **options)


def test_a_shape_without_data_can_be_counted_but_not_run():
    arguments = gs.spec(4), gs.spec(4), 4
    assert gs.count(COPY, 1, 32, *arguments).counts.global_load_sectors == 1
    with pytest.raises(gs.LaunchError, match=r"gs\.spec gives a shape without data"):
        COPY[1, 32](*arguments)


def test_a_launch_that_would_take_hours_can_be_counted():
    text = """__global__ void k(float *b, int n) {
        TYPE i = (TYPE)blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) b[i] = 1;
    }"""
    wide, wrapping = (gs.cuda(f"#define TYPE {kind}\n{text}").k for kind in ("long long", "int"))
    with pytest.raises(gs.LaunchError, match="2,199,023,254,528 threads, one after the other, take hours"):
        wide[2**31 - 1, 1024](gs.zeros(4, np.float32), 4)
    assert gs.count(wide, 2**31 - 1, 1024, gs.spec(4), 4).counts.global_store_requests == 1
    with pytest.raises(gs.LaunchError, match="take hours"):
        gs.count(wrapping, 2**31 - 1, 1024, gs.spec(4), 4)


def test_a_number_that_no_float_holds():
    kernel = gs.cuda("__global__ void k(float *a, float s) { a[0] = s; }").k
    with pytest.raises(gs.LaunchError, match="takes a number that a double holds"):
        kernel[1, 1](gs.zeros(1, np.float32), 10**400)


@pytest.mark.parametrize("text", [None, 3, ["__global__"]])
def test_a_text_that_is_none(text):
    with pytest.raises(gs.CudaSyntaxError, match="a kernel's text is a str, not"):
        gs.cuda(text)
