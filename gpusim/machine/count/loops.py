"""Loops of the counting machine: the iterations that all lanes make for certain are taken in one step.

A loop gets an axis of its own, and its counter becomes a pattern along it.  Where that makes a value irregular
there are two other ways: by turns, if the value is regular in every n-th iteration, as where two buffers change
places; or, for a short loop, one iteration after the other.
"""

from __future__ import annotations

from ..memory.buffers import Pointer
from ..values.pattern import Irregular, make
from ..values.unknown import UNKNOWN
from ..values.value import bounds, is_formula, unknown_of

SHORT = 256  # iterations of a loop that are counted one by one where its addresses are irregular in one step


class Axis:
    """A loop that stands for all its certain iterations at once.

    site : of the loop; count : those iterations; number : its axis
    cycle : where more than 1, a second axis goes through that many iterations while the first goes through the
        rounds of them, as for two buffers that take turns
    """

    def __init__(self, space, site, count, cycle=1):
        self.space, self.site, self.number, self.cycle = space, site, len(space.extents), cycle
        self.count = count // cycle * cycle
        self.extents = [count // cycle, cycle] if cycle > 1 else [count]
        space.extents += self.extents

    def along(self, start, step):
        """The value of a variable that starts at `start` and grows by `step`, in all iterations."""
        if type(start) is Pointer:
            return Pointer(start.buffer, self.along(start.offset, step))
        if unknown_of(start, step) is not None:
            return UNKNOWN
        if type(step) is not int:
            raise Irregular("a loop step that differs between threads")
        strides = (step * self.cycle, step) if self.cycle > 1 else (step,)
        return start + make(self.space, 0, (0,) * self.number + strides, None)

    def past(self, start, step):
        """The value after those iterations."""
        return start.moved(step * self.count) if type(start) is Pointer else start + step * self.count

    def close(self):
        """The loop is over: its axes go."""
        del self.space.extents[self.number :]


def _certain_iterations(start, op, bound, step):
    """How often every lane goes round `for (i = start; i op bound; i += step)`, at least."""
    if not is_formula(start) or not is_formula(bound) or type(step) is not int or step == 0:
        return 0
    if op == "!=":
        meets = type(start) is type(bound) is int and (bound - start) % step == 0
        return (bound - start) // step if meets else 0
    (first_lo, first_hi), (last_lo, last_hi) = bounds(start), bounds(bound)
    if op in ("<", "<="):
        return -(-(last_lo - first_hi + (op == "<=")) // step) if step > 0 else 0
    return -(-(first_lo - last_hi + (op == ">=")) // -step) if step < 0 else 0


def axis(m, site, mask, start, op, bound, step, unrolled, accumulators):
    """An Axis for the iterations that every lane makes for certain, or None where there are fewer than three.

    unrolled : the compiler unrolls the loop; accumulators : registers that it carries from one iteration to the next
    """
    certain = _certain_iterations(start, op, bound, step)
    cycle = m.cycles.get(site, 1)
    if certain < max(3, cycle) or site in m.through:
        return None
    axis = Axis(m.space, site, certain, cycle)
    m.open.append(axis)
    m.script.enter(axis)
    for extent in axis.extents:
        m.waits.enter(extent, unrolled, accumulators)
    return axis


def leave(m, axis):
    """End of a loop in one step."""
    m.open.pop()
    m.script.leave()
    for _ in axis.extents:
        m.waits.leave()
    axis.close()


def blur(value):
    """A variable that carries loaded values from one iteration to the next."""
    if isinstance(value, list):
        return [blur(part) for part in value]
    return unknown_of(value, UNKNOWN)


def blur_array(pointer):
    """The same for a local array."""
    pointer.buffer.values[:] = blur(pointer.buffer.values)


def otherwise(irregular, through, cycles):
    """Choose how else to count the loop that made a value irregular, in `through` or `cycles`; False if there
    is no other way."""
    for axis in irregular.open:
        cycle = irregular.cycles.get(axis.number)
        if cycle and 2 * cycle <= axis.count and axis.site not in cycles:
            cycles[axis.site] = cycle
            return True
    if not irregular.open or irregular.open[-1].count > SHORT:
        return False
    through.add(irregular.open[-1].site)  # a quotient of loop and thread numbers is regular in each iteration
    return True
