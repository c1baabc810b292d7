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
    simple_type,
)
from .cursor import KEYWORDS

AUTO = Scalar("auto", "auto", 0)  # stands in until the initialiser tells

# Types of libraries that the parser reads itself: by which method.
_LIBRARY = {Helper("thread_block_tile"): "helper_type", Helper("fragment"): "fragment_type"}

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


class Types:
    """Part of the parser: types."""

    def type_ahead(self):
        """True when a type starts at the current token."""
        token = self.tokens[self.i]
        if token.kind != "name":
            return False
        text = token.text
        if text in STARTERS:
            return True
        meaning = self.lookup(text)
        if meaning is None:
            return False
        if self.texts[self.i + 1] == "::" and not self.is_type(meaning):
            place = self.i
            try:
                meaning, _ = self.qualified()
            except Mistake:
                meaning = None
            self.i = place
        if isinstance(meaning, Enumeration):
            return self.texts[self.i + 1] != "::"
        return self.is_type(meaning) or isinstance(meaning, ClassTemplate) or self.reads_type(meaning)

    @staticmethod
    def is_type(meaning):
        return isinstance(meaning, (Scalar, Pointer, Array, Struct, Placeholder)) or hasattr(meaning, "ghost")

    @staticmethod
    def reads_type(meaning):
        """True for a library's type that the parser reads itself."""
        return isinstance(meaning, Helper) and meaning in _LIBRARY

    def specifiers(self):
        """Read specifiers; `.type` is None when there is none."""
        found, words, first = Specifiers(), [], self.here
        while True:
            token = self.here
            text = token.text
            if text in WORDS:
                words.append(text)
                self.i += 1
            elif text in FLAGS:
                if text == "virtual":
                    raise self.refuse(text, token)
                found.flags.add(text)
                self.i += 1
            elif text in QUALIFIERS:
                found.const |= text == "const"
                found.volatile |= text == "volatile"
                self.i += 1
            elif text in ATTRIBUTES or text == "[" and self.texts[self.i + 1] == "[":
                self.attribute(found)
            elif found.type is None and not words and self.type_name(found):
                pass
            else:
                break
        if words:
            found.type = simple_type(words)
            if found.type is None or len(words) > 5:
                raise Mistake(f'invalid combination of type specifiers "{" ".join(words[:6])}"', first)
        found.const |= "constexpr" in found.flags
        return found

    def attribute(self, found):
        """__launch_bounds__(threads, blocks) is kept, other attributes are read over."""
        if self.texts[self.i] == "[":
            self.skip_brackets()
            return
        name = self.next().text
        if name == "__launch_bounds__":
            self.expect("(")
            bounds = [self.constant_int()]
            while self.accept(","):
                bounds.append(self.constant_int())
            self.expect(")")
            found.bounds = tuple((bounds + [None])[:2])
        elif name == "__align__" or name == "alignas":
            self.expect("(")
            self.align = self.type_name_only().align if self.type_ahead() else self.constant_int()
            self.expect(")")
        elif self.texts[self.i] == "(":
            self.skip_brackets()

    def type_name(self, found):
        """A struct, an enum, auto, a typedef's or template's name: set found.type; False if none is here."""
        token = self.here
        text = token.text
        if token.kind != "name" and text != "::":
            return False
        if text in ("struct", "class", "union"):
            found.type = self.struct_specifier()
        elif text == "enum":
            found.type = self.enum_specifier()
        elif text == "auto":
            self.i += 1
            found.type = AUTO
        elif text == "typename":
            self.i += 1
            return self.type_name(found)
        elif text == "decltype":
            self.i += 1
            self.expect("(")
            found.type = self.expression().type
            self.expect(")")
        elif text in KEYWORDS:
            return False
        else:
            if not self.type_ahead():
                return False
            meaning, token = self.qualified()
            if isinstance(meaning, ClassTemplate):
                meaning = self.class_from_template(meaning, token)
            elif isinstance(meaning, Enumeration):
                meaning = meaning.type
            elif self.reads_type(meaning):
                meaning = getattr(self, _LIBRARY[meaning])()
            found.type = self.member_types(meaning)
        return True

    def member_types(self, meaning):
        """Struct::name for a type declared inside a struct."""
        if isinstance(meaning, Pattern) and self.texts[self.i] == "::":
            self.i += 2
            return Placeholder("(not deduced)")
        while self.texts[self.i] == "::" and isinstance(meaning, Struct):
            inner = self.struct_scope(meaning).get(self.texts[self.i + 1])
            if not self.is_type(inner):
                break
            self.i += 2
            meaning = inner
        return meaning

    def type_name_only(self):
        """A type without a name, as in a cast or a template argument: `const float4 *`."""
        found = self.specifiers()
        if found.type is None:
            raise self.no_type()
        return self.declarator(found, abstract=True).type

    # Declarators

    def declarator(self, found, abstract=False, parameter=False):
        """Read `*name[4]` and the like on top of specifiers."""
        kind, const, volatile = found.type, found.const, found.volatile
        reference, stars = False, 0
        while True:
            text = self.texts[self.i]
            if text == "*":
                stars += 1
                if stars > 16:
                    raise Mistake("a pointer of more than 16 levels", self.here, unsupported=True)
                kind, const, volatile = Pointer(kind, const, volatile), False, False
            elif text in ("&", "&&"):
                reference = True
            elif text in QUALIFIERS:
                const |= text == "const"
                volatile |= text == "volatile"
            elif text in ATTRIBUTES:
                self.attribute(found)
                continue
            else:
                break
            self.i += 1
        if self.texts[self.i] == "(" and self.texts[self.i + 1] in ("*", "&"):
            return self.nested_declarator(kind, const, volatile)
        token = self.here
        if not abstract or token.kind == "name" and token.text not in KEYWORDS and token.text not in WORDS:
            token = self.name() if not abstract else self.next()
        kind = self.array_of(kind, parameter and not reference, const, volatile)
        return Declarator(token, kind, const, volatile, reference)

    def nested_declarator(self, kind, const, volatile):
        """`(*name)[33]`, a pointer to a row, and `(&name)[N]`, a reference to an array."""
        opening = self.expect("(")
        reference = self.next().text == "&"
        while self.texts[self.i] in QUALIFIERS:
            self.i += 1
        token = self.here
        if token.kind == "name":
            self.i += 1
        if self.texts[self.i] == "[" or self.texts[self.i] == "(":
            raise self.refuse("function pointers", opening)
        self.expect(")")
        if self.texts[self.i] == "(":
            raise self.refuse("function pointers", opening)
        kind = self.array_of(kind, False, const, volatile)
        if not reference:
            return Declarator(token, Pointer(kind, const, volatile), False, False)
        return Declarator(token, kind, const, volatile, True)

    def array_of(self, kind, parameter, const, volatile):
        """Arrays as their brackets say; a parameter's first one is a pointer."""
        counts = []
        while self.texts[self.i] == "[":
            opening = self.next()
            if self.accept("]"):
                if counts:
                    raise Mistake("only the first bound of an array may be left out", opening)
                counts.append(None)
                continue
            if len(counts) > 16:
                raise Mistake("an array of more than 16 dimensions", opening, unsupported=True)
            counts.append(self.array_bound(opening))
            self.expect("]")
        for place, count in reversed(list(enumerate(counts))):
            if place == 0 and parameter:
                return Pointer(kind, const, volatile)
            kind = Array(kind, count)
        return kind

    def array_bound(self, opening):
        if isinstance(self.lookup(self.here.text), ValuePlaceholder) and self.texts[self.i + 1] == "]":
            return self.next().text  # in a template's header: the call will tell
        count = self.constant_int("array bound")
        if count <= 0:
            raise Mistake(f"an array needs at least one element, not {count}", opening)
        return count

    def constant_int(self, what="expression"):
        """A constant integer expression, as a Python int."""
        token = self.here
        value = self.assignment()
        if not isinstance(value, Literal) or not is_integer(value.type):
            raise Mistake(
                f"{what} must have a constant integer value",
                token,
                hint="use a #define, a constexpr or a template parameter",
            )
        return int(value.value)

    # Structs and enums

    # Declarations shared by all places
