"""Kernel templates whose parameters only the arguments of a launch decide."""

from __future__ import annotations

import numpy as np

from ..cuda.tree import types as c
from .memory.arrays import DeviceArray


class OpenKernel:
    """A kernel template; `make` makes a Kernel of a specialised tree."""

    def __init__(self, program, name, make):
        self.program, self.name, self.file, self.make = program, name, program.file, make

    def resolve(self, arguments):
        """The kernel for arguments of these types, made once."""
        from ..cuda.front import specialise

        tree = specialise(self.program.unit, self.name, types=[type_of(value) for value in arguments])
        known = self.program.specialised
        if tree not in known:
            known[tree] = self.make(self.program.unit, tree, self.program)
        return known[tree]

    def place(self, error):
        """Errors that come before it is resolved have no line to add."""
        return error

    def __getitem__(self, configuration):
        from .launch import Configured

        return Configured(self, configuration)

    def __repr__(self):
        return f"<kernel template {self.name}<{', '.join(self.program.unit.templates[self.name])}>>"


def type_of(value):
    """The C type of an argument, or None where it could be several."""
    if isinstance(value, DeviceArray):
        found = c.SCALARS.get(value.dtype)
        return None if found is None else c.Pointer(found)
    return c.SCALARS.get(value.dtype) if isinstance(value, np.generic) else None
