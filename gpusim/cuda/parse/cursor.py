"""The parser's lowest floor: the token it stands at, the scopes it looks names up in, its messages."""

from __future__ import annotations

from ..text.mistakes import Mistake, did_you_mean
from ..text.tokens import Token
from ..tree.nodes import At, Symbol
from ..tree.types import VOID, holds_fragment, holds_union
from ..typing.refused import NEEDED, REFUSED, REFUSED_NAMESPACES
from ..typing.scope import BASE, WORDS, Namespace, is_type

NESTED = 100  # levels of brackets and statements, and the height of an expression's tree


class Parser:
    """All that the parser remembers while it reads a text, and its walk over the tokens.

    A template or a device function is kept as the place of its tokens and read anew for each specialisation,
    in the scopes where it was written, with template parameters bound.
    """

    def __init__(self, tokens, overrides=None):
        end = tokens[-1]
        self.tokens = [*tokens, end, end, end]
        self.texts = [token.text for token in self.tokens]
        self.i = 0  # the place of the current token
        self.half = False  # the first > of a >> is taken
        self.nesting = 0  # brackets and statements around
        self.height = 0  # of the expression tree read last
        self.no_greater = False  # inside template arguments, where > ends them

        self.file_names = {}
        self.scopes = [BASE, self.file_names]  # from outside to inside
        self.open_spaces, self.depths = [], []  # namespaces around, and how many scopes each found
        self.numbers = 0  # variables so far
        self.missing = []  # (line, name) of quoted includes that were not read
        self.unread = {}  # names of declarations taken for host code, and why they could not be read
        self.overrides, self.used = overrides or {}, set()  # {name: tokens}, and which were met

        self.kernels = {}  # Overloads by name
        self.devices = []  # Declarations of device functions
        self.variables, self.initial, self.skipped = [], {}, []  # as in tree.unit.Unit
        self.shared = []  # Declares of the __shared__ arrays at file scope
        self.struct_scopes, self.initials = {}, {}  # methods and constants, and default values, by struct
        self.made_from = {}  # {struct's name: (template's name, arguments)}

        self.queue = []  # function bodies still to read
        self.failed = {}  # {Function: the Mistake in its body}
        self.called_by = {}  # {caller: {callee: True}}
        self.function_here = None  # the Function whose body is read
        self.result = VOID  # its result type
        self.loops = self.switches = 0  # around, inside it
        self.returns_this = False  # it ends in return *this
        self.constructed_symbol = None  # the object that a constructor makes
        self.auto_types = {}  # of a lambda's auto parameters, by place
        self.align = None  # of the last __align__
        self.struct_here = False  # while a struct is skipped: its } does not end the declaration
        self.launched = None  # the line of the launch that bound some parameter of the kernel at hand
        self.named_at = None  # {name: places in the text}, once asked for

    # Tokens

    @property
    def here(self):
        return self.tokens[self.i]

    def next(self):
        token = self.tokens[self.i]
        if token.kind != "end":
            self.i += 1
        return token

    def accept(self, text):
        """The current token if it is `text`, and move on; else None."""
        if self.texts[self.i] == text:
            self.i += 1
            return self.tokens[self.i - 1]
        return None

    def expect(self, text, hint=None):
        """The current token, which must be `text`."""
        if self.texts[self.i] != text:
            raise self.expected(f'"{text}"', hint)
        self.i += 1
        return self.tokens[self.i - 1]

    def expected(self, what, hint=None):
        """Something is missing: the caret stands behind the last token if the next one is on another line."""
        article = "an" if what[0] in "aeiou" else "a"
        before, here = self.tokens[self.i - 1], self.here
        behind = here.kind == "end" or before.line != here.line and what != "expression"
        return Mistake(f"expected {article} {what}", self.behind() if behind else here, hint=hint)

    def behind(self):
        """The place behind the token before the current one, where something is missing."""
        before = self.tokens[self.i - 1]
        if not self.i or before.macro is not None or "\n" in before.text:
            return self.here
        return Token("op", " ", before.line, before.column + len(before.text))

    def name(self, what="an identifier"):
        token = self.here
        if token.kind != "name":
            raise Mistake(f"expected {what}", token)
        if token.text in WORDS or token.text in KEYWORDS:
            raise Mistake(f'expected {what}, but "{token.text}" is a keyword', token)
        self.i += 1
        return token

    def at(self, token):
        """The At of a token."""
        macro = token.macro
        if macro is None:
            return At(token.line, token.column, len(token.text))
        return At(token.line, token.column, len(macro.name), macro.name)

    def span(self, first):
        """The At from `first` to the token before the current one, if both stand in one line of the text."""
        last = self.tokens[self.i - 1]
        if first.macro is None and last.macro is None and last.line == first.line:
            return At(first.line, first.column, last.column + len(last.text) - first.column)
        return self.at(first)

    def close_angle(self):
        """The > that ends template arguments; of a >> it takes one half."""
        if self.texts[self.i] == ">>":
            self.half = not self.half
            self.i += not self.half
        else:
            self.expect(">")

    def skip_brackets(self):
        """Move behind the bracket that closes the one here; other kinds of brackets are not looked at."""
        depth, opening = 0, self.here
        closing = {"(": ")", "[": "]", "{": "}"}[opening.text]
        for i in range(self.i, len(self.texts)):
            text = self.texts[i]
            depth += (text == opening.text) - (text == closing)
            if depth == 0:
                self.i = i + 1
                return
        raise Mistake(f'this "{opening.text}" is never closed', opening)

    # Names

    def lookup(self, name):
        """What `name` stands for in the scopes around, or None."""
        for scope in reversed(self.scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return None

    def declare(self, token, meaning):
        """Enter a name into the innermost scope, where it must be new."""
        scope = self.scopes[-1]
        if token.text in scope:
            raise Mistake(f'"{token.text}" has already been declared in the current scope', token)
        scope[token.text] = meaning
        return meaning

    def qualified(self):
        """Read a name or a::b; return (meaning, last token).  Standard namespaces have the built-in names."""
        if self.texts[self.i] == "::":
            self.i += 1
            token = self.name()
            return self.file_names.get(token.text) or BASE.get(token.text), token
        token = self.tokens[self.i]
        self.i += 1
        meaning = self.lookup(token.text)
        while self.texts[self.i] == "::" and (meaning is None or isinstance(meaning, Namespace)):
            if meaning is None:
                raise self.unknown(token)
            self.i += 1
            token = self.name()
            inner = meaning.names.get(token.text)
            meaning = BASE.get(token.text) if inner is None and BASE.get(meaning.name) is meaning else inner
        return meaning, token

    def no_type(self):
        """The Mistake where a type should stand: a name that is none, or no name at all."""
        token = self.here
        named = token.kind == "name" and token.text not in KEYWORDS
        return self.unknown(token, self.type_names()) if named else self.expected("type")

    def unknown(self, token, candidates=None):
        """The Mistake for a name that nothing declares.  candidates : names that could stand here"""
        name = token.text
        if name in KEYWORDS:
            return Mistake(f'"{name}" is a keyword: it cannot stand here', token)
        why = self.unread.get(name)
        if isinstance(why, str):
            return Mistake(f'identifier "{name}" is undefined in device code', token, hint=why)
        if why is not None:
            return why
        if name in REFUSED_NAMESPACES or name in REFUSED:
            return self.refuse(name, token)
        near = [name for scope in self.scopes[1:] for name in scope]
        hint = (
            NEEDED.get(name) or did_you_mean(name, candidates or near) or did_you_mean(name, self.visible())
        )
        terminal = None
        if hint is None and self.missing:
            hint = " and ".join(f"{header} (line {line})" for line, header in self.missing[:3])
            hint += f" {'was' if len(self.missing) == 1 else 'were'} not read: paste it here"
        elif hint is None and name.isupper():
            hint = f"#define it, or give it as a keyword: gs.cuda(text, {name}=...)"
            terminal = f"#define it, or give it as an option: -D {name}=..."
        return Mistake(f'identifier "{name}" is undefined', token, hint=hint, terminal=terminal)

    def refuse(self, what, token):
        """The Mistake for a part of CUDA C++ that gpusim does not run; `what` is a key of refused.py."""
        subject, instead = REFUSED.get(what) or REFUSED_NAMESPACES[what]
        return Mistake(f"{subject} not supported", token, hint=instead, unsupported=True)

    def visible(self):
        """All names that could be written here."""
        return [name for scope in self.scopes for name in scope] + sorted(WORDS | KEYWORDS)

    def type_names(self):
        """All types that could be written here."""
        known = [name for scope in self.scopes for name, what in scope.items() if is_type(what)]
        return known + sorted(WORDS)

    def struct_scope(self, kind):
        """The methods, constants and types declared inside a struct."""
        return self.struct_scopes.get(kind.name, {})

    def elsewhere(self, i, scopes, read):
        """Run `read(parser)` at another place of the text in other scopes, then come back."""
        state = (self.i, self.scopes, self.half, self.no_greater, self.height, self.nesting)
        self.i, self.scopes, self.half, self.no_greater = i, scopes, False, False
        try:
            return read(self)
        finally:
            self.i, self.scopes, self.half, self.no_greater, self.height, self.nesting = state

    # Nesting

    def enter(self, token):
        """One bracket or statement deeper; far too deep is an error, not a crash."""
        self.nesting += 1
        if self.nesting > NESTED:
            raise Mistake(
                f"nested deeper than {NESTED} levels",
                token,
                unsupported=True,
                hint="split it into several statements or functions",
            )

    def symbol(self, token, kind, storage, **flags):
        """A new variable, with a number of its own."""
        self.numbers += 1
        made = Symbol(token.text, kind, storage, self.at(token), self.numbers, **flags)
        if holds_fragment(kind):  # the elements are indexed, and what they hold is loaded
            made.address_taken = made.data = True
        elif holds_union(kind):  # its bytes are read by several types
            made.address_taken = True
        return made


KEYWORDS = frozenset(
    """
    if else for while do switch case default break continue return goto sizeof struct class union enum
    typedef using namespace template typename const constexpr volatile static extern inline auto operator
    new delete this try catch throw asm __asm__ __asm virtual static_cast reinterpret_cast const_cast
    dynamic_cast decltype friend static_assert public private protected mutable register alignas alignof
    noexcept explicit typeid true false nullptr __global__ __device__ __host__ __shared__ __constant__
    __managed__ __restrict__ __restrict __forceinline__ __noinline__ __inline__ __launch_bounds__ __align__
    __grid_constant__ __attribute__ consteval constinit
""".split()
)
