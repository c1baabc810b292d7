"""Templates, constants and what else C++ decides before the run: as nvcc decides it."""

import contextlib
import io

import numpy as np
import pytest

import gpusim as gs
from gpusim.__main__ import main


def result(text, threads=1, *more, n=None, dtype=np.int32, **defines):
    """The array that kernel k of `text` leaves in its first parameter."""
    out = gs.zeros(n or threads, dtype)
    gs.cuda(text, **defines).k[1, threads](out, *more)
    return gs.asnumpy(out).tolist()


def k(body, before="", parameters="int *o"):
    return f"{before}\n__global__ void k({parameters}) {{ {body} }}"


# What is refused takes nothing else with it.

REFUSED = """__device__ int take(int v) { asm("nop;"); return v; }
__device__ auto more(int v) { return take(v) + 1; }
__global__ void a(int *x) { x[0] = more(x[0]); }
__global__ void b(int *x) { x[1] = more(x[1]); }
template <int N> __global__ void t(int *x) { x[1] = take(N); }
__global__ void fine(int *x) { x[2] = 5; }
"""


def test_a_refused_helper_takes_only_the_kernels_that_call_it():
    program = gs.cuda(REFUSED)
    assert list(program.kernels) == ["fine"]
    for name in "ab":
        with pytest.raises(gs.CudaUnsupported, match="inline PTX"):
            program[name]
        with pytest.raises(gs.CudaUnsupported, match="inline PTX"):
            getattr(program, name)
    with pytest.raises(gs.CudaUnsupported, match="inline PTX"):
        program["t<4>"]
    program.fine[1, 1](out := gs.zeros(3, np.int32))
    assert gs.asnumpy(out).tolist() == [0, 0, 5]


def test_the_listing_says_what_does_not_run_and_why(tmp_path):
    file, out = tmp_path / "k.cu", io.StringIO()
    file.write_text(REFUSED)
    with contextlib.redirect_stdout(out):
        main([str(file)])
    lines = out.getvalue().splitlines()
    told = {a.split(": ")[1]: b for a, b in zip(lines[1:], lines[2:]) if a.startswith("line ")}
    assert "4 kernels" in lines[0] or "k.cu: 4" in lines[0]
    assert all("inline PTX is not supported (line 1)" in told[name] for name in ("a", "b", "template t<N>"))


# Constants.

SQUARE = "constexpr __host__ __device__ int sq(int x) { return x * x; }"
POWER = """constexpr int power(int base, int n) { int all = 1; for (int i = 0; i < n; ++i) { all *= base; } return all; }
constexpr int log2(int n) { return n < 2 ? 0 : 1 + log2(n / 2); }
constexpr int up(int a, int b) { while (a % b) a++; if (a < 0) return 0; else return a; }"""


@pytest.mark.parametrize(
    "before, body, want",
    [
        (SQUARE, "int v[sq(2)]; v[3] = 1; o[0] = sizeof(v) + v[3];", 17),
        (SQUARE, "constexpr int n = sq(3); int v[n]; o[0] = sizeof v;", 36),
        (SQUARE + "constexpr int n(sq(3) + 1);", "o[0] = n;", 10),
        (SQUARE + "struct S { static constexpr int n = sq(3); };", "o[0] = S::n;", 9),
        (SQUARE + "template <int N> struct A { int x[N]; };", "A<sq(3)> a; o[0] = sizeof a;", 36),
        (SQUARE, 'static_assert(sq(3) == 9, ""); switch (9) { case sq(3): o[0] = 1; }', 1),
        (POWER, "int v[power(2, 5)]; o[0] = sizeof v / 4;", 32),
        (POWER, "int v[up(65, 32)]; o[0] = sizeof v / 4;", 96),
        ("constexpr int side(4);", "o[0] = side;", 4),
        ("const unsigned side(4);", "int area(side * side); o[0] = area;", 16),
        ("", "constexpr int side{4}; const int n(side); int v[n]; o[0] = sizeof v;", 16),
        ("static constexpr unsigned kA = 1u << 4, kB(kA + 1);", "o[0] = kB;", 17),
    ],
)
def test_a_constant_is_known_before_the_run_in_all_its_forms(before, body, want):
    assert result(k(body, before)) == [want]


