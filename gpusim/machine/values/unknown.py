"""Unknown values: what a load gives where there is no data."""

from __future__ import annotations

from ...errors import NotCountable
from .pattern import Irregular


class Unknown:
    """What a load gives when nothing is there to load: the counting machine carries it until an address or a
    branch needs it.

    site : the load that it comes from, or None where two sides of a branch gave different values
    load : that load while it may still be on its way (waits.Load); computing with the value waits for it
    """

    __slots__ = ("site", "load")

    def __init__(self, site, load=None):
        self.site, self.load = site, load

    def __array_ufunc__(self, ufunc, method, *inputs, **_):
        return self.computed(*inputs)

    def computed(self, *others):
        """What comes out of an operation with this value."""
        for value in (self, *others):
            if is_coming(value):
                value.load.use()
        return self if self.load is None else Unknown(self.site)

    def __bool__(self):
        """A Python kernel asks in an `if` or a `while` of Python."""
        if self.site is None:
            raise Irregular("a branch of Python on a value that the machine has not followed")
        raise NotCountable(
            f"a branch of Python depends on a value that line {self.site.line} loads from {self.site.name}: "
            "it cannot be counted without data",
            line=self.site.line,
        )

    __hash__ = None


for _name in (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod lshift rlshift rshift rrshift "
    "and rand or ror xor rxor neg invert abs lt le gt ge eq ne"
).split():
    setattr(Unknown, f"__{_name}__", Unknown.computed)

UNKNOWN = Unknown(None)


def is_coming(value):
    """Whether a value is still on its way from memory."""
    return type(value) is Unknown and value.load is not None


def use(value):
    """A warp needs a value: it waits if that is still on its way."""
    if is_coming(value):
        value.load.use()
