"""CUDA C as trees: what each construct becomes, its conversions written out."""

import re

import pytest
from places import DATA
from tree_text import body, expression, nodes, show

from gpusim.cuda.front import parse, specialise
from gpusim.cuda.tree import nodes as t
from gpusim.cuda.tree.types import FLOAT, INT, VECTORS, Pointer

CORPUS = sorted((DATA / "corpus").glob("*.cu"))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("i = u << 2 + 1", "i = <int>(u << 3)"),  # B14: shifts bind less than +
        ("i = i & 1 == 0", "i = (i & 0)"),  # == binds tighter than &
        ("i = i & 3 | u ^ 1 && b", "i = <int>(<bool>(<unsigned int>(i & 3) | (u ^ 1u)) && b)"),
        ("b = i < 3 == u > 4", "b = (<int>(i < 3) == <int>(u > 4u))"),
        ("i = -i * ~u % 3", "i = <int>((<unsigned int>(-i) * (~u)) % 3u)"),
        ("i = i - 1 - 2", "i = ((i - 1) - 2)"),
        ("i = u = 3", "i = <int>u = 3u"),
        ("f = b ? f : i", "f = (b ? f : <float>i)"),
        ("i = b ? 1 : b ? 2 : 3", "i = (b ? 1 : (b ? 2 : 3))"),
        ("i = (u, i)", "i = (u, i)"),
        ("i = sizeof(float4) + sizeof f", "i = 20"),
        ("p[i]++, --i", "(p[i]++, --i)"),
        ("i = !i + !p", "i = (<int>(!<bool>i) + <int>(!<bool>p))"),
    ],
)
def test_precedence(text, tree):
    assert expression(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("f = i + u", "f = <float>(<unsigned int>i + u)"),
        ("d = f * 2.0", "d = (<double>f * 2.0d)"),
        ("f = f * 2.0f + 1", "f = ((f * 2.0f) + 1.0f)"),
        ("i = c + s", "i = (<int>c + <int>s)"),
        ("l = i * l", "l = (<long long>i * l)"),
        ("c = c + 1", "c = <unsigned char>(<int>c + 1)"),
        ("i = f", "i = <int>f"),
        ("u = -1", "u = 4294967295u"),
        ("b = i", "b = <bool>i"),
        ("b = i < u", "b = (<unsigned int>i < u)"),
        ("f = 1 / 2", "f = 0.0f"),
        ("f = h * h", "f = <float>(h * h)"),
        ("f = h * f", "f = (<float>h * f)"),
        ("l = 1 << 20", "l = 1048576l"),
        ("l = c << 3u", "l = <long long>(<int>c << 3u)"),
        ("i += f", "i +=<float> f"),
        ("c += 1", "c +=<int> 1"),
        ("f += i", "f += <float>i"),
        ("i <<= l", "i <<= l"),
        ("s >>= 1u", "s >>=<int> 1u"),
        ("p += 2 * i", "p += (2 * i)"),
        ("f = 'a'", "f = 97.0f"),
        ("i = true + false", "i = 1"),
        ("u = 3000000000", "u = 3000000000u"),
        ("i = 07 + 0x10 + 1e1", "i = 33"),
        ("i = INT_MAX + 1", "i = -2147483648"),
        ("f = 0.1 + 0.2", "f = 0.30000001192092896f"),
    ],
)
def test_conversions_stand_in_the_tree(text, tree):
    assert expression(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("*p = q[i]", "*p = <float>q[i]"),
        ("*(p + i) = 1", "p[i] = 1.0f"),
        ("p[i] = *(2 + q)", "p[i] = <float>q[2]"),
        ("p = &p[i]", "p = &p[i]"),
        ("p = &*p", "p = p"),
        ("*&f = 1", "f = 1.0f"),
        ("l = p - &p[3]", "l = (p - &p[3])"),
        ("b = p == 0 || q != NULL", "b = ((p == 0) || (q != 0))"),
        ("v->x = v[1].y", "*v.x = v[1].y"),
        ("(*v).x = (&v[2])->w", "*v.x = v[2].w"),
        ("((float*)v)[i] = 0", "<float*>v[i] = 0.0f"),
        ("*(float4*)&p[4 * i] = v[0]", "*<float4*>&p[(4 * i)] = v[0]"),
        ("v[0] = reinterpret_cast<const float4*>(q)[i]", "v[0] = <const float4*>q[i]"),
        ("i = static_cast<int>(f) + (int)d + int(u)", "i = ((<int>f + <int>d) + <int>u)"),
        ("l = (size_t)p", "l = <long long><unsigned long long>p"),
        ("v[0] = make_float4(1, i, f, 0.5)", "v[0] = float4{1.0f, <float>i, f, 0.5f}"),
        ("v[0] = {1, 2}", "v[0] = float4{1.0f, 2.0f}"),
        ("v[0] = float4{1, 2, 3, 4}", "v[0] = float4{1.0f, 2.0f, 3.0f, 4.0f}"),
        ("i = threadIdx.x + blockDim.y", "i = <int>(threadIdx.x + blockDim.y)"),
        ("u = warpSize", "u = 32u"),
    ],
)
def test_pointers_vectors_and_places(text, tree):
    assert expression(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("int a[2][3]; a[i][1] = 2", "int[2][3] a; a[i][1] = 2"),
        ("float a[4] = {1, f}; p = a", "float[4] a = float[4]{1.0f, f}; p = &a"),
        ("int a[] = {1, 2, 3}; i = a[0]", "int[3] a = int[3]{1, 2, 3}; i = a[0]"),
        ("int a[2][2] = {{1, 2}, {3}}", "int[2][2] a = int[2][2]{int[2]{1, 2}, int[2]{3}}"),
        ("int a[2][2] = {1, 2, 3}", "int[2][2] a = int[2][2]{int[2]{1, 2}, int[2]{3}}"),
        ("float a[2][3]; float (*r)[3] = a; r[1][2] = 0", "float[2][3] a; float[3]* r = &a; r[1][2] = 0.0f"),
        (
            "__shared__ float t[2][8][9], z; t[1][i][2] = z",
            "shared float[2][8][9] t; shared float z; t[1][i][2] = z",
        ),
        ("extern __shared__ double t[]; t[i] = d", "dynamic double[] t; t[i] = d"),
        (
            "extern __shared__ char t[]; float* a = (float*)t; int* e = (int*)&a[u]",
            "dynamic char[] t; float* a = <float*>&t; int* e = <int*>&a[u]",
        ),
        ("__shared__ float t[4][5]; *(*(t + 1) + i) = f", "shared float[4][5] t; t[1][i] = f"),
        ("float& r = p[i]; r += 1", "float& r = p[i]; r += 1.0f"),
        ("const float& r = i + 1", "float r = <float>(i + 1)"),
        ("const int n = 4; float a[n * 2]; a[n] = n", "float[8] a; a[4] = 4.0f"),
        ("constexpr float k = 2; f = k * k", "f = 4.0f"),
        ("const int n = i; u = n", "int n = i; u = <unsigned int>n"),
        ("auto x = f * 2, y = x", "float x = (f * 2.0f); float y = x"),
        ("auto r = q; const auto w = 3; i = w", "const int* r = q; i = 3"),
        (
            "dim3 g(2, i), t = blockDim; u = g.z",
            "dim3 g = dim3{2u, <unsigned int>i, 1u}; "
            "dim3 t = dim3{blockDim.x, blockDim.y, blockDim.z}; u = g.z",
        ),
        ("unsigned a, *e; e = &a", "unsigned int a; unsigned int* e; e = &a"),
        ('char t[] = "hi"; c = t[1]', "char[3] t = char[3]{104c, 105c, 0c}; c = <unsigned char>t[1]"),
        ("using T = float; typedef T* P; P a = p; T x = a[0]", "float* a = p; float x = a[0]"),
    ],
)
def test_declarations(text, tree):
    assert body(text + ";") == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (
            "if (i) f = 1; else if (f > 2) f = 2; else { f = 3; d = 4; }",
            "if <bool>i f = 1.0f else if (f > 2.0f) f = 2.0f else {f = 3.0f; d = 4.0d}",
        ),
        ("for (int k = 0; k < 3; ++k) p[k] = k;", "for (int k = 0; (k < 3); ++k) p[k] = <float>k"),
        ("for (int k = 0, n = i; k < n; k++, n--) ;", "for ({int k = 0; int n = i}; (k < n); (k++, n--)) {}"),
        ("for (;;) { break; }", "for (; ; ) {break}"),
        (
            "#pragma unroll 4\nfor (i = 0; i < 3; i++) continue;",
            "unroll 4 for (i = 0; (i < 3); i++) continue",
        ),
        ("#pragma unroll\nfor (i = 0; i < 3; i++) f += 1;", "unroll 0 for (i = 0; (i < 3); i++) f += 1.0f"),
        ("while (i--) { if (b) return; }", "while <bool>i-- {if b return}"),
        ("do f *= 2; while (f < 9);", "do f *= 2.0f while (f < 9.0f)"),
        (
            "switch (i) { case 1: case 2: f = 1; break; case 'a': default: f = 2; }",
            "switch i [1, 2]:['f = 1.0f', 'break'] [97, None]:['f = 2.0f']",
        ),
        ("switch (c) { case 255: { f = 1; } }", "switch <int>c [255]:['{f = 1.0f}']"),
        ("{ int i = 2; { float i = 1; f = i; } }", "{int i = 2; {float i = 1.0f; f = i}}"),
        ("__syncthreads(); ;", "__syncthreads()"),
        ("if (int k = i * 2) f = k;", "{int k = (i * 2); if <bool>k f = <float>k}"),
        ("if constexpr (sizeof(f) == 4) f = 1; else { nonsense here; }", "f = 1.0f"),
        ('asm volatile("" ::: "memory"); f = 1;', "f = 1.0f"),
        ('static_assert(1 + 1 == 2, "two"); [[maybe_unused]] int k = 3;', "int k = 3"),
        ("i = i < 3 && p[i] > 0 || b;", "i = <int>(((i < 3) && (p[i] > 0.0f)) || b)"),
    ],
)
def test_statements(text, tree):
    assert body(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("f = sqrtf(i) + fabs(f) + fabs(d)", "f = <float>(<double>(sqrtf(<float>i) + fabs(f)) + fabs(d))"),
        ("f = min(i, u) + max(f, 1)", "f = (<float>min(<unsigned int>i, u) + max(f, 1.0f))"),
        ("f = pow(f, 2) + powf(f, 2)", "f = <float>(pow(<double>f, 2.0d) + <double>powf(f, 2.0f))"),
        ("f = abs(i) + abs(f) + abs(d)", "f = <float>(<double>(<float>abs(i) + abs(f)) + abs(d))"),
        ("f = std::max(f, 0.f) + ::fminf(f, 1)", "f = (max(f, 0.0f) + fminf(f, 1.0f))"),
        ("f += __shfl_down_sync(0xffffffff, f, 16)", "f += __shfl_down_sync(4294967295u, f, 16u, 32)"),
        ("i = __shfl_xor_sync(u, c, i, 8)", "i = __shfl_xor_sync(u, <int>c, i, 8)"),
        ("u = __ballot_sync(~0, i > 2)", "u = __ballot_sync(4294967295u, (i > 2))"),
        (
            "i = __any_sync(-1, i) + __popc(u) + __ffs(u)",
            "i = ((__any_sync(4294967295u, <bool>i) + __popc(u)) + __ffs(<int>u))",
        ),
        ("__syncwarp()", "__syncwarp(4294967295u)"),
        ("i = __syncthreads_count(f > 1)", "i = __syncthreads_count((f > 1.0f))"),
        ("atomicAdd(p, 1)", "atomicAdd(p, 1.0f)"),
        ("atomicAdd(&u, i)", "atomicAdd(&u, <unsigned int>i)"),
        ("u = atomicCAS(&u, 0, 1)", "u = atomicCAS(&u, 0u, 1u)"),
        ("f = __ldg(&p[i]) + __ldg(p + 1) + __ldcs(q)", "f = ((p[i] + p[1]) + <float>*q)"),
        ("__stcs(p + i, d)", "p[i] = <float>d"),
        ("f = __fdividef(i, 3) + __fmul_rn(f, f)", "f = ((<float>i / 3.0f) + (f * f))"),
        ("i = __float2int_rz(f) + __float_as_int(f)", "i = (<int>f + __float_as_int(f))"),
        ("h = __float2half(f) + __hmul(h, h)", "h = (<half>f + (h * h))"),
        ('printf("%d %f\\n", c, f)', "printf(%d %f\nc, <int>c, <double>f)"),
        ("assert(i < 3)", "assert((i < 3), i < 3c)"),
        ("l = clock64()", "l = clock64()"),
        ("f = isnan(d) ? NAN : INFINITY", "f = (isnan(d) ? nanf : inff)"),
        ("sincosf(f, p, &f)", "sincosf(f, p, &f)"),
        ("i = std::numeric_limits<int>::max()", "i = 2147483647"),
    ],
)
def test_builtin_calls(text, tree):
    shown = expression(text)
    if text.startswith(("printf", "assert")):
        shown, tree = shown.replace("const char*", ""), tree.replace("\nc,", "\n,").replace("3c)", "3)")
    assert shown == tree


