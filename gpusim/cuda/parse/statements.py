"""Statements and local declarations."""

from __future__ import annotations

from ..text.literals import unescape
from ..text.mistakes import Mistake
from ..tree.nodes import Block, Break, Continue, DoWhile, Evaluate, For, If, Literal, Name, Return, While
from ..tree.types import VOID, Struct
from ..typing.conversions import assignable, condition, decay
from .cursor import KEYWORDS, WORDS
from .types import AUTO

LOOPS = 16  # loops inside each other
_REFUSED = ("goto", "try", "throw", "catch", "delete", "new")


class Statements:
    """Part of the parser: statements."""

    def block(self, scope=None):
        """{ statements }, in a scope of its own."""
        opening = self.expect("{")
        self.enter(opening)
        self.scopes.append({} if scope is None else scope)
        body = self.statements(opening)
        self.expect("}")
        self.scopes.pop()
        self.nesting -= 1
        return Block(self.at(opening), body)

    def statements(self, opening):
        body, texts = [], self.texts
        while texts[self.i] != "}":
            if self.here.kind == "end":
                raise self.unclosed(opening)
            self.statement(body)
        return body

    def unclosed(self, opening):
        return Mistake(f'expected a "}}" to match the "{{" on line {opening.line}', self.behind())

    def statement(self, body):
        """Read one statement and append what it is to `body` (a declaration may be several)."""
        token = self.tokens[self.i]
        text = token.text
        if token.kind == "name":
            handler = _HANDLERS.get(text)
            if handler is not None:
                self.enter(token)
                made = getattr(self, handler)()
                self.nesting -= 1
                if made is not None:
                    body.append(made)
                return
            if self.texts[self.i + 1] == ":" and self.texts[self.i + 2] != ":" and text not in KEYWORDS:
                raise self.refuse("label", token)
            if self.declaration_ahead(token):
                self.local_declaration(body)
                return
        elif text == "{":
            body.append(self.block())
            return
        elif text == ";":
            self.i += 1
            return
        elif token.kind == "pragma":
            made = self.unrolled()
            if made is not None:
                body.append(made)
            return
        elif text == "[" and self.texts[self.i + 1] == "[":
            self.skip_brackets()
            return
        value = self.expression()
        self.expect(";")
        if not isinstance(value, Literal):
            body.append(Evaluate(self.at(token), value))

    def declaration_ahead(self, token):
        """True when a declaration starts here: a type that no ( or :: of an expression follows."""
        if not self.type_ahead():
            meaning = self.lookup(token.text)
            after = self.tokens[self.i + 1]
            unknown = meaning is None and token.kind == "name" and token.text not in KEYWORDS
            if unknown and after.kind == "name" and after.text not in WORDS:
                raise self.unknown(token, self.type_names())
            return False
        return (
            self.texts[self.i + 1] != "("
            or self.texts[self.i + 2] in ("*", "&")
            or (token.text in ("decltype", "__align__", "alignas", "__attribute__"))
        )

    def body(self):
        """The statement under an if or a loop, in a scope of its own."""
        token = self.here
        if token.text == "{":
            return self.block()
        body = []
        self.scopes.append({})
        self.statement(body)
        self.scopes.pop()
        return body[0] if len(body) == 1 else Block(self.at(token), body)

    # Control flow

    def test(self):
        """The condition of an if or a loop, as a bool."""
        value = self.expression()
        return condition(self.to_scalar(value))

    def if_statement(self):
        """if, else if, else: a chain is read in a loop, however long."""
        token = self.next()
        constant = self.accept("constexpr")
        self.expect("(")
        self.scopes.append({})
        before = []
        if self.declaration_ahead(self.here):
            self.local_declaration(before, condition=True)
            value = before[-1].symbol if not self.accept(";") else None
            test = (
                self.test() if value is None else condition(self.meaning_of(value, self.tokens[self.i - 1]))
            )
        else:
            test = self.test()
        self.expect(")")
        known = test.value if constant and isinstance(test, Literal) else None
        then = self.discarded() if known is False else self.body()
        other = None
        if self.accept("else"):
            other = self.discarded() if known is True else self.body()
        self.scopes.pop()
        if known is not None:
            return then if known else other
        made = If(self.at(token), test, then, other)
        return Block(self.at(token), [*before, made]) if before else made

    def discarded(self):
        """The side of an `if constexpr` that is not taken is not looked at."""
        if self.texts[self.i] == "{":
            self.skip_brackets()
        else:
            self.body()
        return None

    def pragma_operator(self):
        """_Pragma("unroll 4"), as macros write it."""
        token = self.next()
        self.expect("(")
        words = unescape(self.next().text[1:-1]).replace("(", " ").replace(")", " ").split()
        self.expect(")")
        made = self.body() if self.texts[self.i] in ("for", "while", "do") else None
        if isinstance(made, For) and words[:1] == ["unroll"]:
            made.unroll = int(words[1]) if words[1:] and words[1].isdigit() else 0
        return made if made is not None else Block(self.at(token), [])

    def unrolled(self):
        """#pragma unroll [n], and the loop behind it."""
        pragma = self.next()
        count = 0
        if self.accept("("):
            count = self.constant_int("the number of #pragma unroll")
            self.expect(")")
        if self.here.kind == "pragma":
            return self.unrolled()
        loop = {
            "for": Statements.for_statement,
            "while": Statements.while_statement,
            "do": Statements.do_statement,
        }.get(self.here.text)
        if loop is None:
            return None
        self.enter(pragma)
        made = loop(self)
        self.nesting -= 1
        if isinstance(made, For):
            made.unroll = count
        return made

    def for_statement(self):
        token = self.next()
        self.expect("(")
        self.scopes.append({})
        start = []
        if not self.accept(";"):
            if self.declaration_ahead(self.here):
                self.local_declaration(start, loop=True)
            else:
                value = self.expression()
                start.append(Evaluate(value.at, value))
                self.expect(";")
        test = None if self.texts[self.i] == ";" else self.test()
        self.expect(";")
        step = None if self.texts[self.i] == ")" else self.expression()
        self.expect(")")
        body = self.loop_body()
        self.scopes.pop()
        first = start[0] if len(start) == 1 else Block(self.at(token), start) if start else None
        return For(self.at(token), first, test, step, body)

    def loop_body(self):
        self.loops += 1
        if self.loops > LOOPS:
            raise Mistake(f"loops are nested deeper than {LOOPS}", self.here, unsupported=True)
        body = self.body()
        self.loops -= 1
        return body

    def while_statement(self):
        token = self.next()
        self.expect("(")
        test = self.test()
        self.expect(")")
        return While(self.at(token), test, self.loop_body())

    def do_statement(self):
        token = self.next()
        body = self.loop_body()
        self.expect("while")
        self.expect("(")
        test = self.test()
        self.expect(")")
        self.expect(";")
        return DoWhile(self.at(token), body, test)

    def break_statement(self):
        token = self.next()
        if not (self.loops or self.switches):
            raise Mistake("a break statement may only be used within a loop or switch", token)
        self.expect(";")
        return Break(self.at(token))

    def continue_statement(self):
        token = self.next()
        if not self.loops:
            raise Mistake("a continue statement may only be used within a loop", token)
        self.expect(";")
        return Continue(self.at(token))

    def return_statement(self):
        token = self.next()
        if self.constructed_symbol is not None:
            self.expect(";")
            symbol = self.constructed_symbol
            return Return(self.at(token), Name(self.at(token), symbol.type, symbol))
        if self.returns_this:
            return self.return_this(token)
        if self.accept(";"):
            if self.result is AUTO:
                self.result = VOID
            if self.result is not VOID:
                raise Mistake(f'a function that returns "{self.result}" must return a value', token)
            return Return(self.at(token), None)
        value = self.braced(self.result) if self.texts[self.i] == "{" else self.expression()
        self.expect(";")
        if self.result is AUTO:
            value = decay(value)
            self.result = value.type
        if self.result is VOID:
            if value.type is VOID:
                return Block(self.at(token), [Evaluate(value.at, value), Return(self.at(token), None)])
            raise Mistake(
                f'return value type "{value.type}" does not match the function type "void"', value.at
            )
        return Return(self.at(token), self.returned(value))

    def return_this(self, token):
        """return *this; of a method that gives its object back: the call's value is the object itself."""
        value = self.expression()
        self.expect(";")
        if not (isinstance(value, Name) and value.symbol.name == "this"):
            raise Mistake(
                "a function that returns a reference must be one return statement, or return *this",
                token,
                unsupported=True,
            )
        return Return(self.at(token), None)

    def returned(self, value):
        if isinstance(self.result, Struct) and value.type != self.result:
            return self.converted(value, self.result, self.tokens[self.i - 1])
        return assignable(self.to_scalar(value, self.result), self.result, "return")

    def refused_statement(self):
        raise self.refuse(self.here.text, self.here)

    def stray_else(self):
        raise Mistake(
            '"else" without an "if" before it',
            self.here,
            hint='is there a ; behind the condition, or a "}" too many?',
        )

    def asm_statement(self):
        """An empty asm volatile("" ::: "memory") is a barrier to the compiler, nothing to run."""
        token = self.next()
        self.accept("volatile") or self.accept("__volatile__")
        if self.texts[self.i] == "(" and self.texts[self.i + 1] == '""':
            self.skip_brackets()
            self.expect(";")
            return None
        raise self.refuse("asm", token)


_HANDLERS = {
    "if": "if_statement",
    "for": "for_statement",
    "while": "while_statement",
    "do": "do_statement",
    "switch": "switch_statement",
    "break": "break_statement",
    "continue": "continue_statement",
    "return": "return_statement",
    "else": "stray_else",
    "case": "stray_label",
    "default": "stray_label",
    "asm": "asm_statement",
    "__asm__": "asm_statement",
    "__asm": "asm_statement",
    "using": "local_alias",
    "typedef": "local_alias",
    "static_assert": "local_alias",
    "namespace": "local_namespace",
    "_Pragma": "pragma_operator",
    **dict.fromkeys(_REFUSED, "refused_statement"),
}
