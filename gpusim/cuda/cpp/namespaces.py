"""Namespaces, using, and the heads of templates at file scope."""

from __future__ import annotations

from ..parse.cursor import NESTED
from ..parse.declarations import declaration
from ..parse.functions import identity
from ..parse.outline import skip_item, template_parameters
from ..parse.rules import rule
from ..parse.types import ATTRIBUTES
from ..text.mistakes import Mistake
from ..typing.scope import ClassTemplate, Namespace
from .structs import struct_body
from .templates import template_arguments


@rule
def namespace(p):
    token = p.next()
    if token.text == "inline":
        p.next()
    names = []
    while p.here.kind == "name":
        names.append(p.next().text)
        if not p.accept("::"):
            break
    if names and p.texts[p.i] == "=":
        p.i -= 2
        namespace_alias(p)
        return
    p.expect("{")
    if len(p.open_spaces) > NESTED:
        raise Mistake(f"nested deeper than {NESTED} levels", token, unsupported=True)
    p.open_spaces.append("::".join(names))
    p.depths.append(len(p.scopes))
    for name in names:
        inner = p.scopes[-1].get(name)
        if not isinstance(inner, Namespace):
            inner = p.scopes[-1][name] = Namespace(name)
        p.scopes = [*p.scopes, inner.names]


@rule
def namespace_alias(p):
    """namespace cg = cooperative_groups;"""
    p.accept("namespace")
    name = p.name()
    p.expect("=")
    meaning, token = p.qualified()
    if isinstance(meaning, Namespace):
        p.scopes[-1][name.text] = meaning
    p.expect(";")


@rule
def using_namespace(p):
    p.i += 2
    token = p.here
    meaning, _ = p.qualified()
    if isinstance(meaning, Namespace):
        p.scopes = [p.scopes[0], meaning.names, *p.scopes[1:]]
        p.depths = [depth + 1 for depth in p.depths]
    else:
        p.skipped.append((token.line, f"using namespace {token.text}: unknown here"))
    p.expect(";")


@rule
def using_name(p):
    """using std::min;"""
    p.i += 1
    meaning, token = p.qualified()
    if meaning is not None:
        p.scopes[-1][token.text] = meaning
    p.expect(";")


@rule
def template(p):
    """template <...> before a function or a struct."""
    start = p.i
    p.i += 1
    if p.texts[p.i] != "<":
        skip_item(p)
        return
    parameters = template_parameters(p)
    if p.texts[p.i] in ("struct", "class") and struct_template(p, parameters):
        return
    if p.accept("using"):
        name = p.name()
        p.expect("=")
        made = ClassTemplate(name.text, name, p.i, parameters, list(p.scopes), alias=True)
        p.scopes[-1][name.text] = made
        skip_item(p)
        return
    if p.texts[p.i] in ("template", "concept", "requires"):
        skip_item(p)
        p.skipped.append((p.tokens[start].line, "a template that is no function or struct"))
        return
    declaration(p, parameters, start)


def struct_template(p, parameters):
    place = p.i + 1
    while p.texts[place] in ATTRIBUTES:
        place += 1
        if p.texts[place] == "(":
            state, p.i = p.i, place
            p.skip_brackets()
            place, p.i = p.i, state
    token = p.tokens[place]
    if token.kind != "name" or p.texts[place + 1] not in ("{", "<", ";", ":"):
        return False
    template = p.scopes[-1].get(token.text)
    if p.texts[place + 1] == "{" and parameters:
        made = ClassTemplate(token.text, token, p.i, parameters, list(p.scopes))
        if isinstance(template, ClassTemplate) and template.start is None:
            made.made = template.made
        p.scopes[-1][token.text] = made
    elif p.texts[place + 1] == "<" and isinstance(template, ClassTemplate) and not parameters:
        struct_specialisation(p, template, place)
    skip_item(p)
    return True


def struct_specialisation(p, template, place):
    """template <> struct Name<float> { ... };"""
    start, p.i = p.i, place + 1
    given = template_arguments(p)
    key = tuple(identity(value) for value in given)
    shown = ", ".join(str(getattr(value, "value", value)) for value in given)
    name = f"{template.name}<{shown}>"
    p.made_from[name] = template.name, tuple(given)
    if p.texts[p.i] == "{":
        template.made[key] = struct_body(p, name, p.tokens[place]._replace(text=name), None)
    p.i = start
