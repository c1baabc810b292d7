"""Bad input to the functions that a script calls: each refusal says which argument, what came, what is allowed."""

from pathlib import Path

import numpy as np
import pytest

import gpusim as gs
from gpusim.errors import GpusimError

COPY = gs.cuda("""__global__ void k(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}""").k
f32 = np.float32


def arguments():
    return gs.zeros(4, f32), gs.zeros(4, f32), 4


def run():
    return COPY[1, 32](*arguments())


@pytest.mark.parametrize("make", [gs.zeros, gs.empty, gs.spec, lambda shape: gs.full(shape, 1)])
@pytest.mark.parametrize("shape", [-1, "3", 1.5, None, True, (2, -1), (2, "a"), {3}, (1,) * 70])
def test_shapes_that_no_array_has(make, shape):
    with pytest.raises((TypeError, ValueError), match="shape|each size"):
        make(shape)


@pytest.mark.parametrize(
    "dtype",
    [
        "nonsense",
        "U5",
        "S5",
        object,
        "M8[s]",
        np.complex64,
        np.longdouble,
        17,
        [("x", "U3")],
        [("x", object)],
        "V4",
    ],
)
def test_types_that_no_gpu_holds(dtype):
    for make in (gs.zeros, gs.empty, gs.spec, lambda n, dtype: gs.asarray([1] * n, dtype)):
        with pytest.raises(TypeError, match="a GPU holds numbers"):
            make(3, dtype)


def test_numpy_types_that_a_gpu_holds_are_taken_in_any_byte_order():
    big = np.arange(3, dtype=">f4")
    assert gs.asarray(big).dtype == np.dtype("=f4") and gs.asnumpy(gs.asarray(big)).tolist() == [0, 1, 2]
    record = np.dtype([("x", ">i4"), ("y", "f4", 3)])
    assert gs.zeros(2, record).dtype == record.newbyteorder("=")


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[1], [1, 2]], "rows have different lengths"),
        ("abc", "numbers .*got 'abc'"),
        (["a", "b"], "numbers .*got the list"),
        ([None], "numbers .*got the list"),
        ({"a": 1}, "numbers .*got the dict"),
        ([1 + 2j], "no complex ones"),
        (10**30, "numbers .*got 1000"),
        ((x for x in [1]), "got the generator"),
    ],
)
def test_what_is_no_array_of_numbers(array, message):
    with pytest.raises((TypeError, ValueError), match=message):
        gs.asarray(array)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(300, np.int8), (-1, np.uint32), (float("nan"), np.int32), (1e50, f32), (2**40, np.int32)],
)
def test_numbers_that_the_type_cannot_hold(value, dtype):
    with pytest.raises(ValueError, match=f"cannot hold|{np.dtype(dtype)} can hold"):
        gs.full(3, value, dtype)
    with pytest.raises(ValueError, match=f"a number that {np.dtype(dtype)} cannot hold"):
        gs.asarray([value], dtype)


def test_a_value_that_does_not_fill_an_array():
    with pytest.raises(ValueError, match=r"shape \(2,\).* array of \(3,\)"):
        gs.full(3, [1, 2])
    with pytest.raises(ValueError, match="value 1.5 is none that int32 can hold"):
        gs.full(3, 1.5, np.int32)
    with pytest.raises(TypeError, match="the value holds numbers"):
        gs.full(3, "x")


@pytest.mark.parametrize("make", [gs.zeros, gs.empty, lambda n: gs.full(n, 1.0)])
@pytest.mark.parametrize("size", [10**15, 10**30])
def test_arrays_larger_than_the_memory_of_the_computer(make, size):
    with pytest.raises(ValueError, match="more than this computer's memory: gs.spec"):
        make(size)
    assert gs.spec(size).size == size


def test_a_device_array_neither_computes_nor_compares_on_the_host():
    a = gs.zeros(4, f32)
    for action in (
        lambda: a + 1,
        lambda: 2 * a,
        lambda: a == a,
        lambda: a < 1,
        lambda: -a,
        lambda: float(a),
        lambda: np.ones(4) + a,
        lambda: np.sum(a),
    ):
        with pytest.raises(gs.HostAccessError, match="gs.asnumpy"):
            action()
    assert {a: "arrays are still keys"}[a]


@pytest.mark.parametrize("start", ["a", 1.5, 5, -9, True])
def test_a_view_starts_at_a_row(start):
    with pytest.raises((TypeError, IndexError), match="a view"):
        gs.zeros(4, f32)[start:]
    with pytest.raises((TypeError, IndexError), match="single number"):
        gs.zeros((), f32)[0:]


