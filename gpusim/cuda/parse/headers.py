"""Headers of functions: result, parameters, launch bounds."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.mistakes import Mistake
from ..tree.types import VOID, Array, Pointer
from .types import AUTO, Specifiers


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


class Headers:
    """Part of the parser: function headers."""

    def header(self, declaration, bindings):
        """The Header of a declaration with its template parameters bound to `bindings`."""
        return self.elsewhere(
            declaration.start, [*declaration.scopes, dict(bindings)], lambda: self.read_header(declaration)
        )

    def read_header(self, declaration):
        if declaration.name == "(lambda)":
            result, parameters = self.lambda_header()
            return Header(result, parameters, None)
        if declaration.name == "(constructor)":
            while self.texts[self.i] != "(":
                self.i += 1
            return self.rest_of_header(Specifiers(), declaration.owner, False)
        found = self.specifiers()
        result, reference = found.type, False
        if self.texts[self.i] == "operator" and found.type is None:
            self.i += 1
            result = self.type_name_only()
        else:
            if result is None:
                raise self.no_type()
            result, reference = self.result_type(found)
        return self.rest_of_header(found, result, reference)

    def rest_of_header(self, found, result, reference):
        """The parameters, and what stands between them and the body."""
        parameters = self.parameters()
        const, initialisers = False, None
        while self.texts[self.i] not in ("{", ";"):
            text = self.texts[self.i]
            const |= text == "const"
            if text == "->":
                self.i += 1
                result = self.type_name_only()
            elif text == ":":
                initialisers = self.i + 1
                break
            elif text == "__launch_bounds__":
                self.attribute(found)
            elif text == "=":
                raise Mistake(
                    "defaulted and deleted functions are not supported", self.here, unsupported=True
                )
            elif self.here.kind == "end":
                raise self.expected('"{"')
            else:
                self.i += 1
                if text in ("noexcept", "requires") and self.texts[self.i] == "(":
                    self.skip_brackets()
        return Header(result, parameters, found.bounds, reference, const, initialisers)

    def result_type(self, found):
        """The * and & of a result type, and the function's name, read over."""
        kind = found.type
        reference = False
        while self.texts[self.i] != "(":
            text = self.texts[self.i]
            if text == "*":
                kind = Pointer(kind, found.const, found.volatile)
                found.const = False
            elif text == "&":
                reference = True
            elif text == "__launch_bounds__":
                self.attribute(found)
                continue
            elif text == "operator":
                self.i += 1
                while (
                    self.texts[self.i] != "("
                    or self.texts[self.i + 1] == ")"
                    and self.texts[self.i + 2] == "("
                ):
                    self.i += 1 + (self.texts[self.i] == "(")
                break
            elif self.here.kind == "end":
                raise self.expected('"("')
            elif text == "<":
                self.skip_template_arguments()
                continue
            self.i += 1
        return kind, reference

    def parameters(self):
        """(const float* a, int n = 4)"""
        self.expect("(")
        parameters = []
        if self.texts[self.i] == "void" and self.texts[self.i + 1] == ")":
            self.i += 1
        while not self.accept(")"):
            if self.texts[self.i] == "...":
                raise Mistake("variadic functions are not supported", self.here, unsupported=True)
            found = self.specifiers()
            if found.type is None:
                raise self.no_type()
            if self.texts[self.i] == "...":
                raise Mistake(
                    "parameter packs are not supported",
                    self.here,
                    unsupported=True,
                    hint="write the parameters one by one",
                )
            declared = self.declarator(found, abstract=True, parameter=True)
            if declared.type is VOID:
                raise Mistake('incomplete type "void" is not allowed', declared.token)
            if isinstance(declared.type, Array) and not declared.reference:
                declared.type = Pointer(declared.type.of, declared.const)
            if declared.type is AUTO:
                declared.type = self.auto_types.get(len(parameters), AUTO)
            default = None
            if self.accept("="):
                default = self.i
                self.skip_default()
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
            if not self.accept(","):
                self.expect(")")
                break
        return parameters

    def skip_default(self):
        """Move behind a default argument, to the , or ) that ends it."""
        while self.texts[self.i] not in (",", ")") and self.here.kind != "end":
            if self.texts[self.i] in ("(", "{", "["):
                self.skip_brackets()
            else:
                self.i += 1
