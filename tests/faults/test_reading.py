"""What people paste is read as nvcc reads it: right values, or a refusal in words."""

import numpy as np
import pytest

import gpusim as gs


def result(text, threads=1, *more, n=None, dtype=np.int32, **defines):
    """The array that kernel k of `text` leaves in its first parameter."""
    out = gs.zeros(n or threads, dtype)
    gs.cuda(text, **defines).k[1, threads](out, *more)
    return gs.asnumpy(out).tolist()


def k(body, before="", parameters="int *o"):
    return f"{before}\n__global__ void k({parameters}) {{ {body} }}"


# The preprocessor.

COUNT = """#define FOURTH(a, b, c, d, ...) d
#define COUNT(...) FOURTH(__VA_ARGS__, 3, 2, 1)
"""


@pytest.mark.parametrize(
    "head, use",
    [("V(x, ...)", ", ##__VA_ARGS__"), ("V(x, rest...)", ", ##rest"), ("V(x, ...)", ",##__VA_ARGS__")],
)
def test_a_comma_pasted_to_no_further_arguments_is_dropped(head, use):
    text = COUNT + f"#define {head} (x * 10 + COUNT(0 {use}))\n"
    assert result(k("o[0] = V(3); o[1] = V(3, 7); o[2] = V(3, 7, 8);", text), n=3) == [31, 32, 33]


@pytest.mark.parametrize(
    "condition, holds",
    [
        ("-1 > 0u", True),
        ("-1 > 0", False),
        ("0 && (1 / 0)", False),
        ("1 || 1 / 0", True),
        ("1 ? 2 : 1 / 0", True),
        ("0 - 1u == 0xffffffffffffffff", True),
        ("(0 ? 0u : -1) > 0", True),
        ("-1 >> 1 == -1", True),
        ("~0u >> 63 == 1", True),
        ("-7 / 2 == -3", True),
        ("2 - 3 < 1 && 2u - 3 > 1", True),
    ],
)
def test_a_condition_of_the_preprocessor_is_reckoned_as_in_c(condition, holds):
    text = k("o[0] = A;", f"#if {condition}\n#define A 1\n#else\n#define A 2\n#endif")
    assert result(text) == [1 if holds else 2]


@pytest.mark.parametrize("condition", ["1 / 0", "0 || 1 / 0", "1 << 64", "1.5"])
def test_a_condition_without_a_value_is_an_error_at_its_place(condition):
    with pytest.raises(gs.CudaSyntaxError, match="#if"):
        gs.cuda(k("", f"#if {condition}\n#endif"))


def test_a_token_split_by_a_line_continuation_is_one():
    text = k("o[thr\\\nead\\\nIdx.x] +\\\n= 4\\\n2;")
    assert result(text, 2) == [42, 42]


def test_an_error_behind_a_split_token_has_its_own_place():
    with pytest.raises(gs.CudaSyntaxError) as error:
        gs.cuda("__global__ void k(int *o) {\n o[thr\\\neadIdx.x] = 1; o[1] = wrong; }")
    assert (error.value.line, error.value.column) == (3, 23)


def test_a_text_knows_its_file_and_line():
    run = gs.cuda(k('printf("%s:%d", __FILE__, __LINE__);'), file="a/b.cu").k[1, 1](gs.zeros(1, np.int32))
    assert run.printed == ["a/b.cu:1"]


def test_a_number_too_large_for_a_double_is_infinite():
    assert result(k("o[0] = 0x1p99999;", parameters="double *o"), dtype=np.float64) == [np.inf]


# Templates.


@pytest.mark.parametrize(
    "parameter", ["const uint N", "const int N = 3", "unsigned const N", "int const N", "uint N"]
)
def test_a_template_parameter_with_qualifiers_is_given_by_keyword(parameter):
    text = f"template <{parameter}> " + k("o[0] = N;").strip()
    assert result(text, N=8) == [8]


# Memory at file scope.

FLIP = """__shared__ float stage[64], last;
__device__ void keep(float x) { stage[threadIdx.x] = x; }
template <int N> __global__ void half(float *v) { keep(v[threadIdx.x]); __syncthreads(); v[threadIdx.x] = stage[N - 1 - threadIdx.x]; }
__global__ void none(float *v) { v[threadIdx.x] = 1; }
__global__ void flip(float *v) {
    int g = blockIdx.x * 64 + threadIdx.x;
    keep(v[g]);
    __syncthreads();
    v[g] = stage[63 - threadIdx.x];
}"""


