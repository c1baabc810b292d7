"""Fragments that are not used by a whole warp, do not lie as the hardware asks, or are of another shape: errors
that say so at the user's line."""

import numpy as np
import pytest

import gpusim as gs

HEAD = "#include <mma.h>\nusing namespace nvcuda;\n"
OPENING = "__global__ void k(const half *A, const half *B, float *C, int N) {\n"
FRAGMENTS = """    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
"""
PRODUCT = """wmma::fill_fragment(c, 0.0f);
    wmma::load_matrix_sync(a, A, N);
    wmma::load_matrix_sync(b, B, N);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, N, wmma::mem_row_major);"""
LINE = 7  # of the statements behind the fragments


def text(statements, fragments=FRAGMENTS):
    return f"{HEAD}{OPENING}{fragments}    {statements}\n}}\n"


def run(statements, block=32, **options):
    A, B = gs.full(4096, 1, np.float16), gs.full(4096, 1, np.float16)
    return gs.launch(gs.cuda(text(statements)).k, 1, block, A, B, gs.zeros(4096, np.float32), 16, **options)


def refused(error, words, statements, **options):
    with pytest.raises(error) as caught:
        run(statements, **options)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    return caught.value


def test_a_whole_warp_multiplies():
    assert run(PRODUCT, block=64).counts.tensor_instructions == 4
    assert run(f"if (threadIdx.x < 32) {{ {PRODUCT} }}", block=64).counts.tensor_instructions == 2


@pytest.mark.parametrize(
    "statements, block, lanes, thread",
    [
        (PRODUCT, 48, 16, (32, 0, 0)),
        (PRODUCT, (8, 2), 16, (0, 0, 0)),
        (f"if (threadIdx.x % 32 < 5) {{ {PRODUCT} }}", 64, 5, (0, 0, 0)),
        (f"if (threadIdx.x != 40) {{ {PRODUCT} }}", 64, 31, (32, 0, 0)),
        (f"if (threadIdx.x == 3) return; {PRODUCT}", 32, 31, (0, 0, 0)),
    ],
    ids=["short warp", "small block", "a few lanes", "all but one", "one has returned"],
)
def test_part_of_a_warp_is_refused(statements, block, lanes, thread):
    error = refused(
        gs.BarrierError, [f"by {lanes} of the 32 lanes", "threadIdx.x / 32"], statements, block=block
    )
    assert error.line == LINE and error.thread == thread
    specs = [gs.spec(4096, np.float16), gs.spec(4096, np.float16), gs.spec(4096, np.float32), 16]
    with pytest.raises(gs.BarrierError):
        gs.count(gs.cuda(text(statements)).k, 1, block, *specs)


def test_each_of_the_functions_asks_for_a_whole_warp():
    for statement in (line.strip() for line in PRODUCT.split("\n")):
        name = statement.split("(")[0]
        before = PRODUCT.split(statement)[0]
        refused(gs.BarrierError, [f"{name}() is reached by 8"], f"{before} if (threadIdx.x < 8) {statement}")


@pytest.mark.parametrize(
    "statements, words",
    [
        ("wmma::load_matrix_sync(a, A + threadIdx.x, N);", ["different pointers", "threadIdx.x / 32"]),
        (
            "wmma::load_matrix_sync(a, A + 16 * (int)(float)A[threadIdx.x] * threadIdx.x, N);",
            ["different pointers"],
        ),
        ("wmma::load_matrix_sync(a, A, 16 + 8 * (threadIdx.x % 2));", ["different strides"]),
        ("wmma::load_matrix_sync(a, A, 17);", ["a multiple of 16 bytes, not 34", "pad lines by 8 half"]),
        ("wmma::load_matrix_sync(c, C, 18, wmma::mem_row_major);", ["a multiple of 16 bytes, not 72"]),
        ("wmma::load_matrix_sync(a, A + 8, N);", ["start at a multiple of 32 bytes, not 16"]),
        ("wmma::load_matrix_sync(a, A + 4080, N);", ["index 4096 is outside A, which has 4096 elements"]),
        (
            "wmma::fill_fragment(c, 0.f); wmma::store_matrix_sync(C + 3856, c, N, wmma::mem_col_major);",
            ["outside C"],
        ),
    ],
)
def test_a_matrix_that_does_not_lie_as_the_hardware_asks(statements, words):
    error = refused(gs.OutOfBounds, words, statements)
    assert error.line == LINE and error.text.strip() == statements


def test_a_matrix_beyond_the_array_can_be_reported_instead():
    found = run("wmma::load_matrix_sync(a, A + 3856, N);", bounds="report").reports
    assert [(r.kind, r.line, r.index) for r in found] == [("out of bounds", LINE, 4096)]


