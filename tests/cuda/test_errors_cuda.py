"""Mistakes in CUDA text: the message, its place and its hint are what a reader needs."""

import pytest

from gpusim.cuda.front import parse, specialise
from gpusim.errors import CudaSyntaxError, CudaUnsupported, GpusimError

HEAD = "__global__ void k(float* a, const float* c, int n) {\n"


def error(statements, before="", kind=CudaSyntaxError):
    """The error of a kernel with the parameters a, c and n whose body starts on line 2."""
    with pytest.raises(kind) as caught:
        parse(f"{HEAD}  {statements}\n}}\n{before}", "k.cu")
    return caught.value


def test_a_missing_semicolon_is_shown_behind_the_statement():
    assert str(error("int i = threadIdx.x\n  a[i] = 0;")).split("\n") == [
        'k.cu:2:22: error: expected a ";"',
        "  int i = threadIdx.x",
        " " * 21 + "^",
    ]


def test_an_unknown_name_comes_with_the_nearest_known_one():
    assert str(error("a[threadIdy.x] = 1;")).split("\n") == [
        'k.cu:2:5: error: identifier "threadIdy" is undefined',
        "  a[threadIdy.x] = 1;",
        "    ^~~~~~~~~",
        'hint: did you mean "threadIdx"?',
    ]


def test_the_place_in_a_macro_is_that_of_its_use():
    with pytest.raises(CudaSyntaxError) as caught:
        parse("#define IDX(i) a[(i) + m]\n" + HEAD + "  a[0] = IDX(1);\n}", "k.cu")
    assert str(caught.value).split("\n") == [
        'k.cu:3:10: error: identifier "m" is undefined',
        "  a[0] = IDX(1);",
        "         ^~~",
        'note: expanded from macro "IDX", defined on line 1',
    ]


