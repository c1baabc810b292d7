"""Arguments: from Python values to what a kernel's parameters hold, checked as a compiler would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...ctypes import DTYPES, ELEMENTS
from ...cuda.tree.types import Array, Pointer, Scalar, Struct, dtype
from ...errors import LaunchError
from ..values.arithmetic import f16, f32, f64
from .arrays import DeviceArray

FLOATS = {2: f16, 4: f32, 8: f64}


def bind(kernel, arguments):
    """Values for the parameters of a kernel, in order; LaunchError names the parameter that does not fit."""
    parameters = kernel.parameters
    if len(arguments) != len(parameters):
        names = ", ".join(f"{p.type} {p.name}" for p in parameters)
        raise LaunchError(
            f"{kernel.name} takes {len(parameters)} argument{'s' * (len(parameters) != 1)} ({names}), "
            f"{len(arguments)} given",
            line=kernel.at.line,
            column=kernel.at.column,
        )
    return [_bind_one(parameter, value) for parameter, value in zip(parameters, arguments)]


def _bind_one(parameter, value):
    kind = parameter.type
    if isinstance(kind, Pointer):
        return _pointer(parameter, value)
    if isinstance(value, DeviceArray):
        _refuse(parameter, value, "a number, not an array")
    if isinstance(kind, Struct):
        return _struct(parameter, value)
    return _number(parameter, value)


def _refuse(parameter, value, wanted, hint=None, terminal=None):
    came = (
        f"{type(value).__name__} {value!r}"
        if not isinstance(value, (DeviceArray, np.ndarray))
        else (
            f"a device array of {value.dtype}"
            if isinstance(value, DeviceArray)
            else f"a NumPy array of {value.dtype}"
        )
    )
    raise LaunchError(
        f"parameter {parameter.name} ({parameter.type}) takes {wanted}; got {came[:120]}",
        line=parameter.at.line,
        column=parameter.at.column,
        hint=hint,
        terminal=terminal,
    )


def array_words(kind):
    """How --arg spells an array for a pointer of this type, `float:SIZE`; None where it cannot."""
    kind = kind.to if isinstance(kind, Pointer) else kind
    while isinstance(kind, Array):
        kind = kind.of
    if isinstance(kind, Pointer):
        return None
    fields = {field.type for field in kind.fields} if isinstance(kind, Struct) else {kind}
    if len(fields) > 1 or isinstance(kind, Struct) and any(isinstance(f, (Struct, Array)) for f in fields):
        return None
    word = next((word for word in ELEMENTS if dtype(*fields) == DTYPES[word]), None)
    return word and f"{word}:SIZE"


def _pointer(parameter, value):
    if value is None:
        return None
    if isinstance(parameter.type.to, Pointer):
        hint = "give one array with all of them in a row, and the number where each begins"
        _refuse(parameter, value, "an array of pointers, which does not run here", hint)
    words = array_words(parameter.type)
    terminal = words and f"an array: --arg {words.replace('SIZE', _size(value))}"
    if not isinstance(value, DeviceArray):
        hint = "copy it to the GPU first: gs.asarray(array)" if isinstance(value, np.ndarray) else None
        if words and isinstance(value, (int, float, np.number)):
            hint = f"an array of so many zeros: gs.zeros(size, {DTYPES[words.partition(':')[0]].name!r})"
        _refuse(parameter, value, "a device array", hint, terminal)
    pointee = parameter.type.to
    while isinstance(pointee, Array):
        pointee = pointee.of
    accepted = {dtype(pointee)}
    if isinstance(pointee, Struct) and len({f.type for f in pointee.fields}) == 1:
        accepted.add(dtype(pointee.fields[0].type))
    same = isinstance(pointee, Struct) and value.dtype.itemsize == pointee.size and value.dtype.fields
    void = isinstance(pointee, Scalar) and pointee.kind == "void"
    raw = isinstance(pointee, Struct) and value.dtype == np.uint8 and value.size % pointee.size == 0
    if value.dtype not in accepted and not void and not same and not raw:
        _refuse(
            parameter,
            value,
            f"a device array of {dtype(pointee)}",
            f"gs.asarray(array, dtype='{dtype(pointee)}')" if not isinstance(pointee, Struct) else None,
            terminal,
        )
    return value.pointer(parameter.name)


def _size(value) -> str:
    """How many elements an argument was meant to have, or SIZE."""
    size = value.size if isinstance(value, (DeviceArray, np.ndarray)) else value
    return str(int(size)) if isinstance(size, (int, np.integer)) and size > 1 else "SIZE"


def _number(parameter, value):
    kind = parameter.type
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (bool, int, float, np.generic)) or isinstance(
        value, (np.complexfloating, np.str_, np.bytes_)
    ):
        _refuse(parameter, value, "a number")
    if kind.kind == "float":
        try:
            return FLOATS[kind.size](float(value))
        except OverflowError:
            _refuse(parameter, value, "a number that a double holds")
    if isinstance(value, (float, np.floating)) and float(value) != int(value if np.isfinite(value) else 0):
        _refuse(parameter, value, "a whole number")
    value = int(value)
    if kind.kind == "bool":
        return bool(value)
    low, high = (
        (-(1 << 8 * kind.size - 1), (1 << 8 * kind.size - 1) - 1)
        if kind.kind == "int"
        else (0, (1 << 8 * kind.size) - 1)
    )
    if not low <= value <= high:
        _refuse(parameter, value, f"a whole number from {low} to {high}")
    return value


def _struct(parameter, value):
    kind = parameter.type
    if _holds_pointers(kind) and not isinstance(value, dict):
        _refuse(parameter, value, "a dict {field: value}, since it holds pointers")
    if isinstance(value, dict):
        return _members(parameter, kind, value)
    try:
        record = np.asarray(value, dtype(kind)) if not isinstance(value, np.void) else value
    except (TypeError, ValueError):
        _refuse(parameter, value, f"a record with the fields {', '.join(f.name for f in kind.fields)}")
    return list(_flatten(kind, record[()] if isinstance(record, np.ndarray) else record))


def _holds_pointers(kind):
    if isinstance(kind, Struct):
        return any(_holds_pointers(f.type) for f in kind.fields)
    return isinstance(kind, Pointer) or (isinstance(kind, Array) and _holds_pointers(kind.of))


def _members(parameter, kind, values):
    """A struct by value from {field: value}; the only way to give one that holds pointers."""
    if set(values) != {f.name for f in kind.fields}:
        _refuse(parameter, values, f"a dict with the fields {', '.join(f.name for f in kind.fields)}")
    found = []
    for f in kind.fields:
        bound = _bind_one(replace(parameter, name=f"{parameter.name}.{f.name}", type=f.type), values[f.name])
        found += bound if isinstance(bound, list) else [bound]
    return found


def _flatten(kind, value):
    if isinstance(kind, Struct):
        for i, f in enumerate(kind.fields):
            yield from _flatten(f.type, value[f.name] if f.name in (value.dtype.names or ()) else value[i])
    elif isinstance(kind, Array):
        for element in value:
            yield from _flatten(kind.of, element)
    else:
        yield FLOATS[kind.size](value) if kind.kind == "float" else int(value)
