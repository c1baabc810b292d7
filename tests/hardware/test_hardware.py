"""The real-GPU path as far as it can be tested without one: texts, arguments, messages, launches."""

import sys
import types

import launches
import numpy as np
import pytest

from gpusim import gpus
from gpusim.errors import CudaSyntaxError, GpusimError, LaunchError, NoGPU
from gpusim.hardware import arguments, card, gpu, metrics
from gpusim.hardware.text import KernelText, kernel_text
from gpusim.limits import check_launch
from gpusim.units import dim3

EVERY = launches.launches()
TEMPLATE = """template <int TILE, typename T = float>
__global__ void __launch_bounds__(256) mm(const T *A, T *__restrict__ B, int N) { }"""


# ---- no GPU: which part is missing -----------------------------------------------------------------------


def test_without_cupy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert not card.available()
    with pytest.raises(NoGPU, match="CuPy is not installed") as error:
        gpu.run(KernelText("k", "__global__ void k() { }"), 1, 32)
    assert "pip install cupy-cuda12x" in error.value.hint


def test_with_cupy_but_no_driver_it_says_so(monkeypatch):
    def refuse():
        raise RuntimeError("cudaErrorInsufficientDriver")

    runtime = types.SimpleNamespace(getDeviceCount=refuse)
    monkeypatch.setitem(
        sys.modules,
        "cupy",
        types.SimpleNamespace(__version__="14.0", cuda=types.SimpleNamespace(runtime=runtime)),
    )
    assert not card.available()
    with pytest.raises(
        NoGPU, match="CuPy 14.0 is installed, but no NVIDIA driver answers: cudaErrorInsufficientDriver"
    ) as error:
        card.gpu_here()
    assert "Colab" in error.value.hint


def test_a_driver_without_a_card_is_told_apart(monkeypatch):
    runtime = types.SimpleNamespace(getDeviceCount=lambda: 0)
    monkeypatch.setitem(
        sys.modules,
        "cupy",
        types.SimpleNamespace(__version__="14.0", cuda=types.SimpleNamespace(runtime=runtime)),
    )
    with pytest.raises(NoGPU, match="has no NVIDIA GPU"):
        card.cupy()


# ---- which card ------------------------------------------------------------------------------------------


def test_a_known_card_is_recognised_by_the_drivers_name():
    facts = dict(
        major=7,
        minor=5,
        multiProcessorCount=40,
        l2CacheSize=4 << 20,
        ClockRate=1590000,
        MemoryClockRate=5001000,
        memoryBusWidth=256,
    )
    assert card.from_properties("Tesla T4", facts) is gpus.T4
    assert card.from_properties("Tesla T4", {**facts, "multiProcessorCount": 20}).sms == 20


def test_an_unknown_card_is_built_from_what_the_driver_says():
    facts = dict(
        major=8,
        minor=6,
        multiProcessorCount=46,
        l2CacheSize=4 << 20,
        ClockRate=1725000,
        MemoryClockRate=7001000,
        memoryBusWidth=256,
    )
    here = card.from_properties("NVIDIA GeForce RTX 3070", facts)
    assert (here.name, here.sms, here.warps_per_sm) == ("RTX 3070", 46, 48)
    assert here.memory_bandwidth == pytest.approx(448e9, rel=1e-3)


# ---- texts -----------------------------------------------------------------------------------------------


def test_overrides_reach_guarded_and_unguarded_macros_and_constants_without_moving_lines():
    text = "#ifndef TILE\n#define TILE 16 // side\n#endif\n#define PAD 0\nconst int W = 3;\n"
    text += "__global__ void k(int *a) { a[0] = TILE; }"
    kernel = KernelText("k", text, {"TILE": 8, "PAD": 1, "W": 5, "EXTRA": 2})
    assert kernel.compiled == text.replace("TILE 16 ", "TILE 8 ").replace("PAD 0", "PAD 1").replace(
        "W = 3", "W = 5"
    )
    assert kernel.options == ("-DEXTRA=2",)


def test_template_arguments_become_part_of_the_name():
    assert KernelText("mm", TEMPLATE, {"TILE": 8}).expression == "mm<8, float>"
    assert KernelText("mm", TEMPLATE, {"TILE": 8, "T": "double"}).expression == "mm<8, double>"
    with pytest.raises(GpusimError, match="needs a value for TILE"):
        KernelText("mm", TEMPLATE).expression


def test_a_signature_tells_pointers_types_and_what_may_be_written():
    kernel = KernelText("mm", TEMPLATE)
    assert kernel.parameters == [("A", "T", True), ("B", "T", True), ("N", "int", False)]
    assert kernel.outputs == [False, True, False]
    square = KernelText(
        "add", 'extern "C" __global__ void add(const float A[4][4], float C[4][4], unsigned long long n) { }'
    )
    assert square.parameters == [
        ("A", "float", True),
        ("C", "float", True),
        ("n", "unsigned long long", False),
    ]
    assert square.outputs == [False, True, False]


