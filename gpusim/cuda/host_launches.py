"""Launches in host code: what can be read of them without running it.

Numbers are followed through plain declarations (`int n = 1 << 20;`, `dim3 block(16, 16);`) and arrays through
cudaMalloc; whatever is not so plain is left open.
"""

from __future__ import annotations

import ast
import math
import operator
from dataclasses import dataclass

from ..ctypes import DTYPES
from .parse.kernels import places
from .tree.types import VECTORS
from .typing.scope import Constant

SIZES = {name: kind.itemsize for name, kind in DTYPES.items()} | {
    name: kind.size for name, kind in VECTORS.items()
}
CASTS = frozenset((*SIZES, "auto", "const"))
TYPE_WORDS = frozenset((*SIZES, "const", "signed", "true", "false"))
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
LARGEST = 1 << 62
LONGEST = 200  # tokens of one expression


@dataclass(frozen=True)
class HostLaunch:
    """kernel<<<grid, block, shared>>>(arguments) on a line of host code.

    grid, block : tuples of ints, or None where they are not known;  shared : bytes, or None
    arguments : for each a number, an Allocated, or None;  template : the texts between < and >, or None for each
    sure : False where a number stands on a variable that may have changed since
    """

    line: int
    kernel: str
    grid: tuple | None
    block: tuple | None
    shared: int | None
    arguments: tuple
    template: tuple = ()
    sure: bool = True


@dataclass(frozen=True)
class Allocated:
    """A pointer into an array that cudaMalloc made.  nbytes : of the array;  offset : in elements"""

    nbytes: int
    offset: int = 0


def host_launches(reader) -> list[HostLaunch]:
    """The launches in the text of a parser, in order."""
    found = []
    for name, named in places(reader).items():
        for place in named:
            template, start = _configuration(reader, place)
            if start is not None:
                found.append(_launch(reader, name, place, template, start))
    return sorted(found, key=lambda launch: launch.line)


def _configuration(reader, place):
    """(the template arguments behind a kernel's name, as lists of texts; the place of the <<< or None)"""
    end, texts, template = place + 1, reader.texts, []
    if texts[end] == "<":
        template, depth = [[]], 0
        for end in range(place + 2, min(place + 2 + LONGEST, len(texts))):
            text = texts[end]
            if text in (";", "{", "}", "<<<") or text == ">" and depth == 0:
                break
            depth += (text in ("(", "[", "<")) - (text in (")", "]", ">"))
            if text == "," and depth == 0:
                template.append([])
            else:
                template[-1].append(text)
        end += texts[end] == ">"
    return template, end if end < len(texts) and texts[end] == "<<<" else None


def _launch(reader, name, place, template, start):
    known, sizes, unsure = _declared(reader, place)
    configuration, end = _pieces(reader, start + 1)
    given = []
    if reader.texts[end] == "(":
        given, _ = _pieces(reader, end + 1)
    shapes = [_shape(piece, known) for piece in configuration[:2]] + [None, None]
    shared = _number(configuration[2], known) if len(configuration) > 2 else 0
    values = tuple(_argument(piece, known, sizes) for piece in given)
    used = {text for piece in (*configuration, *given, *template) for text in piece}
    return HostLaunch(
        reader.tokens[place].line,
        name,
        shapes[0],
        shapes[1],
        shared,
        values,
        tuple(_template(piece, known) for piece in template),
        not used & unsure,
    )


def _template(piece, known):
    """A template argument as text: a number, or the words of a type; None for what is not known."""
    value = _number(piece, known)
    if value is not None:
        return {True: "true", False: "false"}.get(value, str(value)) if type(value) is bool else str(value)
    return " ".join(piece) if piece and all(text in TYPE_WORDS for text in piece) else None


def _pieces(reader, i):
    """(pieces between commas, as lists of texts; the place behind the bracket or >>> that ends them)"""
    pieces, depth, texts = [[]], 0, reader.texts
    while i < len(texts) - 3:
        text = texts[i]
        if depth == 0 and (text in (")", ";", "}") or text == ">>" and texts[i + 1] == ">"):
            return [piece for piece in pieces if piece], i + (2 if text == ">>" else 1)
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if text == "," and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(text)
        i += 1
    return [piece for piece in pieces if piece], i


def _declared(reader, end):
    """({name: number or shape}, {array: bytes}, names that may have changed) as the text before a place declares them."""
    known = {name: what.value for name, what in reader.file_names.items() if isinstance(what, Constant)}
    sizes, texts, unsure = {}, reader.texts, set()
    for i in range(1, end):
        named, before = reader.tokens[i].kind == "name", reader.tokens[i - 1]
        if named and texts[i + 1] == "=" and before.kind in ("name", "op"):
            pieces, _ = _pieces(reader, i + 2)
            value = _shape(pieces[0], known, single=True) if pieces else None
            changed = before.kind == "op" and before.text not in (",", "*", "&") or before.text == "else"
            if changed and texts[i] in known:  # assigned again, perhaps only under some condition
                unsure.add(texts[i])
                value = known[texts[i]] if value is None else value
            elif unsure & set(pieces[0] if pieces else ()):
                unsure.add(texts[i])
            known[texts[i]] = value
        elif named and texts[i - 1] == "dim3":
            _shapes(reader, i, known, unsure)
        elif texts[i] in ("cudaMalloc", "cudaMallocManaged") and texts[i + 1] == "(":
            pieces, _ = _pieces(reader, i + 2)
            if len(pieces) > 1:
                sizes[pieces[0][-1]] = _number(pieces[1], known)
                if unsure & set(pieces[1]):
                    unsure.add(pieces[0][-1])
    return known, sizes, unsure