@pytest.mark.parametrize(
    ("statements", "place", "message", "hint"),
    [
        ("if (n > 3 { a[0] = 1; }", (2, 13), 'expected a ")"', None),
        ("a[0 = 1;", (2, 7), "modifiable lvalue", None),
        ("int idx = 1; a[ixd] = 0;", (2, 18), 'identifier "ixd" is undefined', 'did you mean "idx"?'),
        ("flaot x = 3;", (2, 3), 'identifier "flaot" is undefined', 'did you mean "float"?'),
        (
            "__synchthreads();",
            (2, 3),
            'identifier "__synchthreads" is undefined',
            'did you mean "__syncthreads"?',
        ),
        ("a[0] = TILE;", (2, 10), 'identifier "TILE" is undefined', "gs.cuda(text, TILE=...)"),
        ("int i = threadIdx.w;", (2, 21), '"threadIdx" has no member "w"', "x, y and z"),
        ("float4 v; v.q = 1;", (2, 13), '"float4" has no member "q"', "x, y, z, w"),
        ("float4 v; v->x = 1;", (2, 14), "must have pointer-to-class type", "use ."),
        ("a = 3;", (2, 5), '"int" cannot be assigned to an entity of type "float*"', None),
        ("a[0] = a;", (2, 8), '"float*" cannot be assigned to an entity of type "float"', "an index or a *"),
        ("int i = a;", (2, 11), "cannot be used to initialize an entity of type", "an index or a *"),
        (
            "float* p = c;",
            (2, 14),
            '"const float*" cannot be used to initialize an entity of type "float*"',
            "drops const",
        ),
        ("int* p = a;", (2, 12), '"float*" cannot be used to initialize', "reinterpret_cast<int*>"),
        ("c[0] = 1;", (2, 8), "must be a modifiable lvalue", '"c" is const'),
        ("float& r;", (2, 10), 'reference variable "r" requires an initializer', None),
        ("const int q = n; q = 2;", (2, 22), "must be a modifiable lvalue", '"q" is const'),
        ("3 = n;", (2, 5), "must be a modifiable lvalue", None),
        ("a[0] = a[0] % 2;", (2, 10), "must have integral type", "fmodf"),
        ("a[1.5f] = 0;", (2, 5), "an index must have integral type", "convert it"),
        ("n[0] = 1;", (2, 3), "must have pointer-to-object type", None),
        ("*n = 3;", (2, 3), 'operand of "*" must be a pointer', None),
        (
            "float4 v, w; v = v + w;",
            (2, 22),
            'no operator "+" matches these operands',
            "vector types have no arithmetic",
        ),
        (
            "float4 v; float2 w = (float2)v;",
            (2, 32),
            'no suitable conversion from "float4" to "float2"',
            None,
        ),
        ("a[0] = sqrtf(1, 2);", (2, 10), "too many arguments in function call", "sqrtf takes 1, 2 given"),
        ("a[0] = powf(1);", (2, 10), "too few arguments in function call", "powf takes 2, 1 given"),
        ("atomicAdd(c, 1.f);", (2, 3), 'no instance of overloaded function "atomicAdd"', "is const"),
        (
            "atomicAdd(a[0], 1.f);",
            (2, 3),
            'no instance of overloaded function "atomicAdd"',
            "takes a pointer",
        ),
        ("double d; atomicMin(&d, 1.0);", (2, 13), "(double*, double)", "takes a pointer to one of: int"),
        ("int i; float i;", (2, 16), '"i" has already been declared', None),
        ("void x;", (2, 8), 'incomplete type "void"', None),
        ("break;", (2, 3), "within a loop or switch", None),
        ("continue;", (2, 3), "within a loop", None),
        ("case 3: ;", (2, 3), "within a switch", None),
        ("else n = 1;", (2, 3), '"else" without an "if"', "a ; behind the condition"),
        ("return 3;", (2, 10), 'does not match the function type "void"', None),
        (
            "float b[n];",
            (2, 11),
            "must have a constant integer value",
            "#define, a constexpr or a template parameter",
        ),
        ("float b[0];", (2, 10), "at least one element, not 0", None),
        ("float b[];", (2, 9), "incomplete type", None),
        (
            "__shared__ float s[4] = {1};",
            (2, 25),
            "initializer not allowed for __shared__",
            "__syncthreads()",
        ),
        (
            "__shared__ float s[];",
            (2, 20),
            "a static __shared__ array needs its number",
            "extern __shared__ float s[]",
        ),
        ("extern __shared__ float s;", (2, 27), "must be an array without its size", None),
        ('printf("abc);', (2, 10), "missing closing quote", None),
        ("a[0] = 1.2.3;", (2, 10), 'invalid number "1.2.3"', None),
        ("float4 v; if (v) n = 1;", (2, 17), "cannot be a condition", None),
        ("switch (n) { case 1: break; case 1: break; }", (2, 31), "already appeared", None),
        ("switch (a[0]) { case 1: break; }", (2, 11), "must have integral or enum type", None),
        ("__syncthreads;", (2, 3), '"__syncthreads" is a function', None),
        ("auto x;", (2, 8), "is auto: it needs an initializer", None),
        ("unsigned float x;", (2, 3), 'invalid combination of type specifiers "unsigned float"', None),
        ("a[0] = float;", (2, 10), "type name is not allowed", None),
        ("a[0] = ;", (2, 10), "expected an expression", None),
        ("int 3x;", (2, 7), "expected an identifier", None),
        ("a[0] = n ? c : 1.5f;", (2, 12), "operand types are incompatible", None),
        ("int x[2] = {1, 2, 3};", (2, 14), "too many initializer values", None),
        ("a[0] = @;", (2, 10), 'unrecognized token "@"', None),
        ("dim3 g(1, 2, 3, 4);", (2, 8), "too many initializer values", None),
        ("float& r = 3;", (2, 14), "reference to non-const must be an lvalue", None),
    ],
)
def test_a_mistake_names_place_and_remedy(statements, place, message, hint):
    found = error(statements)
    assert (found.line, found.column) == place and message in found.message
    assert found.hint is None if hint is None else hint in found.hint
    assert found.text.startswith("  ") and found.file == "k.cu"


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("goto end;", '"goto" is not supported'),
        ("end: n = 1;", "labels are"),
        ('asm("mov.u32 %0, 1;" : "=r"(n));', "inline PTX"),
        ("float* p = new float[3];", 'device "new"'),
        ("delete a;", 'device "delete"'),
        ("float* p = (float*)malloc(3);", "device malloc"),
        ("a[0] = tex1Dfetch<float>(c, 1);", "textures"),
        ("k<<<1, 2>>>(a, c, n);", "dynamic parallelism"),
        ("typedef cub::BlockReduce<float, 128> BR;", "CUB"),
        ("thrust::reduce(a, a + n);", "Thrust"),
        ("cutlass::gemm::f();", "CUTLASS"),
        ("throw 3;", "exceptions"),
        ("static int x = 0;", "static local"),
        ("for (auto x : a) {}", "range-based for"),
        ("float (*f)(float) = 0;", "function pointers"),
        ("curandState s;", "cuRAND"),
        ("try { n = 1; } catch (int) {}", "exceptions"),
        ("cudaDeviceSynchronize();", "from device code"),
    ],
)
def test_what_gpusim_does_not_run_is_refused_with_what_to_use_instead(statements, message):
    found = error(statements, kind=CudaUnsupported)
    assert message in found.message and found.line == 2 and found.hint


