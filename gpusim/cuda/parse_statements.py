"""Statements and local declarations."""
from __future__ import annotations

from .check import assignable, condition, convert, decay, is_lvalue, mark_bound, promote
from .mistakes import Mistake
from .parse_cursor import KEYWORDS, WORDS
from .parse_expressions import Expressions
from .parse_types import AUTO
from .scope import Constant
from .tree import (Address, Block, Break, Construct, Continue, Declare, DoWhile, Evaluate, Expression, For, If, Literal,
                   Name, Return, Switch, While)
from .types import VOID, Array, Pointer, Scalar, Struct, is_integer

_REFUSED = ("goto", "try", "throw", "catch", "delete", "new")


class Statements(Expressions):
    """Reads statements.  `loops` and `switches` count those around, `result` is the function's result type."""

    loops = switches = 0
    result = VOID

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
                made = handler(self)
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
        self.expect(";", self.missing_semicolon(token))
        if not isinstance(value, Literal):
            body.append(Evaluate(self.at(token), value))

    def missing_semicolon(self, token):
        """`flaot x` stops behind the first name: say what may be meant."""
        return None

    def declaration_ahead(self, token):
        """True when a declaration starts here: a type that no ( or :: of an expression follows."""
        if not self.type_ahead():
            meaning = self.lookup(token.text)
            after = self.tokens[self.i + 1]
            unknown = meaning is None and token.kind == "name" and token.text not in KEYWORDS
            if unknown and after.kind == "name" and after.text not in WORDS:
                raise self.unknown(token)
            return False
        return self.texts[self.i + 1] != "(" or self.texts[self.i + 2] in ("*", "&") or (
            token.text in ("decltype", "__align__", "alignas", "__attribute__"))

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

    def test(self, closing=")"):
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
            test = self.test() if value is None else condition(self.meaning_of(value, self.tokens[self.i - 1]))
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

    def unrolled(self):
        """#pragma unroll [n], and the loop behind it."""
        pragma = self.next()
        count = 0
        if self.accept("("):
            count = self.constant_int("the number of #pragma unroll")
            self.expect(")")
        if self.here.kind == "pragma":
            return self.unrolled()
        loop = {"for": Statements.for_statement, "while": Statements.while_statement,
                "do": Statements.do_statement}.get(self.here.text)
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

    def switch_statement(self):
        token = self.next()
        self.expect("(")
        value = decay(self.to_scalar(self.expression()))
        if not is_integer(value.type):
            raise Mistake(f'expression must have integral or enum type, not "{value.type}"', value.at)
        value = convert(value, promote(value.type))
        self.expect(")")
        opening = self.expect("{")
        self.scopes.append({})
        self.switches += 1
        cases, seen = [], {}
        while not self.accept("}"):
            if self.here.kind == "end":
                raise self.unclosed(opening)
            if self.texts[self.i] in ("case", "default"):
                labels = self.labels(value.type, seen)
                cases.append((labels, []))
            elif not cases:
                raise Mistake("a statement of a switch must follow a case label", self.here, unsupported=True)
            else:
                self.statement(cases[-1][1])
        self.switches -= 1
        self.scopes.pop()
        return Switch(self.at(token), value, cases)

    def labels(self, kind, seen):
        labels = []
        while self.texts[self.i] in ("case", "default"):
            token = self.next()
            label = None
            if token.text == "case":
                label = self.constant_int("case label")
                label = convert(Literal(self.at(token), kind, label), kind).value
            if label in seen:
                raise Mistake("case label value has already appeared in this switch" if label is not None else
                              "default label has already appeared in this switch", token)
            seen[label] = True
            self.expect(":")
            labels.append(label)
        return labels

    def stray_label(self):
        token = self.here
        if not self.switches:
            raise Mistake(f'a {token.text} label may only be used within a switch', token)
        raise Mistake(f'a {token.text} label inside a nested block is not supported', token, unsupported=True)

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
            raise Mistake(f'return value type "{value.type}" does not match the function type "void"', value.at)
        return Return(self.at(token), self.returned(value))

    def return_this(self, token):
        """return *this; of a method that gives its object back: the call's value is the object itself."""
        value = self.expression()
        self.expect(";")
        if not (isinstance(value, Name) and value.symbol.name == "this"):
            raise Mistake("a function that returns a reference must be one return statement, or return *this", token,
                          unsupported=True)
        return Return(self.at(token), None)

    def returned(self, value):
        if isinstance(self.result, Struct) and value.type != self.result:
            return self.converted(value, self.result, self.tokens[self.i - 1])
        return assignable(self.to_scalar(value, self.result), self.result, "return")

    def refused_statement(self):
        raise self.refuse(self.here.text, self.here)

    def stray_else(self):
        raise Mistake('"else" without an "if" before it', self.here, hint='is there a ; behind the condition, or a "}" too many?')

    def asm_statement(self):
        """An empty asm volatile("" ::: "memory") is a barrier to the compiler, nothing to run."""
        token = self.next()
        self.accept("volatile") or self.accept("__volatile__")
        if self.texts[self.i] == "(" and self.texts[self.i + 1] == '""':
            self.skip_brackets()
            self.expect(";")
            return None
        raise self.refuse("asm", token)

    def local_alias(self):
        if self.texts[self.i] == "using" and self.texts[self.i + 1] == "namespace":
            self.using_namespace()
        elif self.texts[self.i] == "using" and self.texts[self.i + 2] in (";", "::"):
            self.using_name()
        else:
            self.alias()

    def local_namespace(self):
        self.namespace_alias()

    # Local declarations

    def local_declaration(self, body, condition=False, loop=False):
        """`const float x = 1, *p = a, t[4] = {0};` appended to `body` as one Declare a variable."""
        start, found = self.here, self.specifiers()
        if found.type is None:
            raise self.expected("type")
        if getattr(found.type, "ghost", False):
            self.group_declaration(found, body)
            return
        if self.accept(";"):
            return
        while True:
            declared = self.declarator(found)
            token = declared.token
            if loop and self.texts[self.i] == ":":
                raise self.refuse("range for", token)
            if self.texts[self.i] == "(" and not isinstance(declared.type, (Struct, Scalar, Pointer)):
                raise Mistake("a function cannot be declared here", token, unsupported=True)
            made = self.local_variable(found, declared, start)
            if made is not None:
                body.append(made)
            if not self.accept(","):
                break
        if condition:
            return
        self.expect(";")

    def local_variable(self, found, declared, start):
        token, kind, flags = declared.token, declared.type, found.flags
        if kind is VOID:
            raise Mistake('incomplete type "void" is not allowed', token)
        if "__shared__" in flags:
            return self.shared_variable(found, declared)
        if "__constant__" in flags or "__device__" in flags:
            raise Mistake("a __device__ or __constant__ variable must be declared at file scope", token)
        if "extern" in flags:
            raise Mistake(f'"{token.text}" is extern, but not __shared__: nothing defines it', token)
        value = self.initial_value(declared, token)
        if value is not None and not isinstance(value, Expression):
            return self.bind_ghost(token, value)
        kind = value.type if kind is AUTO or isinstance(kind, Array) and kind.count is None and value else kind
        if isinstance(kind, Array) and kind.count is None:
            raise Mistake("incomplete type is not allowed: an array needs its number of elements", token)
        if declared.reference and is_lvalue(value):
            return self.reference(declared, kind, value)
        if declared.const and isinstance(value, Literal) and isinstance(kind, Scalar):
            constant = Constant(kind, value.value)
            self.declare(token, constant)
            return None
        if "static" in flags:
            raise self.refuse("static local", token)
        if value is None and declared.const and isinstance(kind, Scalar):
            raise Mistake(f'const variable "{token.text}" requires an initializer', token)
        symbol = self.symbol(token, kind, "local", const=declared.const, volatile=declared.volatile)
        self.declare(token, symbol)
        return Declare(self.at(token), symbol, value)

    def reference(self, declared, kind, value):
        """A reference to a variable or an element; it keeps the lvalue as it stands."""
        if value.type != kind:
            raise Mistake(f'a reference of type "{kind}&" cannot be initialized with a value of type "{value.type}"',
                          value.at)
        mark_bound(value)
        symbol = self.symbol(declared.token, kind, "local", reference=True, const=declared.const or self.is_const(value),
                             volatile=declared.volatile)
        self.declare(declared.token, symbol)
        return Declare(self.at(declared.token), symbol, value)

    def initial_value(self, declared, token):
        """The initialiser of a local variable, converted; None without one."""
        kind, text = declared.type, self.texts[self.i]
        if text == "(" :
            given = self.arguments()
            if kind is AUTO:
                return given[0]
            return self.constructed(kind, given, token)
        if text == "{":
            return self.braced(kind)
        if text != "=":
            if kind is AUTO:
                raise Mistake(f'"{token.text}" is auto: it needs an initializer', token)
            return self.default_value(kind, token)
        self.i += 1
        self.height = 1
        if self.texts[self.i] == "{":
            return self.braced(kind)
        value = self.assignment()
        if not isinstance(value, Expression):
            if kind is not AUTO:
                raise Mistake(f'a value of type "{value.type}" cannot be used to initialize an entity of type "{kind}"',
                              value.at)
            return value
        if kind is AUTO:
            if value.type is VOID:
                raise Mistake(f'"{token.text}" cannot have type void', token)
            return value if declared.reference and is_lvalue(value) else decay(value)
        if declared.reference and is_lvalue(value) and value.type == kind:
            return value
        if declared.reference and not declared.const:
            raise Mistake("initial value of reference to non-const must be an lvalue", value.at)
        if isinstance(kind, Array):
            return self.array_from_text(value, kind, token)
        return self.initialiser(value, kind, token)

    def array_from_text(self, value, kind, token):
        if isinstance(value, Literal) and isinstance(value.value, str) and isinstance(kind.of, Scalar):
            codes = [ord(c) & 255 for c in value.value] + [0]
            kind = Array(kind.of, len(codes)) if kind.count is None else kind
            return Construct(value.at, kind, [convert(Literal(value.at, kind.of, code), kind.of) for code in codes])
        return self.initialiser(value, kind, token)

    def shared_variable(self, found, declared):
        """__shared__ T name[..] or extern __shared__ T name[]."""
        token, kind = declared.token, declared.type
        dynamic = "extern" in found.flags
        if self.texts[self.i] in ("=", "{"):
            raise Mistake("initializer not allowed for __shared__ variable", self.here,
                          hint="let the threads write it, then __syncthreads()")
        if dynamic and isinstance(kind, (Scalar, Struct)):
            raise Mistake(f'extern __shared__ "{token.text}" must be an array without its size: {kind} {token.text}[]',
                          token)
        if not dynamic and isinstance(kind, Array) and kind.count is None:
            raise Mistake("incomplete type is not allowed: a static __shared__ array needs its number of elements",
                          token, hint=f"write extern __shared__ {kind.of} {token.text}[] for an array sized at launch")
        symbol = self.symbol(token, kind, "dynamic" if dynamic else "shared", const=declared.const,
                             volatile=declared.volatile)
        self.declare(token, symbol)
        return Declare(self.at(token), symbol, None)


_HANDLERS = {
    "if": Statements.if_statement, "for": Statements.for_statement, "while": Statements.while_statement,
    "do": Statements.do_statement, "switch": Statements.switch_statement, "break": Statements.break_statement,
    "continue": Statements.continue_statement, "return": Statements.return_statement,
    "else": Statements.stray_else, "case": Statements.stray_label, "default": Statements.stray_label, "asm": Statements.asm_statement,
    "__asm__": Statements.asm_statement, "__asm": Statements.asm_statement, "using": Statements.local_alias,
    "typedef": Statements.local_alias, "static_assert": Statements.local_alias,
    "namespace": Statements.local_namespace, **dict.fromkeys(_REFUSED, Statements.refused_statement),
}

