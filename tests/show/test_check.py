"""gs.check: starters fail kindly, solutions pass, every wrong kernel fails for its own reason."""

import re

import numpy as np
import pytest

import gpusim as gs
from gpusim.library import folder
from gpusim.show.exercises import Case, Exercise, Output, at_least, at_most, load_exercise, verdict

NAMES = sorted(path.stem for path in folder("exercises").glob("*.py"))
ZOO = [(name, wrong) for name in NAMES for wrong in load_exercise(name).zoo]
TEXT = """__global__ void twice(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
//@ starter
    // your code
//@ solution
    if (i < n) out[i] = 2 * in[i];
//@ wrong no-guard: runs
    out[i] = 2 * in[i];
//@ end
}
"""


def case(random, n, block=32):
    x = random.standard_normal(n).astype(np.float32)
    return Case(-(-n // block), block, {"in": x, "out": Output(n), "n": n}, {"out": 2 * x})


def exercise(**changes):
    given = dict(kernel="twice", case=case, sizes=[{"n": 100}, {"n": 77}], hints=["one", "two `x`"],
                 name="twice",
                 gates=[at_most("global_load_sectors_per_request", 4), at_least("global_store_requests", 1)],
                 text=TEXT)  # fmt: skip
    return Exercise(**{**given, **changes})


@pytest.fixture(autouse=True)
def no_tries(monkeypatch):
    monkeypatch.setattr(verdict, "_failed", {})


def written(line):
    return TEXT.split("//@")[0] + line + "\n}"


# ---- the exercises of the book ----


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_a_starter_fails_kindly(name):
    made = load_exercise(name)
    verdict = gs.check(made.starter, name)
    assert not verdict.passed and verdict.failed == []
    assert "still the starter" in str(verdict) and "each try that fails brings a hint" in str(verdict)
    touched = gs.check(
        made.starter + "\n// tried\n#define TRIED 1\n", name
    )  # no longer the starter to the letter
    assert not touched.passed and touched.hint.startswith(("Hint 1 of", "Hint: "))


@pytest.mark.parametrize("name", NAMES)
def test_a_solution_passes(name):
    verdict = gs.check(load_exercise(name).solution, name)
    assert verdict.passed, str(verdict)
    assert verdict.title.startswith("Right")


@pytest.mark.slow
@pytest.mark.parametrize("name, wrong", ZOO)
def test_a_wrong_kernel_fails_for_its_reason_and_is_told_what_belongs_to_it(name, wrong):
    made = load_exercise(name)
    reason = made.zoo[wrong]
    about = [said for key, said in made.keyed if key == reason]
    verdict = gs.check(made.variant(wrong), name)
    assert reason in verdict.failed, str(verdict)
    if about and verdict.failed[0] == reason:
        assert verdict.hint == f"Hint: {about[0]}"
    else:
        assert verdict.hint


@pytest.mark.parametrize("name", NAMES)
def test_the_sizes_have_partial_blocks_and_more_than_two_blocks(name):
    cases = [case for _, case in load_exercise(name).cases()]
    grids = {int(np.prod(case.grid)) for case in cases}
    assert max(grids) > 2 or grids == {1}  # a kernel of one block by its nature
    numbers = [
        (n, np.prod(case.block)) for case in cases for n in case.arguments.values() if isinstance(n, int)
    ]
    assert not numbers or any(n % threads for n, threads in numbers)


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_has_hints_and_limits(name):
    made = load_exercise(name)
    assert made.hints and made.gates and len(made.zoo) >= 2
    assert made.starter != made.solution


@pytest.mark.parametrize("name", NAMES)
def test_a_hint_about_a_finding_is_about_one_that_can_fail(name):
    made = load_exercise(name)
    known = {"runs", "results", "reports", *(gate.count for gate in made.gates)}
    assert {key for key, _ in made.keyed} <= known and made.ladder


def test_there_are_exercises():
    assert len(NAMES) >= 5


# ---- the judge ----


def test_wrong_results_name_the_element_the_size_and_the_line():
    verdict = gs.check(written("if (i < n) out[i] = 3 * in[i];"), exercise())
    assert verdict.failed == ["results"]
    said = next(finding for finding in verdict.findings if finding.key == "results")
    assert re.match(
        r"out\[0\] is \S+, expected \S+; 100 of 100 elements differ \(n = 100; grid 4, block 32\)", said.said
    )
    assert said.where.split("\n")[
        1
    ].strip() == "if (i < n) out[i] = 3 * in[i];" and said.where.rstrip().endswith("^")
    assert all(finding.ok is None for finding in verdict.findings if finding.key.startswith("global"))


def test_a_kernel_that_stores_nothing_is_told_so():
    assert "nothing is ever stored in out" in str(gs.check(written("if (i < n) i += 1;"), exercise()))


def test_a_missing_guard_shows_thread_line_and_caret():
    verdict = gs.check(exercise().variant("no-guard"), exercise())
    assert verdict.failed == ["runs"] and "block (3,0,0) thread (4,0,0)" in str(verdict)


def test_a_text_that_does_not_compile_shows_the_place():
    verdict = gs.check(written("out[i] = 2 * inn[i];"), exercise())
    assert verdict.failed == ["compiles"] and "line 3:" in str(verdict) and "^" in str(verdict)


def test_an_endless_loop_ends():
    verdict = gs.check(written("for (int s = n; s > 0; s -= 0) { out[i % n] = s; }"), exercise())
    assert verdict.failed == ["runs"]


def test_a_count_beyond_its_limit_shows_the_access():
    text = written("if (i < n) { float x = in[(32 * i) % n]; out[i] = x - x + 2 * in[i]; }")
    verdict = gs.check(text, exercise())
    finding = next(
        finding for finding in verdict.findings if finding.key == "global_load_sectors_per_request"
    )
    assert not finding.ok and "in[(32 * i) % n]" in finding.where


def test_each_new_failed_text_brings_the_next_hint_and_a_pass_starts_anew():
    def hint(line):
        return gs.check(written(line), exercise()).hint

    assert hint("i = 1;") == "Hint 1 of 2: one" == hint("i  =  1; // the same")
    assert hint("i = 2;") == "Hint 2 of 2: two `x`" == hint("i = 3;")
    assert gs.check(exercise().solution, exercise()).passed
    assert hint("i = 4;") == "Hint 1 of 2: one"


@pytest.mark.parametrize("text", ["", "not C", "__global__ void twice(int n) { n = ; }"])
def test_what_does_not_compile_earns_no_hint_and_costs_none(text):
    assert gs.check(text, exercise()).hint == "Hints begin with a text that compiles."
    assert gs.check(written("i = 1;"), exercise()).hint == "Hint 1 of 2: one"


def test_hints_follow_what_fails():
    made = exercise(hints=["one", ("runs", "check i"), "two", ("results", "twice")])
    hints = [
        gs.check(written(line), made).hint
        for line in (
            "out[i] = 2;",
            "i = 1;",
            "if (i < n) out[i] = 3;",
            "out[i] = 3;",
            "i = 2;",
            "out[i] = 2;",
        )
    ]
    assert hints == [
        "Hint: check i",
        "Hint: twice",
        "Hint 1 of 2: one",
        "Hint 2 of 2: two",
        "Hint 2 of 2: two",
        hints[0],
    ]


def test_the_reader_may_choose_the_block():
    made = exercise(gates=[at_least("simd_efficiency", 0.9)], sizes=[{"n": 1000}])
    assert gs.check(made.solution, made, block=64).passed
    assert gs.check(made.solution, made, block=20).failed == ["simd_efficiency"]


def test_programs_and_kernels_are_judged_as_texts_are():
    program = gs.cuda(exercise().solution)
    assert gs.check(program, exercise()).passed and gs.check(program.twice, exercise()).passed


def test_a_kernel_in_python_is_judged_as_well():
    @gs.kernel
    def twice(t, a, b, n):
        i = t.blockIdx.x * t.blockDim.x + t.threadIdx.x
        with t.where(i < n):
            t.store(b, i, 2 * t.load(a, i))

    @gs.kernel
    def thrice(t, a, b, n):
        i = t.blockIdx.x * t.blockDim.x + t.threadIdx.x
        with t.where(i < n):
            t.store(b, i, 3 * t.load(a, i))

    assert gs.check(twice, exercise()).passed
    assert gs.check(thrice, exercise()).failed == ["results"] and "t.store(b" in str(
        gs.check(thrice, exercise())
    )


def test_a_verdict_is_escaped():
    hostile = written('if (i < n) out[i] = 3 * in[i]; // <script>alert("x")</script>')
    page = gs.check(hostile, exercise())._repr_html_().split("</style>")[-1]
    assert "<script>" not in page and "&lt;script&gt;alert(&quot;x&quot;)" in page
    assert 'role="status"' in page and '<p class="gs-hint">' in page


def test_a_solution_is_folded_and_has_its_counts():
    page = gs.solution("transpose_shared")._repr_html_()
    assert '<details class="gs-solution"><summary>' in page and 'class="gs-src"' in page
    assert "tile[32][33]" in str(gs.solution("transpose_shared"))


def test_an_unknown_exercise_or_count_suggests_the_known_one():
    with pytest.raises(gs.GpusimError, match="did you mean 'transpose_shared'"):
        gs.check("", "transpose_sharde")
    with pytest.raises(gs.GpusimError, match="no exercise"):
        gs.check("", "../check")
    with pytest.raises(ValueError, match="'global_load_sectors'"):
        at_most("global_load_sector", 3)
