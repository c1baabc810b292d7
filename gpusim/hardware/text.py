"""A kernel's text as a compiler for a real GPU needs it: macros, signature, fingerprint."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from ..cuda.text.tokens import spelled, tokens_of_text, without_comments
from ..errors import GpusimError

QUALIFIERS = {"const", "volatile", "struct", "__restrict__", "__restrict", "__grid_constant__"}
OPENING, CLOSING = ("(", "[", "<"), (")", "]", ">")


@dataclass(frozen=True)
class KernelText:
    """One kernel of a CUDA text.  name, text : str; defines : dict, macros that override the text's.

    >>> text = KernelText("add", "__global__ void add(const float *a, float *b, int n) { b[0] = a[0] + n; }")
    >>> text.parameters
    [('a', 'float', True), ('b', 'float', True), ('n', 'int', False)]
    """

    name: str
    text: str
    defines: dict = field(default_factory=dict)

    @property
    def parameters(self) -> list[tuple]:
        """(name, type, is it a pointer?) of each parameter, in order."""
        return [(name, kind, pointer) for name, kind, pointer, _ in self._signature()]

    @property
    def outputs(self) -> list[bool]:
        """For each parameter: can the kernel write through it?  True for pointers to what is not const."""
        return [pointer and not const for _, _, pointer, const in self._signature()]

    @property
    def macros(self) -> dict:
        """Every object-like macro of the text, its value after the overrides; and overrides beyond those."""
        own = {name.text: spelled(value) for name, value in _defined(self.text)}
        return {**own, **{name: str(value) for name, value in self.defines.items()}}

    @property
    def compiled(self) -> str:
        """The text with the overrides put into its own lines, so that lines keep the reader's numbers."""
        lines = self.text.split("\n")
        for name, value in reversed([*_defined(self.text), *_constants(self.text)]):
            if name.text in self.defines:
                line, first, last = value[0].line - 1, value[0].column - 1, value[-1].column - 1
                new = str(self.defines[name.text])
                lines[line] = lines[line][:first] + new + lines[line][last + len(value[-1].text) :]
        return "\n".join(lines)

    @property
    def options(self) -> tuple[str, ...]:
        """-D options for the overrides that the text itself has no place for."""
        placed = {name.text for name, _ in (*_defined(self.text), *_constants(self.text))} | set(
            self._template()
        )
        return tuple(f"-D{name}={value}" for name, value in self.defines.items() if name not in placed)

    @property
    def expression(self) -> str:
        """The kernel's name for the compiler, with template arguments: `mm` or `mm<16, float>`."""
        names = self._template()
        missing = [name for name, default in names.items() if name not in self.defines and default is None]
        if missing:
            raise GpusimError(
                f"template kernel {self.name} needs a value for {', '.join(missing)}",
                hint=f"gs.cuda(text, {missing[0]}=...)",
            )
        values = [str(self.defines.get(name, default)) for name, default in names.items()]
        return f"{self.name}<{', '.join(values)}>" if names else self.name

    @property
    def fingerprint(self) -> str:
        """16 hex digits that change with the text's code or its macros, not with comments or blanks.

        >>> a = KernelText("k", "__global__ void k() { }  // nothing")
        >>> b = KernelText("k", "__global__   void k() { }")
        >>> a.fingerprint == b.fingerprint, KernelText("k", b.text, {"N": 2}).fingerprint == b.fingerprint
        (True, False)
        """
        lines = (" ".join(line.split()) for line in without_comments(self.text).split("\n"))
        code = "\n".join(line for line in lines if line and not line.startswith(("#define", "# define")))
        macros = sorted((name, " ".join(str(value).split())) for name, value in self.macros.items())
        return hashlib.sha256(repr((self.name, code, macros)).encode()).hexdigest()[:16]

    def _signature(self):
        tokens, (_, name) = tokens_of_text(self.text), self._head()
        inside = tokens[name + 2 : _closing(tokens, name + 1)]
        return [_parameter(part) for part in _commas(inside) if spelled(part) not in ("", "void")]

    def _template(self):
        """{parameter: default or None} of the template that the kernel is."""
        tokens, (start, _) = tokens_of_text(self.text), self._head()
        end = start - 2 if start > 1 and tokens[start - 2].text == "extern" else start
        opening = next((i for i in range(end - 2, 0, -1) if tokens[i].text in ("<", ">")), 0)
        if end < 4 or tokens[end - 1].text != ">" or tokens[opening - 1].text != "template":
            return {}
        found = {}
        for piece in _commas(tokens[opening + 1 : end - 1]):
            equals = next((i for i, token in enumerate(piece) if token.text == "="), len(piece))
            found[piece[equals - 1].text] = spelled(piece[equals + 1 :]) or None
        return found

    def _head(self):
        """Where `__global__ ... name (` begins, and where its name stands: places among the tokens."""
        start = None
        tokens = tokens_of_text(self.text)
        for i, token in enumerate(tokens):
            if token.text == "__global__":
                start = i
            elif token.text in (";", "{"):
                start = None
            elif start is not None and token.text == self.name and tokens[i + 1].text == "(":
                return start, i
        raise GpusimError(f"the text has no kernel called {self.name}")


