"""Clumsy kernels: texts that students write by mistake give an error with its place, or do what C++ does."""

import numpy as np
import pytest

import gpusim as gs


def kernel(body, before="//", **defines):
    """The only kernel of a text whose body stands on line 3."""
    text = f"{before}\n__global__ void k(int *a, int n) {{\n{body}\n}}"
    return next(iter(gs.cuda(text, **defines).kernels.values()))


def result(body, before="//", block=32, n=5, **options):
    """What a has after one block of the kernel."""
    a = gs.zeros(64, np.int32)
    run = kernel(body, before)[1, block](a, n, **options)
    assert run.reports == []
    return gs.asnumpy(a)


def error(body, before="//", kind=gs.GpusimError, **options):
    """The error of a text, or of its launch."""
    with pytest.raises(kind) as caught:
        kernel(body, before)[1, 32](gs.zeros(64, np.int32), 5, **options)
    return caught.value


@pytest.mark.parametrize(
    "body",
    [
        'a[threadIdx.x] = "abc"[threadIdx.x % 3];',
        'const char *s = "abc"; a[threadIdx.x] = s[threadIdx.x % 3];',
        'char s[] = "abc"; a[threadIdx.x] = s[threadIdx.x % 3];',
        'const char *s = "abc"; s += threadIdx.x % 3; a[threadIdx.x] = *s;',
    ],
)
def test_a_text_in_quotes_is_an_array_of_characters(body):
    assert result(body)[:6].tolist() == [*b"abcabc"]


def test_a_text_in_quotes_has_a_size_and_an_end():
    assert result('a[0] = sizeof("abc"); a[1] = "abc"[3]; a[2] = sizeof "";')[:3].tolist() == [4, 0, 1]
    assert (
        "index 4 is outside 'abc', which has 4 elements"
        in error('a[0] = "abc"[n - 1];', kind=gs.OutOfBounds).message
    )


@pytest.mark.parametrize(
    ("define", "column", "message"),
    [
        ("#define F(x,x) x", 13, 'duplicate macro parameter name "x"'),
        ("#define F(x y) x", 13, 'expected a "," between'),
        ("#define F(x,) x", 13, "expected a parameter name"),
        ("#define F(,x) x", 11, "expected a parameter name"),
        ("#define F(..., x) x", 16, "expected a parameter name"),
        ("#define F(1) x", 11, "expected a parameter name"),
        ("#define F(x", 11, 'expected a ")"'),
    ],
)
def test_macros_with_wrong_parameters(define, column, message):
    found = error("a[0] = 1;", define, gs.CudaSyntaxError)
    assert (found.line, found.column) == (1, column) and message in found.message


@pytest.mark.parametrize("shuffle", ["__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"])
@pytest.mark.parametrize("width", ["33", "3", "0", "-1", "64", "n", "threadIdx.x"])
def test_a_shuffle_whose_width_does_not_divide_a_warp(shuffle, width):
    body = f"a[threadIdx.x] = {shuffle}(0xffffffff, 7, 1, {width});"
    found = error(body, kind=gs.LaunchError)
    assert "width of a shuffle is 1, 2, 4, 8, 16 or 32" in found.message and found.line == 3
    if width != "threadIdx.x":
        with pytest.raises(gs.LaunchError, match="width of a shuffle"):
            gs.count(kernel(body), 1, 32, gs.spec(64, np.int32), 5)
    assert (result(body.replace(width, "16", 1) if width == "33" else "") >= 0).all()


def test_null_is_a_number_as_well():
    assert (result("a[threadIdx.x] = 3; a[threadIdx.x] = NULL;") == 0).all()
    assert result(
        "int x = NULL; a[0] = x + NULL + 7; if (a == NULL) a[0] = 1; int *p = NULL; a[1] = p == NULL;"
    )[:2].tolist() == [7, 1]
    assert '"int"' in error("a[0] = nullptr;", kind=gs.CudaSyntaxError).message


def test_too_much_shared_memory_is_shown_where_it_is_declared():
    found = error(
        "__shared__ float few[2000]; __shared__ double many[6000]; many[0] = few[0]; a[0] = many[0];"
    )
    assert str(found).split("\n")[1:3] == [
        "__shared__ float few[2000]; __shared__ double many[6000]; many[0] = few[0]; a[0] = many[0];",
        " " * 46 + "^~~~",
    ]
    assert "56,000 bytes" in found.message and found.file == "kernel.cu"


@pytest.mark.parametrize(
    ("before", "column", "message"),
    [
        ("__constant__ int c = threadIdx.x;", 22, "starts with constants only"),
        ("__device__ int f() { return 3; } __constant__ int c = f();", 55, "starts with constants only"),
        ("__device__ int d = 3; __constant__ int c = d;", 44, "starts with constants only"),
        ("__constant__ float c = sqrtf(4.0f);", 24, "starts with constants only"),
        ("__constant__ int c[2] = {1, m};", 29, 'identifier "m" is undefined'),
        ("__constant__ int c[2] = {1, 2, 3};", 25, "too many initializer values"),
        ("int g = 4; __constant__ int c = g;", 33, 'identifier "g" is undefined in device code'),
    ],
)
def test_constant_memory_starts_with_constants(before, column, message):
    found = error("a[0] = 1;", before, gs.CudaSyntaxError)
    assert (found.line, found.column) == (1, column) and message in found.message