def test_a_local_array_and_a_card_without_tensor_cores():
    local = "half s[256]; for (int i = 0; i < 256; i++) s[i] = 0.f; wmma::load_matrix_sync(a, s, 16);"
    refused(gs.CudaUnsupported, ["s is a local array"], local)
    refused(gs.LaunchError, ["the GTX 980 has no tensor cores"], PRODUCT, gpu=gs.GTX_980)
    refused(gs.LaunchError, ["cannot run one after the other"], PRODUCT, order="threads")


def test_a_fragment_without_values_is_reported():
    forgot = PRODUCT.replace("wmma::fill_fragment(c, 0.0f);", "")
    (report,) = run(forgot).reports
    assert report.kind == "unset read" and "c[0]" in report.message
    assert gs.cuda(text(forgot)).k.unit.line(report.line).strip().startswith("wmma::mma_sync")


def test_counting_names_the_load_that_a_branch_needs():
    specs = [gs.spec(4096, np.float16), gs.spec(4096, np.float16), gs.spec(4096, np.float32), 16]
    branch = PRODUCT + "\n    if (c.x[0] > 1.0f) C[threadIdx.x] = 0.0f;"
    with pytest.raises(gs.NotCountable) as caught:
        gs.count(gs.cuda(text(branch)).k, 1, 32, *specs)
    assert caught.value.line == LINE + 5 and "loads from A" in str(caught.value)


FRAGMENT = "wmma::fragment<wmma::{}> f;"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("matrix_a, 32, 8, 16, half, wmma::row_major", ["32 x 8 x 16 in half is not supported"]),
        ("accumulator, 8, 32, 16, float", ["8 x 32 x 16"]),
        ("matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major", ["precision"]),
        ("matrix_a, 16, 16, 16, signed char, wmma::row_major", ["in char is not supported"]),
        ("matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major", ["bfloat16"]),
        ("matrix_b, 16, 16, 16, float, wmma::row_major", ["in float is not supported"]),
        ("accumulator, 16, 16, 16, int", ["in int is not supported"]),
    ],
)
def test_other_shapes_and_types_are_refused_with_what_is_supported(arguments, words):
    with pytest.raises(gs.CudaUnsupported) as caught:
        gs.cuda("#include <cuda_bf16.h>\n" + text("", FRAGMENT.format(arguments)))
    said = str(caught.value)
    assert all(word in said for word in words) and ("16 x 16 x 16, half" in said or "use half" in said)


@pytest.mark.parametrize(
    "statements, words",
    [
        (FRAGMENT.format("matrix_a, 16, 16, 16, half"), ["needs a layout: wmma::row_major"]),
        (FRAGMENT.format("accumulator, 16, 16, 16, float, wmma::row_major"), ["no layout of its own"]),
        (FRAGMENT.format("row_major, 16, 16, 16, half, wmma::row_major"), ["is none of wmma::matrix_a"]),
        (FRAGMENT.format("matrix_a, 16, 16"), ["3 given, 5 or 6 wanted"]),
        ("wmma::fragment f;", ["argument list for class template"]),
        ("int f = wmma::fragment;", ['"fragment" is a type']),
        ("wmma::load_matrix_sync(c, C, N);", ["needs a fourth argument", "mem_row_major"]),
        ("wmma::load_matrix_sync(a, A, N, wmma::mem_row_major);", ["takes 3 arguments"]),
        ("wmma::load_matrix_sync(a, C, N);", ["matrix of half in memory"]),
        ("wmma::load_matrix_sync(A, a, N);", ["fragment, pointer, elements from line to line"]),
        ("wmma::load_matrix_sync(a, A);", ["too few arguments", "3 or 4"]),
        ("wmma::store_matrix_sync(A, c, N, wmma::mem_row_major);", ["matrix of float in memory"]),
        ("const float *D = C; wmma::store_matrix_sync(D, c, N, wmma::mem_row_major);", ["is const"]),
        ("wmma::store_matrix_sync(C, a, N, wmma::mem_row_major);", ["fragment of accumulator"]),
        ("wmma::mma_sync(c, b, a, c);", ["result, matrix_a, matrix_b, accumulator"]),
        ("wmma::mma_sync(c, a, b);", ["mma_sync takes 4, 3 given"]),
    ],
)
def test_wrong_use_is_a_syntax_error_at_its_line(statements, words):
    with pytest.raises(gs.CudaSyntaxError) as caught:
        gs.cuda(text(statements))
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert caught.value.line == LINE


def test_without_the_namespace_the_message_says_what_is_missing():
    with pytest.raises(gs.CudaSyntaxError, match="using namespace nvcuda"):
        gs.cuda(text("").removeprefix(HEAD))
