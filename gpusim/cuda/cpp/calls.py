"""Calls: which overload, template arguments deduced, methods, operators and constructors."""

from __future__ import annotations

from ..parse.functions import FieldName
from ..text.mistakes import Mistake
from ..tree.nodes import Call, Comma, Expression, Member, Name, Symbol
from ..tree.types import VECTORS, Pointer, is_float
from ..typing.builtins import Builtin
from ..typing.builtins import call as call_builtin
from ..typing.conversions import (
    convertible,
    decay,
    is_arithmetic,
    is_const,
    is_lvalue,
    mark_bound,
    promote,
    root,
)
from ..typing.lowered import Lowered, lower
from ..typing.scope import BASE, Enumeration, Maker, Namespace

_HALF2 = VECTORS["half2"]


class Calls:
    """Resolves calls."""

    is_lvalue = staticmethod(is_lvalue)
    is_const = staticmethod(is_const)

    def other_meaning(self, meaning, token):
        """Names that are neither variables, functions nor types."""
        if isinstance(meaning, FieldName):
            return Member(self.at(token), meaning.field.type, meaning.base, meaning.field.name)
        if isinstance(meaning, Maker):
            return self.made(meaning, token)
        if isinstance(meaning, Enumeration) and self.accept("::"):
            name = self.name()
            return self.meaning_of(meaning.names.get(name.text), name)
        if isinstance(meaning, Namespace):
            raise Mistake(f'name followed by "::" expected: "{token.text}" is a namespace', token)
        return self.special_meaning(meaning, token)

    def made(self, maker, token):
        """make_float4(x, y, z, w)"""
        return self.make(maker, self.arguments(), token)

    def make(self, maker, given, token):
        if len(given) != len(maker.type.fields):
            raise Mistake(
                f"too {'few' if len(given) < len(maker.type.fields) else 'many'} arguments in function call",
                token,
                hint=f"{token.text} takes {len(maker.type.fields)}, {len(given)} given",
            )
        return self.aggregate(maker.type, given, self.at(token), token)

    # Functions

    def call_function(self, overloads, token):
        """A call of a named function, at its ( or at its <."""
        explicit = None
        if self.texts[self.i] == "<" and any(d.template is not None for d in overloads.declarations):
            explicit = self.template_arguments()
        if self.texts[self.i] == "<<<":
            raise self.refuse("launch", self.here)
        if self.texts[self.i] != "(":
            raise self.refuse("function pointers", token)
        given = self.arguments()
        this = None
        if self.struct_of_overloads(overloads):
            this = self.lookup("this")
            this = Name(self.at(token), this.type, this) if isinstance(this, Symbol) else this
        library = (
            BASE.get(token.text) if explicit is None else None
        )  # an overload of make_float4, max, ... of its own
        made = self.resolve(overloads, given, token, explicit, this, quiet=library is not None)
        return made if made is not None else self.call_library(library, given, token)

    def call_library(self, function, given, token):
        """A call of a built-in function whose arguments are read already."""
        if isinstance(function, Builtin):
            return call_builtin(function, [self.to_scalar(value) for value in given], self.at(token))
        if isinstance(function, Maker):
            return self.make(function, given, token)
        if isinstance(function, Lowered):
            return lower(function, [self.to_scalar(value) for value in given], self.at(token))
        return self.call_prelude(token.text, given, token)

    @staticmethod
    def struct_of_overloads(overloads):
        return any(d.owner is not None and not d.static for d in overloads.declarations)

    def resolve(self, overloads, given, token, explicit=None, this=None, quiet=False):
        """The Call of the overload that fits best; None where none does and `quiet`."""
        best, reasons = None, []
        for declaration in overloads.candidates():
            fit = self.fit(declaration, given, explicit, reasons, this)
            if fit is not None and (best is None or fit[0] < best[0]):
                best = fit
        if best is None:
            if quiet:
                return None
            raise self.no_overload(overloads, given, token, reasons)
        _, declaration, bindings, header = best
        return self.call(declaration, bindings, header, given, token, this)

    def call(self, declaration, bindings, header, given, token, this=None):
        if declaration.kind == "kernel":
            raise self.refuse("launch", token)
        if declaration.kind == "host":
            raise Mistake(
                f'calling a __host__ function("{declaration.name}") from device code is not allowed',
                token,
                hint=f"declare it __device__: line {declaration.token.line}",
            )
        if declaration.body is None:
            raise Mistake(f'function "{declaration.name}" is declared but not defined in this text', token)
        passed, values = self.pass_arguments(declaration, header, given, token)
        how = None
        if self.is_method(declaration) and declaration.name != "(constructor)":
            if this is None:
                raise Mistake("a nonstatic member reference must be relative to a specific object", token)
            how = "reference" if is_lvalue(this) else "value"
            if how == "reference":
                mark_bound(this)
            passed = [this, *passed]
        if header.reference and not self.gives_itself(declaration):
            return self.inlined(declaration, bindings, header, passed, this, token)
        function = self.specialise(declaration, bindings, header, values, how)
        self.note_call(function)
        made = Call(self.at(token), function.result, function, passed)
        if header.reference:
            return Comma(self.at(token), this.type, made, this)
        return made

    def note_call(self, function):
        if self.function_here is not None:
            self.called_by.setdefault(self.function_here, {})[function] = True

    def fit(self, declaration, given, explicit, reasons, this=None):
        """(rank, declaration, bindings, header) if the call fits, else None and a reason."""
        try:
            found = self.deduce(declaration, given, explicit)
        except Mistake as mistake:
            if declaration.template is None:
                raise
            reasons.append(mistake.message)
            return None
        if found is None:
            reasons.append("its template arguments cannot be deduced")
            return None
        declaration, bindings, header = found
        parameters = header.parameters
        least = sum(parameter.default is None for parameter in parameters)
        if not least <= len(given) <= len(parameters):
            reasons.append(f"too {'few' if len(given) < least else 'many'} arguments in function call")
            return None
        rank = 0
        if this is not None and not declaration.static:
            const = is_const(this) and root(this) and root(this).storage != "constant"
            if const and not header.const:
                reasons.append(f'the object is const, but the member function "{declaration.name}" is not')
                return None
            rank = 0.1 * (header.const and not const)
        for value, parameter in zip(given, parameters):
            step = self.rank(value, parameter)
            if step is None:
                reasons.append((value, parameter))
                return None
            rank += step
        return (rank + 0.5 * (declaration.template is not None), declaration, bindings, header)

    def rank(self, value, parameter):
        """0 the same type, 1 a promotion, 2 and more other conversions, None impossible."""
        kind = parameter.type
        if isinstance(value, list):
            return 2
        if not isinstance(value, Expression):
            return 0 if self.accepts(kind, value) else None
        if getattr(kind, "ghost", False):
            return None
        if parameter.reference and value.type == kind:
            return (
                0
                if is_lvalue(value) and (parameter.const or not is_const(value))
                else 0.25
                if parameter.const
                else None
            )
        value = decay(value) if not parameter.reference else value
        if value.type == kind:
            return 0
        if is_arithmetic(value.type) and is_arithmetic(kind):
            return None if parameter.reference and not parameter.const else self.distance(value.type, kind)
        if isinstance(value.type, Pointer) and isinstance(kind, Pointer) and value.type.to == kind.to:
            return 1 if convertible(value, kind) else None
        if convertible(value, kind):
            return 3
        return 4 if self.can_convert(value, kind) else None

    @staticmethod
    def distance(given, to):
        if (
            not is_float(given)
            and promote(given) is to
            or is_float(given)
            and is_float(to)
            and to.size > given.size
        ):
            return 1
        return 2

    def no_overload(self, overloads, given, token, reasons):
        """Why no function of that name fits this call."""
        name = overloads.name
        if any(p.kind == "pack" for d in overloads.declarations for p in d.template or ()):
            return Mistake(
                f'"{name}" is a variadic template, which is not supported',
                token,
                unsupported=True,
                hint="write an overload for each number of arguments",
            )
        if len(overloads.declarations) == 1 and reasons:
            reason = reasons[0]
            if isinstance(reason, tuple):
                value, parameter = reason
                return self.bad_argument(value, parameter, token)
            if reason.startswith(("too", "the object")):
                first = overloads.declarations[0]
                return Mistake(
                    reason,
                    token,
                    hint=f'"{name}" is declared on line {first.token.line}; {len(given)} arguments are given',
                )
            return Mistake(
                f'no instance of function template "{name}" matches the argument list: {reason}', token
            )
        kinds = ", ".join(str(getattr(value, "type", "{...}")) for value in given)
        return Mistake(
            f'no instance of overloaded function "{name}" matches the argument list: '
            f"argument types are: ({kinds})",
            token,
        )

    def bad_argument(self, value, parameter, token):
        place = self.place(value, token)
        if parameter.reference and not parameter.const:
            if not is_lvalue(value):
                return Mistake("initial value of reference to non-const must be an lvalue", place)
            return Mistake(
                f'a reference of type "{parameter.type}&" cannot be initialized with a value of type '
                f'"{value.type}"',
                place,
            )
        kind = decay(value).type if isinstance(value, Expression) else value
        return Mistake(
            f'argument of type "{kind}" is incompatible with parameter of type "{parameter.type}"', place
        )

    # Methods, operators, constructors


_HALF2_OPERATORS = {"+": "__hadd2", "-": "__hsub2", "*": "__hmul2", "/": "__h2div"}
