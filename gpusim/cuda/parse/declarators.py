"""Declarators: what stands around a declared name, `*p`, `a[4][5]`, `(*t)[33]`, and the bounds of arrays."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.types import Array, Pointer
from ..typing.scope import (
    WORDS,
    ValuePlaceholder,
)
from .cursor import KEYWORDS
from .rules import rule
from .types import (
    ATTRIBUTES,
    QUALIFIERS,
    Declarator,
    attribute,
    constant_int,
    specifiers,
)

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

    # Structs and enums

    # Declarations shared by all places


@rule
def type_name_only(p):
    """A type without a name, as in a cast or a template argument: `const float4 *`."""
    found = specifiers(p)
    if found.type is None:
        raise p.no_type()
    return declarator(p, found, abstract=True).type
