"""File scope: kernels and device functions are kept, constants and structs read, host code is skipped."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..typing.scope import Declaration, Overloads
from .globals import file_variable
from .outline import function_ahead, skip_item
from .rules import rules

_MATTERS = frozenset(
    ("const", "constexpr", "typedef", "using", "struct", "class", "union", "enum", "static_assert")
)
_DEVICE = ("__global__", "__device__", "__constant__", "__shared__", "__managed__")


def read_file(p):
    while p.here.kind != "end":
        file_item(p)


def file_item(p):
    """One declaration at file scope."""
    token, text = p.here, p.texts[p.i]
    if text == ";" or token.kind == "pragma":
        p.i += 1
        if token.kind == "pragma" and p.texts[p.i] == "(":
            p.skip_brackets()
    elif text == "}":
        if not p.open_spaces:
            raise Mistake("expected a declaration", token, hint='this "}" closes nothing')
        p.open_spaces.pop()
        p.scopes = p.scopes[: p.depths.pop()]
        p.i += 1
    elif text == "namespace" or text == "inline" and p.texts[p.i + 1] == "namespace":
        rules.namespace(p)
    elif text == "extern" and p.tokens[p.i + 1].kind == "string":
        p.i += 2
        if p.accept("{"):
            p.open_spaces.append("")
            p.depths.append(len(p.scopes))
    elif text == "using" and p.texts[p.i + 1] == "namespace":
        rules.using_namespace(p)
    elif text == "template":
        rules.template(p)
    else:
        declaration(p, None, p.i)


# Namespaces
# Templates
# One declaration


def declaration(p, template, first):
    """A function, a variable, a struct, an alias; host code is skipped."""
    token, start = p.here, p.i
    found = function_ahead(p)
    if found is not None:
        function_declaration(p, found, template, token)
        return
    words = p.texts[start : start + 12]
    cut = next((k for k, word in enumerate(words) if word in (";", "{", "=", "(")), len(words))
    device = any(word in _DEVICE for word in words[:cut])
    if device or template:
        file_variable(p) if not template else skip_item(p)
        return
    if not might_matter(words[: cut + 1]):
        not_host(p, token)
        skip_host(p, token, start)
        return
    scopes = list(p.scopes)
    try:
        readable_item(p, token)
    except Mistake as mistake:
        if not mistake.unsupported and must_read(words):
            raise
        p.i, p.scopes = start, scopes
        p.nesting, p.half, p.no_greater = 0, False, False
        skip_host(p, token, start, mistake)


def not_host(p, token):
    """Text that cannot even be host code is an error, not skipped."""
    if token.kind != "name" and token.text not in ("::", "[", "~"):
        raise Mistake("expected a declaration", token)
    after = p.tokens[p.i + 1]
    if after.kind in ("end", "number", "string") or token.text in (
        "if",
        "for",
        "while",
        "return",
        "else",
        "do",
    ):
        raise Mistake("expected a declaration", token)


def might_matter(words):
    return not _MATTERS.isdisjoint(words)


def must_read(words):
    return words[0] in ("constexpr", "enum", "static_assert")


def readable_item(p, token):
    text = token.text
    if text in ("typedef", "static_assert") or text == "using":
        if text == "using" and p.texts[p.i + 2] != "=":
            rules.using_name(p)
        else:
            rules.alias(p)
    else:
        file_variable(p)


def skip_host(p, token, start, mistake=None):
    """Skip host code and note it."""
    name = declared_name(p, start)
    p.unread[name] = mistake or f'"{name}" on line {token.line} is host code'
    if getattr(p.scopes[-1].get(name), "fields", None) == ():
        del p.scopes[-1][name]  # a struct that was begun
    p.struct_here = token.text in ("struct", "class", "union", "enum")
    skip_item(p)
    p.struct_here = False
    if p.i == start:
        raise Mistake("expected a declaration", token)
    words = " ".join(p.texts[start : min(p.i, start + 6)])
    reason = f" ({mistake.message})" if mistake else ""
    p.skipped.append((token.line, f"host code: {words} ...{reason}"))


def declared_name(p, start):
    """The name that a declaration seems to declare: the last one before its value, body or end."""
    for i in range(start + 1, min(start + 40, len(p.texts))):
        if p.texts[i] in ("=", ";", "{", "[", "(", ":", ",") and p.tokens[i - 1].kind == "name":
            return p.texts[i - 1]
    return p.texts[start]


def function_declaration(p, found, template, token):
    name, place, start, body, end, _ = found
    words = p.texts[start:place]
    device = "__device__" in words or "constexpr" in words
    kind = "kernel" if "__global__" in words else "device" if device else "host"
    where = p.tokens[place]
    if kind == "kernel" and "__device__" in words:
        raise Mistake("a function cannot be both __global__ and __device__", where)
    explicit = place + 1 if p.texts[place + 1] == "<" and not name.startswith("operator") else None
    scopes = list(p.scopes)
    declaration = Declaration(name, kind, where, start, body, scopes, template or None, explicit=explicit)
    if p.texts[place - 1] == "::" and name in getattr(p.scopes[-1].get(p.texts[place - 2]), "names", {}):
        pass
    overloads = p.scopes[-1].get(name)
    if not isinstance(overloads, Overloads):
        overloads = p.scopes[-1][name] = Overloads(name)
    if kind == "kernel" and body is not None:
        same = [
            d for d in overloads.declarations if d.kind == "kernel" and d.body is not None and not d.explicit
        ]
        if same and not explicit and template is None and same[0].template is None:
            raise Mistake(
                f'function "{name}" has already been defined',
                where,
                notes=(f"note: the first one is on line {same[0].token.line}",),
            )
    overloads.declarations.append(declaration)
    if kind == "kernel" and body is not None:
        if p.kernels.setdefault(name, overloads) is not overloads:  # the same name in another namespace
            p.kernels["::".join([*filter(None, p.open_spaces), name])] = overloads
    elif kind == "device" and body is not None and template is None:
        p.devices.append(declaration)
    elif kind == "host" and body is not None:
        if p.texts[end - 1] != "}":
            raise Mistake('this "{" is never closed', p.tokens[body])
        p.skipped.append((token.line, f"host code: {name}(), not run"))
    p.i = end