def _shapes(reader, i, known, unsure):
    """dim3 block(16, 16), grid(4, 4): what stands from the first name on."""
    texts = reader.texts
    while reader.tokens[i].kind == "name" and texts[i + 1] in ("(", "{"):
        pieces, end = _pieces(reader, i + 2)
        known[texts[i]] = _numbers(pieces, known)
        if unsure & {text for piece in pieces for text in piece}:
            unsure.add(texts[i])
        if texts[end] != ",":
            break
        i = end + 1


def _argument(piece, known, sizes):
    array = [text for text in piece if sizes.get(text) is not None]
    if array and piece[0] == array[0] and (len(piece) == 1 or piece[1] == "+"):
        offset = _number(piece[2:], known) if len(piece) > 1 else 0
        return Allocated(sizes[array[0]], offset) if isinstance(offset, int) and offset >= 0 else None
    if array and piece[0] == "&" and piece[1] == array[0] and piece[2:3] == ["["] and piece[-1] == "]":
        offset = _number(piece[3:-1], known)
        return Allocated(sizes[array[0]], offset) if isinstance(offset, int) and offset >= 0 else None
    return _number(piece, known)


def _shape(piece, known, single=False):
    """A tuple from `dim3(16, 16)`, a declared dim3 or a number; `single`: a number stays one."""
    if piece[:1] == ["dim3"] and len(piece) > 2:
        inner, parts, depth = piece[2:-1], [[]], 0
        for text in inner:
            depth += (text == "(") - (text == ")")
            if text == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(text)
        return _numbers(parts, known)
    if len(piece) == 1 and isinstance(known.get(piece[0]), tuple):
        return known[piece[0]]
    value = _number(piece, known)
    if single or value is None:
        return value
    return (value,) if isinstance(value, int) and value > 0 else None


def _numbers(pieces, known):
    values = [_number(piece, known) for piece in pieces]
    return tuple(values) if values and all(isinstance(value, int) for value in values) else None


def _number(piece, known):
    """The value of an expression of numbers and known names, or None."""
    words, i = [], 0
    if len(piece) > LONGEST:
        return None
    while i < len(piece):
        text = piece[i]
        if text == "sizeof" and piece[i + 1 : i + 2] == ["("] and ")" in piece[i:]:
            end = piece.index(")", i)
            kind = next((word for word in reversed(piece[i:end]) if word in SIZES), None)
            text, i = str(8 if "*" in piece[i:end] else SIZES.get(kind, "?")), end
        elif text == "(" and ")" in piece[i:] and set(piece[i + 1 : piece.index(")", i)]) <= CASTS:
            i = piece.index(")", i) + 1  # a cast
            continue
        elif (
            text.isidentifier()
            and piece[i + 1 : i + 2] == ["."]
            and piece[i + 2 : i + 3] in (["x"], ["y"], ["z"])
        ):
            size = known.get(text)  # block.x of a dim3
            sizes = (*size, 1, 1) if isinstance(size, tuple) else ()
            text, i = (str(sizes["xyz".index(piece[i + 2])]) if sizes else "?"), i + 2
        elif text.isidentifier():
            value = known.get(text)
            text = repr(value) if isinstance(value, (int, float)) else "?"
        elif text[0].isdigit() or text[0] == "." and len(text) > 1:
            text = text.replace("'", "")
            text = text if text.lower().startswith("0x") else text.rstrip("uUlLfF")
        words.append(text)
        i += 1
    try:
        return _value(ast.parse(" ".join(words), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def _value(node):
    """Evaluate numbers and C's arithmetic; ValueError for all else."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return -_value(node.operand) if isinstance(node.op, ast.USub) else _value(node.operand)
    if not isinstance(node, ast.BinOp):
        raise ValueError
    left, right = _value(node.left), _value(node.right)
    if isinstance(node.op, ast.Div):
        whole = isinstance(left, int) and isinstance(right, int)
        return (
            math.trunc(left / right)
            if whole and abs(left) < 2**53
            else left // right
            if whole
            else left / right
        )
    if isinstance(node.op, (ast.LShift, ast.RShift)) and not 0 <= right < 63:
        raise ValueError
    value = OPERATORS[type(node.op)](left, right) if type(node.op) in OPERATORS else None
    if value is None or abs(value) > LARGEST:
        raise ValueError
    return value
