"""Structs, enums and aliases: laid out as C does; methods are kept as tokens until something calls them."""

from __future__ import annotations

from dataclasses import replace

from ..parse.declarators import declarator, type_name_only
from ..parse.expressions import assignment
from ..parse.globals import overridden
from ..parse.outline import find_function, function_ahead
from ..parse.rules import rule, rules
from ..parse.types import ATTRIBUTES, Specifiers, attribute, constant_int, specifiers
from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import CHAR, INT, VOID, Pointer, Struct, Union, struct, union
from ..typing.conversions import convert
from ..typing.scope import ClassTemplate, Constant, Declaration, Enumeration, Overloads


@rule
def enum_specifier(p):
    """enum [class] [name] [: type] { A, B = 4 }: its enumerators are int constants."""
    p.next()
    scoped = p.accept("class") or p.accept("struct")
    token = p.name() if p.here.kind == "name" else None
    kind = INT
    if p.accept(":"):
        kind = specifiers(p).type or INT
    if not p.accept("{"):
        return kind
    made = Enumeration(kind)
    if token:
        p.scopes[-1][token.text] = made
    p.scopes = [*p.scopes, made.names]
    value = -1
    while p.texts[p.i] != "}":
        name = p.name()
        value = constant_int(p) if p.accept("=") else value + 1
        made.names[name.text] = overridden(p, name, Constant(kind, value))
        value = made.names[name.text].value
        if not p.accept(","):
            break
    p.scopes = p.scopes[:-1]
    p.expect("}")
    if not scoped:
        p.scopes[-1].update(made.names)
    return kind


@rule
def struct_specifier(p, name=None):
    """struct name { fields and methods }, or the name of one."""
    word = p.next()
    p.align = None
    while p.texts[p.i] in ATTRIBUTES:
        attribute(p, Specifiers())
    token = p.name() if p.here.kind == "name" else word
    align, p.align = p.align, None
    if p.texts[p.i] == ":" and p.texts[p.i + 1] != ":":
        raise p.refuse("inheritance", p.here)
    if p.texts[p.i] != "{":
        meaning = p.lookup(token.text)
        if isinstance(meaning, ClassTemplate):
            return rules.class_from_template(p, meaning, token)
        if not isinstance(meaning, Struct):
            return incomplete(p, token)
        return meaning
    return struct_body(p, name or token.text, token, align, union if word.text == "union" else struct)


def incomplete(p, token):
    """A struct that is declared, not yet defined: pointers to it are fine."""
    if p.texts[p.i] not in ("*", ";"):
        raise Mistake(f'incomplete type "{token.text}" is not allowed', token)
    made = Struct(token.text, (), 0, 1)
    if p.texts[p.i] == ";":
        p.scopes[-1][token.text] = made
    return made


@rule
def completed(p, kind):
    """A pointer to a struct that was incomplete where the pointer was declared."""
    if isinstance(kind, Pointer) and isinstance(kind.to, Struct) and not kind.to.fields:
        full = p.lookup(kind.to.name)
        if isinstance(full, Struct):
            return replace(kind, to=full)
    return kind


def struct_body(p, name, token, align, lay_out=struct):
    """The members between the braces, laid out as C does; methods are read when they are called."""
    p.expect("{")
    scope, members = {}, []
    if not isinstance(p.scopes[-1].get(token.text), Struct):
        p.scopes[-1][token.text] = Struct(name, (), 0, 1)
    p.scopes.append(scope)
    initial = {}
    while not p.accept("}"):
        if p.here.kind == "end":
            raise p.expected('"}"')
        if p.texts[p.i] in ("public", "private", "protected") and p.texts[p.i + 1] == ":":
            p.i += 2
        elif p.accept(";") or destructor(p):
            pass
        elif method(p, token.text, scope):
            pass
        else:
            fields(p, members, scope, initial)
    p.scopes.pop()
    made = lay_out(name, members or [("_", CHAR)], align=align)
    p.scopes[-1][token.text] = made
    p.struct_scopes[name] = scope
    p.initials[name] = initial
    for meaning in scope.values():
        if isinstance(meaning, Overloads):
            for declaration in meaning.declarations:
                declaration.owner = made
                declaration.scopes = [*p.scopes, scope, {token.text: made}]
    return made