def test_shared_memory_at_file_scope_is_one_array_for_each_block():
    x, program = np.arange(256, dtype=np.float32), gs.cuda(FLIP)
    on_device = gs.asarray(x)
    run = program.flip[4, 64](on_device)
    assert (gs.asnumpy(on_device) == x.reshape(4, 64)[:, ::-1].ravel()).all()
    assert not run.reports and run.counts.shared_load_requests == 8
    sizes = [program[name].static_shared for name in ("flip", "none", "half<32>", "half<32>", "half<16>")]
    assert sizes == [256, 0, 256, 256, 256]


def test_dynamic_shared_memory_at_file_scope_is_that_of_the_launch():
    text = """extern __shared__ float bag[];
        __device__ void keep(float x) { bag[threadIdx.x] = x; }
        extern __shared__ float bag[];
        __global__ void k(float *v) { keep(v[threadIdx.x]); __syncthreads(); v[threadIdx.x] = bag[blockDim.x - 1 - threadIdx.x]; }"""
    on_device = gs.asarray(np.arange(64, dtype=np.float32))
    gs.cuda(text).k[1, 64, 256](on_device)
    assert gs.asnumpy(on_device).tolist() == list(range(63, -1, -1))


@pytest.mark.parametrize(
    "text", ["__shared__ int s[4] = {1};", "extern __shared__ int s;", "__shared__ int s[];"]
)
def test_wrong_shared_memory_at_file_scope_is_an_error(text):
    with pytest.raises(gs.CudaSyntaxError, match="shared|incomplete"):
        gs.cuda(k("", text))


# Functions of CUDA.


def test_shuffles_and_votes_of_the_time_before_volta_run_and_are_noted():
    body = """int i = threadIdx.x;
        o[i] = __shfl(i, 3) + __shfl_down(i, 1, 8) * 100;
        if (i < 7) o[i] += 10000 * __popc(__ballot(i % 2 == 0)) + 100000 * __any(i == 6) + 1000000 * __all(i < 7);"""
    program = gs.cuda(k(body))
    run = program.k[1, 32](out := gs.zeros(32, np.int32))
    lanes = np.arange(32)
    want = 3 + 100 * np.where(lanes % 8 < 7, lanes + 1, lanes) + np.where(lanes < 7, 1140000, 0)
    assert gs.asnumpy(out).tolist() == want.tolist() and not run.reports
    notes = [note for _, note in program.skipped]
    assert sum("gone since Volta" in note for note in notes) == 5


def test_match_all_says_whether_all_lanes_agree():
    body = """int all; unsigned m = __match_all_sync(0xffffffff, threadIdx.x / 32, &all); o[threadIdx.x] = all * 10 + (m == 0xffffffff);
        m = __match_all_sync(0xffffffff, threadIdx.x / 16, &all); o[threadIdx.x] += all * 1000 + (m == 0) * 100;"""
    assert result(k(body), 64) == [111] * 64


def test_dot_products_of_bytes_have_all_their_overloads():
    a, b = np.array([200, 3, 250, 7], np.uint8), np.array([2, 255, 4, 129], np.uint8)
    signed, unsigned = int(a.view(np.int8) @ b.view(np.int8).astype(int)), int(a.astype(int) @ b)
    body = """o[0] = __dp4a(*(int*)a, *(int*)b, 5); o[1] = __dp4a(*(unsigned*)a, *(unsigned*)b, 5u);
        o[2] = __dp4a(*a, *b, 5); o[3] = __dp4a(*(uchar4*)a, *(uchar4*)b, 5u);
        o[4] = __dp2a_lo(0x00030002, 0x04030201, 1); o[5] = __dp2a_hi(0x00030002, 0x04030201, 1);
        o[6] = __dp2a_lo(make_short2(-2, 3), make_char4(1, -2, 3, 4), 0);"""
    text = k(body, parameters="int *o, const char4 *a, const char4 *b")
    rows = [gs.asarray(x.view(np.int8).reshape(1, 4)) for x in (a, b)]
    want = [signed + 5, unsigned + 5, signed + 5, unsigned + 5, 1 + 2 * 1 + 3 * 2, 1 + 2 * 3 + 3 * 4, -8]
    assert result(text, 1, *rows, n=7) == want


def test_limits_have_the_names_that_compilers_give_them():
    assert result(k("o[0] = __FLT_MAX__ == FLT_MAX; o[1] = __INT_MAX__ == INT_MAX;"), n=2) == [1, 1]


# Memory by bytes.


def test_memcpy_moves_bits_between_types():
    body = """float f = t; int i; memcpy(&i, &f, sizeof i); o[t] = i;
        float g; memcpy(&g, &i, 4); o[32 + t] = g; memcpy(o + 64 + t, &f, 4);
        struct { short a; short b; } s; memcpy(&s, &t, sizeof(s)); o[96 + t] = s.a + 1000 * s.b;"""
    bits, lanes = np.arange(32, dtype=np.float32).view(np.int32).tolist(), list(range(32))
    assert result(k("int t = threadIdx.x; " + body), 32, n=128) == bits + lanes + bits + lanes


