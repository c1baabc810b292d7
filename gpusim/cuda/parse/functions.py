"""Functions: their headers, and their bodies read again for each specialisation."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.mistakes import Mistake
from ..tree import interpret
from ..tree.nodes import (
    Assign,
    Block,
    Call,
    Construct,
    Declare,
    Evaluate,
    Expression,
    Function,
    Literal,
    Member,
    Name,
    Return,
)
from ..tree.types import VOID, Struct
from ..tree.walks import children
from ..typing.conversions import assignable, is_const, is_lvalue, mark_bound
from .expressions import assignment
from .names import arguments
from .rules import rule, rules
from .statements import block
from .types import AUTO
from .values import braced, initialiser

MOST_SPECIALISED = 512  # of one template: as deep as compilers go


@dataclass
class FieldName:
    """A field's name inside a method: this->name, with *this as `base`."""

    base: object
    field: object


# Specialisation


def specialise(p, declaration, bindings, header=None, values=(), this=None):
    """The Function of a declaration for these template arguments.

    values : places of reference parameters that take a value here (const references to temporaries)
    this : None, or for a method "reference" or "value"
    """
    key = (tuple((name, identity(meaning)) for name, meaning in bindings.items()), values, this)
    made = declaration.specialised.get(key)
    if made is None:
        if len(declaration.specialised) >= MOST_SPECIALISED:
            raise Mistake(
                f'function "{declaration.name}" is wanted for more than {MOST_SPECIALISED} different arguments',
                declaration.token,
                unsupported=True,
                hint="does its recursion end? Give it an explicit specialisation, or write a loop",
            )
        header = header or rules.header_of(p, declaration, bindings)
        made = function(p, declaration, bindings, header, values, this)
        declaration.specialised[key] = made
        if header.result is AUTO:
            finish(p, p.queue.pop())
    return made


def identity(meaning):
    value = getattr(meaning, "value", None)
    return (meaning.type, value, type(value)) if value is not None else meaning


