"""Templates: their arguments read, deduced from a call, defaulted; structs made from struct templates."""

from __future__ import annotations

from dataclasses import replace

from ..parse.declarators import declarator, type_name_only
from ..parse.expressions import assignment
from ..parse.functions import identity
from ..parse.headers import header_of
from ..parse.rules import rule, rules
from ..parse.types import AUTO, specifiers, type_ahead
from ..text.mistakes import Mistake
from ..tree.fold import convert_value
from ..tree.nodes import Expression, Literal
from ..tree.types import INT, VOID, Array, Pointer, Scalar, Struct
from ..typing.conversions import decay
from ..typing.scope import ClassTemplate, Constant, Pattern, Placeholder, ValuePlaceholder
from .functions import is_function
from .structs import struct_specifier


@rule
def template_arguments(p):
    """<float, 16> as a list of types and Constants."""
    p.expect("<")
    given = []
    while p.texts[p.i] not in (">", ">>"):
        given.append(template_argument(p))
        if not p.accept(","):
            break
    p.close_angle()
    return given


@rule
def template_argument(p):
    meaning = p.lookup(p.here.text)
    if isinstance(meaning, ClassTemplate) and p.texts[p.i + 1] in (",", ">", ">>"):
        p.i += 1  # for a template's parameter that is a template itself
        return meaning
    if type_ahead(p) and p.texts[p.i + 1] != "(":
        return type_name_only(p)
    if isinstance(meaning, ValuePlaceholder) and p.texts[p.i + 1] in (",", ">", ">>"):
        p.i += 1
        return meaning
    token = p.here
    outside, p.no_greater = p.no_greater, True
    p.enter(token)
    value = assignment(p)
    p.nesting -= 1
    p.no_greater = outside
    value = rules.constant(p, value)
    if is_function(value):
        return value
    if not isinstance(value, Literal):
        raise Mistake(
            "expression must have a constant value",
            token,
            hint="a template argument is known before the run",
        )
    return Constant(value.type, value.value)


@rule
def template_type(p):
    """The type between < and > of a cast; the > stays."""
    outside, p.no_greater = p.no_greater, True
    kind = type_name_only(p)
    p.no_greater = outside
    return kind


# Deduction


def deduce(p, declaration, given, explicit=None):
    """(declaration, bindings, header) of a call, or None when a template argument stays unknown."""
    if declaration.name == "(lambda)":
        return deduce_lambda(p, declaration, given)
    if declaration.template is None:
        if declaration.header is None:
            declaration.header = header_of(p, declaration, {})
        return with_groups(p, declaration, {}, declaration.header, given)
    bindings = bind_explicit(p, declaration, explicit or [])
    rest = {
        parameter.name: (Placeholder if parameter.kind == "type" else ValuePlaceholder)(parameter.name)
        for parameter in declaration.template
        if parameter.name not in bindings
    }
    if rest:
        pattern = header_of(p, declaration, {**bindings, **rest})
        for parameter, value in zip(pattern.parameters, given):
            if not isinstance(value, list):
                kind = (
                    value.type
                    if parameter.reference or not isinstance(value, Expression)
                    else decay(value).type
                )
                unify(p, parameter.type, kind, bindings)
        bind_defaults(p, declaration, bindings)
    if any(parameter.name not in bindings for parameter in declaration.template):
        return None
    bindings = typed(p, declaration.template, bindings, declaration.scopes)
    declaration, bindings = explicit_of(p, declaration, bindings)
    return with_groups(p, declaration, bindings, header_of(p, declaration, bindings), given)


def deduce_lambda(p, declaration, given):
    """auto parameters of a lambda have the types of the arguments."""
    outside = p.auto_types
    p.auto_types = {
        k: decay(value).type if isinstance(value, Expression) else value.type
        for k, value in enumerate(given)
        if not isinstance(value, list)
    }
    try:
        header = header_of(p, declaration, {})
    finally:
        p.auto_types = outside
    return (
        declaration,
        {f"(auto {k})": parameter.type for k, parameter in enumerate(header.parameters)},
        header,
    )


def with_groups(p, declaration, bindings, header, given):
    """thread_group as a parameter stands for the group that comes."""
    if not any(getattr(parameter.type, "kind", "") == "any" for parameter in header.parameters):
        return declaration, bindings, header
    parameters = []
    for place, (parameter, value) in enumerate(zip(header.parameters, given)):
        if getattr(parameter.type, "kind", "") == "any" and hasattr(getattr(value, "type", None), "ghost"):
            parameter = replace(parameter, type=value.type)
            bindings = {**bindings, f"(group {place})": value.type}
        parameters.append(parameter)
    return declaration, bindings, replace(header, parameters=parameters + header.parameters[len(given) :])


def bind_explicit(p, declaration, explicit):
    bindings = {}
    for parameter, value in zip(declaration.template, explicit):
        if not suits(parameter, value):
            wanted = {"value": "constant"}.get(parameter.kind, parameter.kind)
            raise Mistake(f'template argument for "{parameter.name}" must be a {wanted}', declaration.token)
        bindings[parameter.name] = value
    return bindings


