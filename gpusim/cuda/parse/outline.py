"""The outline of a text: where a function, a template's head or another declaration ends."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..typing.scope import TemplateParameter
from .cursor import KEYWORDS
from .types import ATTRIBUTES


class Outline:
    """Part of the parser: finds functions and skips what is not read."""

    struct_here = False  # while a struct is skipped: its } does not end the declaration

    def template_parameters(self):
        """<typename T, int N = 4>; the places of defaults are kept, to be read when they are needed."""
        self.expect("<")
        parameters = []
        while self.texts[self.i] not in (">", ">>"):
            token = self.here
            if token.kind == "end":
                raise self.expected('">"')
            kind = "type" if token.text in ("typename", "class") else "value"
            start, last, default = self.i, token, None
            while self.texts[self.i] not in (",", ">") and self.here.kind != "end":
                if self.texts[self.i] == "=":
                    default = self.i + 1
                    self.skip_template_default()
                    break
                if self.texts[self.i] == "<":
                    self.skip_template_arguments()
                    continue
                last = self.next()
                kind = "pack" if last.text == "..." else kind
            name = last.text if last is not token else f"(parameter {len(parameters)})"
            parameters.append(TemplateParameter(name, kind, start, default))
            if not self.accept(","):
                break
        self.close_angle()
        return parameters

    def skip_template_default(self):
        self.i += 1
        while self.texts[self.i] not in (",", ">") and self.here.kind != "end":
            text = self.texts[self.i]
            if text in ("(", "{", "["):
                self.skip_brackets()
            elif text == "<" and self.tokens[self.i - 1].kind == "name":
                self.skip_template_arguments()
            else:
                self.i += 1

    def skip_item(self):
        """Move behind the ; or the {...} that ends a declaration."""
        while self.here.kind != "end":
            text = self.texts[self.i]
            if text in ("(", "[", "{"):
                opening = self.i
                self.skip_brackets()
                if (
                    text == "{"
                    and self.texts[self.i] not in (";", ",", "=", ")", "{")
                    and self.ends_item(opening)
                ):
                    return
            elif text == ";":
                self.i += 1
                return
            elif text == "}":
                return
            else:
                self.i += 1

    def ends_item(self, opening):
        """True for the } of a function; that of a struct or an initialiser is followed by a name or a ;."""
        before = self.texts[opening - 1]
        return before not in ("=", "return", ",") and not self.struct_here

    def function_ahead(self):
        """(name, its place, start, body, end, template) when a function stands here; its body may be None."""
        start, i = self.i, self.i
        template = None
        if self.texts[i] == "template" and self.texts[i + 1] == "<":
            self.i += 1
            template = self.template_parameters()
            start = i = self.i
        found = self.find_function(i)
        self.i = start
        if found is None:
            return None
        name, place, body, end = found
        return name, place, start, body, end, template

    def find_function(self, i):
        """(name, place of the name, place of the { or None, place after the item), or None: no function."""
        texts, tokens = self.texts, self.tokens
        while True:
            token, text = tokens[i], texts[i]
            if token.kind == "end" or text in (";", "=", "{", "}", ","):
                return None
            if text == "operator":
                place, name = i, "operator"
                i += 1
                while texts[i] != "(" or texts[i + 1] == ")" and texts[i + 2] == "(":
                    if tokens[i].kind == "end":
                        return None
                    if texts[i] == "(":
                        name, i = name + "()", i + 2
                        continue
                    name, i = name + texts[i], i + 1
                return self.function_end(name, place, i)
            if text in ATTRIBUTES or text in ("decltype", "noexcept"):
                i += 1
                if texts[i] == "(":
                    i = self.behind_brackets(i)
                continue
            if text == "[":
                i = self.behind_brackets(i)
                continue
            if text == "<" and tokens[i - 1].kind == "name":
                state, self.i = self.i, i
                self.skip_template_arguments()
                i, self.i = self.i, state
                continue
            if text == "(":
                before = tokens[i - 1]
                if texts[i - 1] in (">", ">>"):
                    before = self.name_before_angle(i - 1)
                if before.kind != "name" or before.text in KEYWORDS or texts[i + 1] in ("*", "&"):
                    return None
                place = tokens.index(before, max(0, i - 60), i) if before is not tokens[i - 1] else i - 1
                return self.function_end(before.text, place, i)
            i += 1

    def name_before_angle(self, i):
        depth = 0
        while i > 0:
            depth += {">": 1, ">>": 2, "<": -1}.get(self.texts[i], 0)
            i -= 1
            if depth == 0:
                return self.tokens[i]
        return self.tokens[0]

    def behind_brackets(self, i):
        state, self.i = self.i, i
        self.skip_brackets()
        i, self.i = self.i, state
        return i

    def function_end(self, name, place, i):
        """What follows the parameters: a body, a ; or something that makes it a variable."""
        texts = self.texts
        i = self.behind_brackets(i)
        while True:
            text = texts[i]
            if text == "{":
                return name, place, i, self.body_end(i)
            if text == ";":
                return name, place, None, i + 1
            if text == ":":
                i += 1
                while texts[i] != "{" or self.tokens[i - 1].kind == "name":
                    if texts[i] in ("(", "{"):
                        i = self.behind_brackets(i)
                        continue
                    if self.tokens[i].kind == "end":
                        return None
                    i += 1
                continue
            if text == "=" and texts[i + 1] in ("default", "delete", "0") and texts[i + 2] == ";":
                return name, place, None, i + 3
            if text in ("=", ",", "}") or self.tokens[i].kind == "end":
                return None
            i = self.behind_brackets(i) if text == "(" else i + 1

    def body_end(self, i):
        """The place after a function's body; the end of the text where its } is missing."""
        try:
            return self.behind_brackets(i)
        except Mistake:
            return len(self.tokens) - 3