def called(text, before):
    """The functions that a kernel calls, in the order of the text."""
    unit = parse(f"{before}\n__global__ void k(int i, float f, float* p) {{ {text} }}")
    return [
        node.target
        for node in nodes(unit.kernels["k"])
        if isinstance(node, t.Call) and isinstance(node.target, t.Function)
    ]


def test_a_device_function_has_its_arguments_converted():
    before = "__device__ float g(float x, int n = 3) { if (n > 2) return x; return n; }"
    assert show(parse(f"{before} __global__ void k(double* a) {{ a[0] = g(a[1]); }}").kernels["k"].body) == (
        "{a[0] = <double>g(<float>a[1], 3)}"
    )
    (function,) = called("g(i);", before)
    assert show(function.body) == "{if (n > 2) return x; return <float>n}" and function.result is FLOAT


def test_overloads_are_chosen_by_their_parameters():
    before = (
        "__device__ int g(int x) { return 1; } __device__ float g(float x) { return 2; } "
        "__device__ double g(double x) { return 3; }"
    )
    assert [str(f.result) for f in called("g(f);", before)] == ["float"]
    assert [str(f.result) for f in called("g('a');", before)] == ["int"]
    assert [str(f.result) for f in called("g(1.0);", before)] == ["double"]


def test_reference_parameters_keep_the_place():
    unit = parse(
        "__device__ void g(float& a, const float& b, const float4& c) { a = b + c.x; }"
        "__global__ void k(float* p, float4* v) { g(p[1], 2, v[3]); g(p[1], p[2], make_float4(1, 2, 3, 4)); }"
    )
    first, second = (statement.expression for statement in unit.kernels["k"].body.body)
    assert (
        show(first) == "g(p[1], 2.0f, v[3])"
        and show(second) == "g(p[1], p[2], float4{1.0f, 2.0f, 3.0f, 4.0f})"
    )
    assert [p.reference for p in first.target.parameters] == [True, False, True]
    assert [p.reference for p in second.target.parameters] == [True, True, False]


