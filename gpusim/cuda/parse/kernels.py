"""Kernels, specialised by keyword, default arguments, a launch in the text, or the types of a launch."""

from __future__ import annotations

from ..text.mistakes import Mistake, did_you_mean
from ..tree.nodes import Declare, Name
from ..tree.types import VOID
from ..tree.walks import inlined_size, walk
from ..typing.scope import Constant, Placeholder, ValuePlaceholder
from .functions import finish, identity, specialise
from .globals import override_value, value_of
from .rules import rules

MOST_NODES = 100_000  # operations of a kernel, with those of the functions that it calls


def as_text(meaning) -> str:
    """A template's argument as CUDA C spells it: a type's name or a number."""
    value = getattr(meaning, "value", meaning)
    return str(value).lower() if isinstance(value, bool) else str(value)


def kernel(p, overloads):
    """The Function of a kernel, or None while template parameters are open."""
    declaration = declaration_of(overloads)
    bindings = {}
    if declaration.template is not None:
        bindings = known_bindings(p, declaration)
        if bindings is None:
            return None
    return kernel_function(p, declaration, bindings)


def declaration_of(overloads):
    return next(
        d for d in overloads.declarations if d.kind == "kernel" and d.body is not None and not d.explicit
    )


def specialised(p, overloads, given, types):
    """The Function of a kernel template for {parameter: tokens} and the types of a launch's arguments."""
    declaration = declaration_of(overloads)
    names = [parameter.name for parameter in declaration.template or ()]
    for name in given:
        if name not in names:
            raise Mistake(
                f'"{name}" is no template parameter of kernel "{overloads.name}"',
                declaration.token,
                hint=did_you_mean(name, names) or (f"it has {', '.join(names)}" if names else "it has none"),
            )
    if not names:
        return kernel_function(p, declaration, {})
    bindings = known_bindings(
        p, declaration, {name: value_of(p, name, part) for name, part in given.items()}, types
    )
    if bindings is None:
        names = ", ".join(open_parameters(p, overloads))
        raise Mistake(
            f'template arguments of kernel "{overloads.name}" are not known: {names}',
            declaration.token,
            hint=f"give them as keywords: {', '.join(name + '=...' for name in names.split(', '))}",
        )
    return kernel_function(p, declaration, bindings)


def kernel_function(p, declaration, bindings):
    told = tuple((name, as_text(meaning)) for name, meaning in bindings.items())
    declaration, bindings = (
        rules.explicit_of(p, declaration, bindings) if bindings else (declaration, bindings)
    )
    header = rules.header_of(p, declaration, bindings)
    check_kernel(p, declaration, header)
    made = specialise(p, declaration, bindings, header)
    made.template, made.launched = told, p.launched
    finish_all(p, made)
    no_recursion(p, made)
    declare_shared(p, made)
    if inlined_size(made) > MOST_NODES:
        raise Mistake(
            f'the functions that kernel "{made.name}" calls, and those that they call, make it too long',
            made.at,
            unsupported=True,
            hint=f"they are inlined, and more than {MOST_NODES:,} operations come together",
        )
    return made


def check_kernel(p, declaration, header):
    if header.result is not VOID:
        raise Mistake("a __global__ function must have a void return type", declaration.token)
    for parameter in header.parameters:
        if parameter.reference:
            raise Mistake(
                "a __global__ function cannot have a parameter with reference type",
                parameter.token,
                hint="pass a pointer or a value",
            )


def finish_all(p, function):
    """Read the bodies in the queue; a mistake in what `function` calls is raised, for each function that calls it."""
    while p.queue:
        try:
            finish(p, p.queue.pop(0))
        except Mistake:
            pass  # it is in p.failed now
    if p.failed:
        below, open_ = {function}, [function]
        while open_:
            new = [callee for callee in p.called_by.get(open_.pop(), ()) if callee not in below]
            below.update(new)
            open_ += new
        for failed, mistake in p.failed.items():
            if failed in below:
                raise mistake


def declare_shared(p, function):
    """Put the __shared__ arrays of file scope that a kernel uses at the beginning of its body."""
    if not p.shared:
        return
    nodes = walk(function.body)
    used = {node.symbol for node in nodes if isinstance(node, Name)}
    used -= {node.symbol for node in nodes if isinstance(node, Declare)}
    function.body.body[:0] = [declare for declare in p.shared if declare.symbol in used]