def kernel_text(kernel) -> KernelText:
    """The KernelText of whatever a reader calls a kernel: a gpusim kernel, or a KernelText already."""
    if isinstance(kernel, KernelText):
        return kernel
    source = getattr(kernel, "source", None)
    text = getattr(kernel, "text", None) or getattr(source, "text", source)
    if not isinstance(text, str):
        raise GpusimError(
            f"{kernel!r} has no CUDA text: only kernels from gs.cuda or gs.load run on a real GPU",
            hint="a Python kernel (@gs.kernel) runs in the simulator alone",
        )
    return KernelText(kernel.name, text, dict(getattr(kernel, "defines", None) or {}))


def _defined(text):
    """[(name, tokens of its value)] of the object-like macros that have one."""
    tokens, found = tokens_of_text(text), []
    for i, token in enumerate(tokens):
        if token.text == "#" and token.before == "\n" and tokens[i + 1].text == "define":
            value = _line(tokens, i + 3)
            if value and value[0].before:  # glued to the name it is a function-like macro's (
                found.append((tokens[i + 2], value))
    return found


def _constants(text):
    """[(name, tokens of its value)] of the lines `const TYPE NAME = VALUE;`, constexpr and static ones too."""
    tokens, found = tokens_of_text(text), []
    for i, token in enumerate(tokens):
        if token.before == "\n" and token.text in ("static", "const", "constexpr"):
            line = [token, *_line(tokens, i + 1)]
            texts = [each.text for each in line]
            at = texts.index("=") if "=" in texts else 0
            plain = all(each.kind in ("name", "number") for each in line[:at])
            if (
                at > 2
                and plain
                and ";" in texts[at + 2 :]
                and texts[texts[0] == "static"].startswith("const")
            ):
                found.append((line[at - 1], line[at + 1 : texts.index(";", at)]))
    return found


def _line(tokens, i):
    """The tokens from place i on that stand on one line."""
    end = next((k for k in range(i, len(tokens)) if tokens[k].before == "\n"), len(tokens))
    return tokens[i:end]


def _closing(tokens, opening):
    """The place of the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += (tokens[place].text == "(") - (tokens[place].text == ")")
        if depth == 0:
            return place
    raise GpusimError("a parameter list that does not end")


def _commas(tokens):
    """Tokens split at the commas outside brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _parameter(tokens):
    """(name, type, is it a pointer?, does it point to const?) of one declaration."""
    texts = [token.text for token in tokens]
    texts = texts[: texts.index("=")] if "=" in texts else texts
    array = "[" in texts
    declared = texts[: texts.index("[")] if array else texts
    stars = [i for i, text in enumerate(declared) if text == "*"]
    consts = [i for i, text in enumerate(declared) if text == "const"]
    const = any(not stars or i < stars[-1] for i in consts)
    words = [text for text in declared if re.fullmatch(r"\w+", text) and text not in QUALIFIERS]
    return words[-1], " ".join(words[:-1]), array or bool(stars), const