def test_templates_are_specialised_once_for_each_argument():
    before = (
        "template <typename T, int N = 2> __device__ T g(const T* a) {"
        " T s = 0; for (int k = 0; k < N; k++) s += a[k]; return s; }"
    )
    functions = called("g(p); g<float, 2>(p); g<float, 3>(p); int a[4]; g(a);", before)
    assert len(set(functions)) == 3
    assert {str(function.result) for function in functions} == {"float", "int"}


def test_an_explicit_specialisation_is_preferred():
    before = (
        "template <class T> __device__ T one(float x);"
        "template <> __device__ float one<float>(float x) { return x; }"
        "template <> __device__ float2 one<float2>(float x) { return make_float2(x, x); }"
    )
    assert {str(function.result) for function in called("one<float>(f); one<float2>(f);", before)} == {
        "float",
        "float2",
    }


def test_macros_keep_the_place_of_their_use():
    unit = parse(
        "#define AT(a, r, c) a[(r) * n + (c)]\n__global__ void k(float* m, int n) {\n  AT(m, 1, n) = 2;\n}"
    )
    assign = unit.kernels["k"].body.body[0].expression
    assert (assign.target.at.line, assign.target.at.column) == (3, 6) and assign.value.at.line == 3


def test_an_access_spans_its_text():
    unit = parse("__global__ void k(float* m, int n) {\n  m[n + 1] = m[2 * n];\n}")
    assign = unit.kernels["k"].body.body[0].expression
    assert [(node.at.line, node.at.column, node.at.length) for node in (assign.target, assign.value)] == [
        (2, 3, 8),
        (2, 14, 8),
    ]


