"""Headers of functions: result, parameters, launch bounds."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.mistakes import Mistake
from ..tree.types import VOID, Array, Pointer
from .declarators import declarator, type_name_only
from .outline import skip_template_arguments
from .rules import rule, rules
from .types import AUTO, Specifiers, attribute, specifiers


@dataclass
class Parameter:
    """A parameter in a header; default : the place of its default argument's first token, or None"""

    token: object
    type: object
    const: bool
    volatile: bool
    reference: bool
    default: int | None


@dataclass
class Header:
    """A function's header; initialisers : the place of a constructor's member initialisers, or None"""

    result: object
    parameters: list
    bounds: tuple | None
    reference: bool = False
    const: bool = False
    initialisers: int | None = None


@rule
def header_of(p, declaration, bindings):
    """The Header of a declaration with its template parameters bound to `bindings`."""
    return p.elsewhere(
        declaration.start, [*declaration.scopes, dict(bindings)], lambda p: read_header(p, declaration)
    )


def read_header(p, declaration):
    if declaration.name == "(lambda)":
        result, parameters = rules.lambda_header(p)
        return Header(result, parameters, None)
    if declaration.name == "(constructor)":
        while p.texts[p.i] != "(":
            p.i += 1
        return rest_of_header(p, Specifiers(), declaration.owner, False)
    found = specifiers(p)
    result, reference = found.type, False
    if p.texts[p.i] == "operator" and found.type is None:
        p.i += 1
        result = type_name_only(p)
    else:
        if result is None:
            raise p.no_type()
        result, reference = result_type(p, found)
    return rest_of_header(p, found, result, reference)


def rest_of_header(p, found, result, reference):
    """The parameters, and what stands between them and the body."""
    parameters = read_parameters(p)
    const, initialisers = False, None
    while p.texts[p.i] not in ("{", ";"):
        text = p.texts[p.i]
        const |= text == "const"
        if text == "->":
            p.i += 1
            result = type_name_only(p)
        elif text == ":":
            initialisers = p.i + 1
            break
        elif text == "__launch_bounds__":
            attribute(p, found)
        elif text == "=":
            raise Mistake("defaulted and deleted functions are not supported", p.here, unsupported=True)
        elif p.here.kind == "end":
            raise p.expected('"{"')
        else:
            p.i += 1
            if text in ("noexcept", "requires") and p.texts[p.i] == "(":
                p.skip_brackets()
    return Header(result, parameters, found.bounds, reference, const, initialisers)


def result_type(p, found):
    """The * and & of a result type, and the function's name, read over."""
    kind = found.type
    reference = False
    while p.texts[p.i] != "(":
        text = p.texts[p.i]
        if text == "*":
            kind = Pointer(kind, found.const, found.volatile)
            found.const = False
        elif text == "&":
            reference = True
        elif text == "__launch_bounds__":
            attribute(p, found)
            continue
        elif text == "operator":
            p.i += 1
            while p.texts[p.i] != "(" or p.texts[p.i + 1] == ")" and p.texts[p.i + 2] == "(":
                p.i += 1 + (p.texts[p.i] == "(")
            break
        elif p.here.kind == "end":
            raise p.expected('"("')
        elif text == "<":
            skip_template_arguments(p)
            continue
        p.i += 1
    return kind, reference


def read_parameters(p):
    """(const float* a, int n = 4)"""
    p.expect("(")
    parameters = []
    if p.texts[p.i] == "void" and p.texts[p.i + 1] == ")":
        p.i += 1
    while not p.accept(")"):
        if p.texts[p.i] == "...":
            raise Mistake("variadic functions are not supported", p.here, unsupported=True)
        found = specifiers(p)
        if found.type is None:
            raise p.no_type()
        if p.texts[p.i] == "...":
            raise Mistake(
                "parameter packs are not supported",
                p.here,
                unsupported=True,
                hint="write the parameters one by one",
            )
        declared = declarator(p, found, abstract=True, parameter=True)
        if declared.type is VOID:
            raise Mistake('incomplete type "void" is not allowed', declared.token)
        if isinstance(declared.type, Array) and not declared.reference:
            declared.type = Pointer(declared.type.of, declared.const)
        if declared.type is AUTO:
            declared.type = p.auto_types.get(len(parameters), AUTO)
        default = None
        if p.accept("="):
            default = p.i
            skip_default(p)
        parameters.append(
            Parameter(
                declared.token,
                declared.type,
                declared.const,
                declared.volatile,
                declared.reference,
                default,
            )
        )
        if not p.accept(","):
            p.expect(")")
            break
    return parameters


def skip_default(p):
    """Move behind a default argument, to the , or ) that ends it."""
    while p.texts[p.i] not in (",", ")") and p.here.kind != "end":
        if p.texts[p.i] in ("(", "{", "["):
            p.skip_brackets()
        else:
            p.i += 1
