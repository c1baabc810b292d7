"""The state of a launch: what the machines know about it, and what it is refused for before it starts."""

from __future__ import annotations

import contextlib
import itertools
import math

import numpy as np

from ..errors import GpusimError, LaunchError, NotCountable
from ..limits import check_launch
from ..units import dim3
from .check.report import Findings
from .lanes.barriers import Missing
from .values.pattern import Irregular
from .values.space import Space

MOST_THREADS = 1 << 36  # that a launch goes through


class Launch:
    """What the machines know about the launch they run.

    bounds : "raise" or "report"; dataless : True to count without data; rows : look for indices that leave their row
    arguments : None where the caller binds them; bound : values of the parameters; writable : buffers that the kernel
        may write
    findings : reports and printed lines; missing : who was not at the barriers
    told : (space, Script) once it has been counted without data
    """

    def __init__(self, kernel, grid, block, shared_bytes, gpu, bounds="raise", dataless=False, step_limit=None,
                 rows=False, arguments=None):  # fmt: skip
        self.kernel, self.gpu, self.bounds, self.dataless, self.rows = kernel, gpu, bounds, dataless, rows
        self.grid, self.block = dim3(grid, "grid"), dim3(block, "block")
        self.shared_bytes, self.step_limit, self.ticks, self.told = shared_bytes, step_limit, 0, None
        check_launch(
            gpu, self.grid, self.block, kernel.static_shared, shared_bytes, declared=kernel.shared_arrays
        )
        check_bounds(kernel, self.block)
        if not dataless:
            check_size(self.grid, self.block)
        self.bound = None if arguments is None else kernel.bind(arguments)
        self.writable = () if arguments is None else kernel.writable(self.bound)
        self.forget()

    def forget(self):
        """The launch begins anew: nothing has been found, and nothing printed."""
        self.findings = Findings(self.kernel, looked=not self.dataless)
        self.missing = Missing(self.gpu, self.block)

    @property
    def reports(self):
        return self.findings.reports

    def add(self, report, site=None, other=None):
        """Add a report, about these places of the text."""
        self.findings.add(report, site, other)

    def report_missing(self, checks=None):
        """Report the barriers that were not reached by all: the blocks have ended."""
        lost = checks.unset.summary() if checks is not None else ""
        for report, site in self.missing.reports(lost):
            self.add(report, site)

    def again(self, dataless):
        """The same launch once more, with reports of its own."""
        shape = self.grid, self.block, self.shared_bytes
        return Launch(self.kernel, *shape, self.gpu, "report", dataless, self.step_limit)

    def variable(self, name):
        """A pointer to a file-scope variable of the program."""
        return self.kernel.program.constants.pointers[name]

    def not_countable(self, site, unknown):
        """The error for an address or a branch that a loaded value decides."""
        load = unknown.site
        if load is None:
            return Irregular("a value that the machine has not followed")
        line, column = (site.line, site.column) if site is not None else (load.line, load.column)
        what = "an address" if site is not None and site.dtype is not None else "a branch"
        return NotCountable(
            f"{what} depends on a value that line {load.line} loads from {load.name}: "
            "it cannot be counted without data",
            line=line,
            column=column,
            hint="run the kernel on data: kernel[grid, block](...) counts as well",
            terminal="leave out --count: a run on data counts as well",
        )

    def spaces(self, chunk, block_order="forward"):
        """The launch as spaces of at most `chunk` lanes (but a whole block), in block order or in reverse."""
        shape, grid = self.block[::-1], self.grid[::-1]
        room = max(1, chunk // math.prod(shape))
        across = min(grid[2], room if grid[1] == grid[0] == 1 else max(1, math.isqrt(room)))
        down = min(grid[1], room // across)
        across = min(grid[2], room // down)
        deep = min(grid[0], room // (across * down))
        known = {}
        corners = itertools.product(*(range(0, n, step) for n, step in zip(grid, (deep, down, across))))
        for corner in reversed(list(corners)) if block_order == "reverse" else corners:
            blocks = tuple((lo, min(n, lo + step)) for lo, n, step in zip(corner, grid, (deep, down, across)))
            size = tuple(hi - lo for lo, hi in blocks)
            if size in known:
                known[size].move(blocks)
            else:
                known[size] = Space(blocks, shape, grid)
            yield known[size]


def check_size(grid, block):
    """Raise LaunchError for a launch that would go through its threads for hours."""
    threads = math.prod(grid) * math.prod(block)
    if threads > MOST_THREADS:
        raise LaunchError(
            f"{threads:,} threads, one after the other, take hours: {MOST_THREADS:,} are the most",
            hint="gs.count counts any size at once where all addresses are regular and no int overflows; "
            "a smaller launch checks the results",
        )


def check_bounds(kernel, block):
    """Raise LaunchError for a block of more threads than the kernel's __launch_bounds__ allow."""
    threads, most = block[0] * block[1] * block[2], (kernel.launch_bounds or (None,))[0]
    if most is not None and threads > most:
        raise LaunchError(
            f"a block of {block} has {threads} threads; {kernel.name} has __launch_bounds__({most}): at most {most}",
            line=kernel.at.line,
            column=kernel.at.column,
        )


@contextlib.contextmanager
def placed(kernel):
    """Complete errors with the place in the kernel's text; floats overflow in silence, as on a GPU."""
    with np.errstate(all="ignore"):
        try:
            yield
        except GpusimError as error:
            raise kernel.place(error) from None
        except RecursionError:
            raise LaunchError(f"{kernel.name} nests too deeply to run", file=kernel.file) from None
