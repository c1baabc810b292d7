"""Number, character and string tokens to their C type and Python value."""

from __future__ import annotations

import math
import re

from ..tree.fold import convert_value
from ..tree.types import CHAR, DOUBLE, FLOAT, HALF, INT, LONGLONG, UINT, ULONGLONG
from .mistakes import Mistake

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uU]?(?:ll|LL|[lLzZ])?[uU]?)\Z")
_FLOATING = re.compile(
    r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+)"
    r"(f16|[fFlLhH]?)\Z"
)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.|\n)", re.DOTALL)


def number(token):
    """(type, value) of a number token.

    >>> from .tokens import tokenize
    >>> [number(t)[1] for t in tokenize("0x10u 017 2.5f 1e3 1'000")[:-1]]
    [16, 15, 2.5, 1000.0, 1000]
    """
    text = token.text.replace("'", "")
    match = _INTEGER.match(text)
    if match:
        return _integer(token, *match.groups())
    match = _FLOATING.match(text)
    if not match:
        raise Mistake(f'invalid number "{token.text[:40]}"', token)
    digits, suffix = match.groups()
    if suffix and digits.isdigit():
        raise Mistake(
            f'invalid number "{token.text[:40]}"',
            token,
            hint=f"a floating-point number has a point: {digits}.0{suffix}",
        )
    value = _hexadecimal(digits) if digits[:2] in ("0x", "0X") else float(digits)
    kind = {"f": FLOAT, "h": HALF}.get(suffix[:1].lower(), DOUBLE)
    return kind, convert_value(value, kind)


def _hexadecimal(digits):
    """The value of a hexadecimal float; one that is too large is infinite, as a decimal one."""
    try:
        return float.fromhex(digits)
    except OverflowError:
        return math.inf


def _integer(token, digits, suffix):
    decimal = digits[0] != "0"
    base = {"x": 16, "b": 2}.get(digits[1:2].lower(), 10 if decimal else 8)
    if len(digits) > 80 or base == 8 and re.search("[89]", digits):
        raise Mistake(f'invalid number "{token.text[:40]}"', token)
    value = int(digits if base in (8, 10) else digits[2:], base)
    unsigned, long = "u" in suffix.lower(), re.search("[lLzZ]", suffix)
    kinds = [
        kind
        for kind in (INT, UINT, LONGLONG, ULONGLONG)
        if not (
            unsigned
            and kind.kind == "int"
            or long
            and kind.size == 4
            or kind.kind == "uint"
            and decimal
            and not unsigned
        )
    ]
    for kind in kinds:
        if value < 1 << (8 * kind.size - (kind.kind == "int")):
            return kind, value
    raise Mistake("integer constant is too large", token)


def character(token):
    """(type, value) of a character constant such as 'a' or '\\n'."""
    text = unescape(token.text[1:-1])
    if len(text) != 1 or ord(text) > 255:
        raise Mistake("a character constant holds one character", token)
    return CHAR, convert_value(ord(text), CHAR)


def unescape(text):
    """The characters of a quoted text, its backslash escapes replaced."""

    def escape(match):
        code = match[1]
        if code[0] == "x":
            return chr(int(code[1:], 16) & 255)
        if code[0] in "01234567":
            return chr(int(code, 8) & 255)
        return "" if code == "\n" else _ESCAPES.get(code, code)

    return _ESCAPE.sub(escape, text)


def text_codes(text):
    """The characters of a text in quotes as bytes, and the 0 behind them.

    >>> text_codes("ab")
    [97, 98, 0]
    """
    return [byte for c in text for byte in ([ord(c)] if ord(c) < 256 else c.encode())] + [0]


def conversions(text):
    """How many values printf takes for a text.

    >>> conversions("%d of %*d: 100%%")
    3
    """
    return sum(
        1 + found.count("*")
        for found in re.findall(r"%([-+ #0]*[\d*]*(?:\.[\d*]*)?[a-zA-Z]|%)", text)
        if found != "%"
    )
