"""Tokens keep their place in the text."""

import pytest

from gpusim.cuda.text.literals import character, number, unescape
from gpusim.cuda.text.mistakes import Mistake
from gpusim.cuda.text.tokens import LIMIT, tokenize


def places(text):
    return [(token.text, token.line, token.column) for token in tokenize(text)[:-1]]


def test_a_token_knows_its_line_and_column():
    assert places("int i;\n  x += 1;") == [
        ("int", 1, 1),
        ("i", 1, 5),
        (";", 1, 6),
        ("x", 2, 3),
        ("+=", 2, 5),
        ("1", 2, 8),
        (";", 2, 9),
    ]


def test_comments_vanish_and_their_lines_count():
    assert places("a /* one\n two */ b // c\nd") == [("a", 1, 1), ("b", 2, 9), ("d", 3, 1)]


def test_a_backslash_joins_lines_without_losing_count():
    assert places("a \\\n b\nc") == [("a", 1, 1), ("b", 2, 2), ("c", 3, 1)]


def test_windows_line_ends_are_line_ends():
    assert places("a\r\nb\r\n") == [("a", 1, 1), ("b", 2, 1)]


def test_before_tells_glued_spaced_and_first_on_its_line():
    assert [token.before for token in tokenize("f(x) y\nz")[:-1]] == ["\n", "", "", "", " ", "\n"]


@pytest.mark.parametrize(
    "text", ["a<<=b", "a>>=b", "a<<b", "a->b", "a++ +b", "a::b", "k<<<1,2>>>(x)", "a||b&&c"]
)
def test_operators_are_as_long_as_they_can_be(text):
    longest = {
        "a<<=b": "<<=",
        "a>>=b": ">>=",
        "a<<b": "<<",
        "a->b": "->",
        "a++ +b": "++",
        "a::b": "::",
        "k<<<1,2>>>(x)": "<<<",
        "a||b&&c": "||",
    }[text]
    assert tokenize(text)[1].text == longest


def test_strings_hold_quotes_escapes_and_raw_text():
    assert [token.text for token in tokenize(r'"a\"b" R"x(no \ ")" here)x" ' + "'\\n'")[:-1]] == [
        r'"a\"b"',
        r'"x(no \ ")" here)x"',
        "'\\n'",
    ]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("42", "int", 42),
        ("0x1F", "int", 31),
        ("017", "int", 15),
        ("0b101", "int", 5),
        ("1'000", "int", 1000),
        ("42u", "unsigned int", 42),
        ("42UL", "unsigned long long", 42),
        ("42ll", "long long", 42),
        ("2147483648", "long long", 2**31),
        ("0xffffffff", "unsigned int", 2**32 - 1),
        ("1.", "double", 1.0),
        ("0x8000000000000000", "unsigned long long", 2**63),
        (".5f", "float", 0.5),
        ("1e3", "double", 1000.0),
        ("0.1f", "float", 0.10000000149011612),
        ("0x1p-2", "double", 0.25),
        ("1.5E+2F", "float", 150.0),
        ("0", "int", 0),
    ],
)
def test_numbers_have_the_type_that_c_gives_them(text, kind, value):
    found, got = number(tokenize(text)[0])
    assert (str(found), got) == (kind, value)


@pytest.mark.parametrize(
    "text", ["08", "1.2.3", "0xg", "1abc", "99999999999999999999", "0x", "1e", "9" * 5000]
)
def test_what_is_no_number_is_an_error(text):
    with pytest.raises(Mistake, match="invalid number|too large"):
        number(tokenize(text)[0])


def test_characters_are_small_integers():
    assert [
        character(tokenize(text)[0])[1] for text in ("'a'", r"'\n'", r"'\x41'", r"'\0'", r"'\''", r"'\377'")
    ] == [97, 10, 65, 0, 39, -1]
    assert unescape(r"a\tb\\n\"") == 'a\tb\\n"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a /* b", "never closed"),
        ('x = R"(abc', "raw string is never closed"),
        ("( " * (LIMIT + 1), "more than 100,000 tokens"),
    ],
)
def test_text_without_end_is_an_error(text, message):
    with pytest.raises(Mistake, match=message):
        tokenize(text)


@pytest.mark.parametrize(
    "text", ['\\"' * 300_000, "'" * 150_000, '"' * 150_001, "@" * 90_000, "\x00\x01" * 40_000]
)
def test_garbage_is_cut_into_pieces_that_are_no_tokens(text):
    assert {token.kind for token in tokenize(text)} & {"stray", "string", "char"}
