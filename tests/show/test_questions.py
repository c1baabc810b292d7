"""Questions answered in the page: the right answer is computed, a wrong one is told why."""

import json
import re

import pytest

from gpusim.show.question import ask


def judgement(question):
    """What the page's script reads."""
    return json.loads(re.search(r'class="gs-data">(.*?)</script>', question.html())[1])


def test_the_answer_is_a_place_among_the_options():
    question = ask(
        "How many?", {4: "At stride 1.", 12: "", 32: ""}, answer=12, why="384 bytes.", unit="sectors"
    )
    assert judgement(question) == {
        "answer": 1,
        "tolerance": 0.0,
        "wrong": None,
        "remarks": ["At stride 1.", "", ""],
        "why": "384 bytes.",
        "right": "12 sectors",
    }


def test_a_typed_answer_is_compared_as_a_number():
    question = ask("How many bytes?", answer=17301504, unit="bytes", tolerance=0.01)
    assert judgement(question)["answer"] == 17301504
    assert judgement(question)["wrong"] == judgement(question)["remarks"] == []


def test_a_usual_wrong_number_has_its_remark():
    question = ask(
        "How many bytes?", answer=384, remarks={128: "`Used`, not moved.", 12: "Those are sectors."}
    )
    assert judgement(question)["wrong"] == [128, 12]
    assert judgement(question)["remarks"] == ["<code>Used</code>, not moved.", "Those are sectors."]


@pytest.mark.parametrize("wrong", [384, 383, 200])
def test_a_remark_on_the_answer_or_twice_on_one_number_is_refused(wrong):
    with pytest.raises(ValueError, match="can't be told from"):
        ask("How many bytes?", answer=384, tolerance=0.01, remarks={200.5: "", wrong: ""})


def test_remarks_beside_options_are_refused():
    with pytest.raises(ValueError, match="options carry theirs"):
        ask("How many?", [1, 2], answer=2, remarks={1: "One more."})


def test_an_answer_that_is_no_option_is_refused():
    with pytest.raises(ValueError, match="not among the options"):
        ask("How many?", [1, 2], answer=3)


def test_text_is_escaped_and_code_is_code():
    html = ask("Is `a < b`?", ["<yes>", "no"], answer="no").html()
    assert "<code>a &lt; b</code>" in html and "&lt;yes&gt;" in html
    assert "<yes>" not in html


def test_the_answer_stands_folded_for_a_page_without_script():
    html = ask("How many?", [1, 2], answer=2, why="Two warps.").html()
    assert "<details><summary>Show the answer</summary><p>2. Two warps.</p></details>" in html
