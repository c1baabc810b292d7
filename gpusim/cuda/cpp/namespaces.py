"""Namespaces, using, and the heads of templates at file scope."""

from __future__ import annotations

from ..parse.cursor import NESTED
from ..parse.types import ATTRIBUTES
from ..text.mistakes import Mistake
from ..typing.scope import ClassTemplate, Namespace


class Namespaces:
    """Part of the parser: what encloses declarations."""

    def namespace(self):
        token = self.next()
        if token.text == "inline":
            self.next()
        names = []
        while self.here.kind == "name":
            names.append(self.next().text)
            if not self.accept("::"):
                break
        if names and self.texts[self.i] == "=":
            self.i -= 2
            self.namespace_alias()
            return
        self.expect("{")
        if len(self.open_spaces) > NESTED:
            raise Mistake(f"nested deeper than {NESTED} levels", token, unsupported=True)
        self.open_spaces.append("::".join(names))
        self.depths.append(len(self.scopes))
        for name in names:
            inner = self.scopes[-1].get(name)
            if not isinstance(inner, Namespace):
                inner = self.scopes[-1][name] = Namespace(name)
            self.scopes = [*self.scopes, inner.names]

    def namespace_alias(self):
        """namespace cg = cooperative_groups;"""
        self.accept("namespace")
        name = self.name()
        self.expect("=")
        meaning, token = self.qualified()
        if isinstance(meaning, Namespace):
            self.scopes[-1][name.text] = meaning
        self.expect(";")

    def using_namespace(self):
        self.i += 2
        token = self.here
        meaning, _ = self.qualified()
        if isinstance(meaning, Namespace):
            self.scopes = [self.scopes[0], meaning.names, *self.scopes[1:]]
            self.depths = [depth + 1 for depth in self.depths]
        else:
            self.skipped.append((token.line, f"using namespace {token.text}: unknown here"))
        self.expect(";")

    def using_name(self):
        """using std::min;"""
        self.i += 1
        meaning, token = self.qualified()
        if meaning is not None:
            self.scopes[-1][token.text] = meaning
        self.expect(";")

    def template(self):
        """template <...> before a function or a struct."""
        start = self.i
        self.i += 1
        if self.texts[self.i] != "<":
            self.skip_item()
            return
        parameters = self.template_parameters()
        if self.texts[self.i] in ("struct", "class") and self.struct_template(parameters):
            return
        if self.texts[self.i] in ("using", "template", "concept", "requires"):
            self.skip_item()
            self.skipped.append((self.tokens[start].line, "a template that is no function or struct"))
            return
        self.declaration(parameters, start)

    def struct_template(self, parameters):
        place = self.i + 1
        while self.texts[place] in ATTRIBUTES:
            place += 1
            if self.texts[place] == "(":
                state, self.i = self.i, place
                self.skip_brackets()
                place, self.i = self.i, state
        token = self.tokens[place]
        if token.kind != "name" or self.texts[place + 1] not in ("{", "<", ";", ":"):
            return False
        template = self.scopes[-1].get(token.text)
        if self.texts[place + 1] == "{" and parameters:
            made = ClassTemplate(token.text, token, self.i, parameters, list(self.scopes))
            if isinstance(template, ClassTemplate) and template.start is None:
                made.made = template.made
            self.scopes[-1][token.text] = made
        elif self.texts[place + 1] == "<" and isinstance(template, ClassTemplate) and not parameters:
            self.struct_specialisation(template, place)
        self.skip_item()
        return True

    def struct_specialisation(self, template, place):
        """template <> struct Name<float> { ... };"""
        start, self.i = self.i, place + 1
        given = self.template_arguments()
        key = tuple(self.key(value) for value in given)
        shown = ", ".join(str(getattr(value, "value", value)) for value in given)
        name = f"{template.name}<{shown}>"
        self.made_from[name] = template.name, tuple(given)
        if self.texts[self.i] == "{":
            template.made[key] = self.struct_body(name, self.tokens[place]._replace(text=name), None)
        self.i = start
