"""Macros and their expansion: tokens keep the place of the use; no macro expands inside itself."""

from __future__ import annotations

from dataclasses import dataclass

from .mistakes import Mistake
from .tokens import LIMIT, Token, tokenize

PLACES = "__LINE__", "__FILE__"
NESTING = 60  # macro calls inside the arguments of macro calls


@dataclass(eq=False)
class Macro:
    """parameters : list of names, or None for an object-like macro; body : tokens; line : of its #define"""

    name: str
    parameters: list | None
    body: list
    line: int
    variadic: bool = False

    @classmethod
    def parse(cls, name, tokens):
        """From the tokens after the name in a #define line."""
        if not tokens or tokens[0].text != "(" or tokens[0].before != "":
            return cls(name.text, None, tokens, name.line)
        close = next((i for i, token in enumerate(tokens) if token.text == ")"), None)
        if close is None:
            raise Mistake(f'expected a ")" after the parameters of macro "{name.text}"', tokens[-1])
        parameters, variadic = [], False
        given = list(tokens[1 : close + 1 if close > 1 else 1])
        if len(given) > 2 and given[-2].text == "..." and given[-3].kind == "name":
            variadic = True  # as GNU C writes it: args...
            del given[-2]
        for i, token in enumerate(given):
            if i % 2:
                if token.text not in (",", ")"):
                    raise Mistake('expected a "," between the parameters of a macro', token)
            elif parameters[-1:] == ["__VA_ARGS__"] or not (token.kind == "name" or token.text == "..."):
                raise Mistake("expected a parameter name", token)
            elif token.text in parameters:
                raise Mistake(f'duplicate macro parameter name "{token.text}"', token)
            else:
                parameters.append("__VA_ARGS__" if token.text == "..." else token.text)
        variadic = variadic or parameters[-1:] == ["__VA_ARGS__"]
        return cls(name.text, parameters, tokens[close + 1 :], name.line, variadic)


class Expander:
    """Expands uses of `macros`, a dict that the preprocessor changes as it goes."""

    def __init__(self, macros):
        self.macros, self.budget = macros, 4 * LIMIT
        self.file = ""  # what __FILE__ stands for

    def known(self, name):
        """True when `name` may expand."""
        return name in self.macros or name in PLACES

    def expand(self, tokens, i):
        """The expansion of the macro named at tokens[i], and the place after its use."""
        queue = _Queue(tokens, i)
        out = self._one(queue, 0)
        while queue.front:
            out += self._one(queue, 0)
        return out, queue.i

    def expand_all(self, tokens, depth=0):
        """All of `tokens` with macros expanded."""
        queue, out = _Queue([*tokens, Token("end", "", 0, 0)], 0), []
        while queue.peek()[0].kind != "end":
            out += self._one(queue, depth)
        return out

    def _one(self, queue, depth):
        """Take one token: itself, or [] when its expansion was pushed back for another look."""
        token, hidden = queue.take()
        self.budget -= 1
        if self.budget < 0:
            raise Mistake(f"macros expand to more than {LIMIT:,} tokens", token, unsupported=True)
        if token.kind != "name" or token.text in hidden:
            return [token]
        macro = self.macros.get(token.text)
        if macro is None:
            return [self._place(token)]
        if macro.parameters is None:
            body = self._substitute(macro, token, {}, {}, depth)
        elif queue.peek()[0].text == "(":
            given = self._arguments(macro, token, queue)
            expanded = {name: None for name in given}
            body = self._substitute(macro, token, given, expanded, depth)
        else:
            return [token]
        self.budget -= len(body)
        queue.push(body, hidden | {token.text})
        return []

    def _place(self, token):
        """__LINE__ and __FILE__ are known at each token; other names stand for themselves."""
        if token.text == "__LINE__":
            return token._replace(kind="number", text=str(token.line))
        if token.text == "__FILE__":
            return token._replace(
                kind="string", text='"' + self.file.replace("\\", "/").replace('"', "'") + '"'
            )
        return token

    def _arguments(self, macro, token, queue):
        opening, _ = queue.take()
        arguments, depth, current = [], 0, []
        while True:
            part, _ = queue.take()
            if part.kind == "end":
                raise Mistake(f'expected a ")" after the arguments of macro "{macro.name}"', opening)
            if depth == 0 and part.text == ")":
                break
            full = macro.variadic and len(arguments) == len(macro.parameters) - 1
            if depth == 0 and part.text == "," and not full:
                arguments.append(current)
                current = []
                continue
            depth += (part.text in "([{") - (part.text in ")]}") if part.kind == "op" else 0
            current.append(part)
        if current or arguments or macro.parameters:
            arguments.append(current)
        if macro.variadic and len(arguments) == len(macro.parameters) - 1:
            arguments.append([])
        if len(arguments) != len(macro.parameters):
            raise Mistake(
                f'macro "{macro.name}" takes {len(macro.parameters)} arguments, {len(arguments)} given', token
            )
        return dict(zip(macro.parameters, arguments))

    def _substitute(self, macro, use, given, expanded, depth):
        """The body of `macro` at the place of `use`, with arguments in place of parameters, # and ## done."""
        out, body, origin = [], macro.body, use.macro or macro
        for k, token in enumerate(body):
            before = body[k - 1].text if k else ""
            after = body[k + 1].text if k + 1 < len(body) else ""
            if token.text == "##" and 0 < k < len(body) - 1:
                continue
            if macro.parameters is not None and token.text == "#" and after in given:
                continue
            if token.text in given and token.kind == "name":
                if before == "#":
                    piece = [_stringify(given[token.text], use, origin)]
                elif before == "##" or after == "##":
                    piece = given[token.text]
                else:
                    if expanded[token.text] is None:
                        if depth > NESTING:
                            raise Mistake("macro calls are nested too deeply", use, unsupported=True)
                        expanded[token.text] = self.expand_all(given[token.text], depth + 1)
                    piece = expanded[token.text]
            else:
                piece = [Token(token.kind, token.text, use.line, use.column, token.before or "", origin)]
            rest = macro.variadic and token.text == macro.parameters[-1]
            if before == "##" and rest and out and out[-1].text == ",":
                if not given[token.text]:
                    out.pop()  # GNU's , ## __VA_ARGS__: without further arguments there is no comma
            elif before == "##" and out and piece:
                glued = _glue(out.pop(), piece[0])
                piece = [*glued, *piece[1:]]
            out += piece
            if len(out) > LIMIT:
                raise Mistake(f"macros expand to more than {LIMIT:,} tokens", use, unsupported=True)
        if out and out[0].before == "\n":
            out[0] = out[0]._replace(before=" ")
        return out


class _Queue:
    """Tokens still to look at: those pushed back (each with macros it must not expand), then the text's."""

    def __init__(self, tokens, i):
        self.tokens, self.i, self.front = tokens, i, []

    def peek(self):
        if self.front:
            return self.front[-1]
        token = self.tokens[self.i]
        return token, frozenset()

    def take(self):
        if self.front:
            return self.front.pop()
        token = self.tokens[self.i]
        if token.kind != "end":
            self.i += 1
        return token, frozenset()

    def push(self, tokens, hidden):
        self.front += [(token, hidden) for token in reversed(tokens)]


def _stringify(tokens, use, macro):
    text = "".join((" " if k and token.before else "") + token.text for k, token in enumerate(tokens))
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return Token("string", f'"{quoted}"', use.line, use.column, " ", macro)


def _glue(left, right):
    parts = tokenize(left.text + right.text)[:-1]
    return [left._replace(kind=part.kind, text=part.text) for part in parts]