def test_two_variables_of_one_name_have_different_numbers():
    unit = parse("__global__ void k(int* p) { int i = 1; { int i = 2; p[0] = i; } p[1] = i; }")
    symbols = {
        node.symbol
        for node in nodes(unit.kernels["k"])
        if isinstance(node, t.Name) and node.symbol.name == "i"
    }
    assert len({symbol.number for symbol in symbols}) == len(symbols) == 2


def test_file_scope_variables_constants_and_host_code():
    unit = parse("""#include <cstdio>
    __constant__ float coef[3] = {1, 2, 3};
    __device__ int counter = 5;
    const int N = 4;
    enum { A, B = 7, C };
    std::vector<int> list;
    static float* host_pointer;
    class Timer { std::string name; virtual void stop(); };
    int main() { k<<<1, 32>>>(0); for (auto& x : list) std::cout << x; }
    extern "C" __global__ void k(float* p) { p[N + C] = coef[1] + counter; }""")
    assert [(symbol.name, symbol.storage, str(symbol.type)) for symbol in unit.variables] == [
        ("coef", "constant", "float[3]"),
        ("counter", "device", "int"),
    ]
    assert {symbol.name: show(value) for symbol, value in unit.initial.items()} == {
        "coef": "float[3]{1.0f, 2.0f, 3.0f}",
        "counter": "5",
    }
    assert show(unit.kernels["k"].body) == "{p[12] = (coef[1] + <float>counter)}"
    assert [line for line, _ in unit.skipped] == [1, 6, 7, 8, 9]
    assert [variable.storage for variable in unit.variables] == ["constant", "device"]