@pytest.mark.parametrize(
    ("kernel", "hint"),
    [
        (3, "gs.cuda"),
        (None, "gs.load"),
        (COPY.program, r"program\.k"),
        (COPY.text, r"gs\.cuda\(text\)\.name"),
        (lambda t: 0, "@gs.kernel"),
    ],
)
@pytest.mark.parametrize("what", [gs.launch, gs.count, gs.verify])
def test_what_is_no_kernel(what, kernel, hint):
    with pytest.raises(gs.LaunchError, match="needs a kernel") as caught:
        what(kernel, 1, 32, *arguments())
    assert __import__("re").search(hint, caught.value.hint)


def test_options_and_parameters_by_name():
    with pytest.raises(gs.LaunchError, match="no option 'steplimit'; there are shared, order") as caught:
        COPY[1, 32](*arguments(), steplimit=3)
    assert caught.value.hint == "did you mean 'step_limit'?"
    with pytest.raises(gs.LaunchError, match=r"n is argument 3 of \(a, b, n\)"):
        COPY[1, 32](gs.zeros(4, f32), gs.zeros(4, f32), n=4)
    with pytest.raises(gs.LaunchError, match="a count has no option 'order'"):
        gs.count(COPY, 1, 32, *arguments(), order="forward")
    with pytest.raises(gs.LaunchError, match=r"gs.launch\(kernel, grid, block"):
        gs.launch(COPY, 1)
    with pytest.raises(gs.LaunchError, match="shared= say the same"):
        COPY[1, 32, 16](*arguments(), shared=16)
    assert COPY[1, 32](*arguments(), shared=64).shared_bytes == 64


@pytest.mark.parametrize(
    "options",
    [
        {"order": 3},
        {"order": "sideways"},
        {"order": "random:x"},
        {"order": None},
        {"chunk": 0},
        {"chunk": "a"},
        {"chunk": None},
        {"step_limit": -1},
        {"step_limit": "a"},
        {"strict": "yes"},
        {"checks": 3},
        {"rows": None},
        {"counted": "no"},
        {"written": 3},
        {"gpu": None},
        {"bounds": []},
        {"block_order": {}},
    ],
)
def test_options_with_values_that_they_do_not_take(options):
    (name, value), *_ = options.items()
    with pytest.raises(gs.LaunchError, match=f"{name}.*{value!r}" if value != [] else name):
        COPY[1, 32](*arguments(), **options)


def test_one_shape_for_several_parameters_is_an_array_for_each():
    s = gs.spec(64)
    with pytest.raises(gs.OutOfBounds, match="index 64 is outside a, which has 64 elements"):
        gs.count(gs.cuda("__global__ void k(float *a, float *b, float *c) { c[0] = a[threadIdx.x + 1] + b[0]; }").k,
                 1, 64, s, s, s)  # fmt: skip
    twice = gs.count(COPY, 1, 64, s, s, 64).counts
    assert twice.global_load_distinct_sectors + twice.global_store_distinct_sectors == 16


@pytest.mark.parametrize(
    "expect", ["a", np.zeros(7), {"zz": 1}, {"n": 1}, {2: 1}, {"b": "abc"}, {"b": [[1], [1, 2]]}, object()]
)
def test_what_no_array_can_be_expected_to_hold(expect):
    with pytest.raises((gs.GpusimError, TypeError, ValueError), match="expect|expected|no parameter"):
        gs.verify(COPY, 1, 32, *arguments(), expect=expect)


def test_verify_needs_data_and_tolerances():
    with pytest.raises(gs.LaunchError, match="a run needs data"):
        gs.verify(COPY, 1, 32, gs.spec(4), gs.spec(4), 4)
    for wrong in ("a", -1, float("nan"), None):
        with pytest.raises(gs.GpusimError, match="rtol is a number from 0 up"):
            gs.verify(COPY, 1, 32, *arguments(), rtol=wrong)
    with pytest.raises(gs.LaunchError, match="the grid is one to three"):
        gs.verify(COPY, "a", 32, *arguments())