def test_what_no_constant_expression_holds_is_an_error():
    with pytest.raises(gs.CudaSyntaxError, match="constant integer"):
        gs.cuda(k("int v[f(4)];", "__device__ int f(int x) { return x + threadIdx.x; }"))
    with pytest.raises(gs.CudaSyntaxError, match="constant integer"):
        gs.cuda(k("int v[f(4)];", "constexpr int f(int x) { while (true) x = x + 0; return x; }"))
    with pytest.raises(gs.CudaSyntaxError, match="static assertion"):
        gs.cuda(k("", SQUARE + "static_assert(sq(2) == 5);"))


# if constexpr.

POW = "template <int N> __device__ int pw(int x) { if constexpr (N == 0) return 1; else return x * pw<N - 1>(x); }"
KIND = """template <class T> __device__ int kind(T x) {
    if constexpr (sizeof(T) == 8) return 8; else if constexpr (sizeof(T) == 4) { return x + 4; }
    else for (int i = 0; i < 3; i++) if (x.wrong) return 1; else return 2; }"""


def test_the_side_of_if_constexpr_that_is_not_taken_is_not_read():
    assert result(k("o[threadIdx.x] = pw<3>(threadIdx.x);", POW), 4) == [0, 1, 8, 27]
    assert result(k("o[0] = kind(1.0); o[1] = kind(3);", KIND), n=2) == [8, 7]
    text = (
        SQUARE
        + "template <int N> __device__ int f() { if constexpr (sq(N) > 8) { return 1; } else { return wrong; } }"
    )
    assert result(k("o[0] = f<3>();", text)) == [1]


# auto.


@pytest.mark.parametrize(
    "body",
    [
        "auto *p = o; p[0] = 7;",
        "auto* p = o + 1; p[-1] = 7;",
        "const auto *p = o + 1; o[0] = p[0] + 7;",
        "const auto* p = reinterpret_cast<const int2*>(o); o[0] = p[0].y + 7;",
        "auto *const p = &o[0]; *p = 7;",
        "auto p = o, q = p; q[0] = 7;",
        "int a[2] = {1, 2}; auto *p(a); o[0] = p[1] + 5;",
    ],
)
def test_auto_takes_the_rest_of_a_pointers_type(body):
    assert result(k(body), n=2) == [7, 0]


def test_auto_does_not_make_a_pointer_of_a_number():
    with pytest.raises(gs.CudaSyntaxError, match="cannot deduce"):
        gs.cuda(k("auto *p = 4;"))


# Names for types, functions and templates.


def test_an_enum_is_made_from_a_number():
    before = "enum F { X = 1, Y = 2 }; enum class G : unsigned { A = 4 };"
    assert result(k("F f = F(X | Y); G g = G(5); o[0] = f + int(G{6}) + int(g);", before)) == [14]


APPLY = """template <float (*F)(float)> __device__ float use(float x) { return F(x); }
template <typename F> __device__ float apply(F f, float x) { return f(x); }
template <typename F> __device__ float twice(const F &f, float x) { return f(f(x)); }
__device__ float sq(float x) { return x * x; }
template <typename T> __device__ T inc(T x) { return x + 1; }
namespace deep { __device__ float neg(float x) { return -x; } }
struct Half { __device__ float operator()(float x) const { return x / 2; } };
"""


@pytest.mark.parametrize(
    "call, want",
    [
        ("use<sq>(x)", 9),
        ("use<&sq>(x)", 9),
        ("use<inc<float>>(x)", 4),
        ("use<deep::neg>(x)", -3),
        ("apply(sq, x)", 9),
        ("apply(&sq, x)", 9),
        ("apply(inc<float>, x)", 4),
        ("twice(sq, x)", 81),
        ("apply(Half(), x)", 1.5),
        ("apply([](float y) { return y + 10; }, x)", 13),
    ],
)
def test_a_function_is_an_argument_of_a_template(call, want):
    text = k(f"float x = 3; o[0] = {call};", APPLY, "float *o")
    assert result(text, dtype=np.float32) == [want]