@pytest.mark.parametrize(
    ("body", "before", "message"),
    [
        ("a[0] = f<1>();", "template <int N> __device__ int f() { return f<N + 1>() + 1; }", "more than 512"),
        (
            "a[0] = f<30>();",
            "template <int N> __device__ int f() { return f<N - 1>() + f<N - 1>(); } "
            "template <> __device__ int f<0>() { return 1; }",
            "make it too long",
        ),
        (
            "a[0] = sum(1, 2);",
            "template <class... T> __device__ int sum(int x, T... r) { return x + sum(r...); }",
            "variadic",
        ),
        ("int x[1000000000]; a[0] = x[0];", "//", "local memory of a thread is limited to 524,288"),
        ("int x[1LL << 40]; a[0] = x[0];", "//", "local memory of a thread is limited"),
        ("a[0] = c[0];", "__device__ int c[1LL << 40];", "device memory is limited"),
        ("float f; atomicAdd(&f, 1.0f); a[0] = f;", "//", "an atomic on f, which lies in local memory"),
        (
            "__shared__ int s[32]; int *p = threadIdx.x & 1 ? s : a; *p = 1;",
            "//",
            "leads to different arrays",
        ),
        (
            "int *p = a; __shared__ int s[9]; if (threadIdx.x & 1) p = s; *p = 1;",
            "//",
            "leads to different arrays",
        ),
    ],
)
def test_what_is_not_supported_says_so_soon_and_where(body, before, message):
    found = error(body, before, gs.CudaUnsupported)
    assert message in found.message and found.line in (1, 2, 3) and found.column is not None


@pytest.mark.parametrize(
    ("body", "before", "message"),
    [
        ("float f = 3f; a[0] = f;", "//", 'invalid number "3f"'),
        ('char s[2] = "abc"; a[0] = s[0];', "//", "has 4 characters with the 0 at its end, the array 2"),
        ('printf("%d of %d\\n", n);', "//", "the text takes 2 values, 1 given"),
        ('printf("%*d\\n", n);', "//", "the text takes 2 values, 1 given"),
        ("a[0] = c[0];", "__constant__ int c[20000];", "constant memory is limited to 65,536"),
        ("a[0]\u00a0= 1;", "//", 'unrecognized token "\\u00a0"'),
    ],
)
def test_what_compilers_refuse_is_refused(body, before, message):
    found = error(body, before, gs.CudaSyntaxError)
    assert message in found.message and found.line in (1, 3)
    assert "\u00a0" not in body or found.hint == "it is NO-BREAK SPACE: type it anew"


def test_operators_have_names_in_cpp():
    assert result("a[0] = (n > 1 and not (n > 9)) or false; a[1] = n bitand 4 xor 1; a[2] = compl n;")[:3].tolist() == [
        1, 5, -6]  # fmt: skip
    assert result("a[0] = n; a[0] and_eq 4; a[1] = n not_eq 5;", block=1)[0] == 4


@pytest.mark.parametrize(
    "name", ["lambda", "None", "def", "__init__", "__class__", "constants", "m", "kernel", "yield"]
)
def test_names_that_mean_something_in_python(name):
    text = f"__global__ void {name}(int *a, int n) {{ int gone = 1, m1 = 2, True = 3; a[0] = gone + m1 + True + n; }}"
    a = gs.zeros(4, np.int32)
    gs.cuda(text)[name][1, 1](a, 5)
    assert gs.asnumpy(a)[0] == 11


def test_parameters_without_a_name():
    gs.cuda("__global__ void k(int *, int n, float) { if (n > 9) return; }").k[1, 32](
        gs.zeros(4, np.int32), 5, 1.0
    )


def test_printf_shows_texts_widths_and_pointers():
    run = kernel(
        'printf("%s|%*d|%-4d|%05.1f|%llu|%c|%p|%s", "hey", 5, n, n, 2.5, 7ull, 65, a, (const char *)0);'
    )[1, 1](gs.zeros(4, np.int32), 3)
    assert run.printed == ["hey|    3|3   |002.5|7|A|a+0|(null)"]


def test_launch_bounds_bound_the_launch():
    k = gs.cuda("__global__ void __launch_bounds__(64, 2) k(int *a) { a[threadIdx.x] = 1; }").k
    assert k[1, 64](gs.zeros(64, np.int32)).reports == []
    with pytest.raises(gs.LaunchError, match=r"__launch_bounds__\(64\): at most 64") as caught:
        k[1, (13, 5)](gs.zeros(65, np.int32))
    assert caught.value.line == 1


def test_a_trace_of_odd_numbers_warns_of_nothing(recwarn):
    run = kernel("a[0] = sqrtf(-1.0f) != sqrtf(-1.0f); a[1] = 1 / (n - 5);")[1, 32](gs.zeros(64, np.int32), 5)
    assert run.trace(0, 0) and not recwarn.list


def test_windows_line_ends_and_tabs_keep_their_places():
    found = error("a[0] = 1;\r\n\ta[1] = q;", "//", gs.CudaSyntaxError)
    assert (found.line, found.column, found.message) == (4, 9, 'identifier "q" is undefined')
