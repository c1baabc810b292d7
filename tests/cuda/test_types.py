"""Sizes, layouts and conversions are C's."""

import itertools
import random
import shutil
import subprocess

import numpy as np
import pytest
from tree_text import expression

from gpusim.cuda.front import parse
from gpusim.cuda.tree import types
from gpusim.cuda.tree.fold import convert_value, operate
from gpusim.cuda.tree.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    SHORT,
    UCHAR,
    UINT,
    ULONGLONG,
    USHORT,
    VECTORS,
    Array,
    Pointer,
)
from gpusim.cuda.typing.conversions import common, promote
from gpusim.cuda.typing.scope import simple_type

SPELLINGS = {
    BOOL: "bool",
    CHAR: "signed char",
    UCHAR: "unsigned char",
    SHORT: "short",
    USHORT: "unsigned short",
    INT: "int",
    UINT: "unsigned int",
    LONGLONG: "long long",
    ULONGLONG: "unsigned long long",
    FLOAT: "float",
    DOUBLE: "double",
}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("int", INT),
        ("unsigned", UINT),
        ("unsigned int", UINT),
        ("long", LONGLONG),
        ("long long", LONGLONG),
        ("char", CHAR),
        ("unsigned long long int", ULONGLONG),
        ("long unsigned", ULONGLONG),
        ("short int", SHORT),
        ("signed char", CHAR),
        ("unsigned short", USHORT),
        ("long double", DOUBLE),
        ("long int", LONGLONG),
        ("signed", INT),
        ("bool", BOOL),
    ],
)
def test_words_make_a_type(words, kind):
    assert simple_type(words.split()) is kind


@pytest.mark.parametrize(
    "words", ["float int", "long float", "unsigned double", "short char", "long long long", "bool bool"]
)
def test_words_that_make_no_type(words):
    assert simple_type(words.split()) is None


@pytest.mark.parametrize(
    ("name", "size", "align"),
    [
        ("float2", 8, 8),
        ("float3", 12, 4),
        ("float4", 16, 16),
        ("double2", 16, 16),
        ("int4", 16, 16),
        ("uchar4", 4, 4),
        ("char3", 3, 1),
        ("short2", 4, 4),
        ("half2", 4, 4),
        ("dim3", 12, 4),
        ("longlong2", 16, 16),
    ],
)
def test_vector_types_are_as_large_and_aligned_as_in_cuda(name, size, align):
    assert (VECTORS[name].size, VECTORS[name].align) == (size, align)


@pytest.mark.parametrize(
    ("members", "size", "offsets"),
    [
        ("float x; float y;", 8, [0, 4]),
        ("char t; float x;", 8, [0, 4]),
        ("char a; double d; char b;", 24, [0, 8, 16]),
        ("float v[3]; short s;", 16, [0, 12]),
        ("float4 p; float m;", 32, [0, 16]),
        ("char a, b, c;", 3, [0, 1, 2]),
        ("float* p; bool b;", 16, [0, 8]),
    ],
)
def test_structs_are_laid_out_as_c_does(members, size, offsets):
    unit = parse(f"struct S {{ {members} }}; __global__ void k(S* s) {{ s[0] = s[1]; }}")
    kind = unit.kernels["k"].parameters[0].type.to
    assert kind.size == size and [field.offset for field in kind.fields] == offsets
    assert types.dtype(kind).itemsize == size


def test_an_aligned_struct_is_as_large_as_its_alignment():
    unit = parse(
        "struct __align__(16) S { float x, y, z; }; __global__ void k(S* s, int n) { n = sizeof(S); }"
    )
    assert unit.kernels["k"].parameters[0].type.to.size == 16


def test_types_read_as_c():
    assert str(Array(Array(FLOAT, 32), 16)) == "float[16][32]"
    assert str(Pointer(INT, const=True)) == "const int*"
    assert types.dtype(HALF) == np.float16


def test_small_integers_become_int_in_arithmetic():
    assert [promote(kind) for kind in (BOOL, CHAR, UCHAR, SHORT, USHORT, UINT, HALF)] == [INT] * 5 + [
        UINT,
        HALF,
    ]


def test_half_meets_float_in_float():
    assert (common(HALF, HALF), common(HALF, FLOAT), common(HALF, INT)) == (HALF, FLOAT, HALF)


def compiled(program, tmp_path):
    """What a C++ program prints, line by line."""
    source = tmp_path / "program.cpp"
    source.write_text(program, encoding="utf-8")
    subprocess.run(
        ["g++", "-std=c++17", "-w", "-fno-strict-overflow", "-o", tmp_path / "program", source], check=True
    )
    return subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )[:-1]


needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


@needs_compiler
def test_usual_conversions_are_those_of_the_compiler(tmp_path):
    pairs = list(itertools.product(SPELLINGS, repeat=2))
    lines = [f"show<decltype(({SPELLINGS[a]})1 + ({SPELLINGS[b]})1)>();" for a, b in pairs]
    names = "".join(f'template <> void show<{name}>() {{ puts("{name}"); }}\n' for name in SPELLINGS.values())
    program = f"#include <cstdio>\ntemplate <class T> void show();\n{names}int main() {{ {' '.join(lines)} }}"
    assert compiled(program, tmp_path) == [SPELLINGS[common(a, b)] for a, b in pairs]


def random_constant(random_, depth):
    """A random constant expression in C whose value C defines."""
    if depth == 0 or random_.random() < 0.15:
        kind = random_.choice(list(SPELLINGS.values()))
        value = random_.choice([0, 1, 2, 3, 7, 100, 127, 255, 1000, 65535, 2**31 - 1, 0.5, 2.75, 99.5])
        return f"(({kind})({value}))" if random_.random() < 0.8 else f"(-(({kind})({value})))"
    left, right = (random_constant(random_, depth - 1) for _ in range(2))
    op = random_.choice(["+", "-", "*", "<", ">", "==", "!=", "<=", ">=", "&&", "||", "?"])
    if op == "?":
        return f"({left} ? {right} : {left})"
    return f"({left} {op} {right})"


@needs_compiler
def test_folded_constants_equal_the_compilers(tmp_path):
    random_ = random.Random(20)
    texts = [random_constant(random_, random_.choice([1, 2, 3])) for _ in range(400)]
    prints = "".join(f'printf("%.17g\\n", (double)({text}));\n' for text in texts)
    expected = compiled(f"#include <cstdio>\nint main() {{\n{prints}}}", tmp_path)
    for text, value in zip(texts, expected):
        got = expression(f"d = (double)({text})").removeprefix("d = ").removesuffix("d")
        assert float(got) == float(value), text


@needs_compiler
def test_folded_integer_division_and_shifts_equal_the_compilers(tmp_path):
    values = [-7, -2, -1, 1, 2, 3, 5, 31, 1000]
    texts = [f"({a}) {op} ({b})" for a in values for b in values for op in ("/", "%")]
    texts += [
        f"({a}) {op} {b}{u}"
        for a in (1, 5, -8, 1000)
        for b in (0, 1, 4, 30)
        for op in ("<<", ">>")
        for u in ("", "u")
    ]
    texts += [
        f"{a}u {op} {b}"
        for a in (7, 4000000000)
        for b in (3, 11)
        for op in ("/", "%", "&", "|", "^", "-", ">>")
    ]
    expected = compiled(
        "#include <cstdio>\nint main() {"
        + "".join(f'printf("%lld\\n", (long long)({text}));\n' for text in texts)
        + "}",
        tmp_path,
    )
    assert [expression(f"l = {text}") for text in texts] == [f"l = {value}l" for value in expected]


def test_conversions_of_constants():
    assert [
        convert_value(*pair)
        for pair in [
            (300, UCHAR),
            (200, CHAR),
            (-1, UINT),
            (2.9, INT),
            (-2.9, INT),
            (1e20, INT),
            (-5.0, UINT),
            (float("nan"), INT),
            (70000.0, HALF),
            (2, BOOL),
        ]
    ] == [44, -56, 2**32 - 1, 2, -2, 2**31 - 1, 0, 0, float("inf"), True]


def test_what_c_leaves_undefined_is_not_folded():
    assert operate("/", 1, 0, INT) is operate("<<", 1, 32, INT) is operate(">>", 1, -1, INT) is None
    assert expression("i = 1 / 0") == "i = (1 / 0)"


@pytest.mark.parametrize(
    ("op", "left", "right", "value"),
    [
        ("/", 1.0, 0.0, "inf"),
        ("/", -1.0, 0.0, "-inf"),
        ("/", 1.0, -0.0, "-inf"),
        ("/", 0.0, 0.0, "nan"),
        ("*", 3e38, 10.0, "inf"),
        ("+", 16777216.0, 1.0, "16777216.0"),
    ],
)
def test_float_arithmetic_rounds_and_divides_as_ieee_says(op, left, right, value):
    assert str(operate(op, left, right, FLOAT)) == value
