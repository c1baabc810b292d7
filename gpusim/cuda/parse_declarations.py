"""File scope: kernels and device functions are kept, constants and structs read, host code is skipped and noted."""
from __future__ import annotations

from .check import convert
from .mistakes import Mistake
from .parse_cursor import KEYWORDS, NESTED
from .parse_groups import Groups
from .parse_types import ATTRIBUTES
from .scope import ClassTemplate, Constant, Declaration, Namespace, Overloads, TemplateParameter
from .tree import Literal
from .types import VOID, Array, Scalar

_DEVICE = ("__global__", "__device__", "__constant__", "__shared__", "__managed__")


class Declarations(Groups):
    """Reads a whole text.  `kernels` : Overloads of each kernel by name, as they stand; `variables`, `initial`,
    `skipped` : as in tree.Unit."""

    def __init__(self, tokens, overrides=None):
        super().__init__(tokens)
        self.overrides = overrides or {}
        self.used = set()
        self.kernels, self.variables, self.initial, self.skipped = {}, [], {}, []
        self.devices, self.open_spaces, self.depths = [], [], []
        self.queue, self.called_by = [], {}
        self.struct_scopes, self.initials, self.made_from = {}, {}, {}

    def struct_scope(self, kind):
        """The methods, constants and types declared inside a struct."""
        return self.struct_scopes.get(kind.name, {})

    def read_file(self):
        while self.here.kind != "end":
            self.file_item()

    def file_item(self):
        """One declaration at file scope."""
        token, text = self.here, self.texts[self.i]
        if text == ";" or token.kind == "pragma":
            self.i += 1
            if token.kind == "pragma" and self.texts[self.i] == "(":
                self.skip_brackets()
        elif text == "}":
            if not self.open_spaces:
                raise Mistake("expected a declaration", token, hint='this "}" closes nothing')
            self.open_spaces.pop()
            self.scopes = self.scopes[:self.depths.pop()]
            self.i += 1
        elif text == "namespace" or text == "inline" and self.texts[self.i + 1] == "namespace":
            self.namespace()
        elif text == "extern" and self.tokens[self.i + 1].kind == "string":
            self.i += 2
            if self.accept("{"):
                self.open_spaces.append(token)
                self.depths.append(len(self.scopes))
        elif text == "using" and self.texts[self.i + 1] == "namespace":
            self.using_namespace()
        elif text == "template":
            self.template()
        else:
            self.declaration(None, self.i)

    # Namespaces

    def namespace(self):
        token = self.next()
        if token.text == "inline":
            self.next()
        names = []
        while self.here.kind == "name":
            names.append(self.next().text)
            if not self.accept("::"):
                break
        if names and self.texts[self.i] == "=":
            self.i -= 2
            self.namespace_alias()
            return
        self.expect("{")
        if len(self.open_spaces) > NESTED:
            raise Mistake(f"nested deeper than {NESTED} levels", token, unsupported=True)
        self.open_spaces.append(token)
        self.depths.append(len(self.scopes))
        for name in names:
            inner = self.scopes[-1].get(name)
            if not isinstance(inner, Namespace):
                inner = self.scopes[-1][name] = Namespace(name)
            self.scopes = [*self.scopes, inner.names]

    def namespace_alias(self):
        """namespace cg = cooperative_groups;"""
        self.accept("namespace")
        name = self.name()
        self.expect("=")
        meaning, token = self.qualified()
        if isinstance(meaning, Namespace):
            self.scopes[-1][name.text] = meaning
        self.expect(";")

    def using_namespace(self):
        self.i += 2
        token = self.here
        meaning, _ = self.qualified()
        if isinstance(meaning, Namespace):
            self.scopes = [self.scopes[0], meaning.names, *self.scopes[1:]]
            self.depths = [depth + 1 for depth in self.depths]
        elif token.text not in ("wmma",):
            self.skipped.append((token.line, f"using namespace {token.text}: unknown here"))
        self.expect(";")

    def using_name(self):
        """using std::min;"""
        self.i += 1
        meaning, token = self.qualified()
        if meaning is not None:
            self.scopes[-1][token.text] = meaning
        self.expect(";")

    # Templates

    def template(self):
        """template <...> before a function or a struct."""
        start = self.i
        self.i += 1
        if self.texts[self.i] != "<":
            self.skip_item()
            return
        parameters = self.template_parameters()
        if self.texts[self.i] in ("struct", "class") and self.struct_template(parameters):
            return
        if self.texts[self.i] in ("using", "template", "concept", "requires"):
            self.skip_item()
            self.skipped.append((self.tokens[start].line, "a template that is no function or struct"))
            return
        self.declaration(parameters, start)

    def template_parameters(self):
        """<typename T, int N = 4>; the places of defaults are kept, to be read when they are needed."""
        self.expect("<")
        parameters = []
        while self.texts[self.i] not in (">", ">>"):
            token = self.here
            if token.kind == "end":
                raise self.expected('">"')
            kind = "type" if token.text in ("typename", "class") else "value"
            last, default, pack = token, None, False
            while self.texts[self.i] not in (",", ">") and self.here.kind != "end":
                if self.texts[self.i] == "=":
                    default = self.i + 1
                    self.skip_template_default()
                    break
                pack |= self.texts[self.i] == "..."
                if self.texts[self.i] == "<":
                    self.skip_template_arguments()
                    continue
                last = self.next()
            name = last.text if last is not token else f"(parameter {len(parameters)})"
            parameters.append(TemplateParameter(name, kind, default, pack))
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

    def struct_template(self, parameters):
        place = self.i + 1
        while self.texts[place] in ATTRIBUTES:
            place += 1
            if self.texts[place] == "(":
                state, self.i = self.i, place
                self.skip_brackets()
                place, self.i = self.i, state
        token = self.tokens[place]
        if token.kind != "name" or self.texts[place + 1] not in ("{", "<", ";", ":"):
            return False
        template = self.scopes[-1].get(token.text)
        if self.texts[place + 1] == "{" and parameters:
            made = ClassTemplate(token.text, token, self.i, parameters, list(self.scopes))
            if isinstance(template, ClassTemplate) and template.start is None:
                made.made = template.made
            self.scopes[-1][token.text] = made
        elif self.texts[place + 1] == "<" and isinstance(template, ClassTemplate) and not parameters:
            self.struct_specialisation(template, place)
        self.skip_item()
        return True

    def struct_specialisation(self, template, place):
        """template <> struct Name<float> { ... };"""
        start, self.i = self.i, place + 1
        given = self.template_arguments()
        key = tuple(self.key(value) for value in given)
        shown = ", ".join(str(getattr(value, "value", value)) for value in given)
        name = f"{template.name}<{shown}>"
        self.made_from[name] = template.name, tuple(given)
        if self.texts[self.i] == "{":
            template.made[key] = self.struct_body(name, self.tokens[place]._replace(text=name), None)
        self.i = start

    # One declaration

    def skip_item(self):
        """Move behind the ; or the {...} that ends a declaration."""
        while self.here.kind != "end":
            text = self.texts[self.i]
            if text in ("(", "[", "{"):
                opening = self.i
                self.skip_brackets()
                if text == "{" and self.texts[self.i] not in (";", ",", "=", ")", "{") and self.ends_item(opening):
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

    struct_here = False

    def function_ahead(self):
        """(name, its place, start, body, end, template) when a function with or without a body stands here."""
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
        """The place after a function's body; the end of the text where its } is missing, which its reading reports."""
        try:
            return self.behind_brackets(i)
        except Mistake:
            return len(self.tokens) - 3

    def declaration(self, template, first):
        """A function, a variable, a struct, an alias; host code is skipped."""
        token, start = self.here, self.i
        found = self.function_ahead()
        if found is not None:
            self.function_declaration(found, template, token)
            return
        words = self.texts[start:start + 12]
        cut = next((k for k, word in enumerate(words) if word in (";", "{", "=", "(")), len(words))
        device = any(word in _DEVICE for word in words[:cut])
        if device or template:
            self.file_variable() if not template else self.skip_item()
            return
        if not self.might_matter(words[:cut + 1]):
            self.not_host(token)
            self.skip_host(token, start)
            return
        scopes = list(self.scopes)
        try:
            self.readable_item(token)
        except Mistake as mistake:
            if not mistake.unsupported and self.must_read(words):
                raise
            self.i, self.scopes = start, scopes
            self.nesting, self.half, self.no_greater = 0, False, False
            self.skip_host(token, start, mistake)

    def not_host(self, token):
        """Text that cannot even be host code is an error, not skipped."""
        if token.kind != "name" and token.text not in ("::", "[", "~"):
            raise Mistake("expected a declaration", token)
        after = self.tokens[self.i + 1]
        if after.kind in ("end", "number", "string") or token.text in ("if", "for", "while", "return", "else", "do"):
            raise Mistake("expected a declaration", token)

    @staticmethod
    def might_matter(words):
        return bool(words) and any(word in ("const", "constexpr", "typedef", "using", "struct", "class", "enum",
                                            "static_assert") for word in words)

    @staticmethod
    def must_read(words):
        return words[0] in ("constexpr", "enum", "static_assert")

    def readable_item(self, token):
        text = token.text
        if text in ("typedef", "static_assert") or text == "using":
            if text == "using" and self.texts[self.i + 2] != "=":
                self.using_name()
            else:
                self.alias()
        else:
            self.file_variable()

    def skip_host(self, token, start, mistake=None):
        """Skip host code and note it."""
        if mistake is not None:
            name = next((part for part in self.tokens[start + 1:start + 4] if part.kind == "name"), token)
            self.unread[name.text] = mistake
            if getattr(self.scopes[-1].get(name.text), "fields", None) == ():
                del self.scopes[-1][name.text]  # a struct that was begun
        self.struct_here = token.text in ("struct", "class", "union", "enum")
        self.skip_item()
        self.struct_here = False
        if self.i == start:
            raise Mistake("expected a declaration", token)
        words = " ".join(self.texts[start:min(self.i, start + 6)])
        reason = f" ({mistake.message})" if mistake else ""
        self.skipped.append((token.line, f"host code: {words} ...{reason}"))

    def function_declaration(self, found, template, token):
        name, place, start, body, end, _ = found
        words = self.texts[start:place]
        kind = "kernel" if "__global__" in words else "device" if "__device__" in words or "constexpr" in words else "host"
        where = self.tokens[place]
        if kind == "kernel" and "__device__" in words:
            raise Mistake("a function cannot be both __global__ and __device__", where)
        explicit = place + 1 if self.texts[place + 1] == "<" and not name.startswith("operator") else None
        scopes = list(self.scopes)
        declaration = Declaration(name, kind, where, start, body, scopes, template or None, explicit=explicit)
        if self.texts[place - 1] == "::" and name in getattr(self.scopes[-1].get(self.texts[place - 2]), "names", {}):
            pass
        overloads = self.scopes[-1].get(name)
        if not isinstance(overloads, Overloads):
            overloads = self.scopes[-1][name] = Overloads(name)
        if kind == "kernel" and body is not None:
            same = [d for d in overloads.declarations if d.kind == "kernel" and d.body is not None and not d.explicit]
            if same and not explicit and template is None and same[0].template is None:
                raise Mistake(f'function "{name}" has already been defined', where,
                              notes=(f"note: the first one is on line {same[0].token.line}",))
        overloads.declarations.append(declaration)
        if kind == "kernel" and body is not None:
            self.kernels.setdefault(self.full_name(name), overloads)
        elif kind == "device" and body is not None and template is None:
            self.devices.append(declaration)
        elif kind == "host" and body is not None:
            if self.texts[end - 1] != "}":
                raise Mistake('this "{" is never closed', self.tokens[body])
            self.skipped.append((token.line, f"host code: {name}()"))
        self.i = end

    def full_name(self, name):
        return name

    def file_variable(self):
        """A variable, constant, struct or enum at file scope."""
        start, found = self.here, self.specifiers()
        if found.type is None:
            raise self.unknown(self.here) if self.here.kind == "name" and self.here.text not in KEYWORDS else (
                self.expected("type"))
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
            kind = value.type if kind.__class__ is Scalar and kind.kind == "auto" or isinstance(kind, Array) else kind
        device = flags & set(_DEVICE)
        if not device and declared.const and isinstance(value, Literal) and isinstance(kind, Scalar):
            self.scopes[-1][token.text] = self.overridden(token, Constant(kind, value.value))
            return
        if not device and not (declared.const and isinstance(value, object) and value is not None):
            self.skipped.append((token.line, f"host variable: {token.text}"))
            return
        storage = "constant" if "__constant__" in flags or not device else "device"
        if "__shared__" in flags:
            storage = "dynamic" if "extern" in flags else "shared"
        elif isinstance(kind, Array) and kind.count is None:
            raise Mistake("incomplete type is not allowed: an array needs its number of elements", token)
        symbol = self.symbol(token, kind, storage, const=declared.const or storage == "constant",
                             volatile=declared.volatile)
        self.declare(token, symbol)
        self.variables.append(symbol)
        if value is not None:
            self.initial[symbol] = value

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
        reader.made_from, reader.struct_scopes, reader.initials = self.made_from, self.struct_scopes, self.initials
        try:
            value = reader.template_argument()
            if reader.here.kind != "end":
                raise reader.expected("end")
        except Mistake as mistake:
            given = " ".join(token.text for token in tokens)[:60]
            raise Mistake(f'"{name}" is given as {given}: {mistake.message}', self.here) from None
        return value