@pytest.mark.parametrize(
    ("text", "kind", "line", "message"),
    [
        ("", CudaSyntaxError, 1, "has no kernel"),
        (" \n\n// nothing\n", CudaSyntaxError, 4, "has no kernel"),
        ("__device__ int f() { return 1; }", CudaSyntaxError, 1, "has no kernel"),
        ("void add(float* a) { a[0] = 1; }", CudaSyntaxError, 1, "has no kernel"),
        ("__global__ int k(float* a) { return 1; }", CudaSyntaxError, 1, "must have a void return type"),
        (
            "__global__ void k(float& a) { }",
            CudaSyntaxError,
            1,
            "cannot have a parameter with reference type",
        ),
        (
            "__global__ void k() {}\n__global__ void k() {}",
            CudaSyntaxError,
            2,
            'function "k" has already been defined',
        ),
        (
            "__global__ void k(float* a) {\n  if (a[0] > 1) {\n    a[0] = 2;\n}\n",
            CudaSyntaxError,
            4,
            'expected a "}" to match the "{" on line 1',
        ),
        ("__global__ void k(float* a", CudaSyntaxError, 1, 'this "(" is never closed'),
        ("__global__ void k(float* a) { a[0] = 1; }\n}", CudaSyntaxError, 2, "expected a declaration"),
        ("__global__ k(float* a) { }", CudaSyntaxError, 1, 'identifier "k" is undefined'),
        ("__global__ void k(flaot* a) { }", CudaSyntaxError, 1, 'identifier "flaot" is undefined'),
        ("__global__ void k(int a, int a) { }", CudaSyntaxError, 1, '"a" has already been declared'),
        (
            "__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n"
            "__global__ void k(int* a) { a[0] = f(3); }",
            CudaUnsupported,
            1,
            "recursion",
        ),
        (
            "__device__ int g(int);\n__device__ int f(int n) { return g(n); }\n"
            "__device__ int g(int n) { return f(n); }\n"
            "__global__ void k(int* a) { a[0] = f(3); }",
            CudaUnsupported,
            2,
            "recursion",
        ),
        (
            "int twice(int x) { return 2 * x; }\n__global__ void k(int* a) { a[0] = twice(3); }",
            CudaSyntaxError,
            2,
            "calling a __host__ function",
        ),
        (
            "__device__ int f(int);\n__global__ void k(int* a) { a[0] = f(3); }",
            CudaSyntaxError,
            2,
            "declared but not defined",
        ),
        (
            "__device__ int f(int a, int b) { return a; }\n__global__ void k(int* a) { a[0] = f(3); }",
            CudaSyntaxError,
            2,
            "too few arguments",
        ),
        (
            "__device__ int f(int* a) { return 1; }\n__global__ void k(int a) { f(a); }",
            CudaSyntaxError,
            2,
            'argument of type "int" is incompatible with parameter of type "int*"',
        ),
        (
            "struct S { virtual int f(); };\n__global__ void k() { S s; }",
            CudaUnsupported,
            1,
            "virtual functions",
        ),
        ("struct S { int a : 3; };\n__global__ void k() { S s; }", CudaUnsupported, 1, "bit-fields"),
        (
            "struct A { int x; };\nstruct B : A { int y; };\n__global__ void k() { B s; }",
            CudaUnsupported,
            2,
            "inheritance",
        ),
        (
            "template <int N> __device__ int f() { return N; }\n__global__ void k(int* a) { a[0] = f(); }",
            CudaSyntaxError,
            2,
            "cannot be deduced",
        ),
        (
            "__device__ int f(int x) { return y; }\n__global__ void k(int* a) { a[0] = 1; }",
            CudaSyntaxError,
            1,
            '"y" is undefined',
        ),
        (
            "constexpr int N = M;\n__global__ void k(int* a) { a[0] = N; }",
            CudaSyntaxError,
            1,
            '"M" is undefined',
        ),
        (
            "__global__ void k(int* a) { a[0] = 1 }\n__device__ int f() { return x; }",
            CudaSyntaxError,
            1,
            'expected a ";"',
        ),
        (
            "__constant__ float c[];\n__global__ void k() { }",
            CudaSyntaxError,
            1,
            "needs its number of elements",
        ),
        ("#if 1\n__global__ void k() { }", CudaSyntaxError, 1, "#if is never closed"),
    ],
)
def test_a_mistake_outside_a_statement(text, kind, line, message):
    with pytest.raises(kind) as caught:
        parse(text)
    assert caught.value.line == line and message in caught.value.message


