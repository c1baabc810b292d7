"""Text to tokens: one pass of one regular expression, every token with its line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from .mistakes import Mistake

LIMIT = 100_000  # tokens of a text, also after its macros: a bound on time, far above any kernel

# How tightly C's binary operators bind, for the preprocessor's conditions and for expressions alike.
LEVELS = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    "<=": 7,
    ">": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}


class Token(NamedTuple):
    """A token.

    kind : "name", "number", "string", "char", "op", "pragma", "stray" (no token of C) or "end"
    line, column : from 1; before : "" glued to the token before it, " " after blanks, "\\n" first on its line
    macro : the Macro at whose use it appeared, or None; its line and column are then those of the use
    """

    kind: str
    text: str
    line: int
    column: int
    before: str = " "
    macro: object = None


SPELLED = {  # operators that C++ also knows by name
    "and": "&&",
    "or": "||",
    "not": "!",
    "xor": "^",
    "bitand": "&",
    "bitor": "|",
    "compl": "~",
    "and_eq": "&=",
    "or_eq": "|=",
    "xor_eq": "^=",
    "not_eq": "!=",
}
_PATTERN = re.compile(
    r"""
    (?P<name>[A-Za-z_]\w*)
  | (?P<space>[ \t\r\f\v]+)
  | (?P<newline>\n)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<comment>//(?:\\\n|[^\n])*|/\*)
  | (?P<op><<<|<<=|>>=|\.\.\.|->\*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|\#\#
      |[-+*/%<>=!&|^~?:;,.(){}\[\]\#])
  | (?P<splice>\\[ \t\r]*\n)
  | (?P<string>"(?:[^"\\\n]|\\(?:.|\n))*"?)
  | (?P<char>'(?:[^'\\\n]|\\(?:.|\n))*'?)
  | (?P<stray>.)
""",
    re.VERBOSE | re.ASCII,
)
_RAW = re.compile(r'"([^()\\\s"]{0,16})\(')


_SPLIT = re.compile(r"(?<=\S)\\[ \t\r]*\n(?=\S)")  # a line continuation in the middle of a token, perhaps


def tokenize(text):
    """The tokens of `text`, comments left out, an "end" token last.

    >>> [token.text for token in tokenize("y[i] += 2.5f; // done")]
    ['y', '[', 'i', ']', '+=', '2.5f', ';', '']
    >>> [token.text for token in tokenize("thread\\\\\\nIdx.x")]
    ['threadIdx', '.', 'x', '']
    """
    splits = [match.span() for match in _SPLIT.finditer(text)]
    return _tokens(text) if not splits else _unjoined(text, splits)


def _unjoined(text, splits):
    """The tokens of `text` without these line continuations, at the places where they stand in it."""
    ends = [0, *(end for _, end in splits)]
    pieces = [text[start:end] for start, end in zip(ends, [*(start for start, _ in splits), len(text)])]
    joined = "".join(pieces)
    begins = list(accumulate(map(len, pieces), initial=0))  # of each piece in `joined`
    lines = [0, *(i + 1 for i, letter in enumerate(joined) if letter == "\n")]

    def moved(token):
        at = lines[token.line - 1] + token.column - 1
        piece = min(bisect_right(begins, at) - 1, len(pieces) - 1)
        place = at - begins[piece] + ends[piece]
        before = text[:place]
        return token._replace(line=before.count("\n") + 1, column=place - before.rfind("\n"))

    try:
        return [moved(token) for token in _tokens(joined)]
    except Mistake as mistake:
        mistake.at = moved(mistake.at)
        raise


def _tokens(text):
    tokens, line, start, before, place, skip = [], 1, 0, "\n", 0, 0
    for match in _PATTERN.finditer(text):
        kind, place = match.lastgroup, match.start()
        if place < skip:
            continue
        if kind == "space":
            before = before or " "
        elif kind == "newline":
            line, start, before = line + 1, match.end(), "\n"
        elif kind in ("comment", "splice"):
            skip = _end_of_comment(text, match, line, start)
            line += text.count("\n", place, skip)
            start = text.rfind("\n", place, skip) + 1 or start
            before = before or " "
        else:
            word = match.group()
            if kind in ("string", "char"):
                word, kind, skip = _quoted(text, word, kind, match, tokens, before)
            if word in SPELLED:
                kind, word = "op", SPELLED[word]
            tokens.append(Token(kind, word, line, place - start + 1, before))
            if "\n" in word:
                line, start = line + word.count("\n"), place + word.rindex("\n") + 1
            before = ""
            if len(tokens) > LIMIT:
                raise Mistake(
                    f"the text has more than {LIMIT:,} tokens",
                    tokens[-1],
                    unsupported=True,
                    hint="pass the kernels alone, not the whole program",
                )
    tokens.append(Token("end", "", line, len(text) - start + 1, "\n"))
    return tokens


@lru_cache(maxsize=64)
def tokens_of_text(text):
    """The tokens of a text that is asked for again and again, kept."""
    return tuple(tokenize(text))


@lru_cache(maxsize=64)
def without_comments(text):
    """`text` with a blank for each comment; line breaks stay, so that lines keep their numbers.

    >>> without_comments("a /* b\\n */ = 1; // c")
    'a \\n = 1;  '
    """
    parts, start, skip = [], 0, 0
    for match in _PATTERN.finditer(text):
        if match.start() >= skip and match.lastgroup == "comment":
            end = text.find("*/", match.end()) if match.group() == "/*" else match.end()
            skip = end + 2 * (match.group() == "/*") if end >= 0 else len(text)
            parts += text[start : match.start()], "\n" * text.count("\n", match.start(), skip) or " "
            start = skip
    return "".join(parts) + text[start:]


def spelled(tokens):
    """Tokens as text again, with a blank where there were some.

    >>> spelled(tokenize("a+ b   [ 2 ]")[:-1])
    'a+ b [ 2 ]'
    """
    return "".join(" " * bool(token.before) + token.text for token in tokens).strip()


def _end_of_comment(text, match, line, start):
    if match.group() != "/*":
        return match.end()
    end = text.find("*/", match.end())
    if end < 0:
        raise Mistake(
            "this comment is never closed",
            Token("op", "/*", line, match.start() - start + 1),
            hint="end it with */",
        )
    return end + 2


def _quoted(text, word, kind, match, tokens, before):
    """A quoted token that is not closed is a stray quote; a raw string ends at its own delimiter."""
    raw = tokens and before == "" and tokens[-1].text in ("R", "LR", "uR", "UR", "u8R") and kind == "string"
    if raw:
        opening = _RAW.match(text, match.start())
        end = text.find(f'){opening[1]}"', opening.end()) if opening else -1
        if end < 0:
            raise Mistake("this raw string is never closed", tokens[-1])
        end += len(opening[1]) + 2
        tokens.pop()
        return text[match.start() : end], "string", end
    closed = len(word) > 1 and word[-1] == word[0]
    return word, kind if closed else "stray", match.end()


def unclosed_quote(token):
    """True when a stray token is a quote without its end (and not a character foreign to C)."""
    return token.kind == "stray" and token.text[0] in "'\""
