"""The leaves of expressions: names, numbers, texts, brackets and calls of built-in functions."""

from __future__ import annotations

from ..text.literals import character, number, unescape
from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Expression, Literal, Name, Special, Symbol
from ..tree.types import CHAR, UINT, VECTORS, Pointer, Struct
from ..typing.builtins import Builtin
from ..typing.builtins import call as call_builtin
from ..typing.scope import ClassTemplate, Constant, Dim3, Overloads
from .cursor import KEYWORDS
from .types import STARTERS

_CASTS = ("static_cast", "reinterpret_cast", "const_cast")


_TEXT = Pointer(CHAR, const=True)


class Names:
    """Part of the parser: primary expressions."""

    def primary(self):
        token = self.tokens[self.i]
        kind = token.kind
        self.height = 1
        if kind == "name":
            return self.primary_name(token)
        if kind == "number":
            self.i += 1
            return Literal(self.at(token), *number(token))
        if token.text == "(":
            self.i += 1
            value = self.nested_expression(token)
            self.expect(")")
            return value
        if kind == "string":
            return self.strings(token)
        if kind == "char":
            self.i += 1
            return Literal(self.at(token), *character(token))
        if token.text == "[":
            return self.lambda_expression()
        if token.text == "::":
            return self.primary_name(token)
        if token.text == "<<<":
            raise self.refuse("launch", token)
        raise self.expected("expression")

    def strings(self, token):
        text = ""
        while self.here.kind == "string":
            quoted = self.next().text
            text += unescape(quoted[1:-1]) if quoted[0] == '"' else quoted
        return Literal(self.at(token), _TEXT, text)

    def primary_name(self, token):
        text = token.text
        if text in _CASTS:
            return self.named_cast()
        if text in KEYWORDS and text not in ("true", "false", "nullptr", "operator") or text in STARTERS:
            return self.keyword(token)
        meaning, name = self.qualified()
        return self.meaning_of(meaning, name)

    def keyword(self, token):
        if token.text in ("this",):
            self.i += 1
            return self.this(token)
        if self.type_ahead():
            kind = self.specifiers().type
            if kind is None:
                raise Mistake("expected an expression", token)
            return self.construct(kind, token)
        raise (
            self.expected("expression")
            if token.text not in ("new", "delete", "throw", "asm", "dynamic_cast", "typeid")
            else self.refuse(token.text, token)
        )

    def meaning_of(self, meaning, token):
        """The expression that a name is."""
        if isinstance(meaning, Symbol):
            return Name(self.at(token), meaning.type, meaning)
        if isinstance(meaning, Constant):
            return Literal(self.at(token), meaning.type, meaning.value)
        if isinstance(meaning, Dim3):
            return self.dim3(meaning, token)
        if isinstance(meaning, Expression):
            return meaning
        if isinstance(meaning, Builtin):
            return self.builtin(meaning, token)
        if isinstance(meaning, Overloads):
            return self.call_function(meaning, token)
        if isinstance(meaning, ClassTemplate):
            meaning = self.class_from_template(meaning, token)
        if self.is_type(meaning):
            meaning = self.member_types(meaning)
            if self.texts[self.i] == "::" and isinstance(meaning, Struct):
                return self.static_of(meaning)
            return self.construct(meaning, token)
        if meaning is not None:
            return self.other_meaning(meaning, token)
        raise self.no_such_name(token)

    def static_of(self, kind):
        """Struct::name: a constant or a static function."""
        self.i += 1
        token = self.name()
        found = self.struct_scope(kind).get(token.text)
        if found is None:
            raise Mistake(f'"{kind}" has no member "{token.text}"', token)
        return self.meaning_of(found, token)

    def no_such_name(self, token):
        """make_float4 and friends, launches, and names that nothing declares."""
        text = token.text
        if text == "operator" or self.texts[self.i] == "<<<" and self.here.kind == "op":
            return self.refuse("launch", token)
        return self.unknown(token)

    def dim3(self, meaning, token):
        """threadIdx.x is a Special; threadIdx alone is a dim3 of three."""
        names = [f"{meaning.name}.{x}" for x in "xyz"]
        if not self.accept("."):
            parts = [Special(self.at(token), UINT, name) for name in names]
            kind = VECTORS["dim3" if meaning.name.endswith("Dim") else "uint3"]
            return Construct(self.at(token), kind, parts)
        field = self.here
        if field.text not in ("x", "y", "z"):
            raise Mistake(
                f'"{meaning.name}" has no member "{field.text}"', field, hint="its members are x, y and z"
            )
        self.i += 1
        return Special(self.span(token), UINT, f"{meaning.name}.{field.text}")

    def arguments(self):
        """The arguments of a call, from ( to )."""
        opening = self.expect("(")
        self.enter(opening)
        outside, self.no_greater = self.no_greater, False
        given, height = [], 0
        while self.texts[self.i] != ")":
            self.height = 1
            given.append(self.braced(None) if self.texts[self.i] == "{" else self.assignment())
            height = max(height, self.height)
            if not self.accept(","):
                break
        self.expect(")")
        self.no_greater = outside
        self.nesting -= 1
        self.height = height
        self.grow(opening)
        return given

    def builtin(self, builtin, token):
        if builtin.name in ("min", "max") and self.texts[self.i] == "<":
            kind = self.template_arguments_of(token, 1)[0]
            given = [self.cast(value, kind, token) for value in self.arguments()]
            return call_builtin(builtin, given, self.at(token))
        if self.texts[self.i] != "(":
            raise Mistake(f'"{token.text}" is a function: call it with ( )', token)
        if builtin.kind == "assert":
            start = self.i + 1
            given = self.arguments()
            words = self.tokens[start : self.i - 1]
            text = "".join((" " if k and word.before else "") + word.text for k, word in enumerate(words))
            made = call_builtin(builtin, given, self.at(token))
            made.arguments.append(Literal(self.at(token), _TEXT, text))
            return made
        given = [self.to_scalar(value) for value in self.arguments()]
        return call_builtin(builtin, given, self.at(token))