@pytest.mark.parametrize("size", ["4 * N", "sizeof(tile)", "n", "n - 3"])
def test_memcpy_moves_arrays_of_any_number_of_bytes(size):
    body = f"int tile[N]; for (int i = 0; i < N; i++) tile[i] = 0; memcpy(tile, a, {size}); std::memcpy(o, tile, 4 * N);"
    text = f"#define N {40}\n" + k(body, parameters="int *o, const int *a, int n")
    given = np.arange(1, 41, dtype=np.int32) * 0x01010101
    want = given.copy()
    if size == "n - 3":
        want.view(np.uint8)[-3:] = 0
    out = gs.zeros(40, np.int32)
    gs.cuda(text).k[1, 1](out, gs.asarray(given), 160)
    assert gs.asnumpy(out).tolist() == want.tolist()


@pytest.mark.parametrize(
    "kind, byte, want",
    [("int", "-1", -1), ("float", "0", 0), ("short", "1", 257), ("double", "b", 0), ("uchar", "b", 7)],
)
def test_memset_gives_every_byte_its_value(kind, byte, want):
    size = "sizeof x" if byte != "b" else "n"
    body = f"{kind} x[6]; int b = {7 if want else 0}; memset(x, {byte}, {size}); for (int i = 0; i < 6; i++) o[i] = x[i];"
    itemsize = {"int": 4, "float": 4, "short": 2, "double": 8, "uchar": 1}[kind]
    assert result(k(body, parameters="int *o, int n"), 1, 6 * itemsize, n=6) == [want] * 6


def test_memset_zeroes_structs_and_memory():
    body = "struct P { float4 v; int n; } p; memset(&p, 0, sizeof p); o[0] = p.v.w + p.n; memset(o + 1, 0, 8); memset(&o[3], 0x7f, 4);"
    before = gs.asarray(np.array([9, 9, 9, 9], np.int32))
    gs.cuda(k(body)).k[1, 1](before)
    assert gs.asnumpy(before).tolist() == [0, 0, 0, 0x7F7F7F7F]


@pytest.mark.parametrize("call", ["memcpy(o, 1, 4)", "memset(o, 0)", "memcpy(a, o, 4)", "memset(1, 0, 4)"])
def test_memcpy_of_what_is_no_memory_is_an_error(call):
    with pytest.raises(gs.CudaSyntaxError, match="too few|incompatible|const"):
        gs.cuda(k(call + ";", parameters="int *o, const int *a"))


def test_constant_memory_is_passed_as_a_plain_pointer_and_never_written():
    head = "__constant__ int key[4] = {1, 2, 3, 4}; __device__ int mix(int *k, int v) { return v ^ k[3]; }"
    assert result(k("o[threadIdx.x] = mix(key, threadIdx.x);", head), 4) == [4, 5, 6, 7]
    with pytest.raises(gs.CudaSyntaxError, match="modifiable"):
        gs.cuda(k("key[0] = 1;", head))
    with pytest.raises(gs.GpusimError, match="constant"):
        result(k("int *p = key; p[threadIdx.x] = 1; o[0] = 1;", head))


# Pointers in memory, and structs as bytes.


def test_pointers_into_one_array_are_chosen_by_each_thread():
    body = "int *p[2] = {a, a + 4}; o[threadIdx.x] = p[threadIdx.x & 1][threadIdx.x / 2];"
    given = gs.asarray(np.arange(8, dtype=np.int32))
    assert result(k(body, parameters="int *o, int *a"), 8, given) == [0, 4, 1, 5, 2, 6, 3, 7]


def test_pointers_into_several_arrays_are_refused_in_words():
    body = "int *p[2] = {a, b}; o[threadIdx.x] = p[threadIdx.x & 1][0];"
    with pytest.raises(gs.CudaUnsupported, match="chooses among the pointers in p") as error:
        result(k(body, parameters="int *o, int *a, int *b"), 4, gs.zeros(4, np.int32), gs.zeros(4, np.int32))
    assert error.value.line == 1
    uniform = "int *p[2] = {a, b}; for (int i = 0; i < 2; i++) o[i] = p[i][0];"
    given = [gs.asarray(np.full(4, x, np.int32)) for x in (5, 6)]
    assert result(k(uniform, parameters="int *o, int *a, int *b"), 1, *given, n=2) == [5, 6]


def test_an_array_of_pointers_is_refused_with_what_to_do_instead():
    text = "__global__ void k(float **batch, int n) { if (threadIdx.x < n) batch[blockIdx.x][threadIdx.x] *= 2.f; }"
    for dtype in (np.float32, np.int64):
        with pytest.raises(gs.LaunchError, match="array of pointers") as error:
            gs.cuda(text).k[2, 32](gs.zeros((2, 32), dtype), 32)
        assert "one array" in str(error.value)


