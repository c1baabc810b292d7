"""Verify: run a kernel under several legal schedules and say in one verdict whether it can go wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape

import numpy as np

from ..cuda.analysis.facts import uses_warp_functions, waits
from ..errors import BarrierError, GpusimError, OutOfBounds, StepLimit
from ..gpus import USUAL
from ..inputs import kernel_of, known_options, number, shown
from ..units import LANES, dim3
from .check.report import Report, ReportList
from .launch import launch
from .memory.arrays import DeviceArray, asnumpy, check_data
from .memory.elements import host_array
from .state import placed

ORDERS = ("lockstep", "forward", "reverse", "random:1", "random:2")
FEW_THREADS = 128  # blocks of at most so many threads also run thread by thread
CHUNKS = 4  # groups of blocks when the order of blocks is turned round


class Schedule:
    """One legal way to run a launch.  order : of warps; options : of the order of blocks, none if they go forward"""

    def __init__(self, order, **options):
        self.order, self.options = order, options

    @property
    def plain(self):
        """Whether all lanes run in step: the one that is checked and counted."""
        return self.order == "lockstep" and not self.options

    def __str__(self):
        return "blocks in reverse" if self.options else self.order


@dataclass(frozen=True)
class Outcome:
    """One schedule: wrong : elements that differ from what is expected; first : (array, index, got, expected)
    or None."""

    order: str
    wrong: int
    first: tuple | None = None
    error: str = ""

    def __str__(self):
        if self.error:
            return f"{self.order}: {self.error}"
        if not self.wrong:
            return f"{self.order}: right"
        name, index, got, wanted = self.first
        where = ", ".join(map(str, index))
        return f"{self.order}: {self.wrong:,} elements wrong, the first {name}[{where}] is {got!s} and should be {wanted!s}"


@dataclass(frozen=True)
class Verified:
    """A verdict.

    reports : what the checks found; outcomes : one a schedule; untouched : {array: (elements never written,
        all)}
    executed : what was run, since a verdict holds for this launch only
    """

    reports: ReportList
    outcomes: list
    untouched: dict
    executed: str
    run: object = field(repr=False, default=None)

    @property
    def ok(self) -> bool:
        """True if nothing was reported and every schedule gave the right result."""
        return not self.reports and all(not o.wrong and not o.error for o in self.outcomes)

    __bool__ = ok.fget

    @property
    def evidence(self) -> str:
        """The smallest thing that shows the kernel wrong, or ''."""
        failed = [o for o in self.outcomes if o.wrong or o.error]
        told = [str(min(self.reports, key=lambda r: r.count))] if self.reports else []
        told += [str(min(failed, key=lambda o: (not o.error, o.wrong)))] if failed else []
        told += [
            f"{never:,} of {total:,} elements of {name} were never written"
            for name, (never, total) in self.untouched.items()
            if never and failed
        ]
        return "\n".join(told)

    def __str__(self):
        head = "No fault found." if self.ok else "This kernel can go wrong."
        return "\n".join(part for part in (head, self.evidence, f"Executed: {self.executed}.") if part)

    def _repr_html_(self):
        return f'<pre class="gpusim-verdict" role="status">{escape(str(self))}</pre>'


@known_options
def verify(
    kernel, grid, block, *arguments, expect=None, shared=0, gpu=USUAL, rtol=1e-4, atol=1e-5
) -> Verified:
    """Run a kernel in several orders of warps and blocks, with all checks, and judge it.

    expect : what an array must hold afterwards: {parameter or its position: array}, or one array for the only
        array that is written; without it all orders must agree
    rtol, atol : tolerance for floats;  return : Verified, true if nothing was found; the arrays are left as
        lockstep leaves them

    >>> import gpusim as gs
    >>> bool(verify(gs.load("saxpy"), 1, 32, 2.0, gs.zeros(32, np.float32), gs.full(32, 1, np.float32), 32, expect=np.ones(32)))
    True
    """
    with placed(kernel_of(kernel)):
        check_data(arguments)
        kernel = kernel.resolve(arguments)
        kernel.bind(arguments)
        variables = kernel.variables.values()
    grid, block = dim3(grid, "grid"), dim3(block, "block")
    rtol, atol = number("rtol", rtol), number("atol", atol)
    arrays = {i: a for i, a in enumerate(arguments) if isinstance(a, DeviceArray)}
    buffers = list({a.buffer: None for a in arrays.values()} | dict.fromkeys(variables))
    before = [b.data.copy() for b in buffers]
    options = {"shared": shared, "gpu": gpu, "bounds": "report"}
    wanted = _wanted(kernel, arguments, expect)
    outcomes, run, after = [], None, None
    reports, untouched = ReportList(), {}
    for schedule in _schedules(kernel, grid, block):
        _put_back(buffers, before)
        written, plain = {} if schedule.plain else None, schedule.plain
        looks = {"checks": plain, "counted": plain, "written": written, **options, **schedule.options}
        try:
            done = launch(kernel, grid, block, *arguments, order=schedule.order, **looks)
        except (BarrierError, StepLimit, OutOfBounds) as error:
            outcomes.append(Outcome(str(schedule), 0, error=f"{type(error).__name__}: {error}"))
            if plain:
                reports.append(_as_report(error))
                break
            continue
        if plain:
            run, reports = done, done.reports
            untouched = _untouched(kernel, arrays, written)
            if wanted is None:
                wanted = {i: asnumpy(a) for i, a in arrays.items()}
        outcomes.append(_compare(str(schedule), kernel, arguments, wanted, rtol, atol))
        if after is None:
            after = [b.data.copy() for b in buffers]
    _put_back(buffers, after or before)
    _add_order(reports, outcomes, expect)
    orders = ", ".join(outcome.order for outcome in outcomes)
    said = f"{len(outcomes)} schedule{'s' * (len(outcomes) != 1)} ({orders}) of grid {grid}, block {block}, for these arguments"
    return Verified(reports, outcomes, untouched, said, run)


def _schedules(kernel, grid, block):
    """The Schedule of each run, the plain one first."""
    threads, blocks = (math.prod(size) for size in (block, grid))
    for order in ORDERS:
        if order == "lockstep" or threads > LANES:
            yield Schedule(order)
        if waits(kernel):  # whose turn it is decides whether such a kernel ends
            return
    if blocks > 1:
        yield Schedule("lockstep", block_order="reverse", chunk=max(threads, threads * blocks // CHUNKS))
    if threads <= FEW_THREADS and not uses_warp_functions(kernel):
        yield Schedule("threads")


def _put_back(buffers, contents):
    for buffer, content in zip(buffers, contents):
        buffer.data[:] = content


def _wanted(kernel, arguments, expect):
    """{position: array} of what is expected, or None."""
    if expect is None:
        return None
    names = [p.name for p in kernel.parameters]
    if not isinstance(expect, dict):
        writable = kernel.writable(kernel.bind(arguments))
        places = [i for i, a in enumerate(arguments) if isinstance(a, DeviceArray) and a.buffer in writable]
        if len(places) != 1:
            raise GpusimError(
                f"{kernel.name} may write {len(places)} arrays: say which one expect is about",
                hint="expect={'C': array}, by the name of the parameter",
            )
        expect = {places[0]: expect}
    unknown = [k for k in expect if k not in names and k not in range(len(arguments))]
    if unknown:
        raise GpusimError(f"{kernel.name} has no parameter {unknown[0]!r}; it has {', '.join(names)}")
    places = {names.index(k) if isinstance(k, str) else k: v for k, v in expect.items()}
    return {place: _right(names[place], arguments[place], value) for place, value in places.items()}


def _right(name, array, value):
    """What an argument must hold, as an array of its shape."""
    if not isinstance(array, DeviceArray):
        raise GpusimError(f"expect is about arrays, and the argument {name} is none; got {shown(array)}")
    value = host_array(value, what=f"the expected {name}")
    try:
        return np.broadcast_to(value, array.shape)
    except ValueError:
        raise GpusimError(f"{name} has the shape {array.shape}; the expected one has {value.shape}") from None


def differences(got, right, rtol, atol):
    """(how many elements of two arrays differ, the index of the first or None); the tolerances are for floats.

    >>> differences(np.array([1.0, 2.0, np.nan]), np.array([1.0, 2.1, np.nan]), 1e-4, 0)
    (1, (1,))
    """
    if got.dtype.kind == "f":
        with np.errstate(all="ignore"):
            differs = ~np.isclose(got, right, rtol, atol, equal_nan=True)
    else:
        differs = got != right
    count = int(differs.sum())
    return count, tuple(int(i) for i in np.argwhere(differs)[0]) if count else None


def _compare(order, kernel, arguments, wanted, rtol, atol):
    wrong, first = 0, None
    for place, right in wanted.items():
        got = asnumpy(arguments[place])
        count, index = differences(got, right, rtol, atol)
        if count and first is None:
            first = (
                kernel.parameters[place].name,
                index,
                got[index],
                right[index],
            )
        wrong += count
    return Outcome(order, wrong, first)


def _untouched(kernel, arrays, written):
    """{array: (elements never written, all)} of the arrays that were written at all."""
    result = {}
    for place, array in arrays.items():
        marks = written.get(array.buffer)
        if marks is not None:
            mine = (
                marks[array.offset : array.offset + array.nbytes]
                .reshape(-1, array.dtype.itemsize)
                .any(axis=1)
            )
            result[kernel.parameters[place].name] = (
                int((~mine).sum()),
                len(mine),
            )
    return result


def _as_report(error):
    return Report(
        "barrier"
        if isinstance(error, BarrierError)
        else "no progress"
        if isinstance(error, StepLimit)
        else "out of bounds",
        error.message,
        line=error.line,
        column=error.column,
        file=error.file,
        text=error.text,
        block=error.block,
        thread=error.thread,
        hint=error.hint,
    )


def _add_order(reports, outcomes, expect):
    """A report where another order than lockstep gives another result and no check has said why."""
    failed = [o for o in outcomes if o.wrong and o.order != "lockstep"]
    if reports or not failed or outcomes[0].wrong:
        return
    name, index = failed[0].first[:2]
    reports.append(
        Report(
            "order of execution",
            f"{failed[0]}: the result depends on the order in which warps and blocks run",
            array=name,
            index=index[0] if len(index) == 1 else None,
            count=failed[0].wrong,
            hint="let no thread rely on what another has done, unless a barrier orders the two",
        )
    )
