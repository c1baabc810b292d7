"""The types of CUDA C: scalars, pointers, arrays and structs, with their sizes in bytes and NumPy dtypes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...ctypes import DTYPES, NAMES


@dataclass(frozen=True)
class Scalar:
    """An arithmetic type (or void).

    name : as C spells it; kind : "void", "bool", "int", "uint" or "float"; size : bytes
    """

    name: str
    kind: str
    size: int

    @property
    def align(self):
        return self.size

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Pointer:
    """A pointer; `const` and `volatile` describe what it points to."""

    to: Type
    const: bool = False
    volatile: bool = False
    size = align = 8

    def __str__(self):
        return f"{'const ' if self.const else ''}{self.to}*"


@dataclass(frozen=True)
class Array:
    """`count` elements of type `of` in a row; count is None where it is open (extern __shared__)."""

    of: Type
    count: int | None

    @property
    def size(self):
        return self.of.size * (self.count or 0)

    @property
    def align(self):
        return self.of.align

    def __str__(self):
        element, counts = self, ""
        while isinstance(element, Array):
            counts += f"[{'' if element.count is None else element.count}]"
            element = element.of
        return f"{element}{counts}"


@dataclass(frozen=True)
class Field:
    """A member of a struct; offset in bytes."""

    name: str
    type: Type
    offset: int


@dataclass(frozen=True)
class Struct:
    """A C struct, or a built-in vector type such as float4 (`vector` is True)."""

    name: str
    fields: tuple[Field, ...]
    size: int
    align: int
    vector: bool = False

    def field(self, name):
        """The field called `name`, or None."""
        return next((field for field in self.fields if field.name == name), None)

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Fragment(Struct):
    """A wmma fragment: what a lane holds of a matrix, as the array x.

    use : "matrix_a", "matrix_b" or "accumulator"; layout : of a factor in memory, "row_major" or "col_major"
    """

    use: str = ""
    layout: str = ""

    @property
    def element(self):
        """The type of the matrix's elements."""
        return self.fields[0].type.of


@dataclass(frozen=True)
class Union(Struct):
    """A union: all its members lie at its beginning; as a whole it is a row of words."""

    @property
    def words(self):
        """What it is moved as, an Array of unsigned integers."""
        word = {1: UCHAR, 2: USHORT, 4: UINT}.get(self.align, ULONGLONG)
        return Array(word, self.size // word.size)


Type = Scalar | Pointer | Array | Struct


def _scalar(name, known):
    return Scalar(name, {"b": "bool", "i": "int", "u": "uint", "f": "float"}[known.kind], known.itemsize)


VOID = Scalar("void", "void", 1)
SCALARS = {known: _scalar(name, known) for known, name in NAMES.items()}  # {dtype: Scalar}
BOOL, CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONGLONG, ULONGLONG, HALF, FLOAT, DOUBLE = SCALARS.values()


def struct(name, members, vector=False, align=None):
    """Lay out a struct as C does.

    members : [(name, type)]; align : bytes, the natural one if None

    >>> struct("P", [("tag", CHAR), ("x", FLOAT)]).size
    8
    """
    fields, end, widest = [], 0, 1
    for member, kind in members:
        offset = -(-end // kind.align) * kind.align
        fields.append(Field(member, kind, offset))
        end = offset + kind.size
        widest = max(widest, kind.align)
    align = align or widest
    return Struct(name, tuple(fields), max(align, -(-end // align) * align), align, vector)


def union(name, members, align=None):
    """Lay out a union as C does.

    >>> union("U", [("f", FLOAT), ("b", Array(UCHAR, 6))]).words
    Array(of=Scalar(name='unsigned int', kind='uint', size=4), count=2)
    """
    align = align or max(kind.align for _, kind in members)
    size = -(-max(kind.size for _, kind in members) // align) * align
    return Union(name, tuple(Field(member, kind, 0) for member, kind in members), size, align)


def holds_union(kind):
    """True for a union, and for arrays and structs of them."""
    if isinstance(kind, Array):
        return holds_union(kind.of)
    if isinstance(kind, Struct) and not kind.vector:
        return isinstance(kind, Union) or any(holds_union(field.type) for field in kind.fields)
    return False


def fragment(use, element, layout=""):
    """A fragment of a 16 x 16 matrix; a factor's lanes hold each of their eight elements twice.

    >>> str(fragment("matrix_a", HALF, "row_major")), fragment("accumulator", FLOAT).size
    ('fragment<matrix_a, 16, 16, 16, half, row_major>', 32)
    """
    whole = struct("", [("x", Array(element, 8 if use == "accumulator" else 16))])
    name = ", ".join([use, "16, 16, 16", str(element), *([layout] if layout else [])])
    return Fragment(f"fragment<{name}>", whole.fields, whole.size, whole.align, False, use, layout)


def holds_fragment(kind):
    """True for a fragment and for an array of them."""
    while isinstance(kind, Array):
        kind = kind.of
    return isinstance(kind, Fragment)


def _vectors():
    names = "char uchar short ushort int uint ulonglong long ulong float double".split()
    scalars = {"longlong": LONGLONG, **{name: SCALARS[DTYPES[name]] for name in names}}
    table = {}
    for name, kind in scalars.items():
        for n in (1, 2, 3, 4):
            align = min(16, kind.size * n) if n != 3 else kind.size
            members = [(x, kind) for x in "xyzw"[:n]]
            table[f"{name}{n}"] = struct(f"{name}{n}", members, vector=True, align=align)
    table["half2"] = struct("half2", [("x", HALF), ("y", HALF)], vector=True, align=4)
    table["dim3"] = struct("dim3", [(x, UINT) for x in "xyz"])
    return table


VECTORS = _vectors()


def is_integer(kind):
    """True for bool and the integer types."""
    return isinstance(kind, Scalar) and kind.kind in ("bool", "int", "uint")


def is_float(kind):
    """True for half, float and double."""
    return isinstance(kind, Scalar) and kind.kind == "float"


def dtype(kind):
    """The NumPy dtype with the same bytes: pointers are 8-byte integers, structs are structured dtypes.

    >>> dtype(VECTORS["float2"]).itemsize, dtype(UINT)
    (8, dtype('uint32'))
    """
    if isinstance(kind, Pointer):
        return np.dtype(np.int64)
    if isinstance(kind, Array):
        return np.dtype((dtype(kind.of), (kind.count or 0,)))
    if isinstance(kind, Union):
        return dtype(kind.words)
    if isinstance(kind, Struct):
        names, offsets = [f.name for f in kind.fields], [f.offset for f in kind.fields]
        formats = [dtype(f.type) for f in kind.fields]
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": kind.size})
    return DTYPES["uchar" if kind.kind == "void" else kind.name]
