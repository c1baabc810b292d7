"""Calls: device functions are emitted in place, built-ins become calls of the machine or of a NumPy
function."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Struct, dtype, is_float, is_integer
from ..typing.builtins import BUILTINS
from .access import write
from .arithmetic import conversion, count, flush_arithmetic, zero
from .operations import OPERATIONS, target_of
from .places import elements, fixed, in_buffer, place
from .state import Frame, copied
from .tables import EFFECTS, VALUES, changes, emits, statement, value, values


@emits(VALUES, t.Call)
def _call(e, node, used=True):
    if isinstance(node.target, t.Function):
        return _inline(e, node)
    operation = OPERATIONS.get(node.target)
    return operation(e, node, used) if operation else _function(e, node)


@emits(EFFECTS, t.Call)
def _call_for_effect(e, node):
    given = _call(e, node, used=False)
    if given and not given.isidentifier():
        e.line(given)


# Device functions.


def _inline(e, node):
    function = node.target
    outside = e.region
    _bind(e, function.parameters, node.arguments)
    gone, result = e.fresh("gone"), None
    e.line(f"{gone} = False")
    if function.result.size and str(function.result) != "void" and not function.itself:
        result = e.fresh("r")
        e.line(f"{result} = {zero(e, function.result, 'NOWHERE')}")
    flush_arithmetic(e, node)
    e.frames.append(Frame(function, gone, result, outside.number, e.scope - 1))
    loops, e.loops = e.loops, []
    statement(e, function.body)
    e.loops = loops
    e.frames.pop()
    e.scope -= 1
    e.region = outside
    return result or ""


def _bind(e, parameters, arguments):
    """Evaluate all arguments, then give them to the parameters, which another call among them may use too."""
    given = []
    for i, (parameter, argument) in enumerate(zip(parameters, arguments)):
        later = any(changes(e, other) for other in arguments[i + 1 :])
        if parameter.reference:
            given.append(fixed(e, place(e, argument)))
        else:
            text = value(e, argument)
            given.append(e.fix(text, argument.type) if later else text)
    e.scope += 1
    for parameter, bound in zip(parameters, given):
        if parameter.reference:
            e.aliases[parameter] = bound
        else:
            e.settle(parameter)
            start(e, parameter, copied(bound, parameter.type))


def start(e, symbol, value):
    """Emit the birth of a scalar, pointer or struct variable."""
    if in_buffer(symbol):
        values = f"list({value})" if isinstance(symbol.type, Struct) else f"[{value}]"
        value = f"m.local({e.constant(symbol.name)}, {elements(e, symbol.type)}, {values})"
        e.steady.add(e.name(symbol))
    e.line(f"{e.name(symbol)} = {value}")


# Mathematical functions.


def _function(e, node):
    count(e, node, flop=is_float(node.type) or any(is_float(a.type) for a in node.arguments))
    # Functions that also write through a pointer (sincosf, modff) give the values to write.
    pointers = [a for a in node.arguments if hasattr(a.type, "to")]
    if pointers:
        return _writing(e, node, pointers)
    arguments = values(e, node.arguments)
    call = f"{_operation(e, node, node.arguments)}({', '.join(arguments)})"
    if isinstance(node.type, Struct):
        return call
    return f"{conversion(node.type)}({call})" if is_float(node.type) or is_integer(node.type) else call


def _operation(e, node, arguments):
    """The Python name of a mathematical operation for arguments of these types."""
    operation = BUILTINS[node.target].function
    kinds = tuple(dtype(a.type) for a in arguments)
    name = "_".join(["F", operation, *(f"{k.kind}{k.itemsize}" for k in kinds)])
    e.functions[name] = operation, kinds
    return name


def _writing(e, node, pointers):
    given = [a for a in node.arguments if a not in pointers]
    inputs = ", ".join(values(e, given))
    results = e.fresh("t")
    e.line(f"{results} = {_operation(e, node, given)}({inputs})")
    for i, pointer in enumerate(pointers):
        write(e, node, target_of(e, pointer), f"{results}[{i}]")
    return f"{results}[{len(pointers)}]" if str(node.type) != "void" else ""
