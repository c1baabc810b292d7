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
