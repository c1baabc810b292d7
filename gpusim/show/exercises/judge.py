"""How an exercise is judged: it compiles, results are right, nothing is reported, counts keep limits."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ...errors import CudaSyntaxError, CudaUnsupported, GpusimError
from ...machine.memory.arrays import asnumpy
from ...machine.verify import differences, verify
from ..page import number

REPORTS = "no race, no read of unset memory, nothing out of bounds"
LATER = "judged once the results are right"


@dataclass(frozen=True)
class Judged:
    """One thing that is judged.

    key : "compiles", "runs", "results", "reports" or a count's name;  asked : what has to be so
    ok : True, False, or None where it is not judged;  said : what came;  where : the line, with a caret
    """

    key: str
    asked: str
    ok: bool | None = None
    said: str = ""
    where: str = ""


def judged(answer, exercise, choices):
    """The findings about a reader's answer, in the order in which to mend them.

    answer : text, program or kernel;  choices : for the exercise's `case`
    """
    try:
        kernel = exercise.kernel_of(answer)
    except (CudaSyntaxError, CudaUnsupported, GpusimError) as error:
        yield Judged("compiles", "a text that compiles", False, error.message, _place(error))
        return
    yield Judged("compiles", "a text that compiles", True)
    findings = list(_results(kernel, exercise, choices))
    yield from findings
    right = all(finding.ok for finding in findings)
    runs = all(finding.key != "runs" for finding in findings)
    yield (
        _reports(kernel, exercise, choices)
        if runs
        else Judged("reports", REPORTS, None, "judged once it runs")
    )
    if not right:
        yield from (Judged(gate.count, gate.asked, None, LATER) for gate in exercise.gates)
        return
    run = exercise.counted_run(kernel, choices)
    yield from (_gate(gate, run, exercise) for gate in exercise.gates)


def _results(kernel, exercise, choices):
    """Whether every size runs to its end with the right results."""
    for size, case in exercise.cases(**choices):
        at = _words(size, case)
        arguments = case.on_device()
        try:
            run = exercise.launched(kernel, case, arguments)
        except GpusimError as error:
            yield Judged(
                "runs", "a run to the end at every size", False, f"{error.message} ({at})", _place(error)
            )
            return
        for name, wanted in case.expect.items():
            got = asnumpy(arguments[list(case.arguments).index(name)])
            said = difference(name, got, np.asarray(wanted), exercise.tolerance)
            if said:
                yield Judged("results", "right results", False, f"{said} ({at})", _store_to(run, case, name))
                return
    sizes = "; ".join(_words(size) for size, _ in exercise.cases(**choices))
    yield Judged("results", f"right results at every size ({sizes})", True)


def difference(name, got, wanted, tolerance=1e-4) -> str:
    """How an array differs from what is expected, in words; '' where it does not.

    >>> difference("out", np.array([1., 2., 0.]), np.array([1., 2., 3.]))
    'out[2] is 0, expected 3; 1 of 3 elements differ'
    """
    count, first = differences(got, wanted, tolerance, tolerance * scale_of(wanted))
    if not count:
        return ""
    place = "".join(f"[{i}]" for i in first)
    came = got[first]
    read = "unset" if came != came else number(came.item())
    return (
        f"{name}{place} is {read}, expected {number(wanted[first].item())}; "
        f"{number(count)} of {number(wanted.size)} elements differ"
    )


def scale_of(wanted) -> float:
    """The largest size among floats, which the tolerance is a part of; 0 for whole numbers."""
    return float(np.max(np.abs(wanted), initial=0)) if wanted.dtype.kind == "f" else 0.0


def _words(size, case=None) -> str:
    text = ", ".join(f"{name} = {value}" for name, value in size.items())
    return text if case is None else f"{text}; grid {case.grid}, block {case.block}"


def _store_to(run, case, name) -> str:
    """The last line that stores to an output, or that none does."""
    parameter = run.kernel.parameters[list(case.arguments).index(name)].name
    stores = [a for a in run.accesses if a.kind in ("store", "atomic") and a.array == parameter]
    if not stores:
        return f"nothing is ever stored in {parameter}"
    return excerpt(run.kernel, stores[-1].line, stores[-1].column)


def excerpt(kernel, line, column=None) -> str:
    """A line of a kernel's text with its number, and a caret under the column."""
    text = kernel.unit.line(line)
    column = column or len(text) - len(text.lstrip()) + 1
    return f"line {line}:\n{GpusimError('', line=line, column=column, text=text).excerpt()}"


def _place(error) -> str:
    who = error.who and f"first: {error.who}"
    at = f"line {error.line}:\n{error.excerpt()}" if error.line and error.text is not None else ""
    return "\n".join(filter(None, [at, who, error.hint and f"hint: {error.hint}"]))


def _reports(kernel, exercise, choices) -> Judged:
    """Whether the checks find something at the first size, in any order of warps and blocks."""
    _, case = exercise.cases(**choices)[0]
    exercise.set_constants(kernel, case)
    names = list(case.arguments)
    expect = {names.index(name): wanted for name, wanted in case.expect.items()}
    scale = max((scale_of(np.asarray(wanted)) for wanted in case.expect.values()), default=0)
    options = {"shared": case.shared, "gpu": exercise.gpu, "rtol": exercise.tolerance}
    try:
        found = verify(kernel, case.grid, case.block, *case.on_device(), expect=expect,
                       atol=exercise.tolerance * scale, **options).reports  # fmt: skip
    except GpusimError as error:
        return Judged("reports", REPORTS, False, error.message, _place(error))
    if not found:
        return Judged("reports", REPORTS, True)
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    said = f"{found[0].kind}: {found[0].message}{more}"
    where = str(found[0]).partition("\n")[2]
    return Judged(
        "reports", REPORTS, False, said, f"line {found[0].line}:\n{where}" if found[0].line else where
    )


def _gate(gate, run, exercise) -> Judged:
    """Whether a count keeps its limit; the line that has the most of it where it does not."""
    value = gate.value(run, exercise)
    ok = (gate.most is None or value <= gate.most) and (gate.least is None or value >= gate.least)
    if ok:
        return Judged(gate.count, gate.asked, True, f"{gate.shown(value)}")
    why = f"; {gate.why}" if gate.why else ""
    return Judged(gate.count, gate.asked, False, f"{gate.shown(value)}{why}", _most(gate, run, exercise))


def _most(gate, run, exercise) -> str:
    """The access or the line with most of a count that is too large."""
    if gate.most is None or gate.count in ("occupancy", "shared_bytes"):
        return ""
    lines = [SimpleNamespace(line=line, column=None, counts=counts) for line, counts in run.lines.items()]
    accesses = run.accesses
    worst = max([*accesses, *lines], key=lambda place: gate.value(place, exercise), default=None)
    return excerpt(run.kernel, worst.line, worst.column) if worst else ""