def test_qualifiers_reach_symbols_and_pointees():
    unit = parse(
        "__global__ void __launch_bounds__(128, 2)"
        " k(const float* __restrict__ a, volatile int* b, const int n) "
        "{ __shared__ volatile float s[8]; s[n] = a[0] + b[0]; }"
    )
    a, b, n = unit.kernels["k"].parameters
    assert (a.type, b.type) == (Pointer(FLOAT, const=True), Pointer(INT, volatile=True)) and n.const
    assert unit.kernels["k"].launch_bounds == (128, 2)
    assert unit.kernels["k"].body.body[0].symbol.volatile


def test_array_parameters_are_pointers_to_rows():
    unit = parse(
        "#define N 64\n__global__ void k(float A[N][N], int b[], float c[3]) { A[1][2] = b[3] + c[0]; }"
    )
    assert [str(p.type) for p in unit.kernels["k"].parameters] == ["float[64]*", "int*", "float*"]
    assert show(unit.kernels["k"].body) == "{A[1][2] = (<float>b[3] + c[0])}"


@pytest.mark.parametrize(
    "text",
    [
        "#define TILE 32\n__global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "#ifndef TILE\n#define TILE 32\n#endif\n"
        "__global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "__global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "const int TILE = 32; __global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "constexpr unsigned TILE{32}; __global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "enum { TILE = 32 }; __global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "template <int TILE> __global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
        "template <int TILE = 32> __global__ void k(float* p) { __shared__ float s[TILE]; p[0] = s[1]; }",
    ],
)
def test_keywords_override_macros_constants_and_template_parameters_alike(text):
    assert str(parse(text, defines={"TILE": 8}).kernels["k"].body.body[0].symbol.type) == "float[8]"


def test_an_override_keeps_the_type_of_what_it_replaces():
    text = "#define A 0.5f\nconst float B = 1.0f;\n#define T float\n"
    text += "__global__ void k(T* p) { p[0] = A * p[1] + B; }"
    assert (
        show(parse(text, defines={"A": 0.25, "B": 2}).kernels["k"].body) == "{p[0] = ((0.25f * p[1]) + 2.0f)}"
    )
    assert str(parse(text, defines={"T": "double"}).kernels["k"].parameters[0].type) == "double*"


