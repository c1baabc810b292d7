"""Counts: what a launch, a line or an access did, as plain ints that add and scale."""

from __future__ import annotations

from numbers import Real

from ...counters import COUNTERS, DERIVED
from ...units import LANES
from .cost import FIELDS
from .footprint import distinct_sectors
from .touch import by_buffer


class Counts:
    """The counts of `gpusim.counters` as attributes; counts add (`a + b`) and scale (`a * 3`).

    >>> c = Counts({"global_load_requests": 2, "global_load_sectors": 8})
    >>> (c * 3).global_load_sectors, c.global_load_sectors_per_request, c.barriers
    (24, 4.0, 0)
    """

    __slots__ = ("_values",)

    def __init__(self, values=None):
        self._values = dict(values or {})

    def __getattr__(self, name):
        if name in COUNTERS:
            value = self._values.get(name, 0)
            if callable(value):
                value = self._values[name] = value()
            return value
        if name in DERIVED:
            return self._ratio(name)
        raise AttributeError(f"no count is called {name!r}; there are {', '.join((*COUNTERS, *DERIVED))}")

    def _ratio(self, name):
        if name == "simd_efficiency":
            over, under = self.thread_instructions, LANES * self.warp_instructions
        else:
            kind, unit = name.removesuffix("_per_request").rsplit("_", 1)
            over, under = getattr(self, f"{kind}_{unit}"), getattr(self, f"{kind}_requests")
        return over / under if under else 0.0

    def as_dict(self):
        """All counts by name, zeros included."""
        return {name: getattr(self, name) for name in COUNTERS}

    def __dir__(self):
        return [*super().__dir__(), *COUNTERS, *DERIVED]

    def __add__(self, other):
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts({name: getattr(self, name) + getattr(other, name) for name in COUNTERS})

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, times):
        if not isinstance(times, Real):
            return NotImplemented
        return Counts({name: value * times for name, value in self.as_dict().items()})

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Counts) and self.as_dict() == other.as_dict()

    __hash__ = None

    def __repr__(self):
        return (
            "Counts("
            + ", ".join(f"{name}={value:,}" for name, value in self.as_dict().items() if value)
            + ")"
        )


def counts_of(entries):
    """Sum the entries of a tally, [(site, Entry)]."""
    values, touched = {}, {}

    def add(name, amount):
        values[name] = values.get(name, 0) + int(amount)

    for site, entry in entries:
        kind = entry.kind.removesuffix("_inc")
        if entry.space:
            _add_access(add, site, entry, f"{entry.space}_{kind}")
            if entry.space == "global":
                touched.setdefault(kind, []).append(entry)
        elif kind == "branch":
            add("branches", entry.warps)
            add("divergent_branches", entry.split)
            _add_instructions(add, entry, 1)
        elif kind == "loop":
            add("divergent_loops", entry.split)
        elif kind == "barrier":
            add("barriers", entry.warps)
        elif kind in ("arith", "shuffle", "tensor"):
            if kind == "shuffle":
                add("shuffles", entry.warps)
            if kind == "tensor":
                add("tensor_instructions", entry.warps * site.operations)
            _add_instructions(add, entry, site.operations)
            add("flops", entry.lanes * site.flops)
    for kind, found in touched.items():
        values[f"global_{kind}_distinct_sectors"] = lambda found=found: _distinct(found)
    return Counts(values)


def _add_access(add, site, entry, prefix):
    cost = dict(zip(FIELDS, entry.cost))
    add(f"{prefix}_requests", cost["requests"])
    add(f"{prefix}_bytes", cost["lanes"] * site.size)
    if entry.space == "global":
        add(f"{prefix}_sectors", cost["sectors"])
    else:
        add(f"{prefix}_wavefronts", cost["wavefronts"])
        add(f"{prefix}_excess", cost["wavefronts"] - cost["ideal"])
    add("warp_instructions", cost["requests"])
    add("thread_instructions", cost["lanes"])


def _add_instructions(add, entry, operations):
    add("warp_instructions", entry.warps * operations)
    add("thread_instructions", entry.lanes * operations)


def _distinct(entries):
    """Distinct sectors over the whole launch, array by array."""
    touches, marks = by_buffer(touch for entry in entries for touch in entry.touches), {}
    for entry in entries:
        for buffer, touched in entry.marks.items():
            marks[buffer] = touched | marks[buffer] if buffer in marks else touched
    return sum(map(distinct_sectors, touches.values())) + sum(
        int(touched.sum()) for touched in marks.values()
    )
