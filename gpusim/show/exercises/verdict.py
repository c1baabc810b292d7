"""`gs.check`: judges a reader's kernel, says what is right and what is not, and hints at what fails."""

from __future__ import annotations

from dataclasses import dataclass

from ..page import dressed, escape, prose
from ..source import source
from .exercise import bare, load_exercise
from .judge import REPORTS, Judged, judged

_failed = {}  # name of an exercise -> {text that failed, without its spaces: the hint it has earned}


def check(kernel, exercise, **choices) -> Verdict:
    """Judge a kernel: results, reports, counts; the verdict shows itself, and `bool(verdict)` says passed.

    kernel : CUDA C text, a program or a kernel
    exercise : a name in book/exercises, or an Exercise
    choices : what the reader chooses beside the text, such as block=(32, 8), if the exercise asks for it
    return : Verdict; each new text that fails brings a hint, one about what fails where the exercise has it; a text
        that does not compile brings none but the compiler's
    """
    exercise = load_exercise(exercise)
    text = kernel if isinstance(kernel, str) else getattr(kernel, "text", "")
    if exercise.text and exercise.is_starter(text) and not choices:
        return Verdict(exercise, tuple(_asked(exercise)), gap=_gap(text))
    findings = tuple(judged(kernel, exercise, choices))
    verdict = Verdict(exercise, findings)
    if verdict.passed:
        _failed.pop(exercise.name, None)
        return verdict
    if "compiles" in verdict.failed:
        return verdict
    return Verdict(exercise, findings, _next_hint(exercise, f"{bare(text)} {choices}", verdict.failed))


def _next_hint(exercise, attempt, failed) -> str:
    """The first hint about what fails that no other text has earned; the last one where all are earned."""
    earned = _failed.setdefault(exercise.name, {})
    if attempt not in earned:
        hints = exercise.hints_about(failed) or [""]
        earned[attempt] = next((hint for hint in hints if hint not in earned.values()), hints[-1])
    return earned[attempt]


def _asked(exercise):
    """What is asked, nothing of it judged: the starter is not a failed try."""
    yield Judged("results", "right results, with partial blocks too")
    yield Judged("reports", REPORTS)
    yield from (Judged(gate.count, gate.asked) for gate in exercise.gates)


def _gap(text) -> str:
    """The line of the starter that waits for the reader."""
    for line, code in enumerate(text.split("\n"), 1):
        if "your code" in code.lower() or "todo" in code.lower():
            return f"line {line}: {code.strip()}"
    return ""


@dataclass(frozen=True, repr=False)
class Verdict:
    """What `check` found: `findings` in order, `passed`; `earned` : a hint of the exercise; `gap` of a starter."""

    exercise: object
    findings: tuple
    earned: str = ""
    gap: str = ""

    @property
    def passed(self) -> bool:
        return all(finding.ok for finding in self.findings)

    __bool__ = passed.fget

    @property
    def failed(self) -> list:
        """The keys of the findings that are not right: "results", "reports", a count's name... in order."""
        return [finding.key for finding in self.findings if finding.ok is False]

    @property
    def title(self) -> str:
        """The verdict in a sentence."""
        if self.passed:
            return f"Right: all {len(self.findings)} checks pass."
        wrong = next((finding for finding in self.findings if finding.ok is False), None)
        if wrong is None:
            return "This is still the starter. Asked for:"
        return f"Not yet. First to mend: {wrong.asked}."

    @property
    def hint(self) -> str:
        """The hint that this try has earned, or what to do with the starter."""
        ladder = self.exercise.ladder
        if self.earned in ladder:
            return f"Hint {ladder.index(self.earned) + 1} of {len(ladder)}: {self.earned}"
        if self.earned:
            return f"Hint: {self.earned}"
        if "compiles" in self.failed:
            return "Hints begin with a text that compiles."
        if not self.passed and self.failed == []:
            return "Change it and check again; each try that fails brings a hint."
        return ""

    def __str__(self):
        marks = {True: "ok", False: "NO", None: " -"}
        lines = [self.title]
        for finding in self.findings:
            said = f": {finding.said}" if finding.said else ""
            lines.append(f"  {marks[finding.ok]}  {finding.asked}{said}")
            lines += [f"        {line}" for line in finding.where.split("\n") if line]
        return "\n".join([*lines, *filter(None, [self.gap, self.hint])])

    __repr__ = __str__

    def html(self) -> str:
        """The verdict for a page; all text of the kernel is escaped."""
        kinds = {True: ' class="right"', False: "", None: ' class="open"'}
        items = "".join(
            f"<li{kinds[finding.ok]}>{escape(finding.asked)}"
            + (f": {escape(finding.said)}" if finding.said else "")
            + (f'<pre tabindex="0">{escape(finding.where)}</pre>' if finding.where else "")
            + "</li>"
            for finding in self.findings
        )
        gap = f'<pre tabindex="0">{escape(self.gap)}</pre>' if self.gap else ""
        hint = f'<p class="gs-hint">{prose(self.hint)}</p>' if self.hint else ""
        kind = "gs-judged right" if self.passed else "gs-judged" if self.failed else "gs-judged open"
        return (
            f'<div class="{kind}" role="status"><p>{escape(self.title)}</p><ul>{items}</ul>{gap}{hint}</div>'
        )

    def _repr_html_(self) -> str:
        return dressed(self.html(), script=False)


def solution(exercise) -> Solution:
    """A folded solution of an exercise, with its counts beside it; exercise : its name."""
    exercise = load_exercise(exercise)
    return Solution(exercise)


@dataclass(frozen=True, repr=False)
class Solution:
    """Shows itself folded in a page, and plainly in a terminal."""

    exercise: object

    @property
    def source(self):
        """The annotated source of the counted launch."""
        exercise = self.exercise
        return source(exercise.counted_run(exercise.kernel_of(exercise.solution)))

    def __str__(self):
        return "\n".join(filter(None, [str(self.source), self.exercise.why.replace("`", "")]))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        why = f"<p>{prose(self.exercise.why)}</p>" if self.exercise.why else ""
        folded = f"<summary>Show a solution</summary>{self.source.html()}{why}"
        return dressed(f'<details class="gs-solution">{folded}</details>', script=False)
