"""`gs.sweep`: one kernel or function at many settings, as a table; on one core, on all, or a Dask cluster."""

from __future__ import annotations

import itertools
import numbers
from dataclasses import dataclass

from ..counters import COUNTERS
from ..errors import GpusimError
from ..inputs import function, near, shown, values_of
from ..machine.program import CudaKernel, Program, cuda, load
from ..machine.run import Run
from ..models.estimate import estimate
from .page import dressed, number
from .progress import ProgressLine
from .tables import PageTable
from .written import seconds

MOST = 20  # rows that are shown; the rest is in `rows`


def sweep(what, launch=None, *, where=None, jobs=1, known=None, progress=True, **axes) -> Sweep:
    """Every combination of settings: its counts, its estimate, or its error, as a row.

    what : callable, `what(**setting)` returns a run or a dict;
        or CUDA C text, or the name of a kernel of the book: each setting overrides its macros, and
        `launch(kernel, **setting)` returns the run
    axes : the values of each setting;  where : callable, `where(**setting)` says which combinations to take
    jobs : processes; -1 for all cores. More than 1 needs joblib, and inside
        `joblib.parallel_config(backend="dask")` its jobs go to the Dask cluster that is there
    known : an earlier Sweep; settings that it has without an error are not run again
    return : Sweep. A setting that fails is a row with its error. Interrupting keeps the rows that are there.

    >>> sweep(lambda n: {"squares": n * n}, n=[1, 2, 3]).best("squares", most=True)
    {'n': 3, 'squares': 9, 'error': None}
    """
    if launch is None and (not callable(what) or hasattr(what, "resolve")):
        raise TypeError(
            f"a sweep over a kernel's macros needs launch=, which takes the kernel and the setting; "
            f"got {shown(what)} alone"
        )
    _check(launch, where, jobs, known, axes)
    settings = [setting for setting in _settings(axes) if where is None or where(**setting)]
    have = {_key(row, axes): row for row in known or () if not row["error"]}
    todo = [setting for setting in settings if _key(setting, axes) not in have]
    with ProgressLine(len(todo), progress) as bar:
        try:
            for row in _rows(what, launch, todo, jobs):
                have[_key(row, axes)] = row
                bar.step(failed=row["error"] is not None)
        except KeyboardInterrupt:
            bar.note("interrupted")
    rows = [have[_key(setting, axes)] for setting in settings if _key(setting, axes) in have]
    return Sweep(tuple(axes), tuple(rows), len(settings) - len(rows))


def _check(launch, where, jobs, known, axes):
    """Refuse what is no function, number of processes, earlier sweep or axis."""
    if launch is not None:
        function("launch", launch, "launch(kernel, **setting) returns the run")
    if where is not None:
        function("where", where, "where(**setting) says whether to take a setting")
    if known is not None and not isinstance(known, Sweep):
        raise GpusimError(f"known is an earlier sweep; got {shown(known)}")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0:
        raise GpusimError(f"jobs is a number of processes, or -1 for all cores; got {shown(jobs)}")
    if "error" in axes:
        raise GpusimError("an axis cannot be called error: the rows keep their errors under that name")


def _settings(axes):
    """All combinations, the last axis fastest."""
    for values in itertools.product(*(values_of(name, values) for name, values in axes.items())):
        yield dict(zip(axes, values, strict=True))


def _key(setting, axes) -> str:
    return repr([setting[name] for name in axes])


def _rows(what, launch, settings, jobs):
    """The rows as they get ready."""
    if jobs == 1:
        return (row_of(what, launch, setting) for setting in settings)
    try:
        import joblib
    except ImportError as error:
        raise ImportError("a sweep on several cores needs joblib: pip install joblib") from error
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    return parallel(joblib.delayed(row_of)(what, launch, setting) for setting in settings)