def test_the_first_error_of_the_text_is_the_one_that_is_shown():
    with pytest.raises(CudaSyntaxError, match='"first" is undefined'):
        parse("__global__ void k(int* a) { a[0] = first; }\n__global__ void l(int* a) { a[0] = second; }\n)")


def test_one_kernel_that_is_refused_leaves_the_others():
    unit = parse('__global__ void bad(int* a) { asm("trap;"); }\n__global__ void good(int* a) { a[0] = 1; }')
    assert list(unit.kernels) == ["good"] and isinstance(unit.refused["bad"], CudaUnsupported)


def test_a_keyword_that_the_text_does_not_know_is_an_error():
    with pytest.raises(CudaSyntaxError) as caught:
        parse("#define TILE 4\n__global__ void k(int* a) { a[0] = TILE; }", defines={"TIEL": 8})
    assert (
        '"TIEL" is no #define, constant or template parameter' in caught.value.message
        and "TILE" in caught.value.hint
    )


@pytest.mark.parametrize("value", [object(), [1, 2], None, "@", "int int", "4 4"])
def test_a_keyword_that_is_no_value_is_an_error(value):
    with pytest.raises(GpusimError):
        parse("template <int N> __global__ void k(int* a) { a[0] = N; }", defines={"N": value})


def test_a_type_for_a_number_and_a_number_for_a_type_are_errors():
    for name, value in (("N", "float"), ("T", 3)):
        with pytest.raises(CudaSyntaxError, match="must be a"):
            parse(
                "template <class T, int N> __global__ void k(T* a) { a[0] = N; }",
                defines={"T": "int", "N": 2, name: value},
            )


def test_open_template_parameters_are_named():
    unit = parse("template <class T, int N> __global__ void k(int* a) { a[0] = N; }")
    with pytest.raises(CudaSyntaxError, match="not known: T, N"):
        specialise(unit, "k")
    with pytest.raises(CudaSyntaxError, match='"M" is no template parameter'):
        specialise(unit, "k", {"M": 3})
    with pytest.raises(CudaSyntaxError, match='no kernel "kk"'):
        specialise(unit, "kk")