def function(p, declaration, bindings, header, values, this):
    token = declaration.token
    scope, symbols = {}, []
    scopes = [*declaration.scopes, dict(bindings)]
    made = Function(
        declaration.name, declaration.kind, header.result, symbols, None, p.at(token), header.bounds
    )
    if declaration.owner is not None and not declaration.static:
        scopes.append(this_scope(p, declaration, header, this, symbols))
    for place, parameter in enumerate(header.parameters):
        kind = parameter.type
        if getattr(kind, "ghost", False):
            rules.ghost_parameter(p, parameter, kind, scope, symbols)
            continue
        if not isinstance(parameter.token.text, str) or parameter.token.kind != "name":
            token_ = parameter.token._replace(kind="name", text=f"unnamed {place}")
        else:
            token_ = parameter.token
        symbol = p.symbol(
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
    p.queue.append((made, declaration, header, [*scopes, scope]))
    return made


def this_scope(p, declaration, header, this, symbols):
    """The scope of a method's fields; its first parameter is the object, called this."""
    constructor = declaration.name == "(constructor)"
    token = declaration.token._replace(text="this")
    symbol = p.symbol(
        token,
        declaration.owner,
        "local" if constructor else "parameter",
        reference=this == "reference" and not constructor,
        const=header.const and not constructor,
    )
    if not constructor:
        symbols.append(symbol)
    base = Name(p.at(token), symbol.type, symbol)
    fields = {field.name: FieldName(base, field) for field in declaration.owner.fields}
    return {"this": symbol, **fields}


def finish(p, entry):
    """Read the body of a function in the queue."""
    made, declaration, header, scopes = entry
    state = (
        p.loops,
        p.switches,
        p.result,
        p.function_here,
        p.returns_this,
        p.constructed_symbol,
    )
    p.constructed_symbol = None
    p.loops = p.switches = 0
    p.result, p.function_here = header.result, made
    p.returns_this = header.reference and is_method(declaration)
    if p.returns_this:
        p.result = made.result = VOID
    try:
        made.body = p.elsewhere(
            declaration.body, scopes[:-1], lambda p: function_body(p, declaration, header, scopes)
        )
        if made.result is AUTO:
            made.result = VOID if p.result is AUTO else p.result
    except Mistake as mistake:
        p.failed[made] = mistake
        raise
    finally:
        (
            p.loops,
            p.switches,
            p.result,
            p.function_here,
            p.returns_this,
            p.constructed_symbol,
        ) = state


def is_method(declaration):
    return declaration.owner is not None and not declaration.static


def function_body(p, declaration, header, scopes):
    p.nesting = 0
    if declaration.name != "(constructor)":
        return block(p, scopes[-1])
    this = scopes[-2]["this"]
    p.result = VOID
    p.scopes = scopes
    at = p.at(declaration.token)
    before = member_initialisers(p, declaration, header, this)
    p.scopes = scopes[:-1]
    p.constructed_symbol = this
    body = block(p, scopes[-1])
    p.constructed_symbol = None
    return Block(at, [*before, body, Return(at, Name(at, this.type, this))])


def member_initialisers(p, declaration, header, this):
    """`: x(a), y{b}` as assignments, after the fields' own defaults."""
    at = p.at(declaration.token)
    initial = p.initials.get(declaration.owner.name, {})
    body = [Declare(at, this, Construct(at, this.type, []))]

    def assign(field, value, token):
        target = Member(p.at(token), field.type, Name(at, this.type, this), field.name)
        value = initialiser(p, value, field.type, token)
        body.append(Evaluate(p.at(token), Assign(p.at(token), field.type, target, value)))

    for name, value in initial.items():
        if value is not None:
            assign(declaration.owner.field(name), value, declaration.token)
    if header.initialisers is not None:
        p.i = header.initialisers
        while True:
            token = p.name()
            field = declaration.owner.field(token.text)
            if field is None:
                raise Mistake(
                    f'"{token.text}" is not a nonstatic data member of "{declaration.owner}"', token
                )
            given = braced(p, None) if p.texts[p.i] == "{" else arguments(p)
            assign(field, given[0] if len(given) == 1 else given, token)
            if not p.accept(","):
                break
    p.i = declaration.body
    return body


@rule
def constant(p, value):
    """A value as a Literal where it is known before the run, if only by calling functions; else as it is."""
    if not isinstance(value, Expression) or isinstance(value, Literal):
        return value
    open_ = [value]
    while open_:
        node = open_.pop()
        if isinstance(node, Call) and isinstance(node.target, Function) and node.target.body is None:
            entry = next((entry for entry in p.queue if entry[0] is node.target), None)
            if entry is None:
                return value
            p.queue.remove(entry)
            finish(p, entry)
            open_.append(node.target.body)
        open_ += children(node, called=False)
    return interpret.constant(value) or value


# Arguments


def pass_arguments(p, declaration, header, given, token):
    """The arguments of a call converted to the parameters; and which references take a value."""
    passed, values = [], []
    for place, parameter in enumerate(header.parameters):
        kind = parameter.type
        if place >= len(given):
            value = p.elsewhere(parameter.default, declaration.scopes, assignment)
        else:
            value = given[place]
        if getattr(kind, "ghost", False):
            passed += rules.ghost_argument(p, value, kind, token)
            continue
        if parameter.reference and passes_by_reference(p, value, parameter):
            mark_bound(value)
            passed.append(value)
            continue
        if parameter.reference:
            if not parameter.const:
                raise Mistake(
                    "initial value of reference to non-const must be an lvalue",
                    place_of(p, value, token),
                    hint=f'parameter {place + 1} of "{declaration.name}" is a {kind}&',
                )
            values.append(place)
        if isinstance(value, list) or isinstance(kind, Struct) and value.type != kind:
            passed.append(initialiser(p, value, kind, token))
        else:
            passed.append(assignable(rules.to_scalar(p, value, kind), kind, "argument"))
    return passed, tuple(values)


def passes_by_reference(p, value, parameter):
    return (
        not isinstance(value, list)
        and is_lvalue(value)
        and value.type == parameter.type
        and (parameter.const or not is_const(value))
    )


def place_of(p, value, token):
    return getattr(value, "at", None) or token
