"""Values of a type: T(x), {a, b}, constructors of plain structs and arrays, initialisers."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Literal
from ..tree.types import INT, UINT, VECTORS, Array, Struct
from ..typing import operators as check
from ..typing.conversions import assignable


class Values:
    """Part of the parser: what makes a value of a given type."""

    def construct(self, kind, token):
        """T(x), T{x}, dim3(8, 8), P(1, 2): a value of a named type."""
        if self.texts[self.i] == "{":
            return self.braced(kind)
        if self.texts[self.i] != "(":
            raise Mistake("type name is not allowed here", token)
        given = self.arguments()
        return self.constructed(kind, given, token)

    def constructed(self, kind, given, token):
        at = self.at(token)
        if isinstance(kind, Struct):
            made = self.constructor_call(kind, given, token)
            if made is not None:
                return made
            if len(given) == 1 and not isinstance(given[0], list) and isinstance(given[0].type, Struct):
                return given[0] if given[0].type == kind else self.converted(given[0], kind, token)
            return self.aggregate(kind, given, at, token)
        if not given:
            return check.cast(Literal(at, INT, 0), kind, at)
        if len(given) > 1:
            raise Mistake(f'too many initializer values: "{kind}" takes one', token)
        return self.cast(given[0], kind, token)

    def aggregate(self, kind, given, at, token):
        """A struct's or an array's value from its parts in order."""
        kinds = (
            [field.type for field in kind.fields]
            if isinstance(kind, Struct)
            else [kind.of] * (len(given) if kind.count is None else kind.count)
        )
        if len(given) > len(kinds):
            raise Mistake(
                f'too many initializer values: "{kind}" takes {len(kinds)}, {len(given)} given', token
            )
        if kind is VECTORS["dim3"]:
            given = given + [Literal(at, UINT, 1)] * (3 - len(given))
        parts = [self.initialiser(part, to, token) for part, to in zip(given, kinds)]
        return Construct(at, kind, parts)

    def initialiser(self, value, kind, token):
        """A value converted to `kind` as an initialiser is; a list stands for {...}."""
        if isinstance(value, list):
            return self.from_list(value, kind, token)
        if isinstance(kind, Struct) and value.type != kind:
            return self.converted(value, kind, token)
        if isinstance(kind, Array):
            if value.type != kind:
                raise Mistake(
                    f'a value of type "{value.type}" cannot be used to initialize an entity of type "{kind}"',
                    value.at,
                )
            return value
        return assignable(self.to_scalar(value, kind), kind, "initialise")

    def braced(self, kind):
        """{a, b, {c, d}}: of type `kind`, or a plain list where the type is not known yet."""
        opening = self.expect("{")
        self.enter(opening)
        given = []
        while self.texts[self.i] != "}":
            if self.texts[self.i] == "." and self.tokens[self.i + 1].kind == "name":
                raise Mistake(
                    "designated initializers are not supported",
                    self.here,
                    unsupported=True,
                    hint="give all parts in order",
                )
            self.height = 1
            given.append(self.braced(None) if self.texts[self.i] == "{" else self.assignment())
            if not self.accept(","):
                break
        self.expect("}")
        self.nesting -= 1
        return given if kind is None else self.from_list(given, kind, opening)

    def from_list(self, given, kind, token):
        """A value of type `kind` from the expressions of a {...} list."""
        at = self.at(token)
        if isinstance(kind, Struct):
            if not any(isinstance(part, list) for part in given):
                return self.constructed(kind, given, token)
            return self.aggregate(kind, given, at, token)
        if isinstance(kind, Array):
            if kind.count is None:
                kind = Array(kind.of, len(given))
            if isinstance(kind.of, Array) and given and not any(isinstance(part, list) for part in given):
                size = kind.of.count
                given = [given[k : k + size] for k in range(0, len(given), size)]
            return self.aggregate(kind, given, at, token)
        if len(given) > 1:
            raise Mistake(f'too many initializer values: "{kind}" takes one', token)
        return self.initialiser(given[0] if given else Literal(at, INT, 0), kind, token)
