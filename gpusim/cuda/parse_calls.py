"""Calls: which overload, template arguments deduced, methods, operators and constructors."""
from __future__ import annotations

from . import check_expressions as check
from .builtins import Builtin, call as call_builtin
from .check import convertible, decay, is_arithmetic, is_const, is_lvalue, mark_bound, promote, root
from .lowered import Lowered, lower
from .mistakes import Mistake
from .parse_functions import FieldName
from .scope import BASE, Constant, Enumeration, Maker, Namespace, Overloads
from .templates import Templates
from .tokens import Token
from .tree import Address, Assign, Call, Comma, Construct, Expression, Increment, Literal, Member, Name, Symbol
from .types import INT, UINT, VECTORS, Pointer, Struct, is_float

_HALF2 = VECTORS["half2"]


class Calls(Templates):
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
            raise Mistake(f"too {'few' if len(given) < len(maker.type.fields) else 'many'} arguments in function call",
                          token, hint=f"{token.text} takes {len(maker.type.fields)}, {len(given)} given")
        return self.aggregate(maker.type, given, self.at(token), token)

    def this(self, token):
        found, at = self.lookup("this"), self.at(token)
        if isinstance(found, Symbol):
            found = Name(at, found.type, found)
        if not isinstance(found, Expression):
            raise Mistake('"this" may only be used inside a nonstatic member function', token)
        return Address(at, Pointer(found.type, is_const(found)), found)

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
        library = BASE.get(token.text) if explicit is None else None  # an overload of make_float4, max, ... of its own
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
            raise Mistake(f'calling a __host__ function("{declaration.name}") from device code is not allowed', token,
                          hint=f"declare it __device__: line {declaration.token.line}")
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

    def gives_itself(self, declaration):
        """True for a method that ends in return *this."""
        texts, i = self.texts, declaration.body
        end = self.behind_brackets(i)
        return any(texts[k:k + 3] == ["return", "*", "this"] for k in range(i, end))

    def inlined(self, declaration, bindings, header, passed, this, token):
        """A function that returns a reference, `T& at(int i) { return a[i]; }`, read with its arguments in place."""
        for value in passed:
            if value is not this and not self.repeatable(value):
                raise Mistake(f'"{declaration.name}" returns a reference: give it arguments without side effects', token,
                              unsupported=True)
        names = [parameter.token.text for parameter in header.parameters]
        scope = dict(zip(names, passed[1:] if this is not None else passed))
        fields = {}
        if this is not None:
            fields = {field.name: FieldName(this, field) for field in declaration.owner.fields}
            fields["this"] = this

        def read():
            opening = self.expect("{")
            self.enter(opening)
            if self.texts[self.i] != "return":
                raise Mistake("a function that returns a reference must be one return statement", self.here,
                              unsupported=True)
            self.i += 1
            return self.expression()

        return self.elsewhere(declaration.body, [*declaration.scopes, dict(bindings), fields, scope], read)

    @staticmethod
    def repeatable(value):
        """True for an expression that may stand at several places: it changes nothing."""
        todo = [value]
        while todo:
            node = todo.pop()
            if isinstance(node, (Assign, Increment, Call)):
                return False
            todo += [part for part in vars(node).values() if isinstance(part, Expression)]
        return True

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
            return 0 if is_lvalue(value) and (parameter.const or not is_const(value)) else 0.25 if parameter.const else None
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
        if not is_float(given) and promote(given) is to or is_float(given) and is_float(to) and to.size > given.size:
            return 1
        return 2

    def no_overload(self, overloads, given, token, reasons):
        """Why no function of that name fits this call."""
        name = overloads.name
        if len(overloads.declarations) == 1 and reasons:
            reason = reasons[0]
            if isinstance(reason, tuple):
                value, parameter = reason
                return self.bad_argument(value, parameter, token)
            if reason.startswith(("too", "the object")):
                first = overloads.declarations[0]
                return Mistake(reason, token, hint=f'"{name}" is declared on line {first.token.line}; '
                                                   f"{len(given)} arguments are given")
            return Mistake(f'no instance of function template "{name}" matches the argument list: {reason}', token)
        kinds = ", ".join(str(getattr(value, "type", "{...}")) for value in given)
        return Mistake(f'no instance of overloaded function "{name}" matches the argument list: '
                       f'argument types are: ({kinds})', token)

    def bad_argument(self, value, parameter, token):
        place = self.place(value, token)
        if parameter.reference and not parameter.const:
            if not is_lvalue(value):
                return Mistake("initial value of reference to non-const must be an lvalue", place)
            return Mistake(f'a reference of type "{parameter.type}&" cannot be initialized with a value of type '
                           f'"{value.type}"', place)
        kind = decay(value).type if isinstance(value, Expression) else value
        return Mistake(f'argument of type "{kind}" is incompatible with parameter of type "{parameter.type}"', place)

    # Methods, operators, constructors

    def method_call(self, base, token):
        """base.name(...) when the struct has such a method, else None."""
        found = self.struct_scope(base.type).get(token.text)
        if isinstance(found, Constant):
            return Literal(self.at(token), found.type, found.value)
        if not isinstance(found, Overloads):
            return None
        explicit = self.template_arguments() if self.texts[self.i] == "<" and any(
            d.template is not None for d in found.declarations) else None
        if self.texts[self.i] != "(":
            raise Mistake("a pointer to a bound function may only be used to call the function", token)
        return self.resolve(found, self.arguments(), token, explicit, base)

    def overloaded(self, name, token, left, right=None):
        """A struct's operator, as a call; None where there is none."""
        if not (isinstance(left.type, Struct) or right is not None and isinstance(getattr(right, "type", None), Struct)):
            return None
        at = self.at(token)
        if name[8:] in _HALF2_OPERATORS and _HALF2 in (left.type, getattr(right, "type", None)):
            return self.half2_operator(name, left, right, at)
        if isinstance(left.type, Struct):
            found = self.struct_scope(left.type).get(name)
            if isinstance(found, Overloads):
                given = [] if right is None else [right]
                made = self.resolve(found, given, token, None, left, quiet=True)
                if made is not None:
                    return made
        found = self.lookup(name)
        if isinstance(found, Overloads):
            given = [left] if right is None else [left, right]
            return self.resolve(found, given, token, quiet=True)
        return None

    def overloaded_call(self, value, token):
        found = self.struct_scope(value.type).get("operator()")
        if not isinstance(found, Overloads):
            return None
        return self.resolve(found, self.arguments(), token, None, value)

    def half2_operator(self, name, left, right, at):
        """half2 arithmetic goes by component."""
        op = name.removeprefix("operator")
        if right is None or left.type != right.type:
            raise Mistake(f'no operator "{op}" matches these operands', at)
        return self.call_prelude(_HALF2_OPERATORS[op], [left, right], self.token_at(left))

    def constructor_call(self, kind, given, token):
        """A call of one of the struct's own constructors; None where it has none."""
        found = self.struct_scope(kind).get("(constructor)")
        if not isinstance(found, Overloads):
            return None
        if len(given) == 1 and getattr(given[0], "type", None) == kind:
            return given[0]
        return self.resolve(found, given, token)

    def converted(self, value, kind, token=None):
        """A value as a struct by a constructor of one argument, or a Mistake."""
        if isinstance(value, list):
            return self.from_list(value, kind, token)
        if {value.type, kind} == {VECTORS["dim3"], VECTORS["uint3"]}:
            return Construct(value.at, kind, [Member(value.at, UINT, value, x) for x in "xyz"])
        if self.can_convert(value, kind):
            return self.constructed(kind, [value], token)
        raise Mistake(f'no suitable conversion from "{value.type}" to "{kind}" exists', value.at)

    def can_convert(self, value, kind):
        if kind is VECTORS["dim3"]:
            return is_arithmetic(value.type)
        if not isinstance(kind, Struct) or not isinstance(value, Expression):
            return False
        found = self.struct_scope(kind).get("(constructor)")
        return isinstance(found, Overloads) and any(
            self.fit(d, [value], None, []) for d in found.candidates() if d.template is None)

    def to_scalar(self, value, kind=None):
        """A struct with a conversion operator, `operator T*()`, used where a number or a pointer is wanted."""
        if not isinstance(getattr(value, "type", None), Struct) or value.type == kind:
            return value
        for name, overloads in self.struct_scope(value.type).items():
            if name.startswith("operator") and (name[8:9].isalpha() or name[8:9] == "_"):
                for declaration in overloads.declarations:
                    header = self.header(declaration, {})
                    if kind is None or header.result == kind:
                        return self.call(declaration, {}, header, [], self.token_at(value), value)
        return value

    def token_at(self, value):
        """A token at the place of an expression."""
        return Token("op", " " * value.at.length, value.at.line, value.at.column)

    def default_value(self, kind, token):
        """The value of a variable without an initialiser: only a struct with a constructor or defaults has one."""
        if not isinstance(kind, Struct):
            return None
        found = self.struct_scope(kind).get("(constructor)")
        if isinstance(found, Overloads):
            return self.resolve(found, [], token, quiet=True)
        initial = self.initials.get(kind.name)
        if not initial:
            return None
        zero = Literal(self.at(token), INT, 0)
        return Construct(self.at(token), kind, [self.initialiser(initial.get(field.name) or zero, field.type, token)
                                                for field in kind.fields])


_HALF2_OPERATORS = {"+": "__hadd2", "-": "__hsub2", "*": "__hmul2", "/": "__h2div"}
