"""Quoted includes: the texts of files beside a kernel's, which become part of its unit behind its own lines."""

from __future__ import annotations

from pathlib import Path

from .mistakes import Mistake
from .tokens import LIMIT, tokenize

MOST = 100  # files of one unit
MOST_BYTES = 1 << 20  # of one of them


def beside(path):
    """A reader of files in the folder of a kernel's file: reader(name) -> text, or None.

    It leads nowhere else: no absolute name, no .., no link that points out of the folder.
    """
    folder = Path(path).resolve().parent

    def read(name):
        if Path(name).is_absolute() or ".." in Path(name).parts:
            return None
        try:
            file = (folder / name).resolve()
            if not file.is_relative_to(folder) or not file.is_file() or file.stat().st_size > MOST_BYTES:
                return None
            return file.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
        except (OSError, ValueError):  # a name that no file can have
            return None

    return read


def quoted(tokens):
    """[(line, name)] of the lines #include "name"."""
    heads = zip(tokens, tokens[1:], tokens[2:])
    return [
        (hash_.line, name.text[1:-1])
        for hash_, word, name in heads
        if hash_.text == "#" and hash_.before == "\n" and word.text == "include" and name.kind == "string"
    ]


def with_headers(unit, tokens, read):
    """{name: tokens} of what `tokens` and the headers themselves include; the texts end up in unit.text.

    Lines go on counting behind those of the text, so that every line of the unit has one number.
    """
    found, open_ = {}, [tokens]
    while open_:
        for _, name in quoted(open_.pop()):
            text = read(name) if name not in found and len(found) < MOST else None
            if text is None:
                continue
            first = unit.text.count("\n") + 2
            unit.text += "\n" + text
            unit.headers.append((first, name))
            found[name] = _moved(text, first - 1)
            open_.append(found[name])
            if sum(map(len, found.values())) > LIMIT:
                raise Mistake(f"headers of more than {LIMIT:,} tokens", tokens[0], unsupported=True)
    return found


def _moved(text, lines):
    """The tokens of a header, so many lines further down."""
    try:
        return [token._replace(line=token.line + lines) for token in tokenize(text)]
    except Mistake as mistake:
        mistake.at = mistake.at._replace(line=mistake.at.line + lines)
        raise
