"""Expressions, by recursive descent: each is typed and converted as soon as it is read."""
from __future__ import annotations

from . import check_expressions as check
from .builtins import Builtin, call as call_builtin
from .check import assignable, decay, is_lvalue
from .literals import character, number, unescape
from .mistakes import Mistake, did_you_mean
from .parse_cursor import KEYWORDS, NESTED
from .parse_types import STARTERS, Types
from .scope import ClassTemplate, Constant, Dim3, Overloads
from .tree import Construct, Expression, Literal, Name, Special, Symbol
from .types import BOOL, CHAR, DOUBLE, INT, UINT, ULONGLONG, VECTORS, Array, Pointer, Struct, is_integer

LEVELS = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
          "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
ASSIGNMENTS = {"=": None, "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "&=": "&", "|=": "|", "^=": "^",
               "<<=": "<<", ">>=": ">>"}
_CASTS = ("static_cast", "reinterpret_cast", "const_cast")
_TEXT = Pointer(CHAR, const=True)


class Expressions(Types):
    """Reads expressions.  `height` is that of the tree read last: a bound for whoever walks trees by recursion."""

    no_greater = False  # inside template arguments, where > ends them

    def expression(self):
        """A full expression, commas included."""
        value = self.assignment()
        while self.texts[self.i] == ",":
            token, height = self.next(), self.height
            value = check.comma(value, self.assignment(), self.at(token))
            self.height = max(height, self.height)
            self.grow(token)
        return value

    def assignment(self):
        """An expression without commas."""
        left = self.binary(1)
        text = self.texts[self.i]
        if text == "?":
            return self.choice(left)
        if text in ASSIGNMENTS and self.here.kind == "op":
            token = self.next()
            self.enter(token)
            right = self.braced(left.type) if self.texts[self.i] == "{" else self.assignment()
            self.nesting -= 1
            self.grow(token)
            return self.assigned(left, right, token, ASSIGNMENTS[text])
        return left

    def assigned(self, left, right, token, op):
        overloaded = self.overloaded(f"operator{token.text}", token, left, right)
        if overloaded is not None:
            return overloaded
        if op is not None and isinstance(left.type, Struct):
            overloaded = self.overloaded(f"operator{op}", token, left, right)
            if overloaded is not None:
                return check.assign(left, overloaded, self.at(token))
        elif isinstance(left.type, Struct) and (isinstance(right, list) or right.type != left.type):
            right = self.converted(right, left.type)
        return check.assign(left, right, self.at(token), op)

    def choice(self, test):
        token = self.next()
        self.enter(token)
        then = self.expression()
        self.expect(":")
        other = self.assignment()
        self.nesting -= 1
        self.grow(token)
        return check.select(test, then, other, self.at(token))

    def binary(self, level):
        left = self.unary()
        while True:
            token = self.tokens[self.i]
            text = token.text
            here = LEVELS.get(text, 0)
            if here < level or self.no_greater and text in (">", ">>"):
                return left
            self.i += 1
            height = self.height
            right = self.binary(here + 1)
            self.height = max(height, self.height)
            self.grow(token)
            if isinstance(left.type, Struct) or isinstance(right.type, Struct):
                overloaded = self.overloaded(f"operator{text}", token, left, right)
                if overloaded is not None:
                    left = overloaded
                    continue
                left, right = self.to_scalar(left), self.to_scalar(right)
            left = check.binary(text, left, right, self.at(token))

    def grow(self, token):
        self.height += 1
        if self.height > NESTED:
            raise Mistake(f"an expression of more than {NESTED} levels", token, unsupported=True,
                          hint="split it into several statements")

    # Unary operators and casts

    def unary(self):
        token = self.tokens[self.i]
        text = token.text
        if token.kind != "op":
            return self.unary_word(token) if text in ("sizeof", "alignof") else self.postfix(self.primary())
        if text == "(" and self.cast_ahead():
            return self.c_cast()
        if text not in ("-", "!", "*", "&", "+", "~", "++", "--"):
            return self.postfix(self.primary())
        self.i += 1
        self.enter(token)
        operand = self.unary()
        self.nesting -= 1
        self.grow(token)
        at = self.at(token)
        if isinstance(operand.type, Struct) and text != "&":
            overloaded = self.overloaded(f"operator{text}", token, operand)
            if overloaded is not None:
                return overloaded
        if text == "*":
            return check.dereference(operand, self.span(token))
        if text == "&":
            return check.address(operand, at)
        if text in ("++", "--"):
            return check.increment(operand, text[0], True, at)
        return check.unary(text, operand, at)

    def unary_word(self, token):
        """sizeof and alignof: of a type or of an expression, which is not evaluated."""
        self.i += 1
        if self.texts[self.i] == "(":
            self.i += 1
            if self.type_ahead():
                kind = self.type_name_only()
            else:
                kind = self.nested_expression(token).type
            self.expect(")")
        else:
            self.enter(token)
            kind = self.unary().type
            self.nesting -= 1
        return Literal(self.at(token), ULONGLONG, kind.size if token.text == "sizeof" else kind.align)

    def cast_ahead(self):
        """True when the ( here opens a cast."""
        self.i += 1
        ahead = self.type_ahead()
        self.i -= 1
        if not ahead:
            return False
        if self.texts[self.i + 2] == "(" and self.texts[self.i + 1] not in ("decltype",):
            return False  # (float(x) + 1)
        place = self.i
        depth = 0
        while place < len(self.texts) - 1:
            text = self.texts[place]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                break
            place += 1
        # (T::constant + 1) and (T(x)) are no casts; a type's tokens are names, *, &, <, >, ::, [ ], numbers and commas
        inside = self.texts[self.i + 1:place]
        return len(inside) < 40 and not any(text in ("+", "-", "=", ";", "{", ".") for text in inside)

    def c_cast(self):
        token = self.next()
        kind = self.type_name_only()
        self.expect(")")
        if self.texts[self.i] == "{":
            return self.braced(kind)
        self.enter(token)
        operand = self.unary()
        self.nesting -= 1
        self.grow(token)
        return self.cast(operand, kind, token)

    def cast(self, operand, kind, token):
        if isinstance(kind, Struct) and operand.type != kind:
            return self.converted(operand, kind, token)
        return check.cast(self.to_scalar(operand, kind), kind, self.at(token))

    def named_cast(self):
        token = self.next()
        self.expect("<")
        kind = self.template_type()
        self.close_angle()
        self.expect("(")
        operand = self.nested_expression(token)
        self.expect(")")
        self.grow(token)
        return self.cast(operand, kind, token)

    def nested_expression(self, token):
        """An expression in brackets, where > is an operator again."""
        self.enter(token)
        outside, self.no_greater = self.no_greater, False
        value = self.expression()
        self.no_greater = outside
        self.nesting -= 1
        return value

    # Primary expressions

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
        raise self.expected("expression") if token.text not in ("new", "delete", "throw", "asm", "dynamic_cast",
                                                               "typeid") else self.refuse(token.text, token)

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
            raise Mistake(f'"{meaning.name}" has no member "{field.text}"', field, hint="its members are x, y and z")
        self.i += 1
        return Special(self.span(token), UINT, f"{meaning.name}.{field.text}")

    # Calls

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
        if self.texts[self.i] != "(":
            raise Mistake(f'"{token.text}" is a function: call it with ( )', token)
        if builtin.kind == "assert":
            start = self.i + 1
            given = self.arguments()
            words = self.tokens[start:self.i - 1]
            text = "".join((" " if k and word.before else "") + word.text for k, word in enumerate(words))
            made = call_builtin(builtin, given, self.at(token))
            made.arguments.append(Literal(self.at(token), _TEXT, text))
            return made
        given = [self.to_scalar(value) for value in self.arguments()]
        return call_builtin(builtin, given, self.at(token))

    # Postfix operators

    def postfix(self, value):
        first = value.at
        while True:
            token = self.tokens[self.i]
            text = token.text
            if text == "[":
                self.i += 1
                height = self.height
                place = self.nested_expression(token)
                self.expect("]")
                self.height = max(height, self.height)
                value = self.indexed(value, place, token, first)
            elif text == ".":
                self.i += 1
                value = self.selected(value, first)
            elif text == "->":
                self.i += 1
                pointed = decay(value)
                if not isinstance(pointed.type, Pointer):
                    overloaded = self.overloaded("operator->", token, pointed)
                    if overloaded is None:
                        raise Mistake(f'expression must have pointer-to-class type but it has type "{value.type}"',
                                      token, hint="use ." if isinstance(value.type, Struct) else None)
                    pointed = overloaded
                pointed.type = self.completed(pointed.type)
                value = self.selected(check.dereference(pointed, value.at), first)
            elif text == "++" or text == "--":
                self.i += 1
                value = check.increment(value, text[0], False, self.at(token))
            elif text == "(":
                value = self.called(value, token)
            elif text == "<<<":
                raise self.refuse("launch", token)
            else:
                return value
            self.grow(token)

    def reach(self, first):
        """The At from an expression's start to the token just read."""
        last = self.tokens[self.i - 1]
        if first.macro is None and last.macro is None and last.line == first.line:
            return type(first)(first.line, first.column, last.column + len(last.text) - first.column)
        return first

    def indexed(self, value, place, token, first):
        if isinstance(value.type, Struct):
            overloaded = self.overloaded("operator[]", token, value, place)
            if overloaded is not None:
                return overloaded
        return check.index(value, decay(place), self.reach(first))

    def selected(self, base, first):
        """base.name: a field, or a method's call."""
        token = self.here
        if self.texts[self.i] == "template":
            self.i += 1
            token = self.here
        if token.kind != "name":
            raise self.expected("member's name")
        self.i += 1
        if not isinstance(base, Expression):
            return self.ghost_member(base, token)
        if isinstance(base.type, Struct) and base.type.field(token.text) is None:
            method = self.method_call(base, token)
            if method is not None:
                return method
        hint = None
        if isinstance(base.type, Struct):
            fields = [field.name for field in base.type.fields]
            hint = did_you_mean(token.text, fields) or f"its members are {', '.join(fields[:12])}"
        made = check.member(base, token.text, self.reach(first), hint)
        made.type = self.completed(made.type)
        return made

    def called(self, value, token):
        if not isinstance(value, Expression):
            return self.call_ghost(value, token)
        if isinstance(value.type, Struct):
            overloaded = self.overloaded_call(value, token)
            if overloaded is not None:
                return overloaded
        raise Mistake(f'expression preceding parentheses of apparent call must have (pointer-to-) function type, '
                      f'not "{value.type}"', token)

    # Values of a type

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
        kinds = [field.type for field in kind.fields] if isinstance(kind, Struct) else [kind.of] * (
            len(given) if kind.count is None else kind.count)
        if len(given) > len(kinds):
            raise Mistake(f'too many initializer values: "{kind}" takes {len(kinds)}, {len(given)} given', token)
        if kind is VECTORS["dim3"]:
            given = given + [Literal(at, UINT, 1)] * (3 - len(given))
        parts = [self.initialiser(part, to, token) for part, to in zip(given, kinds)]
        return Construct(at, kind, parts)

    def initialiser(self, value, kind, token):
        """A value converted to `kind` as an initialiser is; an unread {...} list is a list of tokens' expressions."""
        if isinstance(value, list):
            return self.from_list(value, kind, token)
        if isinstance(kind, Struct) and value.type != kind:
            return self.converted(value, kind, token)
        if isinstance(kind, Array):
            if value.type != kind:
                raise Mistake(f'a value of type "{value.type}" cannot be used to initialize an entity of type "{kind}"',
                              value.at)
            return value
        return assignable(self.to_scalar(value, kind), kind, "initialise")

    def braced(self, kind):
        """{a, b, {c, d}}: of type `kind`, or a plain list where the type is not known yet."""
        opening = self.expect("{")
        self.enter(opening)
        given = []
        while self.texts[self.i] != "}":
            if self.texts[self.i] == "." and self.tokens[self.i + 1].kind == "name":
                raise Mistake("designated initializers are not supported", self.here, unsupported=True,
                              hint="give all parts in order")
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
                given = [given[k:k + size] for k in range(0, len(given), size)]
            return self.aggregate(kind, given, at, token)
        if len(given) > 1:
            raise Mistake(f'too many initializer values: "{kind}" takes one', token)
        return self.initialiser(given[0] if given else Literal(at, INT, 0), kind, token)