def test_a_fingerprint_follows_code_and_macros_only():
    text = "#define N 4\n__global__ void k(int *a) { a[0] = N; }"
    same = ["#define N 4 // four\n\n/* a\nkernel */ __global__ void k(int *a)  { a[0] = N; }", text + "\n"]
    prints = {KernelText("k", t).fingerprint for t in (text, *same)} | {
        KernelText("k", text, {"N": 4}).fingerprint
    }
    assert len(prints) == 1
    changed = [KernelText("k", text, {"N": 5}), KernelText("k", text.replace("= N", "= N + 1"))]
    assert not prints & {kernel.fingerprint for kernel in changed}


def test_a_python_kernel_has_no_text_to_run():
    with pytest.raises(GpusimError, match="no CUDA text"):
        kernel_text(lambda t: None)


# ---- arguments and the compiler's answer -----------------------------------------------------------------


def test_scalars_get_the_type_of_the_signature():
    assert arguments.typed("double", 1).dtype == np.float64
    assert arguments.typed("size_t", 1 << 40) == np.uint64(1 << 40)
    assert arguments.typed("REAL", 1, {"REAL": "float"}).dtype == np.float32
    with pytest.raises(LaunchError, match="-1 does not fit a parameter of type unsigned int"):
        arguments.typed("unsigned int", -1)
    with pytest.raises(LaunchError, match="of type Particle needs"):
        arguments.typed("Particle", 3)


def test_an_array_passed_twice_is_one_array_on_the_gpu():
    copies = []
    fake = types.SimpleNamespace(asarray=lambda a: copies.append(a.copy()) or copies[-1])
    kernel = KernelText("k", "__global__ void k(const float *a, float *b, int n) { }")
    x = np.arange(4, dtype=np.float32)
    passed, arrays = arguments.device(fake, kernel, [x, x, 4])
    assert len(copies) == 1 and passed[0] is passed[1] and sorted(arrays) == [0, 1]
    with pytest.raises(LaunchError, match=r"k takes 3 arguments \(float \*a, float \*b, int n\), not 2"):
        arguments.device(fake, kernel, [x, x])
    with pytest.raises(LaunchError, match="argument a of k is a pointer"):
        arguments.device(fake, kernel, [1.0, x, 4])


def test_a_compiler_error_shows_the_line_of_the_readers_text():
    kernel = KernelText("k", "__global__ void k(int *a) {\n    a[0] = b;\n}")
    error = gpu.compiler_error(
        kernel, '/tmp/tmp1/x.cubin.cu(2): error: identifier "b" is undefined\n      a[0] = b;\n'
    )
    assert isinstance(error, CudaSyntaxError) and error.line == 2
    assert "    a[0] = b;" in str(error) and 'identifier "b" is undefined' in str(error)


def test_bad_launch_shapes_are_refused():
    for shape in (0, (1, 2, 3, 4), (2.5, 1), -1):
        with pytest.raises(LaunchError, match="one to three whole numbers|below 1"):
            dim3(shape)


# ---- what is measured ------------------------------------------------------------------------------------


def test_every_kernel_that_may_run_has_launches():
    files = {path.stem for path in launches.KERNELS.glob("*.cu")} - {"barrier_in_if"}  # it could hang the GPU
    lacking, left = files - set(launches.TABLE), set(launches.TABLE) - files
    assert not lacking, (
        f"say in a file of tools/launch_rows how to launch {sorted(lacking)}: a call of row(...)"
    )
    assert not left, f"tools/launch_rows launches kernels that book/kernels does not have: {sorted(left)}"


def test_launches_have_names_of_their_own_and_legal_shapes():
    assert len({launch.name for launch in EVERY}) == len(EVERY)
    for launch in EVERY:
        check_launch(gpus.H200, launch.grid, launch.block, dynamic_shared=launch.shared)


@pytest.mark.parametrize("name", sorted(launches.TABLE))
def test_the_smallest_launch_has_fitting_arguments_and_a_result_of_its_own(name):
    launch = min(launches.launches([name]), key=lambda one: np.prod(one.grid) * np.prod(one.block))
    values = launch.arguments()
    parameters = launch.text.parameters
    assert len(values) == len(parameters)
    for (_, kind, pointer), value in zip(parameters, values, strict=True):
        assert isinstance(value, np.ndarray) if pointer else arguments.typed(kind, value) is not None
    for place, right in launch.expected(values).items():
        assert launch.text.outputs[place] and right.size == values[place].size
        assert not np.array_equal(right, values[place])  # a kernel that does nothing is found out


def test_measured_counts_get_gpusims_names():
    counters = {
        "global_load_requests": 8,
        "global_load_sectors": 32,
        "global_reduction_requests": 1,
        "global_atomic_requests": 2,
    }
    exact = {"shared_load_instructions": 5, "ffma_threads": 10, "fadd_threads": 1, "fmul_threads": 2}
    counts = metrics.counts(counters, exact, {"BAR.SYNC.DEFER_BLOCKING": 4, "SHFL.DOWN": 3})
    assert counts["global_load_sectors"] == 32 and counts["global_atomic_requests"] == 3
    assert (counts["shared_load_requests"], counts["flops"], counts["barriers"], counts["shuffles"]) == (
        5,
        23,
        4,
        3,
    )