@pytest.mark.parametrize("number", ["a", -1, 1.5, None, True, [1], float("nan"), np.array([1, 2])])
def test_models_take_whole_numbers(number):
    for call in (
        lambda: gs.occupancy("H100", number),
        lambda: gs.occupancy("H100", 32, 32, number),
        lambda: gs.waves("H100", number, 1),
        lambda: gs.waves("H100", 1, number),
    ):
        with pytest.raises(gs.LaunchError, match="whole number from|allows|bytes of shared"):
            call()
    if number is not None:  # None: not known
        with pytest.raises(gs.LaunchError, match="registers"):
            gs.estimate(run(), gs.H100, registers=number)


@pytest.mark.parametrize("gpu", [None, 3, [], "H999"])
def test_gpus_that_there_are_none(gpu):
    for call in (
        lambda: gs.occupancy(gpu, 32),
        lambda: gs.waves(gpu, 1, 1),
        lambda: gs.estimate(run().launch_counts, gpu),
        lambda: gs.lecture_bound(run(), gpu),
    ):
        with pytest.raises(gs.GpusimError, match="GPU"):
            call()
    if gpu != "H999":
        with pytest.raises(gs.GpusimError, match="a record is of a GPU"):
            gs.hardware.recorded("matmul_naive", gpu, N=4096)


@pytest.mark.parametrize("wrong", ["a", -1, 0, float("nan"), None, [1]])
def test_a_gpu_of_ones_own_needs_its_numbers(wrong):
    good = {"sms": 4, "clock": 1e9, "memory_bandwidth": 1e11, "l2_bytes": 1 << 20}
    for name in good:
        with pytest.raises(gs.LaunchError, match=f"mine: {name} must be a positive number"):
            gs.Gpu("mine", "9.0", **{**good, name: wrong})
    with pytest.raises(gs.LaunchError, match="sms must be a positive number"):
        gs.H100.with_(sms=wrong)


@pytest.mark.parametrize("thing", [3, None, "run"])
def test_what_is_no_run(thing):
    for what in (
        lambda x: gs.estimate(x, gs.H100),
        lambda x: gs.lecture_bound(x, gs.H100),
        gs.compare,
        gs.step,
    ):
        with pytest.raises(gs.GpusimError, match="run"):
            what(thing)


@pytest.mark.parametrize(
    ("block", "warp"), [("a", 0), (None, 0), (-1, 0), ((1, 2, 3, 4), 0), (0, "a"), (0, -1), (0, 1.5)]
)
def test_warps_that_there_are_none(block, warp):
    with pytest.raises(gs.LaunchError, match="block|warp"):
        run().trace(block, warp)


def one(**_):
    return 1


def test_sweeps_that_cannot_run():
    for call, message in (
        (lambda: gs.sweep(one, n=3), "n is a list of its values"),
        (lambda: gs.sweep(one, n="abc"), "n is a list of its values"),
        (lambda: gs.sweep(one, n=[1], where=3), "where is a function"),
        (lambda: gs.sweep(COPY, launch=3, n=[1]), "launch is a function"),
        (lambda: gs.sweep(COPY, n=[1]), "needs launch="),
        (lambda: gs.sweep(one, n=[1], jobs="a"), "jobs is a number"),
        (lambda: gs.sweep(one, n=[1], jobs=0), "jobs is a number"),
        (lambda: gs.sweep(one, n=[1], known=3), "known is an earlier sweep"),
        (lambda: gs.sweep(one, error=[1]), "cannot be called error"),
        (lambda: gs.sweep(one, n=[1]).best("seconds_"), "no column 'seconds_'; it has n, result"),
        (lambda: gs.sweep(one, n=[1]).table("nope"), "no column 'nope'"),
    ):
        with pytest.raises((gs.GpusimError, TypeError), match=message):
            call()


def test_exercises_figures_and_tables_that_are_none():
    for call, message in (
        (lambda: gs.check("text", 3), "an exercise is the name of one"),
        (lambda: gs.check(COPY, "nope"), "no exercise called 'nope'"),
        (lambda: gs.solution(3), "an exercise is the name of one"),
        (lambda: gs.explore(3, a=[1, 2]), "figure is a function"),
        (lambda: gs.explore(one, a=3), "a is a list of its values"),
        (lambda: gs.table(3), "rows is a list"),
        (lambda: gs.table([3]), "dicts with the same keys"),
        (lambda: gs.table([{"a": 1}, {"b": 2}]), "dicts with the same keys"),
    ):
        with pytest.raises((gs.GpusimError, ValueError), match=message):
            call()
    assert not gs.check(3, "saxpy_inc").passed


