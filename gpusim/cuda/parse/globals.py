"""Variables and constants at file scope, and the values that keywords give to constants."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..tree.nodes import Literal
from ..tree.types import VOID, Array, Pointer, Scalar
from ..typing.conversions import convert
from ..typing.scope import Constant

MOST_CONSTANT = 64 << 10  # bytes, on every card
MOST_DEVICE = 2 << 30  # bytes

_DEVICE = ("__global__", "__device__", "__constant__", "__shared__", "__managed__")


class Globals:
    """Part of the parser: file-scope variables."""

    def file_variable(self):
        """A variable, constant, struct or enum at file scope."""
        start, found = self.here, self.specifiers()
        if found.type is None:
            raise self.no_type()
        if self.accept(";"):
            return
        while True:
            declared = self.declarator(found)
            if "__global__" in found.flags:
                raise self.expected('"("', "a kernel is written __global__ void name(parameters) { ... }")
            self.one_file_variable(found, declared, start)
            if not self.accept(","):
                break
        self.expect(";")

    def one_file_variable(self, found, declared, start):
        token, kind, flags = declared.token, declared.type, found.flags
        if kind is VOID:
            raise Mistake('incomplete type "void" is not allowed', token)
        value = None if self.texts[self.i] not in ("=", "{", "(") else self.initial_value(declared, token)
        if value is not None:
            kind = (
                value.type
                if kind.__class__ is Scalar and kind.kind == "auto" or isinstance(kind, Array)
                else kind
            )
        device = flags & set(_DEVICE)
        plain = "__constant__" not in flags and "__shared__" not in flags
        if plain and declared.const and isinstance(value, Literal) and isinstance(kind, Scalar):
            self.scopes[-1][token.text] = self.overridden(token, Constant(kind, value.value))
            return
        if not device and not (declared.const and isinstance(value, object) and value is not None):
            self.host_variable(token)
            return
        if not device and isinstance(kind, Scalar) or isinstance(kind, Pointer) and not device:
            self.host_variable(token)
            return
        storage = "constant" if "__constant__" in flags or not device else "device"
        if "__shared__" in flags:
            storage = "dynamic" if "extern" in flags else "shared"
        elif isinstance(kind, Array) and kind.count is None:
            raise Mistake("incomplete type is not allowed: an array needs its number of elements", token)
        most = {"constant": MOST_CONSTANT, "device": MOST_DEVICE}.get(storage)
        if most is not None and kind.size > most:
            raise Mistake(
                f'"{token.text}" takes {kind.size:,} bytes; {storage} memory is limited to {most:,}',
                token,
                unsupported=storage == "device",
                hint="pass an array of the host"
                if storage == "device"
                else "make it __device__, or a parameter",
            )
        symbol = self.symbol(
            token, kind, storage, const=declared.const or storage == "constant", volatile=declared.volatile
        )
        self.declare(token, symbol)
        self.variables.append(symbol)
        if value is not None:
            self.initial[symbol] = value

    def host_variable(self, token):
        """A variable of the host is noted; device code that names it gets an error that says so."""
        self.skipped.append((token.line, f"host variable: {token.text}"))
        where = f'"{token.text}" on line {token.line} is a variable of the host'
        self.unread[token.text] = f"{where}: make it constexpr, __device__ or a parameter"

    def overridden(self, token, constant):
        """A constant whose value the caller of parse overrides by keyword."""
        if token.text not in self.overrides or self.function_here is not None:
            return constant
        self.used.add(token.text)
        value = self.override_value(token.text)
        if not isinstance(value, Constant):
            raise Mistake(f'"{token.text}" is a constant of type "{constant.type}", not a type', token)
        converted = convert(Literal(self.at(token), value.type, value.value), constant.type)
        return Constant(constant.type, converted.value)

    def override_value(self, name):
        """The type or the Constant that the caller gave for a name."""
        return self.value_of(name, self.overrides[name])

    def value_of(self, name, tokens):
        """The type or the Constant that these tokens are."""
        reader = type(self)([*tokens, self.tokens[-1]])
        reader.scopes = [*self.scopes[:1], self.file_names]
        reader.made_from, reader.struct_scopes, reader.initials = (
            self.made_from,
            self.struct_scopes,
            self.initials,
        )
        try:
            value = reader.template_argument()
            if reader.here.kind != "end":
                raise reader.expected("end")
        except Mistake as mistake:
            given = " ".join(token.text for token in tokens)[:60]
            raise Mistake(f'"{name}" is given as {given}: {mistake.message}', self.here) from None
        return value
