"""Launching: run a kernel on data and count it, or count it without data."""

from __future__ import annotations

from ..cuda.analysis.facts import accesses_of, local_bytes, waits
from ..errors import GpusimError, LaunchError, NotCountable, OutOfBounds
from ..gpus import USUAL, Gpu
from ..inputs import flag, kernel_of, known_options, one_of, shown, whole
from .account.owners import touched_by_many
from .account.tally import Tally
from .check.watcher import Checks
from .count.loops import otherwise
from .count.machine import CountingMachine
from .count.symbolic import SymbolicSpace
from .lanes.orders import drive, order_of, run_in_order
from .lanes.turns import run_by_turns
from .lanes.waiting import run_waiting
from .memory.arrays import DeviceArray, check_data, spec_like
from .run import Run
from .state import Launch, check_size, placed
from .trace import Snapshot
from .values.pattern import Irregular

MOST_LOCAL = 1 << 28  # bytes of local variables of the lanes that run together
CHUNK = 1 << 16  # lanes that run together: their floats fit into a core's L2


def count_symbolically(launch, arguments, through=()):
    """The tally of a launch without touching data, and its script; Irregular or NotCountable where that cannot be.

    through : loops (sites) whose iterations are counted one by one, not in one step
    """
    kernel = launch.kernel
    shape, grid = launch.block[::-1], launch.grid[::-1]
    space = SymbolicSpace(tuple((0, n) for n in grid), shape, grid)
    tally = Tally()
    machine = CountingMachine(launch, space, tally, through, kernel.cycles)
    try:
        for _ in drive(kernel.python(counting=True, symbolic=True), machine, arguments):
            pass
    except Irregular as irregular:
        irregular.open = machine.open
        raise
    launch.told = (space, machine.script) if machine.script.whole else None
    return tally


