"""Structs, enums and aliases: laid out as C does; methods are kept as tokens until something calls them."""

from __future__ import annotations

from dataclasses import replace

from ..parse.types import ATTRIBUTES, Specifiers
from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import CHAR, INT, VOID, Pointer, Struct, struct
from ..typing.conversions import convert
from ..typing.scope import ClassTemplate, Constant, Declaration, Enumeration, Overloads


class Structs:
    """Part of the parser: struct, enum, using and typedef."""

    def enum_specifier(self):
        """enum [class] [name] [: type] { A, B = 4 }: its enumerators are int constants."""
        self.next()
        scoped = self.accept("class") or self.accept("struct")
        token = self.name() if self.here.kind == "name" else None
        kind = INT
        if self.accept(":"):
            kind = self.specifiers().type or INT
        if not self.accept("{"):
            return kind
        made = Enumeration(kind)
        if token:
            self.scopes[-1][token.text] = made
        self.scopes = [*self.scopes, made.names]
        value = -1
        while self.texts[self.i] != "}":
            name = self.name()
            value = self.constant_int() if self.accept("=") else value + 1
            made.names[name.text] = self.overridden(name, Constant(kind, value))
            value = made.names[name.text].value
            if not self.accept(","):
                break
        self.scopes = self.scopes[:-1]
        self.expect("}")
        if not scoped:
            self.scopes[-1].update(made.names)
        return kind

    def struct_specifier(self, name=None):
        """struct name { fields and methods }, or the name of one."""
        word = self.next()
        if word.text == "union":
            raise self.refuse("union", word)
        self.align = None
        while self.texts[self.i] in ATTRIBUTES:
            self.attribute(Specifiers())
        token = self.name() if self.here.kind == "name" else word
        align, self.align = self.align, None
        if self.texts[self.i] == ":" and self.texts[self.i + 1] != ":":
            raise self.refuse("inheritance", self.here)
        if self.texts[self.i] != "{":
            meaning = self.lookup(token.text)
            if isinstance(meaning, ClassTemplate):
                return self.class_from_template(meaning, token)
            if not isinstance(meaning, Struct):
                return self.incomplete(token)
            return meaning
        return self.struct_body(name or token.text, token, align)

    def incomplete(self, token):
        """A struct that is declared, not yet defined: pointers to it are fine."""
        if self.texts[self.i] not in ("*", ";"):
            raise Mistake(f'incomplete type "{token.text}" is not allowed', token)
        made = Struct(token.text, (), 0, 1)
        if self.texts[self.i] == ";":
            self.scopes[-1][token.text] = made
        return made

    def completed(self, kind):
        """A pointer to a struct that was incomplete where the pointer was declared."""
        if isinstance(kind, Pointer) and isinstance(kind.to, Struct) and not kind.to.fields:
            full = self.lookup(kind.to.name)
            if isinstance(full, Struct):
                return replace(kind, to=full)
        return kind

    def struct_body(self, name, token, align):
        """The members between the braces, laid out as C does; methods are read when they are called."""
        self.expect("{")
        scope, members = {}, []
        if not isinstance(self.scopes[-1].get(token.text), Struct):
            self.scopes[-1][token.text] = Struct(name, (), 0, 1)
        self.scopes.append(scope)
        initial = {}
        while not self.accept("}"):
            if self.here.kind == "end":
                raise self.expected('"}"')
            if self.texts[self.i] in ("public", "private", "protected") and self.texts[self.i + 1] == ":":
                self.i += 2
            elif self.accept(";") or self.destructor():
                pass
            elif self.method(token.text, scope):
                pass
            else:
                self.fields(members, scope, initial)
        self.scopes.pop()
        made = struct(name, members or [("_", CHAR)], align=align)
        self.scopes[-1][token.text] = made
        self.struct_scopes[name] = scope
        self.initials[name] = initial
        for meaning in scope.values():
            if isinstance(meaning, Overloads):
                for declaration in meaning.declarations:
                    declaration.owner = made
                    declaration.scopes = [*self.scopes, scope, {token.text: made}]
        return made

    def destructor(self):
        """Read over ~Name() { ... }: device code never runs it."""
        if self.texts[self.i] != "~":
            return False
        found = self.find_function(self.i)
        if found is None:
            raise self.expected("type")
        self.i = found[3]
        return True

    def fields(self, members, scope, initial):
        if (
            self.texts[self.i] in ("using", "typedef", "static_assert", "enum", "struct")
            and self.nested_item()
        ):
            return
        found = self.specifiers()
        if found.type is None:
            raise self.no_type()
        if self.accept(";"):
            return
        while True:
            declared = self.declarator(found)
            name = declared.token
            if declared.reference:
                raise Mistake(
                    "a reference as a member is not supported", name, unsupported=True, hint="use a pointer"
                )
            if self.texts[self.i] == ":":
                raise Mistake(
                    "bit-fields are not supported", name, unsupported=True, hint="use shifts and masks"
                )
            if declared.type is VOID:
                raise Mistake('incomplete type "void" is not allowed', name)
            if self.texts[self.i] in ("=", "{"):
                self.accept("=")
                initial[name.text] = value = self.assignment() if self.texts[self.i] != "{" else None
                if value is None:
                    self.skip_brackets()
            if "static" in found.flags:
                self.static_member(name, declared, initial.pop(name.text, None), scope)
            elif any(name.text == other for other, _ in members):
                raise Mistake(f'"{name.text}" has already been declared in the current scope', name)
            else:
                members.append((name.text, declared.type))
            if not self.accept(","):
                break
        self.expect(";")

    def static_member(self, name, declared, value, scope):
        if not isinstance(value, Literal):
            raise Mistake(
                "a static member needs a constant value", name, unsupported=True, hint="use a constexpr"
            )
        value = convert(value, declared.type)
        scope[name.text] = Constant(declared.type, value.value)

    def nested_item(self):
        """using, typedef or an enum inside a struct; False for a field such as `struct P p;`."""
        text = self.texts[self.i]
        if text == "struct" and self.texts[self.i + 2] != "{":
            return False
        if text == "enum" and self.texts[self.i + 1] != "{" and self.texts[self.i + 2] not in ("{", ":"):
            return False
        if text in ("enum", "struct"):
            self.specifiers()
            self.expect(";")
        else:
            self.alias()
        return True

    def method(self, owner, scope):
        """Keep the tokens of a method; False when no method stands here."""
        place = self.function_ahead()
        if place is None:
            return False
        name, where, start, body, end, template = place
        if "virtual" in self.texts[start:where]:
            raise self.refuse("virtual", self.tokens[where])
        if body is None and self.texts[end - 2] in ("default", "delete"):
            self.i = end
            return True
        if name == owner:
            name = "(constructor)"
        declaration = Declaration(name, "device", self.tokens[where], start, body, [], template)
        declaration.static = "static" in self.texts[start:where]
        overloads = scope.setdefault(name, Overloads(name))
        if isinstance(overloads, Overloads):
            overloads.declarations.append(declaration)
        self.i = end
        return True

    def alias(self):
        """using name = type; typedef type name; static_assert(...)."""
        word = self.next()
        if word.text == "static_assert":
            self.static_assertion(word)
            return
        if word.text == "typedef":
            found = self.specifiers()
            if found.type is None:
                raise self.no_type()
            while True:
                declared = self.declarator(found)
                self.scopes[-1][declared.token.text] = declared.type
                if not self.accept(","):
                    break
        else:
            name = self.name()
            self.expect("=")
            self.scopes[-1][name.text] = self.type_name_only()
        self.expect(";")

    def static_assertion(self, word):
        self.expect("(")
        value = self.assignment()
        message = self.next().text if self.accept(",") else ""
        self.expect(")")
        self.expect(";")
        if isinstance(value, Literal) and not value.value:
            raise Mistake(f"static assertion failed {message}".strip(), word)
