"""Types as C writes them: specifiers (`const unsigned int`) and declarators (`*p`, `a[4][5]`, `(*t)[33]`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import Array, Pointer, Scalar, Struct, is_integer
from ..typing.scope import (
    WORDS,
    ClassTemplate,
    Enumeration,
    Helper,
    Pattern,
    Placeholder,
    ValuePlaceholder,
    is_type,
    simple_type,
)
from .cursor import KEYWORDS
from .rules import rules

AUTO = Scalar("auto", "auto", 0)  # stands in until the initialiser tells

# Types of libraries that the parser reads itself: by which method.
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
        p.align = type_name_only(p).align if type_ahead(p) else constant_int(p)
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


def type_name_only(p):
    """A type without a name, as in a cast or a template argument: `const float4 *`."""
    found = specifiers(p)
    if found.type is None:
        raise p.no_type()
    return declarator(p, found, abstract=True).type


# Declarators


def declarator(p, found, abstract=False, parameter=False):
    """Read `*name[4]` and the like on top of specifiers."""
    kind, const, volatile = found.type, found.const, found.volatile
    reference, stars = False, 0
    while True:
        text = p.texts[p.i]
        if text == "*":
            stars += 1
            if stars > 16:
                raise Mistake("a pointer of more than 16 levels", p.here, unsupported=True)
            kind, const, volatile = Pointer(kind, const, volatile), False, False
        elif text in ("&", "&&"):
            reference = True
        elif text in QUALIFIERS:
            const |= text == "const"
            volatile |= text == "volatile"
        elif text in ATTRIBUTES:
            attribute(p, found)
            continue
        else:
            break
        p.i += 1
    if p.texts[p.i] == "(" and p.texts[p.i + 1] in ("*", "&"):
        return nested_declarator(p, kind, const, volatile)
    token = p.here
    if not abstract or token.kind == "name" and token.text not in KEYWORDS and token.text not in WORDS:
        token = p.name() if not abstract else p.next()
    kind = array_of(p, kind, parameter and not reference, const, volatile)
    return Declarator(token, kind, const, volatile, reference)


def nested_declarator(p, kind, const, volatile):
    """`(*name)[33]`, a pointer to a row, and `(&name)[N]`, a reference to an array."""
    opening = p.expect("(")
    reference = p.next().text == "&"
    while p.texts[p.i] in QUALIFIERS:
        p.i += 1
    token = p.here
    if token.kind == "name":
        p.i += 1
    if p.texts[p.i] == "[" or p.texts[p.i] == "(":
        raise p.refuse("function pointers", opening)
    p.expect(")")
    if p.texts[p.i] == "(":
        raise p.refuse("function pointers", opening)
    kind = array_of(p, kind, False, const, volatile)
    if not reference:
        return Declarator(token, Pointer(kind, const, volatile), False, False)
    return Declarator(token, kind, const, volatile, True)


def array_of(p, kind, parameter, const, volatile):
    """Arrays as their brackets say; a parameter's first one is a pointer."""
    counts = []
    while p.texts[p.i] == "[":
        opening = p.next()
        if p.accept("]"):
            if counts:
                raise Mistake("only the first bound of an array may be left out", opening)
            counts.append(None)
            continue
        if len(counts) > 16:
            raise Mistake("an array of more than 16 dimensions", opening, unsupported=True)
        counts.append(array_bound(p, opening))
        p.expect("]")
    for place, count in reversed(list(enumerate(counts))):
        if place == 0 and parameter:
            return Pointer(kind, const, volatile)
        kind = Array(kind, count)
    return kind


def array_bound(p, opening):
    if isinstance(p.lookup(p.here.text), ValuePlaceholder) and p.texts[p.i + 1] == "]":
        return p.next().text  # in a template's header: the call will tell
    count = constant_int(p, "array bound")
    if count <= 0:
        raise Mistake(f"an array needs at least one element, not {count}", opening)
    return count


def constant_int(p, what="expression"):
    """A constant integer expression, as a Python int."""
    token = p.here
    value = rules.assignment(p)
    if not isinstance(value, Literal) or not is_integer(value.type):
        raise Mistake(
            f"{what} must have a constant integer value",
            token,
            hint="use a #define, a constexpr or a template parameter",
        )
    return int(value.value)

    # Structs and enums

    # Declarations shared by all places
