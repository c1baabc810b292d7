"""File scope: kernels and device functions are kept, constants and structs read, host code is skipped."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..typing.scope import Declaration, Overloads

_MATTERS = frozenset(
    ("const", "constexpr", "typedef", "using", "struct", "class", "union", "enum", "static_assert")
)
_DEVICE = ("__global__", "__device__", "__constant__", "__shared__", "__managed__")


class Declarations:
    """Part of the parser: a whole text, item by item."""

    def struct_scope(self, kind):
        """The methods, constants and types declared inside a struct."""
        return self.struct_scopes.get(kind.name, {})

    def read_file(self):
        while self.here.kind != "end":
            self.file_item()

    def file_item(self):
        """One declaration at file scope."""
        token, text = self.here, self.texts[self.i]
        if text == ";" or token.kind == "pragma":
            self.i += 1
            if token.kind == "pragma" and self.texts[self.i] == "(":
                self.skip_brackets()
        elif text == "}":
            if not self.open_spaces:
                raise Mistake("expected a declaration", token, hint='this "}" closes nothing')
            self.open_spaces.pop()
            self.scopes = self.scopes[: self.depths.pop()]
            self.i += 1
        elif text == "namespace" or text == "inline" and self.texts[self.i + 1] == "namespace":
            self.namespace()
        elif text == "extern" and self.tokens[self.i + 1].kind == "string":
            self.i += 2
            if self.accept("{"):
                self.open_spaces.append("")
                self.depths.append(len(self.scopes))
        elif text == "using" and self.texts[self.i + 1] == "namespace":
            self.using_namespace()
        elif text == "template":
            self.template()
        else:
            self.declaration(None, self.i)

    # Namespaces

    # Templates

    # One declaration

    struct_here = False

    def declaration(self, template, first):
        """A function, a variable, a struct, an alias; host code is skipped."""
        token, start = self.here, self.i
        found = self.function_ahead()
        if found is not None:
            self.function_declaration(found, template, token)
            return
        words = self.texts[start : start + 12]
        cut = next((k for k, word in enumerate(words) if word in (";", "{", "=", "(")), len(words))
        device = any(word in _DEVICE for word in words[:cut])
        if device or template:
            self.file_variable() if not template else self.skip_item()
            return
        if not self.might_matter(words[: cut + 1]):
            self.not_host(token)
            self.skip_host(token, start)
            return
        scopes = list(self.scopes)
        try:
            self.readable_item(token)
        except Mistake as mistake:
            if not mistake.unsupported and self.must_read(words):
                raise
            self.i, self.scopes = start, scopes
            self.nesting, self.half, self.no_greater = 0, False, False
            self.skip_host(token, start, mistake)

    def not_host(self, token):
        """Text that cannot even be host code is an error, not skipped."""
        if token.kind != "name" and token.text not in ("::", "[", "~"):
            raise Mistake("expected a declaration", token)
        after = self.tokens[self.i + 1]
        if after.kind in ("end", "number", "string") or token.text in (
            "if",
            "for",
            "while",
            "return",
            "else",
            "do",
        ):
            raise Mistake("expected a declaration", token)

    @staticmethod
    def might_matter(words):
        return not _MATTERS.isdisjoint(words)

    @staticmethod
    def must_read(words):
        return words[0] in ("constexpr", "enum", "static_assert")

    def readable_item(self, token):
        text = token.text
        if text in ("typedef", "static_assert") or text == "using":
            if text == "using" and self.texts[self.i + 2] != "=":
                self.using_name()
            else:
                self.alias()
        else:
            self.file_variable()

    def skip_host(self, token, start, mistake=None):
        """Skip host code and note it."""
        name = self.declared_name(start)
        self.unread[name] = mistake or f'"{name}" on line {token.line} is host code'
        if getattr(self.scopes[-1].get(name), "fields", None) == ():
            del self.scopes[-1][name]  # a struct that was begun
        self.struct_here = token.text in ("struct", "class", "union", "enum")
        self.skip_item()
        self.struct_here = False
        if self.i == start:
            raise Mistake("expected a declaration", token)
        words = " ".join(self.texts[start : min(self.i, start + 6)])
        reason = f" ({mistake.message})" if mistake else ""
        self.skipped.append((token.line, f"host code: {words} ...{reason}"))

    def declared_name(self, start):
        """The name that a declaration seems to declare: the last one before its value, body or end."""
        for i in range(start + 1, min(start + 40, len(self.texts))):
            if self.texts[i] in ("=", ";", "{", "[", "(", ":", ",") and self.tokens[i - 1].kind == "name":
                return self.texts[i - 1]
        return self.texts[start]

    def function_declaration(self, found, template, token):
        name, place, start, body, end, _ = found
        words = self.texts[start:place]
        device = "__device__" in words or "constexpr" in words
        kind = "kernel" if "__global__" in words else "device" if device else "host"
        where = self.tokens[place]
        if kind == "kernel" and "__device__" in words:
            raise Mistake("a function cannot be both __global__ and __device__", where)
        explicit = place + 1 if self.texts[place + 1] == "<" and not name.startswith("operator") else None
        scopes = list(self.scopes)
        declaration = Declaration(name, kind, where, start, body, scopes, template or None, explicit=explicit)
        if self.texts[place - 1] == "::" and name in getattr(
            self.scopes[-1].get(self.texts[place - 2]), "names", {}
        ):
            pass
        overloads = self.scopes[-1].get(name)
        if not isinstance(overloads, Overloads):
            overloads = self.scopes[-1][name] = Overloads(name)
        if kind == "kernel" and body is not None:
            same = [
                d
                for d in overloads.declarations
                if d.kind == "kernel" and d.body is not None and not d.explicit
            ]
            if same and not explicit and template is None and same[0].template is None:
                raise Mistake(
                    f'function "{name}" has already been defined',
                    where,
                    notes=(f"note: the first one is on line {same[0].token.line}",),
                )
        overloads.declarations.append(declaration)
        if kind == "kernel" and body is not None:
            if (
                self.kernels.setdefault(name, overloads) is not overloads
            ):  # the same name in another namespace
                self.kernels["::".join([*filter(None, self.open_spaces), name])] = overloads
        elif kind == "device" and body is not None and template is None:
            self.devices.append(declaration)
        elif kind == "host" and body is not None:
            if self.texts[end - 1] != "}":
                raise Mistake('this "{" is never closed', self.tokens[body])
            self.skipped.append((token.line, f"host code: {name}(), not run"))
        self.i = end
