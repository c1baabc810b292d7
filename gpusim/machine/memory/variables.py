"""Variables: the data of a program's __constant__ and __device__ variables, set from Python by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...cuda.text.mistakes import Mistake
from ...cuda.tree import nodes as t
from ...cuda.tree.types import dtype
from ...errors import GpusimError
from .arrays import DeviceArray, asnumpy
from .buffers import Buffer, Pointer
from .elements import host_array


class Constants(Mapping):
    """The __constant__ and __device__ variables of a program, by name; assign arrays or numbers.

    What is read is what the variable holds now, as cudaMemcpyFromSymbol gives it: a NumPy number, or a copy of an
    array.
    """

    def __init__(self, variables, initial):
        self._variables = {v.name: v for v in variables}
        self.pointers = {}
        for variable in variables:
            buffer = Buffer(variable.name, variable.type.size, np.zeros(variable.type.size, np.uint8))
            buffer.space = "constant" if variable.storage == "constant" else "global"
            if variable in initial:
                _write(buffer.data, variable.type, initial[variable])
            self.pointers[variable.name] = Pointer(buffer)

    def __setitem__(self, name, value):
        if name not in self._variables:
            self._refuse(name)
        kind = self._variables[name].type
        while hasattr(kind, "of"):
            kind = kind.of
        host = asnumpy(value) if isinstance(value, DeviceArray) else value
        raw = host_array(host, dtype(kind), name).reshape(-1).view(np.uint8)
        room = self.pointers[name].buffer
        if len(raw) > room.nbytes:
            raise GpusimError(f"{name} has room for {room.nbytes} bytes; the value has {len(raw)}")
        room.data[: len(raw)] = raw

    def __getitem__(self, name):
        if name not in self._variables:
            self._refuse(name)
        kind = dtype(self._variables[name].type)
        return np.frombuffer(self.pointers[name].buffer.data.tobytes(), kind, 1)[0].copy()

    def __iter__(self):
        return iter(self._variables)

    def __len__(self):
        return len(self._variables)

    def _refuse(self, name):
        known = ", ".join(self._variables) or "none"
        raise GpusimError(f"the program has no __constant__ or __device__ variable {name!r}; it has {known}")


def _write(room, kind, value):
    """An initial value into the bytes of a file-scope variable; parts that it leaves out stay zero."""
    if isinstance(value, t.Construct):
        fields = getattr(kind, "fields", ())
        for number, part in enumerate(value.parts):
            of, start = (
                (fields[number].type, fields[number].offset) if fields else (kind.of, number * kind.of.size)
            )
            _write(room[start : start + of.size], of, part)
    elif isinstance(value, t.Literal):
        room[:] = np.array([value.value]).astype(dtype(kind)).view(np.uint8)
    else:
        raise Mistake("a variable at file scope starts with constants only", value.at)
