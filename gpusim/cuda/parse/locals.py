"""Local declarations: variables, references, __shared__ arrays, and their initialisers."""

from __future__ import annotations

from ..text.literals import text_codes
from ..text.mistakes import Mistake
from ..tree.nodes import Construct, Declare, Expression, Literal
from ..tree.types import VOID, Array, Pointer, Scalar, Struct
from ..typing.conversions import convert, decay, is_lvalue, mark_bound
from ..typing.scope import Constant
from .types import AUTO

MOST_LOCAL = 512 << 10  # bytes of local memory of a thread, on every card


class Locals:
    """Part of the parser: declarations inside functions."""

    def local_alias(self):
        if self.texts[self.i] == "using" and self.texts[self.i + 1] == "namespace":
            self.using_namespace()
        elif self.texts[self.i] == "using" and self.texts[self.i + 2] in (";", "::"):
            self.using_name()
        else:
            self.alias()

    def local_namespace(self):
        self.namespace_alias()

    def local_declaration(self, body, condition=False, loop=False):
        """`const float x = 1, *p = a, t[4] = {0};` appended to `body` as one Declare a variable."""
        start, found = self.here, self.specifiers()
        if found.type is None:
            raise self.no_type()
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
        if declared.reference and value is None:
            raise Mistake(f'reference variable "{token.text}" requires an initializer', token)
        if value is not None and not isinstance(value, Expression):
            return self.bind_ghost(token, value)
        kind = (
            value.type if kind is AUTO or isinstance(kind, Array) and kind.count is None and value else kind
        )
        if isinstance(kind, Array) and kind.count is None:
            raise Mistake("incomplete type is not allowed: an array needs its number of elements", token)
        if declared.reference and is_lvalue(value):
            return self.reference(declared, kind, value)
        if declared.const and isinstance(value, Literal) and isinstance(kind, Scalar):
            constant = Constant(kind, value.value)
            self.declare(token, constant)
            return None
        if "static" in flags and not declared.const:
            raise self.refuse("static local", token)
        if value is None and declared.const and isinstance(kind, Scalar):
            raise Mistake(f'const variable "{token.text}" requires an initializer', token)
        if getattr(kind, "size", 0) > MOST_LOCAL:
            raise Mistake(
                f'"{token.text}" takes {kind.size:,} bytes; the local memory of a thread is limited to {MOST_LOCAL:,}',
                token,
                unsupported=True,
                hint="use an array of the host, with a part for each thread",
            )
        symbol = self.symbol(token, kind, "local", const=declared.const, volatile=declared.volatile)
        self.declare(token, symbol)
        return Declare(self.at(token), symbol, value)

    def reference(self, declared, kind, value):
        """A reference to a variable or an element; it keeps the lvalue as it stands."""
        if value.type != kind:
            raise Mistake(
                f'a reference of type "{kind}&" cannot be initialized with a value of type "{value.type}"',
                value.at,
            )
        mark_bound(value)
        symbol = self.symbol(
            declared.token,
            kind,
            "local",
            reference=True,
            const=declared.const or self.is_const(value),
            volatile=declared.volatile,
        )
        self.declare(declared.token, symbol)
        return Declare(self.at(declared.token), symbol, value)

    def initial_value(self, declared, token):
        """The initialiser of a local variable, converted; None without one."""
        kind, text = declared.type, self.texts[self.i]
        if text == "(":
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
                raise Mistake(
                    f'a value of type "{value.type}" cannot be used to initialize an entity of type "{kind}"',
                    value.at,
                )
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
            codes = text_codes(value.value)
            kind = Array(kind.of, len(codes)) if kind.count is None else kind
            if len(codes) > kind.count:
                raise Mistake(
                    f"the text has {len(codes)} characters with the 0 at its end, the array {kind.count}",
                    token,
                )
            return Construct(
                value.at, kind, [convert(Literal(value.at, kind.of, code), kind.of) for code in codes]
            )
        return self.initialiser(value, kind, token)

    def shared_variable(self, found, declared):
        """__shared__ T name[..] or extern __shared__ T name[]."""
        token, kind = declared.token, declared.type
        dynamic = "extern" in found.flags
        if self.texts[self.i] in ("=", "{"):
            raise Mistake(
                "initializer not allowed for __shared__ variable",
                self.here,
                hint="let the threads write it, then __syncthreads()",
            )
        if dynamic and isinstance(kind, (Scalar, Struct)):
            raise Mistake(
                f'extern __shared__ "{token.text}" must be an array without its size: {kind} {token.text}[]',
                token,
            )
        if not dynamic and isinstance(kind, Array) and kind.count is None:
            raise Mistake(
                "incomplete type is not allowed: a static __shared__ array needs its number of elements",
                token,
                hint=f"write extern __shared__ {kind.of} {token.text}[] for an array sized at launch",
            )
        symbol = self.symbol(
            token, kind, "dynamic" if dynamic else "shared", const=declared.const, volatile=declared.volatile
        )
        self.declare(token, symbol)
        return Declare(self.at(token), symbol, None)