def test_a_function_by_its_name():
    assert result(k("auto f = sq; o[0] = f(4);", APPLY, "float *o"), dtype=np.float32) == [16]
    with pytest.raises(gs.CudaUnsupported, match="function pointers"):
        gs.cuda(k("float (*f)(float) = sq;", APPLY, "float *o"))


def test_a_group_reduces_with_a_function():
    text = """#include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __device__ int larger(int a, int b) { return a > b ? a : b; }
    __global__ void k(int *o) { auto w = cg::tiled_partition<8>(cg::this_thread_block()); o[threadIdx.x] = cg::reduce(w, (int)threadIdx.x, larger); }"""
    assert result(text, 32) == [7] * 8 + [15] * 8 + [23] * 8 + [31] * 8


def test_a_template_is_an_argument_of_a_template():
    before = """template <typename T> struct Larger { __device__ T operator()(T a, T b) const { return a > b ? a : b; } };
    template <template <typename> class Op, typename T> __device__ T both(T a, T b) { return Op<T>()(a, b); }
    template <typename T, template <typename> class Op = Larger> struct Fold { __device__ T run(T a, T b) { return Op<T>()(b, a); } };"""
    body = "Fold<int> f; o[0] = both<Larger, int>(3, 4) * 10 + both<Larger>(1, 2) + 100 * f.run(5, 2);"
    assert result(k(body, before)) == [542]


def test_an_alias_template_stands_for_its_type():
    before = """template <typename T, int N> struct Vec { T x[N]; };
    template <typename T> using Vec4 = Vec<T, 4>;
    template <typename T = int> using Pointer = const T*;
    template <typename T> __device__ T first(Vec4<T> v) { return v.x[0]; }"""
    body = "Vec4<int> v = {{5, 6, 7, 8}}; Pointer<int> p = v.x; Pointer<> q = p + 1; o[0] = first(v) + 10 * p[3] + 100 * *q + 1000 * sizeof(Vec4<double>);"
    assert result(k(body, before)) == [32685]


# Loops over ranges, and what lambdas capture.


def test_a_loop_goes_over_an_array():
    body = """int a[4] = {1, 2, 3, 4}, s = 0; __shared__ float t[3];
        for (auto &x : t) x = 2; for (int x : a) s += x; for (const auto &x : a) { if (x == 2) continue; s += 10 * x; }
        for (auto &x : a) x *= 2; for (double x : t) s += 1000 * x; for (auto x : a) { if (x > 4) break; s += 100000 * x; }
        int m[2][2] = {{1, 2}, {3, 4}}; for (auto &row : m) for (int x : row) s += 10000000 * x; o[0] = s;"""
    assert result(k(body)) == [10 + 80 + 6000 + 600000 + 100000000]


@pytest.mark.parametrize("loop", ["for (int x : {1, 2}) o[0] = x;", "for (int x : o) o[0] = x;"])
def test_a_loop_over_what_is_no_array_is_refused_in_words(loop):
    with pytest.raises(gs.CudaUnsupported, match="range-based for"):
        gs.cuda(k(loop))


def test_a_lambda_has_variables_of_its_own():
    body = """int m = 3; auto f = [z = m * 2, m](int x) { return z + x + 100 * m; }; auto g = [&r = m](int x) { r += x; };
        m = 50; o[0] = f(1); g(2); o[1] = m; o[2] = [q = m + 1](int x) { return q * x; }(2);"""
    assert result(k(body), n=3) == [307, 52, 106]


def test_dynamic_parallelism_textures_and_ptx_are_refused_by_name_beside_what_runs(tmp_path):
    file, out = tmp_path / "k.cu", io.StringIO()
    file.write_text("""__global__ void child(int *x) { x[0] = 1; }
__global__ void parent(int *x) { child<<<1, 1>>>(x); }
__global__ void picture(cudaTextureObject_t t, float *o) { o[0] = tex2D<float>(t, 0, 0); }
__global__ void ptx(int *x) { asm("nop;"); }
""")
    with contextlib.redirect_stdout(out):
        main([str(file)])
    told = out.getvalue()
    assert "child(int* x)" in told and "--kernel child" in told
    for name, what in (("parent", "dynamic parallelism"), ("picture", "textures"), ("ptx", "inline PTX")):
        assert f": {name}\n  does not run here: {what}" in told