def run_lanes(launch, arguments, tally, order="lockstep", chunk=CHUNK, checks=None, block_order="forward"):
    """Run a launch space by space; fewer lanes at a time where each holds much."""
    chunk = min(chunk, MOST_LOCAL // max(1, local_bytes(launch.kernel)))
    function = launch.kernel.python(counting=tally is not None, rows=launch.rows)
    for space in launch.spaces(chunk, block_order):
        run_in_order(order, launch, space, function, arguments, tally, checks)


@known_options
def launch(
    kernel,
    grid,
    block,
    *arguments,
    shared=0,
    order="lockstep",
    gpu=USUAL,
    bounds="raise",
    strict=False,
    checks=True,
    rows=False,
    chunk=CHUNK,
    step_limit=None,
    block_order="forward",
    written=None,
    counted=True,
):
    """Run a kernel on data, count it and check it.

    grid, block : ints or tuples of up to 3, (x, y, z); arguments : device arrays and numbers; shared : bytes
        of dynamic memory
    order : "lockstep", "forward", "reverse", "random:SEED" (warps) or "threads": who runs first between two
        barriers
    bounds : "raise" at the first access outside an array, or "report" all (reads give 0, writes are dropped)
    strict : raise on reports of races and unset memory; checks : False looks for neither; chunk : lanes that
        run together; step_limit : steps of all loops of those lanes; None: as many as usual, and a loop that is
        not known to end is stopped when it has cost much
    rows : also report an index that leaves its row of a matrix (a two-dimensional array) but not the matrix
    block_order : "forward" or "reverse"; written : a dict that gets {buffer: bool a byte, True where the
        launch wrote};  counted : False only runs, without counts
    return : a Run
    """
    with placed(kernel_of(kernel)):
        chunk, step_limit = _check_options(gpu, chunk, step_limit, bounds, block_order)
        order_of(order)
        for name, value in (("strict", strict), ("checks", checks), ("rows", rows), ("counted", counted)):
            flag(name, value)
        if written is not None and not isinstance(written, dict):
            raise LaunchError(f"written is a dict, to be filled; got {shown(written)}")
        kernel = kernel.resolve(arguments)
        check_data(arguments)
        started = Launch(
            kernel, grid, block, shared, gpu, bounds, step_limit=step_limit, rows=rows, arguments=arguments
        )
        bound = started.bound
        tally = _try_to_count(started, bound) if counted else None
        snapshot = None if tally is not None or not counted else Snapshot(started.writable)
        watched = touched_by_many(accesses_of(kernel, bound), tally, started.block[::-1])

        def attempt(chunk, groups=None):
            execution = None if tally is not None or not counted else Tally()
            watch = Checks(started, watched, written) if checks else None
            if groups is None:
                run_lanes(started, bound, execution, order, chunk, watch, block_order)
            else:
                function = kernel.python(counting=execution is not None, rows=rows)
                run_by_turns(started, function, bound, execution, watch, groups, order, chunk, block_order)
            if watch is not None:
                watch.end()
            return execution

        execution = attempt(chunk) if not waits(kernel) else run_waiting(started, attempt)
        run = Run(started, arguments, tally or execution or Tally(), order, snapshot)
        if strict and run.reports:
            raise GpusimError(
                "the kernel ran, but: " + "; ".join(r.message for r in run.reports), file=kernel.file
            )
        return run


def _check_options(gpu, chunk, step_limit, bounds="raise", block_order="forward"):
    """Refuse options of a launch that are none; returns chunk and step_limit as ints."""
    if not isinstance(gpu, Gpu):
        raise LaunchError(f"gpu is one of the GPUs of gpusim, such as gs.H200; got {gpu!r}")
    one_of("bounds", bounds, ("raise", "report"))
    one_of("block_order", block_order, ("forward", "reverse"))
    return whole("chunk", chunk, 1), None if step_limit is None else whole("step_limit", step_limit, 1)


def _apart(arguments):
    """Arguments of which each shape without data is an array of its own, as each parameter means one."""
    return tuple(
        spec_like(value) if isinstance(value, DeviceArray) and value.buffer.data is None else value
        for value in arguments
    )


def _try_to_count(started, bound):
    if started.kernel.uncountable is not None:
        return None
    try:
        return count_symbolically(started, bound)
    except NotCountable as error:
        started.kernel.uncountable = error.with_traceback(None)  # which holds the launch and its arrays
    except (Irregular, OutOfBounds):
        pass
    return None


@known_options
def count(kernel, grid, block, *arguments, shared=0, gpu=USUAL, chunk=CHUNK, step_limit=None):
    """Count a kernel without running it on data: exact, and at full size in milliseconds where addresses are
    regular.

    arguments : as for `launch`; `gs.spec(shape, dtype)` stands for an array
    Raises NotCountable if a loaded value decides an address or a branch.  The run's `reports` are empty because
    nothing was looked for: only a launch on data can race or read unset memory.
    """
    with placed(kernel_of(kernel)):
        chunk, step_limit = _check_options(gpu, chunk, step_limit)
        kernel, arguments = kernel.resolve(arguments), _apart(arguments)
        bound = kernel.bind(arguments)

        def begin():
            return Launch(kernel, grid, block, shared, gpu, dataless=True, step_limit=step_limit)

        through = set()
        while True:
            started = begin()
            try:
                tally = count_symbolically(started, bound, through)
                return Run(started, arguments, tally, "lockstep")
            except Irregular as irregular:
                if not otherwise(irregular, through, kernel.cycles):
                    break
            except OutOfBounds:
                break
        started, tally = begin(), Tally()
        check_size(started.grid, started.block)
        run_lanes(started, bound, tally, chunk=chunk)
        return Run(started, arguments, tally, "lockstep")


class Configured:
    """`kernel[grid, block]` or `kernel[grid, block, shared_bytes]`: call it with the arguments."""

    def __init__(self, kernel, configuration):
        if not isinstance(configuration, tuple) or len(configuration) not in (2, 3):
            raise LaunchError(
                f"a launch is {kernel.name}[grid, block](...) or {kernel.name}[grid, block, shared_bytes](...)"
            )
        self.kernel, self.configuration = kernel, configuration

    def __call__(self, *arguments, **options):
        grid, block, *shared = self.configuration
        if shared and "shared" in options:
            raise LaunchError(
                f"{self.kernel.name}[grid, block, shared_bytes] and shared= say the same: give one of them"
            )
        return launch(self.kernel, grid, block, *arguments, **dict(zip(("shared",), shared)), **options)

    def __repr__(self):
        return f"<{self.kernel.name}[{', '.join(map(str, self.configuration))}], to be called with its arguments>"
