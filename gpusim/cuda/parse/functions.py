"""Functions: their headers, and their bodies read again for each specialisation."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.mistakes import Mistake
from ..tree.nodes import Assign, Block, Construct, Declare, Evaluate, Function, Member, Name, Return
from ..tree.types import VOID, Struct
from ..typing.conversions import assignable, mark_bound
from .types import AUTO

MOST_SPECIALISED = 512  # of one template: as deep as compilers go


@dataclass
class FieldName:
    """A field's name inside a method: this->name, with *this as `base`."""

    base: object
    field: object


class Functions:
    """Reads function headers and bodies; `queue` holds the bodies still to read."""

    def elsewhere(self, i, scopes, read):
        """Run `read` at another place of the text in other scopes, then come back."""
        state = (self.i, self.scopes, self.half, self.no_greater, self.height, self.nesting)
        self.i, self.scopes, self.half, self.no_greater = i, scopes, False, False
        try:
            return read()
        finally:
            self.i, self.scopes, self.half, self.no_greater, self.height, self.nesting = state

    # Specialisation

    def specialise(self, declaration, bindings, header=None, values=(), this=None):
        """The Function of a declaration for these template arguments.

        values : places of reference parameters that take a value here (const references to temporaries)
        this : None, or for a method "reference" or "value"
        """
        key = (tuple((name, self.key(meaning)) for name, meaning in bindings.items()), values, this)
        made = declaration.specialised.get(key)
        if made is None:
            if len(declaration.specialised) >= MOST_SPECIALISED:
                raise Mistake(
                    f'function "{declaration.name}" is wanted for more than {MOST_SPECIALISED} different arguments',
                    declaration.token,
                    unsupported=True,
                    hint="does its recursion end? Give it an explicit specialisation, or write a loop",
                )
            header = header or self.header(declaration, bindings)
            made = self.function(declaration, bindings, header, values, this)
            declaration.specialised[key] = made
            if header.result is AUTO:
                self.finish(self.queue.pop())
        return made

    @staticmethod
    def key(meaning):
        value = getattr(meaning, "value", None)
        return (meaning.type, value, type(value)) if value is not None else meaning

    def function(self, declaration, bindings, header, values, this):
        token = declaration.token
        scope, symbols = {}, []
        scopes = [*declaration.scopes, dict(bindings)]
        made = Function(
            declaration.name, declaration.kind, header.result, symbols, None, self.at(token), header.bounds
        )
        if declaration.owner is not None and not declaration.static:
            scopes.append(self.this_scope(declaration, header, this, symbols))
        for place, parameter in enumerate(header.parameters):
            kind = parameter.type
            if getattr(kind, "ghost", False):
                self.ghost_parameter(parameter, kind, scope, symbols)
                continue
            if not isinstance(parameter.token.text, str) or parameter.token.kind != "name":
                token_ = parameter.token._replace(kind="name", text=f"unnamed {place}")
            else:
                token_ = parameter.token
            symbol = self.symbol(
                token_,
                kind,
                "parameter",
                const=parameter.const,
                volatile=parameter.volatile,
                reference=parameter.reference and place not in values,
            )
            symbols.append(symbol)
            if token_.text in scope:
                raise Mistake(f'"{token_.text}" has already been declared in the current scope', token_)
            scope[token_.text] = symbol
        self.queue.append((made, declaration, header, [*scopes, scope]))
        return made

    def this_scope(self, declaration, header, this, symbols):
        """The scope of a method's fields; its first parameter is the object, called this."""
        constructor = declaration.name == "(constructor)"
        token = declaration.token._replace(text="this")
        symbol = self.symbol(
            token,
            declaration.owner,
            "local" if constructor else "parameter",
            reference=this == "reference" and not constructor,
            const=header.const and not constructor,
        )
        if not constructor:
            symbols.append(symbol)
        base = Name(self.at(token), symbol.type, symbol)
        fields = {field.name: FieldName(base, field) for field in declaration.owner.fields}
        return {"this": symbol, **fields}

    def finish(self, entry):
        """Read the body of a function in the queue."""
        made, declaration, header, scopes = entry
        state = (
            self.loops,
            self.switches,
            self.result,
            self.function_here,
            self.returns_this,
            self.constructed_symbol,
        )
        self.constructed_symbol = None
        self.loops = self.switches = 0
        self.result, self.function_here = header.result, made
        self.returns_this = header.reference and self.is_method(declaration)
        if self.returns_this:
            self.result = made.result = VOID
        try:
            made.body = self.elsewhere(
                declaration.body, scopes[:-1], lambda: self.function_body(declaration, header, scopes)
            )
            if made.result is AUTO:
                made.result = VOID if self.result is AUTO else self.result
        finally:
            (
                self.loops,
                self.switches,
                self.result,
                self.function_here,
                self.returns_this,
                self.constructed_symbol,
            ) = state

    @staticmethod
    def is_method(declaration):
        return declaration.owner is not None and not declaration.static

    def function_body(self, declaration, header, scopes):
        self.nesting = 0
        if declaration.name != "(constructor)":
            return self.block(scopes[-1])
        this = scopes[-2]["this"]
        self.result = VOID
        self.scopes = scopes
        at = self.at(declaration.token)
        before = self.member_initialisers(declaration, header, this)
        self.scopes = scopes[:-1]
        self.constructed_symbol = this
        body = self.block(scopes[-1])
        self.constructed_symbol = None
        return Block(at, [*before, body, Return(at, Name(at, this.type, this))])

    def member_initialisers(self, declaration, header, this):
        """`: x(a), y{b}` as assignments, after the fields' own defaults."""
        at = self.at(declaration.token)
        initial = self.initials.get(declaration.owner.name, {})
        body = [Declare(at, this, Construct(at, this.type, []))]

        def assign(field, value, token):
            target = Member(self.at(token), field.type, Name(at, this.type, this), field.name)
            value = self.initialiser(value, field.type, token)
            body.append(Evaluate(self.at(token), Assign(self.at(token), field.type, target, value)))

        for name, value in initial.items():
            if value is not None:
                assign(declaration.owner.field(name), value, declaration.token)
        if header.initialisers is not None:
            self.i = header.initialisers
            while True:
                token = self.name()
                field = declaration.owner.field(token.text)
                if field is None:
                    raise Mistake(
                        f'"{token.text}" is not a nonstatic data member of "{declaration.owner}"', token
                    )
                given = self.braced(None) if self.texts[self.i] == "{" else self.arguments()
                assign(field, given[0] if len(given) == 1 else given, token)
                if not self.accept(","):
                    break
        self.i = declaration.body
        return body

    # Arguments

    def pass_arguments(self, declaration, header, given, token):
        """The arguments of a call converted to the parameters; and which references take a value."""
        passed, values = [], []
        for place, parameter in enumerate(header.parameters):
            kind = parameter.type
            if place >= len(given):
                value = self.elsewhere(parameter.default, declaration.scopes, self.assignment)
            else:
                value = given[place]
            if getattr(kind, "ghost", False):
                passed += self.ghost_argument(value, kind, token)
                continue
            if parameter.reference and self.passes_by_reference(value, parameter):
                mark_bound(value)
                passed.append(value)
                continue
            if parameter.reference:
                if not parameter.const:
                    raise Mistake(
                        "initial value of reference to non-const must be an lvalue",
                        self.place(value, token),
                        hint=f'parameter {place + 1} of "{declaration.name}" is a {kind}&',
                    )
                values.append(place)
            if isinstance(value, list) or isinstance(kind, Struct) and value.type != kind:
                passed.append(self.initialiser(value, kind, token))
            else:
                passed.append(assignable(self.to_scalar(value, kind), kind, "argument"))
        return passed, tuple(values)

    def passes_by_reference(self, value, parameter):
        return (
            not isinstance(value, list)
            and self.is_lvalue(value)
            and value.type == parameter.type
            and (parameter.const or not self.is_const(value))
        )

    def place(self, value, token):
        return getattr(value, "at", None) or token