def test_structs_come_as_raw_bytes():
    before = "struct P { char tag; float x; int n; };"
    records = np.zeros(4, np.dtype([("tag", "i1"), ("x", "f4"), ("n", "i4")], align=True))
    records["x"], records["n"] = [1, 2, 3, 4], [5, 6, 7, 8]
    body = "P p = a[threadIdx.x]; o[threadIdx.x] = p.x * 10 + p.n;"
    text = k(body, before, "int *o, const P *a")
    assert result(text, 4, gs.asarray(records.view(np.uint8))) == [15, 26, 37, 48]
    with pytest.raises(gs.LaunchError):
        result(text, 4, gs.asarray(records.view(np.uint8)[:-1]))


# Rounding in a direction.


def directed(exact, mode, kind):
    """The float towards which an exact number is rounded, by search among the neighbours of the nearest."""
    near = kind(float(exact))
    around = sorted(
        {float(np.nextafter(near, kind(-np.inf))), float(near), float(np.nextafter(near, kind(np.inf)))}
    )
    below = [x for x in around if x <= exact]
    above = [x for x in around if x >= exact]
    down = mode == "rd" or mode == "rz" and exact > 0
    return below[-1] if down else above[0]


@pytest.mark.parametrize("mode", ["rz", "ru", "rd"])
def test_integers_become_floats_in_the_direction_that_is_asked_for(mode):
    whole = np.array([0, 1, -7, (1 << 24) + 1, -(1 << 24) - 1, 2**31 - 1, -(2**31) + 1, 123456789], np.int32)
    body = f"o[threadIdx.x] = __int2float_{mode}(a[threadIdx.x]); o[8 + threadIdx.x] = __ll2float_{mode}(a[threadIdx.x] * 65537ll);"
    text = k(body, parameters="float *o, const int *a")
    want = [directed(int(x) * scale, mode, np.float32) for scale in (1, 65537) for x in whole]
    assert result(text, 8, gs.asarray(whole), n=16, dtype=np.float32) == want


@pytest.mark.parametrize("mode", ["rz", "ru", "rd"])
def test_sums_and_products_round_in_the_direction_that_is_asked_for(mode):
    from fractions import Fraction as F

    a, b = (np.random.default_rng(s).standard_normal(32).astype(np.float32) for s in (1, 2))
    body = f"""float x = a[threadIdx.x], y = b[threadIdx.x]; int t = threadIdx.x;
        o[t] = __fadd_{mode}(x, y); o[32 + t] = __fmul_{mode}(x, y); o[64 + t] = __fdiv_{mode}(x, y);
        o[96 + t] = __fmaf_{mode}(x, y, x); o[128 + t] = __double2float_{mode}(x / 3.0); o[160 + t] = __frcp_{mode}(y);
        o[192 + t] = __fsqrt_{mode}(x * x);"""
    x, y = [F(float(v)) for v in a], [F(float(v)) for v in b]
    exact = [[p + q for p, q in zip(x, y)], [p * q for p, q in zip(x, y)], [p / q for p, q in zip(x, y)]]
    exact += [[p * q + p for p, q in zip(x, y)], [F(float(p) / 3.0) for p in x], [1 / q for q in y]]
    want = [directed(e, mode, np.float32) for row in exact for e in row]
    got = result(
        k(body, parameters="float *o, const float *a, const float *b"),
        32,
        gs.asarray(a),
        gs.asarray(b),
        n=224,
        dtype=np.float32,
    )
    assert got[:192] == want
    squares, roots = [F(float(np.float32(v * v))) for v in a], [F(v) for v in got[192:]]
    assert all((r * r >= s) if mode == "ru" else (r * r <= s) for r, s in zip(roots, squares))


def test_the_largest_float_is_where_rounding_to_zero_ends():
    body = "o[0] = __fmul_rz(3e38f, 3e38f); o[1] = __fmul_ru(3e38f, 3e38f); o[2] = __fadd_rd(-3e38f, -3e38f); o[3] = __int2float_rz(threadIdx.x + 5);"
    most = float(np.finfo(np.float32).max)
    assert result(k(body, parameters="float *o"), n=4, dtype=np.float32) == [most, np.inf, -np.inf, 5]


def test_the_bits_of_a_half_are_a_short():
    body = "o[0] = __half_as_ushort(__float2half(-2.0f)); o[1] = __half2float(__ushort_as_half(0x3c00)); o[2] = __half_as_short(__float2half(-2.0f));"
    assert result(k(body), n=3) == [0xC000, 1, 0xC000 - 0x10000]