def test_python_kernels_that_are_none():
    for wrong in (3, len, "text"):
        with pytest.raises(TypeError, match="makes a kernel of a Python function"):
            gs.kernel(wrong)
    with pytest.raises(TypeError, match="the first parameter of a kernel is t"):
        gs.kernel(lambda: 0)
    kernel = gs.kernel(lambda t, a: t.store(a, 0, 1))
    for wrong in (3, None, "a"):
        with pytest.raises(gs.LaunchError, match="a store takes an array of the kernel"):
            kernel[1, 32](wrong)
    with pytest.raises(gs.LaunchError, match="a device array or a number"):
        kernel[1, 32]([1, 2])


@pytest.mark.parametrize("value", ["abc", None, [[1], [1, 2]], object(), [1, 2, 3, 4, 5], [1e50] * 4])
def test_what_constant_memory_cannot_hold(value):
    constants = gs.cuda("__constant__ float c[4]; __global__ void k(float *a) { a[0] = c[0]; }").constants
    with pytest.raises((gs.GpusimError, TypeError, ValueError), match="^c "):
        constants["c"] = value
    assert constants["c"].tolist() == [0, 0, 0, 0]
    with pytest.raises(gs.GpusimError, match="no __constant__ or __device__ variable 'd'; it has c"):
        constants["d"]


def test_addresses_and_masks_that_are_no_warps():
    lane = np.arange(32)[None]
    with pytest.raises(ValueError, match="active has the shape of the addresses"):
        gs.sectors(lane, np.ones((2, 32), bool), 4)
    with pytest.raises(ValueError, match="whole numbers of bytes"):
        gs.wavefronts(lane + 0.5, lane >= 0, 4)


@pytest.mark.parametrize("read", [gs.cuda, gs.load])
@pytest.mark.parametrize("name", ["/path/x.cu", "kernels/x.cuh", Path("/path/x.cu")])
def test_a_file_s_name_for_its_text_says_how_to_read_it(read, name):
    with pytest.raises(GpusimError) as caught:
        read(name)
    assert caught.value.hint.startswith(f"gs.cuda(Path({str(name)!r}).read_text(), {str(name)!r})")


def test_an_estimate_takes_the_run_s_own_gpu():
    run = gs.load("saxpy")[1, 32](2.0, gs.zeros(32, np.float32), gs.zeros(32, np.float32), 32, gpu=gs.T4)
    assert gs.estimate(run) == gs.estimate(run, gs.T4) and " on the T4 (" in str(gs.estimate(run))
    with pytest.raises(GpusimError) as caught:
        gs.estimate(run.launch_counts)
    assert "know no GPU" in caught.value.message and caught.value.hint == "gs.estimate(counts, gs.H200)"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda t, a: t.store(a, 1.5, 1), "an index of a is a whole number"),
        (lambda t, a: t.load(a, "x"), "an index of a is a whole number"),
        (lambda t, a: t.load(a, (1, 2)), "a has 1 axes; 2 indices"),
        (lambda t, a: t.store(a, 0, "x"), "a value for a is a number"),
        (lambda t, a: t.store(a, 0, None), "a value for a is a number"),
        (lambda t, a: t.atomic_add(a, 0, "x"), "a value for a is a number"),
        (lambda t, a: t.load(a, 0, vec=3), "vec is 1, 2 or 4"),
        (lambda t, a: t.store(a, 0, [1, 2], vec=4), "takes a list of 4 values"),
        (lambda t, a: t.shared(10**9), "bytes of shared memory"),
        (lambda t, a: list(t.while_(True)), "condition is a function"),
        (lambda t, a: list(t.while_(lambda: t.load(a, 0))), "a condition compares values"),
        (lambda t, a: t.where("x").__enter__(), "a condition compares values"),
        (lambda t, a: t.otherwise().__enter__(), "follows a block of t.where"),
    ],
)
def test_what_python_kernels_hand_to_t(body, message):
    with pytest.raises(gs.LaunchError, match=message):
        gs.kernel(body)[1, 32](gs.zeros(32, f32))


def test_a_branch_of_python_on_loaded_data_cannot_be_counted_but_run():
    @gs.kernel
    def first(t, a):
        if t.load(a, 0) > 0:
            t.store(a, t.threadIdx.x, np.sqrt(t.load(a, t.threadIdx.x)))

    a = gs.full(32, 4.0, f32)
    first[1, 32](a)
    assert (gs.asnumpy(a) == 2).all()
    with pytest.raises(gs.NotCountable, match="a branch of Python depends on a value that line"):
        gs.count(first, 1, 32, gs.spec(32))
