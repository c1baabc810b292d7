"""Kernels, specialised by keyword, default arguments, a launch in the text, or the types of a launch."""

from __future__ import annotations

from ..text.mistakes import Mistake, did_you_mean
from ..tree.types import VOID
from ..tree.walks import inlined_size
from ..typing.scope import Constant, Placeholder, ValuePlaceholder

MOST_NODES = 100_000  # operations of a kernel, with those of the functions that it calls


def as_text(meaning) -> str:
    """A template's argument as CUDA C spells it: a type's name or a number."""
    value = getattr(meaning, "value", meaning)
    return str(value).lower() if isinstance(value, bool) else str(value)


class Kernels:
    """Makes the Functions of kernels."""

    def kernel(self, overloads):
        """The Function of a kernel, or None while template parameters are open."""
        declaration = self.declaration_of(overloads)
        bindings = {}
        if declaration.template is not None:
            bindings = self.known_bindings(declaration)
            if bindings is None:
                return None
        return self.kernel_function(declaration, bindings)

    @staticmethod
    def declaration_of(overloads):
        return next(
            d for d in overloads.declarations if d.kind == "kernel" and d.body is not None and not d.explicit
        )

    def specialised(self, overloads, given, types):
        """The Function of a kernel template for {parameter: tokens} and the types of a launch's arguments."""
        declaration = self.declaration_of(overloads)
        names = [parameter.name for parameter in declaration.template or ()]
        for name in given:
            if name not in names:
                raise Mistake(
                    f'"{name}" is no template parameter of kernel "{overloads.name}"',
                    declaration.token,
                    hint=did_you_mean(name, names)
                    or (f"it has {', '.join(names)}" if names else "it has none"),
                )
        if not names:
            return self.kernel_function(declaration, {})
        bindings = self.known_bindings(
            declaration, {name: self.value_of(name, part) for name, part in given.items()}, types
        )
        if bindings is None:
            names = ", ".join(self.open_parameters(overloads))
            raise Mistake(
                f'template arguments of kernel "{overloads.name}" are not known: {names}',
                declaration.token,
                hint=f"give them as keywords: {', '.join(name + '=...' for name in names.split(', '))}",
            )
        return self.kernel_function(declaration, bindings)

    def kernel_function(self, declaration, bindings):
        told = tuple((name, as_text(meaning)) for name, meaning in bindings.items())
        declaration, bindings = (
            self.explicit_of(declaration, bindings) if bindings else (declaration, bindings)
        )
        header = self.header(declaration, bindings)
        self.check_kernel(declaration, header)
        made = self.specialise(declaration, bindings, header)
        made.template, made.launched = told, self.launched
        self.finish_all()
        self.no_recursion(made)
        if inlined_size(made) > MOST_NODES:
            raise Mistake(
                f'the functions that kernel "{made.name}" calls, and those that they call, make it too long',
                made.at,
                unsupported=True,
                hint=f"they are inlined, and more than {MOST_NODES:,} operations come together",
            )
        return made

    def check_kernel(self, declaration, header):
        if header.result is not VOID:
            raise Mistake("a __global__ function must have a void return type", declaration.token)
        for parameter in header.parameters:
            if parameter.reference:
                raise Mistake(
                    "a __global__ function cannot have a parameter with reference type",
                    parameter.token,
                    hint="pass a pointer or a value",
                )

    def finish_all(self):
        while self.queue:
            self.finish(self.queue.pop(0))

    def no_recursion(self, function):
        """Raise when a function reaches itself through calls; depth first, without recursion of our own."""
        path, on_path, done = [(function, iter(self.called_by.get(function, ())))], {function}, set()
        while path:
            caller, rest = path[-1]
            callee = next(rest, None)
            if callee is None:
                path.pop()
                on_path.discard(caller)
                done.add(caller)
            elif callee in on_path:
                raise self.refuse("recursion", callee.at)
            elif callee not in done:
                on_path.add(callee)
                path.append((callee, iter(self.called_by.get(callee, ()))))

    # Template parameters of kernels

    def known_bindings(self, declaration, given=None, types=()):
        """{parameter: meaning} from `given`, overrides, types, launches, defaults; None while one is open."""
        bindings, self.launched = dict(given or {}), None
        for parameter in declaration.template:
            if parameter.name in self.overrides and parameter.name not in bindings:
                self.used.add(parameter.name)
                bindings[parameter.name] = self.override_value(parameter.name)
        if types:
            self.deduce_types(declaration, bindings, types)
        names = [parameter.name for parameter in declaration.template]
        if any(name not in bindings for name in names):
            self.bind_launch(declaration, names, bindings)
        self.bind_defaults(declaration, bindings)
        for parameter in declaration.template:
            value = bindings.get(parameter.name)
            if value is not None and (parameter.kind == "type") == isinstance(value, Constant):
                raise Mistake(
                    f'template argument for "{parameter.name}" must be a '
                    f"{'type' if parameter.kind == 'type' else 'constant'}",
                    declaration.token,
                )
        if any(name not in bindings for name in names):
            return None
        return self.typed(declaration.template, bindings, declaration.scopes)

    def deduce_types(self, declaration, bindings, types):
        rest = {
            p.name: (Placeholder if p.kind == "type" else ValuePlaceholder)(p.name)
            for p in declaration.template
            if p.name not in bindings
        }
        pattern = self.header(declaration, {**bindings, **rest})
        for parameter, kind in zip(pattern.parameters, types):
            if kind is not None:
                self.unify(parameter.type, kind, bindings)

    launched = None  # the line of the launch that bound some parameter of the kernel at hand

    def bind_launch(self, declaration, names, bindings):
        """Bind what is open as the first launch in host code does that agrees with what is bound."""
        known = {name: self.key(value) for name, value in bindings.items()}
        for line, given in self.launches(declaration):
            launched = dict(zip(names, given))
            if all(self.key(value) == known.get(name, self.key(value)) for name, value in launched.items()):
                self.launched = line
                bindings.update((name, value) for name, value in launched.items() if name not in bindings)
                return

    def other_launches(self, overloads, made):
        """[(line, note)] of launches in host code whose template arguments are not those of `made`."""
        declaration = self.declaration_of(overloads)
        taken = [text for _, text in made.template]
        for line, given in self.launches(declaration) if made.launched else ():
            texts = [as_text(value) for value in given]
            if texts != taken[: len(texts)]:
                name = f"{overloads.name}<{', '.join(texts)}>"
                yield line, f"{name} is launched here, line {made.launched} is taken: ask for it by that name"

    def launches(self, declaration):
        """(line, template arguments) of each `name<...><<<` in the text's host code."""
        for i in self.places.get(declaration.name, ()):
            if self.texts[i + 1] != "<":
                continue
            try:
                given, end = self.elsewhere(
                    i + 1, [*self.scopes[:1], self.file_names], lambda: (self.template_arguments(), self.i)
                )
            except Mistake:
                continue
            if self.texts[end] == "<<<":
                yield self.tokens[i].line, given

    @property
    def places(self):
        """Where each kernel's name stands in the text."""
        if self._places is None:
            self._places = {}
            for i, token in enumerate(self.tokens):
                if token.kind == "name" and token.text in self.kernels:
                    self._places.setdefault(token.text, []).append(i)
        return self._places

    _places = None

    def open_parameters(self, overloads):
        """The names of a kernel's template parameters that nothing tells yet."""
        declaration = self.declaration_of(overloads)
        bindings = {}
        self.bind_defaults(declaration, bindings)
        return [
            p.name for p in declaration.template if p.name not in bindings and p.name not in self.overrides
        ]

    def unused_functions(self):
        """Device functions that no kernel calls are read too, for their mistakes."""
        for declaration in self.devices:
            if not declaration.specialised and declaration.template is None:
                try:
                    self.specialise(declaration, {}, self.header(declaration, {}))
                    self.finish_all()
                except Mistake as mistake:
                    self.queue.clear()
                    if not mistake.unsupported:
                        raise

    def constant_names(self):
        """Names that keywords may override."""
        names = {name for name, meaning in self.file_names.items() if isinstance(meaning, Constant)}
        for overloads in self.kernels.values():
            for declaration in overloads.declarations:
                names.update(parameter.name for parameter in declaration.template or ())
        return names