GARBAGE = {
    "a megabyte of brackets": "(" * 1_000_000,
    "a megabyte of @": "@" * 1_000_000,
    "a megabyte of letters": "x" * 1_000_000,
    "a megabyte of words": "ab " * 330_000,
    "a megabyte of digits": "7" * 1_000_000,
    "a megabyte of spaces": " " * 1_000_000,
    "a megabyte of lines": "\n" * 1_000_000,
    "a megabyte of quotes": '"\\' * 500_000,
    "a megabyte of zeros": "\0" * 1_000_000,
    "open comments": "/*" * 500_000,
    "comments": "/**/" * 250_000,
    "hashes": "#\n" * 300_000,
    "raw strings": 'R"(' * 300_000,
    "a long name": HEAD + "x" * 900_000 + ";}",
    "a long number": HEAD + "n = " + "7" * 900_000 + ";}",
    "parentheses": HEAD + "n = " + "(" * 100_000 + "1" + ")" * 100_000 + ";}",
    "a few parentheses too many": HEAD + "n = " + "(" * 300 + "1" + ")" * 300 + ";}",
    "brackets": HEAD + "a" + "[n" * 40_000 + "]" * 40_000 + ";}",
    "braces": HEAD + "{" * 90_000,
    "minus": HEAD + "n = " + "- " * 90_000 + "1;}",
    "stars": HEAD + "n = " + "*" * 90_000 + "a;}",
    "casts": HEAD + "n = " + "(int)" * 30_000 + "1;}",
    "calls": HEAD + "n = " + "abs(" * 40_000,
    "sum": HEAD + "n = " + "n + " * 45_000 + "1;}",
    "choices": HEAD + "n = " + "n ? 1 : " * 20_000 + "1;}",
    "ifs": HEAD + "if (n) " * 20_000 + ";}",
    "elses": HEAD + "if (n) ; else " * 15_000 + ";}",
    "fors": HEAD + "for (;;) " * 20_000 + ";}",
    "assignments": HEAD + "n = " * 40_000 + "1;}",
    "commas": HEAD + "n" + ", n" * 45_000 + ";}",
    "templates": "template <int N = " * 20_000,
    "angles": HEAD + "f" + "<" * 90_000 + ";}",
    "initialisers": HEAD + "int x[1] = " + "{" * 90_000,
    "namespaces": "namespace a { " * 30_000,
    "structs": "struct A { " * 25_000,
    "lambdas": HEAD + "auto f = " + "[&]() { return " * 15_000,
    "members": HEAD + "n" + ".x" * 45_000 + ";}",
    "pointers": f"__global__ void k(int {'*' * 90_000} p) {{ }}",
    "a macro of itself": "#define A A\n" + HEAD + "A" + "A " * 30_000 + "}",
    "a bomb": "\n".join(f"#define A{i} A{i + 1} A{i + 1}" for i in range(40)) + HEAD + "A0 }",
    "array bounds": HEAD + "int x" + "[2]" * 30_000 + ";}",
    "conditions": "#if 1\n" * 30_000,
    "declarations": "int a;" * 30_000,
}


@pytest.mark.parametrize("name", GARBAGE)
@pytest.mark.slow
def test_garbage_is_an_error_and_no_traceback(name):
    with pytest.raises((CudaSyntaxError, CudaUnsupported)) as caught:
        parse(GARBAGE[name])
    assert len(str(caught.value)) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        '"); import os; os._exit(1) #',
        "{n.__class__}",
        "eval(1)",
        "a.__dict__[0]",
    ],
)
def test_python_in_the_text_is_only_text(text):
    error(text + ";")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("__global__ void k(const flaot *in, int n) {}", 25),
        ("__global__ void k(float *a) { const flaot x = 1; a[0] = x; }", 37),
        ("__global__ void k(float *a) { __shared__ flaot s[32]; a[0] = s[0]; }", 42),
        ("struct P { const flaot x; }; __global__ void k(P p, float *a) { a[0] = p.x; }", 18),
        ("typedef flaot real; __global__ void k(real *a) { a[0] = 1; }", 9),
    ],
)
def test_a_misspelled_type_is_named_wherever_a_type_stands(text, column):
    with pytest.raises(CudaSyntaxError) as caught:
        parse(text)
    assert (caught.value.message, caught.value.column) == ('identifier "flaot" is undefined', column)
    assert caught.value.hint == 'did you mean "float"?'


def test_where_a_type_stands_only_types_are_offered():
    assert error("for (itn i = 0; i < n; i++) a[i] = 0;").hint == 'did you mean "int"?'  # not the array "in"
    assert error("retrun;").hint == 'did you mean "return"?'


@pytest.mark.parametrize("statements", ["a[0] = const;", "a[0] = while + 1;", "const = 3;", "int if = 3;"])
def test_nothing_is_offered_for_a_keyword(statements):
    assert error(statements).hint is None


def test_a_header_that_was_not_read_is_named_where_its_name_is_missing():
    with pytest.raises(CudaSyntaxError) as caught:
        parse('#include "helper.h"\n' + HEAD + "  a[0] = HELP;\n}")
    assert caught.value.hint == "helper.h (line 1) was not read: paste it here"