def no_recursion(p, function):
    """Raise when a function reaches itself through calls; depth first, without recursion of our own."""
    path, on_path, done = [(function, iter(p.called_by.get(function, ())))], {function}, set()
    while path:
        caller, rest = path[-1]
        callee = next(rest, None)
        if callee is None:
            path.pop()
            on_path.discard(caller)
            done.add(caller)
        elif callee in on_path:
            raise p.refuse("recursion", callee.at)
        elif callee not in done:
            on_path.add(callee)
            path.append((callee, iter(p.called_by.get(callee, ()))))


# Template parameters of kernels


def known_bindings(p, declaration, given=None, types=()):
    """{parameter: meaning} from `given`, overrides, types, launches, defaults; None while one is open."""
    bindings, p.launched = dict(given or {}), None
    for parameter in declaration.template:
        if parameter.name in p.overrides and parameter.name not in bindings:
            p.used.add(parameter.name)
            bindings[parameter.name] = override_value(p, parameter.name)
    if types:
        deduce_types(p, declaration, bindings, types)
    names = [parameter.name for parameter in declaration.template]
    if any(name not in bindings for name in names):
        bind_launch(p, declaration, names, bindings)
    rules.bind_defaults(p, declaration, bindings)
    for parameter in declaration.template:
        value = bindings.get(parameter.name)
        if value is not None and not rules.suits(parameter, value):
            wanted = {"value": "constant"}.get(parameter.kind, parameter.kind)
            raise Mistake(f'template argument for "{parameter.name}" must be a {wanted}', declaration.token)
    if any(name not in bindings for name in names):
        return None
    return rules.typed(p, declaration.template, bindings, declaration.scopes)


def deduce_types(p, declaration, bindings, types):
    rest = {
        parameter.name: (Placeholder if parameter.kind == "type" else ValuePlaceholder)(parameter.name)
        for parameter in declaration.template
        if parameter.name not in bindings
    }
    pattern = rules.header_of(p, declaration, {**bindings, **rest})
    for parameter, kind in zip(pattern.parameters, types):
        if kind is not None:
            rules.unify(p, parameter.type, kind, bindings)


def bind_launch(p, declaration, names, bindings):
    """Bind what is open as the first launch in host code does that agrees with what is bound."""
    known = {name: identity(value) for name, value in bindings.items()}
    for line, given in launches(p, declaration):
        launched = dict(zip(names, given))
        if all(identity(value) == known.get(name, identity(value)) for name, value in launched.items()):
            p.launched = line
            bindings.update((name, value) for name, value in launched.items() if name not in bindings)
            return


def other_launches(p, overloads, made):
    """[(line, note)] of launches in host code whose template arguments are not those of `made`."""
    declaration = declaration_of(overloads)
    taken = [text for _, text in made.template]
    for line, given in launches(p, declaration) if made.launched else ():
        texts = [as_text(value) for value in given]
        if texts != taken[: len(texts)]:
            name = f"{overloads.name}<{', '.join(texts)}>"
            yield line, f"{name} is launched here, line {made.launched} is taken: ask for it by that name"


def launches(p, declaration):
    """(line, template arguments) of each `name<...><<<` in the text's host code."""
    for i in places(p).get(declaration.name, ()):
        if p.texts[i + 1] != "<":
            continue
        try:
            given, end = p.elsewhere(
                i + 1, [*p.scopes[:1], p.file_names], lambda p: (rules.template_arguments(p), p.i)
            )
        except Mistake:
            continue
        if p.texts[end] == "<<<":
            yield p.tokens[i].line, given


def places(p):
    """Where each kernel's name stands in the text."""
    if p.named_at is None:
        p.named_at = {}
        for i, token in enumerate(p.tokens):
            if token.kind == "name" and token.text in p.kernels:
                p.named_at.setdefault(token.text, []).append(i)
    return p.named_at


def open_parameters(p, overloads):
    """The names of a kernel's template parameters that nothing tells yet."""
    declaration = declaration_of(overloads)
    bindings = {}
    rules.bind_defaults(p, declaration, bindings)
    return [
        parameter.name
        for parameter in declaration.template
        if parameter.name not in bindings and parameter.name not in p.overrides
    ]


def unused_functions(p):
    """Device functions that no kernel calls are read too, for their mistakes."""
    for declaration in p.devices:
        if not declaration.specialised and declaration.template is None:
            try:
                made = specialise(p, declaration, {}, rules.header_of(p, declaration, {}))
                finish_all(p, made)
            except Mistake as mistake:
                p.queue.clear()
                if not mistake.unsupported:
                    raise


def constant_names(p):
    """Names that keywords may override."""
    names = {name for name, meaning in p.file_names.items() if isinstance(meaning, Constant)}
    for overloads in p.kernels.values():
        for declaration in overloads.declarations:
            names.update(parameter.name for parameter in declaration.template or ())
    return names