@rule
def suits(parameter, value):
    """True for a template argument of the kind that a parameter takes."""
    kind = "value" if isinstance(value, (Constant, ValuePlaceholder)) else "type"
    kind = "template" if isinstance(value, ClassTemplate) else kind
    kind = "function" if is_function(value) else kind
    return parameter.kind == kind or kind == "function" and parameter.kind == "value"


@rule
def typed(p, template, bindings, scopes):
    """Bindings in the order of the parameters, each value converted to its parameter's type."""
    typed = {}
    for parameter in template:
        value = bindings[parameter.name]
        if parameter.kind == "value" and isinstance(value, Constant):
            kind = p.elsewhere(parameter.start, [*scopes, dict(typed)], parameter_type)
            if kind is not AUTO and isinstance(kind, Scalar) and kind is not VOID:
                value = Constant(kind, convert_value(value.value, kind))
        typed[parameter.name] = value
    return typed


def parameter_type(p):
    found = specifiers(p)
    return declarator(p, found, abstract=True).type if found.type is not None else AUTO


@rule
def bind_defaults(p, declaration, bindings):
    for parameter in declaration.template:
        if parameter.name not in bindings and parameter.default is not None:
            scopes = [*declaration.scopes, dict(bindings)]
            bindings[parameter.name] = p.elsewhere(parameter.default, scopes, template_argument)


@rule
def unify(p, pattern, kind, bindings):
    """Find the placeholders of `pattern` that make it `kind`."""
    if isinstance(pattern, Placeholder):
        bindings.setdefault(pattern.name, kind)
    elif isinstance(pattern, Pointer) and isinstance(kind, Pointer):
        unify(p, pattern.to, kind.to, bindings)
    elif isinstance(pattern, Array) and isinstance(kind, (Array, Pointer)):
        if isinstance(kind, Array):
            unify(p, pattern.of, kind.of, bindings)
            if isinstance(pattern.count, str):
                bindings.setdefault(pattern.count, Constant(INT, kind.count))
    elif isinstance(pattern, Pattern) and isinstance(kind, Struct):
        name, arguments = p.made_from.get(kind.name, (None, ()))
        if name == pattern.name:
            for inner, value in zip(pattern.arguments, arguments):
                if isinstance(inner, ValuePlaceholder):
                    bindings.setdefault(inner.name, value)
                else:
                    unify(p, inner, value, bindings)
    else:
        rules.unify_ghost(p, pattern, kind, bindings)


@rule
def explicit_of(p, declaration, bindings):
    """The explicit specialisation for these arguments, if the text has one."""
    overloads = declaration.scopes[-1].get(declaration.name)
    for other in getattr(overloads, "declarations", ()):
        if other.explicit is None:
            continue
        given = p.elsewhere(other.explicit, other.scopes, template_arguments)
        if [identity(value) for value in given] == [identity(value) for value in bindings.values()][
            : len(given)
        ]:
            return other, {}
    return declaration, bindings


# Struct templates


@rule
def class_from_template(p, template, token):
    """The struct that a template and the <...> here make."""
    if p.texts[p.i] != "<":
        raise Mistake(f'argument list for class template "{template.name}" is missing', token)
    given = template_arguments(p)
    opened = any(isinstance(value, (Placeholder, ValuePlaceholder, Pattern)) for value in given)
    if opened and not template.alias:
        return Pattern(template.name, tuple(given))
    bindings = {parameter.name: value for parameter, value in zip(template.template, given)}
    for parameter in template.template:
        if parameter.name not in bindings and parameter.default is not None:
            bindings[parameter.name] = p.elsewhere(
                parameter.default, [*template.scopes, dict(bindings)], template_argument
            )
    if len(bindings) != len(template.template) or len(given) > len(template.template):
        raise Mistake(
            f'wrong number of template arguments for "{template.name}": {len(given)} given, '
            f"{len(template.template)} wanted",
            token,
        )
    if template.alias:
        return p.elsewhere(template.start, [*template.scopes, bindings], type_name_only)
    bindings = typed(p, template.template, bindings, template.scopes)
    key = tuple(identity(value) for value in bindings.values())
    if key not in template.made:
        if len(template.made) > 200:
            raise Mistake(
                f'class template "{template.name}" is made more than 200 times', token, unsupported=True
            )
        shown = ", ".join(str(getattr(value, "value", value)) for value in bindings.values())
        name = f"{template.name}<{shown}>"
        p.made_from[name] = template.name, tuple(bindings.values())
        template.made[key] = None
        template.made[key] = p.elsewhere(
            template.start, [*template.scopes, bindings], lambda p: struct_specifier(p, name)
        )
    if template.made[key] is None:
        raise Mistake(f'"{template.name}" contains itself', token)
    return template.made[key]
