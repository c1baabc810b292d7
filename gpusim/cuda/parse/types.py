"""Types as C writes them: specifiers (`const unsigned int`) and declarators (`*p`, `a[4][5]`, `(*t)[33]`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import Pointer, Scalar, Struct, is_integer
from ..typing.scope import (
    WORDS,
    ClassTemplate,
    Enumeration,
    Helper,
    Pattern,
    Placeholder,
    is_type,
    simple_type,
)
from .cursor import KEYWORDS
from .rules import rules

AUTO = Scalar("auto", "auto", 0)  # stands in until the initialiser tells

# Types of libraries that are read by a rule of their own: {Helper: function}; the pages of C++ enter theirs.
LIBRARY_TYPES = {}

FLAGS = frozenset(
    """static extern inline constexpr register mutable typedef __inline__ __forceinline__ __noinline__
    __global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ explicit friend
    consteval constinit thread_local virtual""".split()
)
QUALIFIERS = frozenset(("const", "volatile", "__restrict__", "__restrict", "restrict"))
ATTRIBUTES = frozenset(
    (
        "__launch_bounds__",
        "__align__",
        "alignas",
        "__attribute__",
        "__maxnreg__",
        "__cluster_dims__",
        "__block_size__",
    )
)
STARTERS = (
    FLAGS
    | QUALIFIERS
    | WORDS
    | ATTRIBUTES
    | {"struct", "class", "enum", "union", "auto", "typename", "decltype", "unsigned", "signed"}
)


@dataclass
class Specifiers:
    """What stands before a declarator.  flags : words of FLAGS; bounds : of __launch_bounds__"""

    type: object = None
    const: bool = False
    volatile: bool = False
    flags: set = field(default_factory=set)
    bounds: tuple | None = None


def holds_auto(kind):
    """True for auto, auto*, auto** ..."""
    while isinstance(kind, Pointer):
        kind = kind.to
    return kind is AUTO


def deduced(kind, given):
    """The type that makes `kind`, which has auto at its bottom, a `given`; None where nothing does.

    >>> from ..tree.types import INT
    >>> str(deduced(Pointer(AUTO, const=True), Pointer(INT))), deduced(Pointer(AUTO), INT)
    ('const int*', None)
    """
    if kind is AUTO:
        return given
    if not isinstance(kind, Pointer) or not isinstance(given, Pointer):
        return None
    to = deduced(kind.to, given.to)
    return to and Pointer(to, kind.const or given.const, kind.volatile or given.volatile)


@dataclass
class Declarator:
    """A declared name with its type; const and volatile are those of the variable itself."""

    token: object
    type: object
    const: bool
    volatile: bool
    reference: bool = False


def type_ahead(p):
    """True when a type starts at the current token."""
    token = p.tokens[p.i]
    if token.kind != "name":
        return False
    text = token.text
    if text in STARTERS:
        return True
    meaning = p.lookup(text)
    if meaning is None:
        return False
    if p.texts[p.i + 1] == "::" and not is_type(meaning):
        place = p.i
        try:
            meaning, _ = p.qualified()
        except Mistake:
            meaning = None
        p.i = place
    if isinstance(meaning, Enumeration):
        return p.texts[p.i + 1] != "::"
    return is_type(meaning) or isinstance(meaning, ClassTemplate) or reads_type(meaning)


def reads_type(meaning):
    """True for a library's type that the parser reads itself."""
    return isinstance(meaning, Helper) and meaning in LIBRARY_TYPES


def specifiers(p):
    """Read specifiers; `.type` is None when there is none."""
    found, words, first = Specifiers(), [], p.here
    while True:
        token = p.here
        text = token.text
        if text in WORDS:
            words.append(text)
            p.i += 1
        elif text in FLAGS:
            if text == "virtual":
                raise p.refuse(text, token)
            found.flags.add(text)
            p.i += 1
        elif text in QUALIFIERS:
            found.const |= text == "const"
            found.volatile |= text == "volatile"
            p.i += 1
        elif text in ATTRIBUTES or text == "[" and p.texts[p.i + 1] == "[":
            attribute(p, found)
        elif found.type is None and not words and type_name(p, found):
            pass
        else:
            break
    if words:
        found.type = simple_type(words)
        if found.type is None or len(words) > 5:
            raise Mistake(f'invalid combination of type specifiers "{" ".join(words[:6])}"', first)
    found.const |= "constexpr" in found.flags
    return found


def attribute(p, found):
    """__launch_bounds__(threads, blocks) is kept, other attributes are read over."""
    if p.texts[p.i] == "[":
        p.skip_brackets()
        return
    name = p.next().text
    if name == "__launch_bounds__":
        p.expect("(")
        bounds = [constant_int(p)]
        while p.accept(","):
            bounds.append(constant_int(p))
        p.expect(")")
        found.bounds = tuple((bounds + [None])[:2])
    elif name == "__align__" or name == "alignas":
        p.expect("(")
        p.align = rules.type_name_only(p).align if type_ahead(p) else constant_int(p)
        p.expect(")")
    elif p.texts[p.i] == "(":
        p.skip_brackets()


def type_name(p, found):
    """A struct, an enum, auto, a typedef's or template's name: set found.type; False if none is here."""
    token = p.here
    text = token.text
    if token.kind != "name" and text != "::":
        return False
    if text in ("struct", "class", "union"):
        found.type = rules.struct_specifier(p)
    elif text == "enum":
        found.type = rules.enum_specifier(p)
    elif text == "auto":
        p.i += 1
        found.type = AUTO
    elif text == "typename":
        p.i += 1
        return type_name(p, found)
    elif text == "decltype":
        p.i += 1
        p.expect("(")
        found.type = rules.expression(p).type
        p.expect(")")
    elif text in KEYWORDS:
        return False
    else:
        if not type_ahead(p):
            return False
        meaning, token = p.qualified()
        if isinstance(meaning, ClassTemplate):
            meaning = rules.class_from_template(p, meaning, token)
        elif isinstance(meaning, Enumeration):
            meaning = meaning.type
        elif reads_type(meaning):
            meaning = LIBRARY_TYPES[meaning](p)
        found.type = member_types(p, meaning)
    return True


def member_types(p, meaning):
    """Struct::name for a type declared inside a struct."""
    if isinstance(meaning, Pattern) and p.texts[p.i] == "::":
        p.i += 2
        return Placeholder("(not deduced)")
    while p.texts[p.i] == "::" and isinstance(meaning, Struct):
        inner = p.struct_scope(meaning).get(p.texts[p.i + 1])
        if not is_type(inner):
            break
        p.i += 2
        meaning = inner
    return meaning


def constant_int(p, what="expression"):
    """A constant integer expression, as a Python int."""
    token = p.here
    value = rules.constant(p, rules.assignment(p))
    if not isinstance(value, Literal) or not is_integer(value.type):
        raise Mistake(
            f"{what} must have a constant integer value",
            token,
            hint="use a #define, a constexpr or a template parameter",
        )
    return int(value.value)
