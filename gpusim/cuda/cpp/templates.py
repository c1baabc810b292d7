"""Templates: their arguments read, deduced from a call, defaulted; structs made from struct templates."""

from __future__ import annotations

from dataclasses import replace

from ..parse.types import AUTO
from ..text.mistakes import Mistake
from ..tree.fold import convert_value
from ..tree.nodes import Expression, Literal
from ..tree.types import INT, VOID, Array, Pointer, Scalar, Struct
from ..typing.conversions import decay
from ..typing.scope import Constant, Pattern, Placeholder, ValuePlaceholder


class Templates:
    """Part of the parser: template arguments."""

    def template_arguments(self):
        """<float, 16> as a list of types and Constants."""
        self.expect("<")
        given = []
        while self.texts[self.i] not in (">", ">>"):
            given.append(self.template_argument())
            if not self.accept(","):
                break
        self.close_angle()
        return given

    def template_argument(self):
        if self.type_ahead() and self.texts[self.i + 1] != "(":
            return self.type_name_only()
        meaning = self.lookup(self.here.text)
        if isinstance(meaning, ValuePlaceholder) and self.texts[self.i + 1] in (",", ">", ">>"):
            self.i += 1
            return meaning
        token = self.here
        outside, self.no_greater = self.no_greater, True
        self.enter(token)
        value = self.assignment()
        self.nesting -= 1
        self.no_greater = outside
        if not isinstance(value, Literal):
            raise Mistake(
                "expression must have a constant value",
                token,
                hint="a template argument is known before the run",
            )
        return Constant(value.type, value.value)

    def template_type(self):
        """The type between < and > of a cast; the > stays."""
        outside, self.no_greater = self.no_greater, True
        kind = self.type_name_only()
        self.no_greater = outside
        return kind

    def skip_template_arguments(self):
        """Move behind a <...> whose meaning does not matter."""
        depth = 0
        while self.here.kind != "end":
            text = self.texts[self.i]
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            if text in ("(", "[", "{"):
                self.skip_brackets()
                continue
            self.i += 1
            if depth <= 0:
                return

    # Deduction

    def deduce(self, declaration, given, explicit=None):
        """(declaration, bindings, header) of a call, or None when a template argument stays unknown."""
        if declaration.name == "(lambda)":
            return self.deduce_lambda(declaration, given)
        if declaration.template is None:
            if declaration.header is None:
                declaration.header = self.header(declaration, {})
            return self.with_groups(declaration, {}, declaration.header, given)
        bindings = self.bind_explicit(declaration, explicit or [])
        rest = {
            parameter.name: (Placeholder if parameter.kind == "type" else ValuePlaceholder)(parameter.name)
            for parameter in declaration.template
            if parameter.name not in bindings
        }
        if rest:
            pattern = self.header(declaration, {**bindings, **rest})
            for parameter, value in zip(pattern.parameters, given):
                if not isinstance(value, list):
                    kind = (
                        value.type
                        if parameter.reference or not isinstance(value, Expression)
                        else decay(value).type
                    )
                    self.unify(parameter.type, kind, bindings)
            self.bind_defaults(declaration, bindings)
        if any(parameter.name not in bindings for parameter in declaration.template):
            return None
        bindings = self.typed(declaration.template, bindings, declaration.scopes)
        declaration, bindings = self.explicit_of(declaration, bindings)
        return self.with_groups(declaration, bindings, self.header(declaration, bindings), given)

    def deduce_lambda(self, declaration, given):
        """auto parameters of a lambda have the types of the arguments."""
        outside = self.auto_types
        self.auto_types = {
            k: decay(value).type if isinstance(value, Expression) else value.type
            for k, value in enumerate(given)
            if not isinstance(value, list)
        }
        try:
            header = self.header(declaration, {})
        finally:
            self.auto_types = outside
        return (
            declaration,
            {f"(auto {k})": parameter.type for k, parameter in enumerate(header.parameters)},
            header,
        )

    def with_groups(self, declaration, bindings, header, given):
        """thread_group as a parameter stands for the group that comes."""
        if not any(getattr(parameter.type, "kind", "") == "any" for parameter in header.parameters):
            return declaration, bindings, header
        parameters = []
        for place, (parameter, value) in enumerate(zip(header.parameters, given)):
            if getattr(parameter.type, "kind", "") == "any" and hasattr(
                getattr(value, "type", None), "ghost"
            ):
                parameter = replace(parameter, type=value.type)
                bindings = {**bindings, f"(group {place})": value.type}
            parameters.append(parameter)
        return declaration, bindings, replace(header, parameters=parameters + header.parameters[len(given) :])

    def bind_explicit(self, declaration, explicit):
        bindings = {}
        for parameter, value in zip(declaration.template, explicit):
            if (parameter.kind == "type") == isinstance(value, (Constant, ValuePlaceholder)):
                raise Mistake(
                    f'template argument for "{parameter.name}" must be a '
                    f"{'type' if parameter.kind == 'type' else 'constant'}",
                    declaration.token,
                )
            bindings[parameter.name] = value
        return bindings

    def typed(self, template, bindings, scopes):
        """Bindings in the order of the parameters, each value converted to its parameter's type."""
        typed = {}
        for parameter in template:
            value = bindings[parameter.name]
            if parameter.kind == "value" and isinstance(value, Constant):
                kind = self.elsewhere(parameter.start, [*scopes, dict(typed)], self.parameter_type)
                if kind is not AUTO and isinstance(kind, Scalar) and kind is not VOID:
                    value = Constant(kind, convert_value(value.value, kind))
            typed[parameter.name] = value
        return typed

    def parameter_type(self):
        found = self.specifiers()
        return self.declarator(found, abstract=True).type if found.type is not None else AUTO

    def bind_defaults(self, declaration, bindings):
        for parameter in declaration.template:
            if parameter.name not in bindings and parameter.default is not None:
                scopes = [*declaration.scopes, dict(bindings)]
                bindings[parameter.name] = self.elsewhere(parameter.default, scopes, self.template_argument)

    def unify(self, pattern, kind, bindings):
        """Find the placeholders of `pattern` that make it `kind`."""
        if isinstance(pattern, Placeholder):
            bindings.setdefault(pattern.name, kind)
        elif isinstance(pattern, Pointer) and isinstance(kind, Pointer):
            self.unify(pattern.to, kind.to, bindings)
        elif isinstance(pattern, Array) and isinstance(kind, (Array, Pointer)):
            if isinstance(kind, Array):
                self.unify(pattern.of, kind.of, bindings)
                if isinstance(pattern.count, str):
                    bindings.setdefault(pattern.count, Constant(INT, kind.count))
        elif isinstance(pattern, Pattern) and isinstance(kind, Struct):
            name, arguments = self.made_from.get(kind.name, (None, ()))
            if name == pattern.name:
                for inner, value in zip(pattern.arguments, arguments):
                    if isinstance(inner, ValuePlaceholder):
                        bindings.setdefault(inner.name, value)
                    else:
                        self.unify(inner, value, bindings)
        else:
            self.unify_ghost(pattern, kind, bindings)

    def explicit_of(self, declaration, bindings):
        """The explicit specialisation for these arguments, if the text has one."""
        overloads = declaration.scopes[-1].get(declaration.name)
        for other in getattr(overloads, "declarations", ()):
            if other.explicit is None:
                continue
            given = self.elsewhere(other.explicit, other.scopes, self.template_arguments)
            if [self.key(value) for value in given] == [self.key(value) for value in bindings.values()][
                : len(given)
            ]:
                return other, {}
        return declaration, bindings

    # Struct templates

    def class_from_template(self, template, token):
        """The struct that a template and the <...> here make."""
        if self.texts[self.i] != "<":
            raise Mistake(f'argument list for class template "{template.name}" is missing', token)
        given = self.template_arguments()
        if any(isinstance(value, (Placeholder, ValuePlaceholder, Pattern)) for value in given):
            return Pattern(template.name, tuple(given))
        bindings = {parameter.name: value for parameter, value in zip(template.template, given)}
        for parameter in template.template:
            if parameter.name not in bindings and parameter.default is not None:
                bindings[parameter.name] = self.elsewhere(
                    parameter.default, [*template.scopes, dict(bindings)], self.template_argument
                )
        if len(bindings) != len(template.template) or len(given) > len(template.template):
            raise Mistake(
                f'wrong number of template arguments for "{template.name}": {len(given)} given, '
                f"{len(template.template)} wanted",
                token,
            )
        bindings = self.typed(template.template, bindings, template.scopes)
        key = tuple(self.key(value) for value in bindings.values())
        if key not in template.made:
            if len(template.made) > 200:
                raise Mistake(
                    f'class template "{template.name}" is made more than 200 times', token, unsupported=True
                )
            shown = ", ".join(str(getattr(value, "value", value)) for value in bindings.values())
            name = f"{template.name}<{shown}>"
            self.made_from[name] = template.name, tuple(bindings.values())
            template.made[key] = None
            template.made[key] = self.elsewhere(
                template.start, [*template.scopes, bindings], lambda: self.struct_specifier(name)
            )
        if template.made[key] is None:
            raise Mistake(f'"{template.name}" contains itself', token)
        return template.made[key]
