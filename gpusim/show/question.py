"""Questions answered in the page: choose or type, then see why. The right answer is a computed value."""

from __future__ import annotations

import dataclasses
import hashlib
import json

from .page import dressed, escape, number, prose


def ask(question, options=None, *, answer, why="", unit="", tolerance=0.0, remarks=None) -> Question:
    """A question with one answer, judged in the built page with no kernel, and in a notebook alike.

    question : str; text between backticks is code
    options : the choices in order, or a dict from each choice to what to say to a reader who takes it;
        None: the reader types a number
    answer : the right value, best the result of a run; with options it must be one of them
    why : str, what the reader sees after the right answer, and under "Show the answer"
    unit : str, behind a typed number or each number among the options
    tolerance : float, how far from `answer` a typed number may lie, as a part of it; 0 asks for the exact one
    remarks : dict from a wrong number to what to say to a reader who types it, within the same tolerance;
        for typed numbers only, since options carry theirs

    >>> ask("How many sectors?", [4, 8, 32], answer=8, why="Stride 2 spreads 128 bytes over 256.")
    Question('How many sectors?', answer=8)
    >>> ask("How many bytes move?", answer=256, remarks={128: "Those are used; whole sectors move."})
    Question('How many bytes move?', answer=256)
    """
    remarks = dict(remarks or {})
    if options is None:
        _check_remarks(remarks, answer, tolerance)
        return Question(question, None, answer, why, unit, float(tolerance), remarks)
    if remarks:
        raise ValueError("remarks are for typed numbers; options carry theirs: {option: what to say}")
    told = dict(options) if isinstance(options, dict) else {option: "" for option in options}
    if answer not in told:
        raise ValueError(f"the answer {answer!r} is not among the options {list(told)}")
    return Question(question, told, answer, why, unit, 0.0)


def _check_remarks(remarks, answer, tolerance):
    """No wrong number is taken for the right one, nor for another wrong one."""
    taken = [answer]
    for wrong in remarks:
        if any(abs(wrong - other) <= tolerance * max(abs(wrong), abs(other)) for other in taken):
            raise ValueError(f"a remark on {wrong!r} can't be told from {taken}: tolerance is {tolerance}")
        taken.append(wrong)


@dataclasses.dataclass(frozen=True, repr=False)
class Question:
    """A question with what is needed to judge an answer; `ask` makes it."""

    question: str
    options: dict | None
    answer: object
    why: str
    unit: str
    tolerance: float
    remarks: dict = dataclasses.field(default_factory=dict)

    def text(self, value) -> str:
        """A value as the reader sees it."""
        unit = f" {self.unit}" if self.unit and not isinstance(value, str) else ""
        return f"{number(value)}{unit}"

    def html(self) -> str:
        right = prose(self.text(self.answer))
        why = prose(self.why)
        return (
            f'<div class="gs-ask"><form autocomplete="off">'
            f"<fieldset><legend>{prose(self.question)}</legend>{self._inputs()}"
            f'<button type="submit">Check</button></fieldset>'
            f'<p class="gs-verdict" role="status"></p></form>'
            f"<details><summary>Show the answer</summary><p>{right}. {why}</p></details>"
            f'<script type="application/json" class="gs-data">{self._judgement(right, why)}</script></div>'
        )

    def _inputs(self) -> str:
        name = "q" + hashlib.sha256(self.question.encode()).hexdigest()[:8]
        if self.options is None:
            unit = f" {escape(self.unit)}" if self.unit else ""
            return (
                f'<label class="gs-typed" for="{name}"><span>Your number</span>'
                f'<input id="{name}" name="answer" type="text" inputmode="decimal" size="12">{unit}</label>'
            )
        choices = (
            f'<label><input type="radio" name="answer" value="{place}"> <span>{text}</span></label>'
            for place, text in enumerate(prose(self.text(option)) for option in self.options)
        )
        return f'<div class="gs-options">{"".join(choices)}</div>'

    def _judgement(self, right: str, why: str) -> str:
        """What the player needs: the answer as a number or its place among the options, and what to say.

        "remarks" are in the order of the options or, for a typed number, of the wrong numbers in "wrong".
        """
        typed = self.options is None
        answer = float(self.answer) if typed else list(self.options).index(self.answer)
        remarks = self.remarks if typed else self.options
        judgement = {
            "answer": answer,
            "tolerance": self.tolerance,
            "wrong": [float(wrong) for wrong in self.remarks] if typed else None,
            "remarks": [prose(remark) for remark in remarks.values()],
            "why": why,
            "right": right,
        }
        return json.dumps(judgement, ensure_ascii=False).replace("<", "\\u003c")

    def _repr_html_(self) -> str:
        return dressed(self.html())

    def __repr__(self):
        return f"Question({self.question!r}, answer={self.answer!r})"
