"""The outline of a text: where a function, a template's head or another declaration ends."""

from __future__ import annotations

from ..text.mistakes import Mistake
from ..typing.scope import Constant, Overloads, TemplateParameter
from .cursor import KEYWORDS
from .types import ATTRIBUTES


def template_parameters(p):
    """<typename T, int N = 4>; the places of defaults are kept, to be read when they are needed."""
    p.expect("<")
    parameters = []
    while p.texts[p.i] not in (">", ">>"):
        token = p.here
        if token.kind == "end":
            raise p.expected('">"')
        kind = {"typename": "type", "class": "type", "template": "template"}.get(token.text, "value")
        start, last, default = p.i, token, None
        while p.texts[p.i] not in (",", ">") and p.here.kind != "end":
            if p.texts[p.i] == "=":
                default = p.i + 1
                skip_template_default(p)
                break
            if p.texts[p.i] == "<":
                skip_template_arguments(p)
                continue
            if p.texts[p.i] == "(" and p.texts[p.i + 1] in ("*", "&"):  # float (*F)(float)
                kind, last = "function", p.tokens[p.i + 2]
                p.skip_brackets()
                p.skip_brackets()
                continue
            last = p.next()
            kind = "pack" if last.text == "..." else kind
        name = last.text if last is not token else f"(parameter {len(parameters)})"
        parameters.append(TemplateParameter(name, kind, start, default))
        if not p.accept(","):
            break
    p.close_angle()
    return parameters


def skip_template_default(p):
    p.i += 1
    while p.texts[p.i] not in (",", ">") and p.here.kind != "end":
        text = p.texts[p.i]
        if text in ("(", "{", "["):
            p.skip_brackets()
        elif text == "<" and p.tokens[p.i - 1].kind == "name":
            skip_template_arguments(p)
        else:
            p.i += 1


def skip_item(p):
    """Move behind the ; or the {...} that ends a declaration."""
    while p.here.kind != "end":
        text = p.texts[p.i]
        if text in ("(", "[", "{"):
            opening = p.i
            p.skip_brackets()
            if text == "{" and p.texts[p.i] not in (";", ",", "=", ")", "{") and ends_item(p, opening):
                return
        elif text == ";":
            p.i += 1
            return
        elif text == "}":
            return
        else:
            p.i += 1


def ends_item(p, opening):
    """True for the } of a function; that of a struct or an initialiser is followed by a name or a ;."""
    before = p.texts[opening - 1]
    return before not in ("=", "return", ",") and not p.struct_here


def function_ahead(p):
    """(name, its place, start, body, end, template) when a function stands here; its body may be None."""
    start, i = p.i, p.i
    template = None
    if p.texts[i] == "template" and p.texts[i + 1] == "<":
        p.i += 1
        template = template_parameters(p)
        start = i = p.i
    found = find_function(p, i)
    p.i = start
    if found is None:
        return None
    name, place, body, end = found
    return name, place, start, body, end, template


def find_function(p, i):
    """(name, place of the name, place of the { or None, place after the item), or None: no function."""
    texts, tokens = p.texts, p.tokens
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
            return function_end(p, name, place, i)
        if text in ATTRIBUTES or text in ("decltype", "noexcept"):
            i += 1
            if texts[i] == "(":
                i = behind_brackets(p, i)
            continue
        if text == "[":
            i = behind_brackets(p, i)
            continue
        if text == "<" and tokens[i - 1].kind == "name":
            state, p.i = p.i, i
            skip_template_arguments(p)
            i, p.i = p.i, state
            continue
        if text == "(":
            if value_ahead(p, i + 1):
                return None
            before = tokens[i - 1]
            if texts[i - 1] in (">", ">>"):
                before = name_before_angle(p, i - 1)
            if before.kind != "name" or before.text in KEYWORDS or texts[i + 1] in ("*", "&"):
                return None
            place = tokens.index(before, max(0, i - 60), i) if before is not tokens[i - 1] else i - 1
            return function_end(p, before.text, place, i)
        i += 1


def value_ahead(p, i):
    """True where a value stands, no parameter: int n(4), unsigned area(side * side)."""
    token, after = p.tokens[i], p.texts[i + 1]
    if token.kind in ("number", "string", "char") or token.text in ("-", "+", "(", "!", "~", "true", "false"):
        return True
    return (
        token.kind == "name"
        and isinstance(p.lookup(token.text), (Constant, Overloads))
        and after not in ("::", "<")
    )


def skip_statement(p):
    """Move behind one statement that is not read."""
    text = p.texts[p.i]
    if text == "{":
        p.skip_brackets()
    elif text in ("if", "for", "while", "switch"):
        p.i += 1
        p.accept("constexpr")
        p.skip_brackets()
        skip_statement(p)
        if text == "if" and p.accept("else"):
            skip_statement(p)
    elif text == "do":
        p.i += 1
        skip_statement(p)
        skip_item(p)
    elif p.here.kind == "pragma":
        p.i += 1
        if p.texts[p.i] == "(":
            p.skip_brackets()
        skip_statement(p)
    else:
        while p.texts[p.i] != ";":
            if p.here.kind == "end":
                raise p.expected('";"')
            if p.texts[p.i] in ("(", "[", "{"):
                p.skip_brackets()
            else:
                p.i += 1
        p.i += 1


def name_before_angle(p, i):
    depth = 0
    while i > 0:
        depth += {">": 1, ">>": 2, "<": -1}.get(p.texts[i], 0)
        i -= 1
        if depth == 0:
            return p.tokens[i]
    return p.tokens[0]


def behind_brackets(p, i):
    state, p.i = p.i, i
    p.skip_brackets()
    i, p.i = p.i, state
    return i


def function_end(p, name, place, i):
    """What follows the parameters: a body, a ; or something that makes it a variable."""
    texts = p.texts
    i = behind_brackets(p, i)
    while True:
        text = texts[i]
        if text == "{":
            return name, place, i, body_end(p, i)
        if text == ";":
            return name, place, None, i + 1
        if text == ":":
            i += 1
            while texts[i] != "{" or p.tokens[i - 1].kind == "name":
                if texts[i] in ("(", "{"):
                    i = behind_brackets(p, i)
                    continue
                if p.tokens[i].kind == "end":
                    return None
                i += 1
            continue
        if text == "=" and texts[i + 1] in ("default", "delete", "0") and texts[i + 2] == ";":
            return name, place, None, i + 3
        if text in ("=", ",", "}") or p.tokens[i].kind == "end":
            return None
        i = behind_brackets(p, i) if text == "(" else i + 1


def body_end(p, i):
    """The place after a function's body; the end of the text where its } is missing."""
    try:
        return behind_brackets(p, i)
    except Mistake:
        return len(p.tokens) - 3


def skip_template_arguments(p):
    """Move behind a <...> whose meaning does not matter."""
    depth = 0
    while p.here.kind != "end":
        text = p.texts[p.i]
        depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
        if text in ("(", "[", "{"):
            p.skip_brackets()
            continue
        p.i += 1
        if depth <= 0:
            return
