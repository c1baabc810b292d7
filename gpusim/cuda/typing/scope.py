"""Names and what they stand for: the built-in ones, and the records that declarations put into a scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ctypes import DTYPES
from ..tree.constants import CONSTANTS
from ..tree.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONGLONG,
    SCALARS,
    SHORT,
    UCHAR,
    UINT,
    ULONGLONG,
    USHORT,
    VECTORS,
    VOID,
    Array,
    Pointer,
    Scalar,
    Struct,
    Type,
)
from .builtins import BUILTINS


@dataclass(eq=False)
class Namespace:
    """A C++ namespace: its name and its names."""

    name: str
    names: dict = field(default_factory=dict)


@dataclass(eq=False)
class Constant:
    """A name for a constant expression: an enumerator, a constexpr, a template's int argument."""

    type: Type
    value: object


@dataclass(eq=False)
class Declaration:
    """A function as it stands in the text: its tokens are read again for each specialisation.

    kind : "kernel", "device" or "host"; start : its first token; body : of its {, None for a prototype
    template : its template's parameters, or None; scopes : those around it; owner : the struct of a method
    explicit : the place of the < of an explicit specialisation's arguments, or None
    """

    name: str
    kind: str
    token: object
    start: int
    body: int | None
    scopes: list
    template: list | None = None
    owner: object = None
    static: bool = False
    explicit: int | None = None
    header: object = None
    specialised: dict = field(default_factory=dict)


@dataclass(eq=False)
class TemplateParameter:
    """A parameter of a template.

    kind : "type", "value", "function", "template" or "pack" (...)
    start : the place of its first token; default : of its default's, or None
    """

    name: str
    kind: str
    start: int
    default: int | None


@dataclass(frozen=True)
class Placeholder:
    """A template's type parameter that deduction must find."""

    name: str
    kind: str = "open"
    size: int = 1
    align: int = 1

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class ValuePlaceholder:
    """A template's int parameter that deduction must find."""

    name: str


@dataclass(frozen=True)
class Pattern:
    """A struct template with arguments still to deduce: Vec<T, N>."""

    name: str
    arguments: tuple
    ghost = False
    size = align = 1

    def __str__(self):
        return f"{self.name}<...>"


@dataclass(eq=False)
class Overloads:
    """All functions of one name."""

    name: str
    declarations: list = field(default_factory=list)

    def candidates(self):
        """Those that have a body; prototypes only where nothing else is there."""
        return [d for d in self.declarations if d.body is not None and not d.explicit] or self.declarations


@dataclass(eq=False)
class ClassTemplate:
    """A struct template: the token after its header, its parameters, and the structs made from it.

    alias : it is a `template <...> using`, which starts at the type that it stands for
    """

    name: str
    token: object
    start: int
    template: list
    scopes: list
    made: dict = field(default_factory=dict)
    alias: bool = False


@dataclass(eq=False)
class Enumeration:
    """A named enum: the type of its values, and its enumerators by name."""

    type: Type
    names: dict = field(default_factory=dict)


@dataclass(eq=False)
class Dim3:
    """threadIdx, blockIdx, blockDim or gridDim."""

    name: str


@dataclass(frozen=True)
class Helper:
    """A name of a library's namespace that the parser knows how to read: `helper_NAME` of the parser does."""

    name: str


@dataclass(frozen=True)
class Maker:
    """make_float4 and its kin."""

    type: Type


# The words of simple types; several may stand together ("unsigned long long int").
WORDS = {
    "void",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "__int64",
    "__int8",
    "__int16",
    "__int32",
    "_Bool",
}

TYPES = {  # that one word names
    **VECTORS,
    **{name: SCALARS[known] for name, known in DTYPES.items() if name not in WORDS and " " not in name},
    "__half2": VECTORS["half2"],
}

_STANDARD = {"std", "cuda", "nvcuda", "cooperative_groups"}


def is_type(meaning):
    """True if a name that stands for `meaning` is a type's."""
    return isinstance(meaning, (Scalar, Pointer, Array, Struct, Placeholder)) or hasattr(meaning, "ghost")


def simple_type(words):
    """The type that simple words name together, or None: ["unsigned", "int"] -> unsigned int."""
    long, rest = words.count("long"), [word for word in words if word != "long"]
    unsigned = "unsigned" in rest
    rest = [word for word in rest if word not in ("signed", "unsigned")]
    signs = len(words) - long - len(rest)
    if (
        len(rest) == 2
        and "int" in rest
        and {"char", "float", "double", "void", "bool", "_Bool"}.isdisjoint(rest)
    ):
        rest.remove("int")
    if len(rest) > 1 or signs > 1 or long > 2:
        return None
    name = rest[0] if rest else "int"
    if long:
        if name == "double" and long == 1 and not signs:
            return DOUBLE
        return (ULONGLONG if unsigned else LONGLONG) if name == "int" else None
    signed = {
        "char": (CHAR, UCHAR),
        "short": (SHORT, USHORT),
        "int": (INT, UINT),
        "__int64": (LONGLONG, ULONGLONG),
        "__int8": (CHAR, UCHAR),
        "__int16": (SHORT, USHORT),
        "__int32": (INT, UINT),
    }
    if name in signed:
        return signed[name][unsigned]
    return (
        None if signs else {"void": VOID, "bool": BOOL, "_Bool": BOOL, "float": FLOAT, "double": DOUBLE}[name]
    )


def _base_scope():
    names = dict(TYPES)
    names.update(BUILTINS)
    names.update({f"make_{name}": Maker(kind) for name, kind in VECTORS.items() if kind.vector})
    names.update({name: Constant(*pair) for name, pair in CONSTANTS.items()})
    names.update({name: Dim3(name) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")})
    names.update({name: Namespace(name) for name in _STANDARD})
    return names


BASE = _base_scope()
