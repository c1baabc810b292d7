"""The preprocessor: #define, #undef, #if and its kin, #pragma unroll and #include, on tokens."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .bfloat16 import BFLOAT16
from .cub import CUB
from .expand import PLACES, Expander, Macro
from .if_expressions import evaluate
from .mistakes import Mistake
from .tokens import LIMIT, Token, tokenize, unclosed_quote

# What a compiler defines by itself.  __CUDA_ARCH__ 750 (a T4): texts for several cards show plain CUDA then.
PREDEFINED = {
    "__CUDACC__": "1",
    "__NVCC__": "1",
    "__CUDA_ARCH__": "750",
    "__cplusplus": "201703L",
    "__CUDACC_VER_MAJOR__": "12",
    "CUDA_VERSION": "12000",
    "CUDART_VERSION": "12000",
}

LIBRARIES = {"cub/": CUB, "cuda_bf16.h": BFLOAT16}  # {how an #include's name begins: what it brings in}
NESTED = 200  # levels of #if


@dataclass
class Preprocessed:
    """tokens : macros expanded, no directives; skipped : notes; used : names that directives mention

    missing : [(line, name)] of quoted includes whose text is not known
    """

    tokens: list
    skipped: list
    macros: dict
    used: set
    missing: list


def preprocess(text, defines=None, headers=None, file="kernel.cu"):
    """Run the directives of `text`, or of its tokens, and expand its macros.

    defines : {name: tokens} that override the text's own #define;  headers : {name: tokens} for #include "name",
        each read once;  file : the name that __FILE__ gives

    >>> [token.text for token in preprocess("#define SQ(x) ((x) * (x))\\nint a = SQ(3);").tokens]
    ['int', 'a', '=', '(', '(', '3', ')', '*', '(', '3', ')', ')', ';', '']
    """
    tokens = tokenize(text) if isinstance(text, str) else text
    return _Preprocessor(tokens, defines or {}, dict(headers or {}), file).run()


class _Preprocessor:
    def __init__(self, tokens, overrides, headers, file):
        self.tokens, self.overrides = tokens, overrides
        self.headers, self.seen = headers, frozenset(headers)
        self.macros = {
            name: Macro(name, None, [Token("number", value, 0, 0)], 0) for name, value in PREDEFINED.items()
        }
        for name, body in overrides.items():
            self.macros[name] = Macro(name, None, body, 0)
        self.expander = Expander(self.macros)
        self.expander.file = file
        self.branches = []  # of each open #if: [taken so far, active, its token, saw #else]
        self.out, self.skipped, self.used, self.missing = [], [], set(), []
        self.libraries = set()

    def run(self):
        self.read(self.tokens)
        self.out.append(self.tokens[-1])
        return Preprocessed(self.out, self.skipped, self.macros, self.used, self.missing)

    def read(self, tokens):
        """One file: the text itself, or a header in the middle of it."""
        outside, self.tokens, depth = self.tokens, tokens, len(self.branches)
        i, end = 0, len(tokens) - 1
        while i < end:
            token = tokens[i]
            if token.before == "\n" and token.text == "#" and token.kind == "op":
                line, i = self.directive_line(i + 1)
                self.directive(token, line)
            elif self.branches and not self.branches[-1][1]:
                i += 1
            elif token.kind == "name" and (token.text in self.expander.macros or token.text in PLACES):
                replaced, i = self.expander.expand(tokens, i)
                self.out += replaced
            elif token.kind == "stray":
                raise _stray(token)
            else:
                self.out.append(token)
                i += 1
            if len(self.out) > LIMIT:
                raise Mistake(f"macros expand to more than {LIMIT:,} tokens", token, unsupported=True)
        if len(self.branches) > depth:
            raise Mistake("this #if is never closed", self.branches[-1][2], hint="end it with #endif")
        self.tokens = outside

    def directive_line(self, i):
        start = i
        while self.tokens[i].before != "\n" and self.tokens[i].kind != "end":
            i += 1
        return self.tokens[start:i], i

    def directive(self, hash_, line):
        name = line[0].text if line else ""
        if name in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self.condition(name, line)
        elif not self.branches or self.branches[-1][1]:
            handler = getattr(self, "on_" + name, None) if name.isidentifier() else None
            if handler:
                handler(line)
            elif name and name not in ("warning", "line", "ident"):
                raise Mistake(f'unrecognized preprocessing directive "#{name[:40]}"', line[0])

    # Conditional groups

    def condition(self, name, line):
        branches = self.branches
        if name in ("if", "ifdef", "ifndef"):
            live = not branches or branches[-1][1]
            value = live and self.test(name, line)
            branches.append([value or not live, value, line[0], False])
            if len(branches) > NESTED:
                raise Mistake(f"#if is nested deeper than {NESTED} levels", line[0], unsupported=True)
            return
        if not branches:
            raise Mistake(f"#{name} without an #if before it", line[0])
        branch = branches[-1]
        if name == "endif":
            branches.pop()
            return
        if branch[3]:
            raise Mistake(f"#{name} after #else", line[0])
        branch[3] = name == "else"
        branch[1] = not branch[0] and (name == "else" or self.test("if", line))
        branch[0] = branch[0] or branch[1]

    def test(self, name, line):
        if name == "if":
            return evaluate(line, self.macros, self.expander, self.used)
        if len(line) < 2 or line[1].kind != "name":
            raise Mistake(f"#{name} needs a name", line[0])
        self.used.add(line[1].text)
        return (line[1].text in self.macros) == (name == "ifdef")

    # Directives

    def on_define(self, line):
        if len(line) < 2 or line[1].kind != "name":
            raise Mistake("#define needs a name", line[-1])
        name = line[1]
        self.used.add(name.text)
        if name.text in self.overrides:
            self.macros[name.text] = self.overridden(name, line[2:])
        else:
            self.macros[name.text] = Macro.parse(name, line[2:])

    def overridden(self, name, body):
        """An override keeps the kind of the number that it replaces: 0.25 for 0.5f is 0.25f."""
        new = self.overrides[name.text]
        if len(body) == len(new) == 1 and body[0].kind == new[0].kind == "number":
            if body[0].text[-1] in "fF" and "x" not in body[0].text and new[0].text[-1].isdigit():
                text = new[0].text if set(".e") & set(new[0].text) else new[0].text + ".0"
                new = [new[0]._replace(text=text + "f")]
        return Macro(name.text, None, new, name.line)

    def on_undef(self, line):
        if len(line) < 2 or line[1].kind != "name":
            raise Mistake("#undef needs a name", line[-1])
        if line[1].text not in self.overrides:
            self.macros.pop(line[1].text, None)

    def on_include(self, line):
        name = "".join(token.text for token in line[1:])
        local = name[1:-1] if name[:1] == '"' else None
        if local in self.headers:
            outside, self.expander.file = self.expander.file, local
            self.read(self.headers.pop(local))
            self.expander.file = outside
        elif (library := next((x for x in LIBRARIES if name[1:].startswith(x)), None)) is not None:
            self.built_in(line[0], library)
        elif local is None:
            self.skipped.append((line[0].line, f"#include {name}: not read, what kernels need is built in"))
        elif local not in self.seen:
            self.missing.append((line[0].line, local))
            self.skipped.append(
                (line[0].line, f"#include {name}: not read; what kernels need of it, paste here")
            )

    def built_in(self, place, library):
        """A library's header that is written in CUDA C: all of it stands where the text includes it, once."""
        if library in self.libraries:
            return
        self.libraries.add(library)
        for column, token in enumerate(tokenize(LIBRARIES[library])[:-1], place.column):
            self.out.append(token._replace(line=place.line, column=column))

    def on_pragma(self, line):
        if len(line) > 1 and line[1].text in ("unroll", "nounroll"):
            count = (
                self.expander.expand_all(line[2:])
                if line[1].text == "unroll"
                else [line[1]._replace(kind="number", text="1")]
            )
            opening, closing = (line[1]._replace(kind="op", text=text) for text in "()")
            self.out.append(line[1]._replace(kind="pragma", text="#unroll"))
            self.out += [opening, *count, closing] if count else []

    def on_error(self, line):
        raise Mistake("#error " + " ".join(token.text for token in line[1:])[:200], line[0])


def _stray(token):
    if unclosed_quote(token):
        return Mistake("missing closing quote", token._replace(text=token.text[:1]))
    shown = token.text if token.text.isprintable() else f"\\u{ord(token.text):04x}"
    name = unicodedata.name(token.text, "") if not token.text.isascii() else ""
    return Mistake(
        f'unrecognized token "{shown}"', token, hint=f"it is {name}: type it anew" if name else None
    )
