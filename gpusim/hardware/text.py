"""A kernel's text as a compiler for a real GPU needs it: macros, signature, fingerprint."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from ..errors import GpusimError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_DEFINE = re.compile(
    r"^([ \t]*#[ \t]*define[ \t]+)(\w+)[ \t]+(\S[^\n]*?)[ \t]*(//[^\n]*|/\*[^\n]*\*/[ \t]*)?$", re.M
)
_CONSTANT = re.compile(
    r"^([ \t]*(?:static[ \t]+)?(?:constexpr|const)[ \t]+[\w ]+?[ \t])(\w+)([ \t]*=[ \t]*)([^;\n]+);", re.M
)
_QUALIFIER = re.compile(r"\b(?:const|volatile|struct|__restrict__|__restrict|__grid_constant__)\b")


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
        own = {name: value for _, name, value, _ in _DEFINE.findall(_plain(self.text))}
        return {**own, **{name: str(value) for name, value in self.defines.items()}}

    @property
    def compiled(self) -> str:
        """The text with the overrides put into its own lines, so that lines keep the reader's numbers."""

        def macro(match):
            head, name, value, comment = match.groups()
            return f"{head}{name} {self.defines.get(name, value)}" + (f" {comment}" if comment else "")

        def constant(match):
            head, name, equals, value = match.groups()
            return f"{head}{name}{equals}{self.defines.get(name, value)};"

        return _CONSTANT.sub(constant, _DEFINE.sub(macro, self.text))

    @property
    def options(self) -> tuple[str, ...]:
        """-D options for the overrides that the text itself has no place for."""
        text = _plain(self.text)
        placed = {m[1] for m in _DEFINE.findall(text)} | {m[1] for m in _CONSTANT.findall(text)}
        placed |= set(self._template())
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
        lines = (" ".join(line.split()) for line in _plain(self.text).split("\n"))
        code = "\n".join(line for line in lines if line and not line.startswith(("#define", "# define")))
        macros = sorted((name, " ".join(str(value).split())) for name, value in self.macros.items())
        return hashlib.sha256(repr((self.name, code, macros)).encode()).hexdigest()[:16]

    def _signature(self):
        text = _plain(self.text)
        found = re.search(rf"\b{re.escape(self.name)}\s*\(", text[_head(text, self.name) :])
        if found is None:
            raise GpusimError(f"the text has no kernel called {self.name}")
        rest = text[_head(text, self.name) + found.end() :]
        inside = rest[: _closing(rest)]
        return [_parameter(part) for part in _commas(inside) if part.strip() not in ("", "void")]

    def _template(self):
        text = _plain(self.text)
        before = text[: _head(text, self.name)]
        found = re.search(r"template\s*<([^<>]*)>\s*(?:extern\s*\"C\"\s*)?$", before)
        pieces = [piece.split("=") for piece in found[1].split(",")] if found else []
        return {piece[0].split()[-1]: piece[1].strip() if len(piece) > 1 else None for piece in pieces}


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


def _plain(text):
    """The text without comments; line breaks stay, so that lines keep their numbers."""
    return _COMMENT.sub(lambda m: "\n" * m[0].count("\n") or " ", text)


def _head(text, name):
    """Where `__global__ ... name(` starts."""
    found = re.search(rf"__global__(?:(?!__global__|[;{{]).)*?\b{re.escape(name)}\s*\(", text, re.S)
    if found is None:
        raise GpusimError(f"the text has no kernel called {name}")
    return found.start()


def _closing(text):
    depth = 1
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return place
    raise GpusimError("a parameter list that does not end")


def _commas(text):
    """Split at the commas outside brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "([<") - (char in ")]>")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _parameter(text):
    """(name, type, is it a pointer?, does it point to const?) of one declaration."""
    declared = text.split("=")[0]
    array = "[" in declared
    const = (
        re.search(r"\bconst\b[^*]*\*|^[^*]*\bconst\b[^*]*(\*|\[)|^[^*]*\bconst\b[^*]*$", declared) is not None
    )
    words = re.findall(r"\w+", _QUALIFIER.sub(" ", declared.split("[")[0].replace("*", " ")))
    return words[-1], " ".join(words[:-1]), array or "*" in declared, const