def row_of(what, launch, setting) -> dict:
    """One setting's row: the setting, then what came, then the error or None."""
    try:
        return {**setting, **_result(what, launch, setting), "error": None}
    except Exception as error:  # whatever it is, the other settings go on
        message = error.message if isinstance(error, GpusimError) else str(error)
        return {**setting, "error": f"{type(error).__name__}: {message}"}


def _result(what, launch, setting) -> dict:
    came = launch(_kernel(what, setting), **setting) if launch else what(**setting)
    if not isinstance(came, Run):
        return dict(came) if isinstance(came, dict) else {"result": came}
    counts = {name: value for name, value in came.counts.as_dict().items() if value}
    found = estimate(came, came.gpu)
    return {"seconds": found.seconds, "bound": found.binds, **counts}


def _kernel(what, setting):
    if isinstance(what, CudaKernel):
        return cuda(what.text, what.file, **{**what.defines, **setting})[what.name]
    if isinstance(what, Program):
        what = what.text
    if "__global__" not in what:
        return load(what, **setting)
    return next(iter(cuda(what, **setting).kernels.values()))


@dataclass(frozen=True, repr=False)
class Sweep:
    """The rows of a sweep, a dict each: `axes`, then what came, then "error", None where all went well.

    missing : settings that an interrupted sweep has not reached; pass it as `known` to go on
    """

    axes: tuple
    rows: tuple
    missing: int = 0

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, place):
        return self.rows[place]

    @property
    def good(self) -> list:
        """The rows without an error."""
        return [row for row in self.rows if row["error"] is None]

    @property
    def failed(self) -> list:
        """The rows with an error."""
        return [row for row in self.rows if row["error"] is not None]

    def sorted(self, count="seconds", most=False) -> Sweep:
        """The same rows by one of their numbers, the least first; `most`: the largest first; errors last."""
        self._named(count)
        good = sorted(self.good, key=lambda row: row.get(count, 0), reverse=most)
        return Sweep(self.axes, (*good, *self.failed), self.missing)

    def best(self, count="seconds", most=False) -> dict:
        """The row with the least (`most`: the largest) of one number."""
        if not self.good:
            raise GpusimError(
                "no setting of the sweep went well",
                hint=str(self.failed[0]["error"]) if self.failed else None,
            )
        return self.sorted(count, most).rows[0]

    def _named(self, *columns):
        """Refuse a column that no row has and that is no count."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        for column in columns:
            if self.good and column not in names and column not in COUNTERS:
                raise GpusimError(
                    f"the sweep has no column {column!r}; it has {', '.join(names)}", hint=near(column, names)
                )

    def table(self, *columns, most=MOST) -> PageTable:
        """The first rows as a table; columns : what is shown beside the axes, all of it unless told."""
        self._named(*columns)
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        timed = ("seconds", "bound") if "seconds" in names else names
        shown = [*self.axes, *(columns or (name for name in timed if name not in (*self.axes, "error")))]
        shown += ["error"] if self.failed else []
        rows = [tuple(_shown(name, row.get(name)) for name in shown) for row in self.rows[:most]]
        head = tuple("estimate" if name == "seconds" else name for name in shown)
        return PageTable(head, rows, self.caption(len(rows)))

    def caption(self, shown) -> str:
        """How many settings there are, failed and are missing."""
        parts = [
            f"{number(len(self.rows))} settings"
            + (f", the first {shown} shown" if shown < len(self.rows) else "")
        ]
        parts += [f"{len(self.failed)} failed"] if self.failed else []
        parts += [f"{number(self.missing)} not reached"] if self.missing else []
        return "; ".join(parts)

    def __repr__(self):
        return str(self.table())

    def _repr_html_(self) -> str:
        return dressed(self.table().html(), script=False)


def _shown(name, value):
    """A value as a table takes it: a number, a text or None."""
    if name == "seconds" and value is not None:
        return seconds(value)
    if value is None or isinstance(value, (str, bool, numbers.Real)):
        return value
    return str(getattr(value, "name", None) or getattr(value, "__name__", None) or value)