def test_a_kernel_template_is_specialised_by_keyword_by_a_launch_or_by_its_arguments():
    text = "template <typename T, int N> __global__ void k(T* p) { __shared__ T s[N]; p[0] = s[1]; }"
    unit = parse(text)
    assert unit.templates == {"k": ["T", "N"]} and not unit.kernels
    made = specialise(unit, "k", {"N": 4}, [Pointer(FLOAT)])
    assert str(made.body.body[0].symbol.type) == "float[4]"
    assert specialise(unit, "k", {"N": 4, "T": "float"}) is made
    launched = parse(text + "void run() { k<double, 8><<<1, 32>>>(0); }")
    assert str(launched.kernels["k"].body.body[0].symbol.type) == "double[8]"


def test_structs_have_methods_operators_and_constructors():
    unit = parse("""struct V { float x, y;
      __device__ V(float a, float b) : x(a), y(b) {}
      __device__ float dot(const V& o) const { return x * o.x + this->y * o.y; }
      __device__ V operator+(const V& o) const { return V(x + o.x, y + o.y); }
      __device__ V& operator*=(float s) { x *= s; y *= s; return *this; }
      __device__ float& at(int i) { return (&x)[i]; } };
    __global__ void k(V* p) { V a(1, 2); a = a + p[0]; a *= 3; a.at(1) = a.dot(p[1]); }""")
    assert show(unit.kernels["k"].body) == (
        "{V a = (constructor)(1.0f, 2.0f); a = operator+(a, p[0]); "
        "operator*=(a, 3.0f); &a.x[1] = dot(a, p[1])}"
    )


def test_class_templates_are_made_for_their_arguments():
    unit = parse("""template <typename T, int N> struct Vec {
      T v[N]; __device__ T& operator[](int i) { return v[i]; }
      __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; } };
    __global__ void k(double* p) {
      Vec<double, 3> a; a[1] = 2; p[0] = a.sum(); Vec<Vec<int, 2>, 2> b; p[1] = b[0][1]; }""")
    declare, assign, *_ = unit.kernels["k"].body.body
    assert str(declare.symbol.type) == "Vec<double, 3>" and declare.symbol.type.size == 24
    assert (
        show(assign) == "a.v[1] = 2.0d"
        and show(unit.kernels["k"].body.body[-1]) == "p[1] = <double>b.v[0].v[1]"
    )


def test_lambdas_use_the_variables_around_them():
    unit = parse(
        "__global__ void k(float* p, int n) { float a = 2; auto f = [&](int i) { p[i] = a * n; }; f(3);"
        " auto g = [=](auto x) -> float { return x + a; }; p[0] = g(n); p[1] = g(a); }"
    )
    calls = [node for node in nodes(unit.kernels["k"]) if isinstance(node, t.Call)]
    assert len({call.target for call in calls}) == 3
    assert show(calls[-1].target.body) == "{p[i] = (a * <float>n)}"


def test_cooperative_groups_become_plain_cuda():
    unit = parse("""#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __global__ void k(float* p) {
      cg::thread_block block = cg::this_thread_block();
      auto warp = cg::tiled_partition<32>(block);
      block.sync(); cg::sync(block); warp.sync();
      p[0] = warp.shfl_down(p[1], 4);
      p[1] = warp.size() + warp.any(p[0] > 0);
    }""")
    assert show(unit.kernels["k"].body) == (
        "{__syncthreads(); __syncthreads(); __syncwarp(4294967295u); "
        "p[0] = __shfl_down_sync(4294967295u, p[1], 4u, 32); "
        "p[1] = <float>(32u + <unsigned int>__any_sync(4294967295u, (p[0] > 0.0f)))}"
    )


def test_vector_types_are_shared_with_the_table():
    unit = parse("__global__ void k(float4* p, uint3 a, dim3 b) { p[0].x = a.x + b.y; }")
    assert [p.type for p in unit.kernels["k"].parameters] == [
        Pointer(VECTORS["float4"]),
        VECTORS["uint3"],
        VECTORS["dim3"],
    ]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_text_in_the_style_of_public_code_is_read(path):
    text = path.read_text(encoding="utf-8")
    unit = parse(text, path.name)
    defined = len(re.findall(r"__global__[^;{]*\{", text))
    assert not unit.refused and len(unit.kernels) + len(unit.templates) == defined


def test_the_corpus_has_many_kernels():
    assert sum(len(parse(path.read_text(encoding="utf-8")).kernels) for path in CORPUS) >= 75