def destructor(p):
    """Read over ~Name() { ... }: device code never runs it."""
    if p.texts[p.i] != "~":
        return False
    found = find_function(p, p.i)
    if found is None:
        raise p.expected("type")
    p.i = found[3]
    return True


def fields(p, members, scope, initial):
    if p.texts[p.i] in ("using", "typedef", "static_assert", "enum", "struct") and nested_item(p):
        return
    found = specifiers(p)
    if found.type is None:
        raise p.no_type()
    if p.accept(";"):
        if isinstance(found.type, Union):
            hint = "give it a name, and write the name before its members"
            raise Mistake("a union without a name is not supported", p.here, unsupported=True, hint=hint)
        return
    while True:
        declared = declarator(p, found)
        name = declared.token
        if declared.reference:
            raise Mistake(
                "a reference as a member is not supported", name, unsupported=True, hint="use a pointer"
            )
        if p.texts[p.i] == ":":
            raise Mistake("bit-fields are not supported", name, unsupported=True, hint="use shifts and masks")
        if declared.type is VOID:
            raise Mistake('incomplete type "void" is not allowed', name)
        if p.texts[p.i] in ("=", "{"):
            p.accept("=")
            initial[name.text] = value = assignment(p) if p.texts[p.i] != "{" else None
            if value is None:
                p.skip_brackets()
        if "static" in found.flags:
            static_member(p, name, declared, initial.pop(name.text, None), scope)
        elif any(name.text == other for other, _ in members):
            raise Mistake(f'"{name.text}" has already been declared in the current scope', name)
        else:
            members.append((name.text, declared.type))
        if not p.accept(","):
            break
    p.expect(";")


def static_member(p, name, declared, value, scope):
    value = rules.constant(p, value)
    if not isinstance(value, Literal):
        raise Mistake(
            "a static member needs a constant value", name, unsupported=True, hint="use a constexpr"
        )
    value = convert(value, declared.type)
    scope[name.text] = Constant(declared.type, value.value)


def nested_item(p):
    """using, typedef or an enum inside a struct; False for a field such as `struct P p;`."""
    text = p.texts[p.i]
    if text == "struct" and p.texts[p.i + 2] != "{":
        return False
    if text == "enum" and p.texts[p.i + 1] != "{" and p.texts[p.i + 2] not in ("{", ":"):
        return False
    if text in ("enum", "struct"):
        specifiers(p)
        p.expect(";")
    else:
        alias(p)
    return True


def method(p, owner, scope):
    """Keep the tokens of a method; False when no method stands here."""
    place = function_ahead(p)
    if place is None:
        return False
    name, where, start, body, end, template = place
    if "virtual" in p.texts[start:where]:
        raise p.refuse("virtual", p.tokens[where])
    if body is None and p.texts[end - 2] in ("default", "delete"):
        p.i = end
        return True
    if name == owner:
        name = "(constructor)"
    declaration = Declaration(name, "device", p.tokens[where], start, body, [], template)
    declaration.static = "static" in p.texts[start:where]
    overloads = scope.setdefault(name, Overloads(name))
    if isinstance(overloads, Overloads):
        overloads.declarations.append(declaration)
    p.i = end
    return True


@rule
def alias(p):
    """using name = type; typedef type name; static_assert(...)."""
    word = p.next()
    if word.text == "static_assert":
        static_assertion(p, word)
        return
    if word.text == "typedef":
        found = specifiers(p)
        if found.type is None:
            raise p.no_type()
        while True:
            declared = declarator(p, found)
            p.scopes[-1][declared.token.text] = declared.type
            if not p.accept(","):
                break
    else:
        name = p.name()
        p.expect("=")
        p.scopes[-1][name.text] = type_name_only(p)
    p.expect(";")


def static_assertion(p, word):
    p.expect("(")
    value = rules.constant(p, assignment(p))
    message = p.next().text if p.accept(",") else ""
    p.expect(")")
    p.expect(";")
    if isinstance(value, Literal) and not value.value:
        raise Mistake(f"static assertion failed {message}".strip(), word)
