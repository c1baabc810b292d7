"""Directives and macros: what the parser sees, and where it says that it stood."""

import pytest

from gpusim.cuda.text.mistakes import Mistake
from gpusim.cuda.text.preprocess import preprocess


def after(text):
    return " ".join(token.text for token in preprocess(text).tokens[:-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 4\nN + N", "4 + 4"),
        ("#define SQ(x) ((x) * (x))\nSQ(a + b)", "( ( a + b ) * ( a + b ) )"),
        ("#define SQ(x) ((x) * (x))\nSQ", "SQ"),
        ("#define F (x)\nF", "( x )"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define f(x) x + f(x)\nf(1)", "1 + f ( 1 )"),
        ("#define ADD(a, b) a + b\n#define TWICE(m, x) m(x, x)\nTWICE(ADD, 3)", "3 + 3"),
        (
            "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nMAX(f(1, 2), (3, 4))",
            "( ( f ( 1 , 2 ) ) > ( ( 3 , 4 ) ) ? ( f ( 1 , 2 ) ) : ( ( 3 , 4 ) ) )",
        ),
        ("#define CAT(a, b) a##b\n#define X 7\nCAT(X, Y) CAT(x, 1)", "XY x1"),
        ('#define STR(x) #x\nSTR(a + "b")', '"a + \\"b\\""'),
        ('#define LOG(text, ...) printf(text, __VA_ARGS__)\nLOG("%d", i, j)', 'printf ( "%d" , i , j )'),
        ("#define EMPTY\nEMPTY x EMPTY", "x"),
        ("#define CALL() g()\nCALL()", "g ( )"),
        ("#define LONG(x) x \\\n + 1\nLONG(\n2\n)", "2 + 1"),
        ("#define N 4\n#undef N\nN", "N"),
        ("a __LINE__\nb __LINE__", "a 1 b 2"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * f ( 9 )"),
    ],
)
def test_macros_expand_as_the_standard_says(text, expected):
    assert after(text) == expected


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("1", "yes"),
        ("0", "no"),
        ("defined(N)", "yes"),
        ("defined M || N == 4", "yes"),
        ("N > 4 && UNKNOWN", "no"),
        ("!defined M", "yes"),
        ("(N * 2 + 1) % 3 == 0", "yes"),
        ("UNKNOWN", "no"),
        ("N ? 0 : 1", "no"),
        ("1 << 3 == 8", "yes"),
        ("-1 < 0u + 1", "no"),
        ("'a' == 97", "yes"),
        ("__CUDA_ARCH__ >= 700", "yes"),
        ("~0 == -1", "yes"),
    ],
)
def test_conditions(test, expected):
    assert after(f"#define N 4\n#if {test}\nyes\n#else\nno\n#endif") == expected


def test_conditional_groups_nest_and_skip():
    text = """#ifdef A
    a @ ' skipped
    #if 1
    b
    #endif
    #elif defined(B)
    c
    #else
    d
    #endif
    #ifndef A
    e
    #endif"""
    assert after(text) == "d e"
    assert after("#define B\n" + text) == "c e"


def test_includes_are_skipped_and_noted():
    prepared = preprocess('#include <cuda_runtime.h>\n#pragma once\n#include "mine.h"\nx')
    assert [line for line, _ in prepared.skipped] == [1, 3]
    assert "#include <cuda_runtime.h>" in prepared.skipped[0][1]


def test_pragma_unroll_becomes_a_token_with_its_number():
    assert after("#define U 4\n#pragma unroll U\nfor") == "#unroll ( 4 ) for"
    assert after("#pragma unroll\nfor") == "#unroll for"
    assert after("#pragma nounroll\nfor") == "#unroll ( 1 ) for"
    assert after("#pragma GCC something\nfor") == "for"


def test_a_token_of_a_macro_stands_where_the_macro_is_used():
    tokens = preprocess("#define IDX(i) a[(i) * 4]\n\n  y = IDX(k + 1);").tokens
    by_text = {token.text: token for token in tokens}
    assert (by_text["a"].line, by_text["a"].column, by_text["a"].macro.name) == (3, 7, "IDX")
    assert by_text["a"].macro.line == 1
    assert (by_text["k"].line, by_text["k"].column, by_text["k"].macro) == (3, 11, None)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("x\n#if 1\ny", "#if is never closed", 2),
        ("#endif", "#endif without an #if", 1),
        ("#else\n", "#else without", 1),
        ("#if 1\n#else\n#elif 1\n#endif", "#elif after #else", 3),
        ("\n#error no such card", "#error no such card", 2),
        ("#define F(a) a\nF(1, 2)", 'macro "F" takes 1 arguments, 2 given', 2),
        ("#define F(a) a\nF(1", r'expected a "\)"', 2),
        ("#if 1 / 0\n#endif", "division by zero", 1),
        ("#if\n#endif", "#if needs an expression", 1),
        ("#define 3", "needs a name", 1),
        ("#if (1\n#endif", r'expected a "\)"', 1),
        ("#fi", 'unrecognized preprocessing directive "#fi"', 1),
        ("#define F(a", "expected", 1),
        ("x @ y", 'unrecognized token "@"', 1),
        ("x = 'abc", "missing closing quote", 1),
        ('s = "abc\nd', "missing closing quote", 1),
        ("#if defined\n#endif", '"defined" needs a name', 1),
        ("#if 1 +\n#endif", "expected an expression", 1),
        ("a é", "unrecognized token", 1),
    ],
)
def test_a_mistake_names_its_line(text, message, line):
    with pytest.raises(Mistake, match=message) as caught:
        preprocess(text)
    assert caught.value.at.line == line


BOMBS = {
    "itself": "#define A A A\n" + "A " * 60_000,
    "doubling": "\n".join(f"#define A{i} A{i + 1} A{i + 1}" for i in range(60)) + "\nA0",
    "arguments": "#define D(x) x x\n" + "D(" * 40 + "1" + ")" * 40,
    "pairs": "#define F(x) F(F(x)) F(x)\nF(F(F(F(F(F(F(1)))))))",
    "open calls": "#define F(x) x\n" + "F(" * 30_000,
    "deep condition": "#if " + "(" * 30_000 + "1" + ")" * 30_000 + "\n#endif",
    "signs": "#if " + "-" * 30_000 + "1\n#endif",
    "choices": "#if " + "1 ? " * 20_000 + "1\n#endif",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_macro_bomb_ends_in_an_error_or_in_few_tokens(bomb):
    try:
        assert len(preprocess(BOMBS[bomb]).tokens) <= 120_000
    except Mistake as mistake:
        assert mistake.message
