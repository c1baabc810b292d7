"""Endings: what a loop's text tells about its end, and that no loop is said to be endless that is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpusim as gs
from gpusim.cuda.analysis.data import mark_data
from gpusim.cuda.analysis.endings import ending
from gpusim.cuda.front import parse
from gpusim.cuda.tree import nodes as t
from gpusim.cuda.tree.walks import walk
from gpusim.machine.lanes import progress


def end(statements):
    """The Ending of the first loop among statements about int i, j, x, n, float f and int *a."""
    unit = parse(
        "__device__ int twice(int v) { return 2 * v; } __device__ void up(int &v) { v++; }"
        f"__global__ void k(int *a, int n) {{ int i = 0, j = 0, x = 0; unsigned u = 9; float f = 0; {statements} }}"
    )
    kernel = unit.kernels["k"]
    mark_data(kernel)
    found = ending(next(n for n in walk(kernel.body) if isinstance(n, (t.For, t.While, t.DoWhile))))
    names = None if found.watched is None else {s.name for s in found.watched}
    return "surely" if found.surely else "likely" if found.counts else None, names, found.memory


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for (; i < n; i++) x += a[i];", ("surely", {"i", "n"}, False)),
        ("while (i < n) { x += i; i += 2; }", ("surely", {"i", "n"}, False)),
        ("do x++; while (++x, i++ < n);", (None, {"i", "n", "x"}, False)),
        ("for (; i < n; i += blockDim.x) x++;", ("likely", {"i", "n"}, False)),
        ("for (; f < 1.0f; f += 0.1f) x++;", ("likely", {"f"}, False)),
        ("for (i = 64; i > 0; i >>= 1) x++;", ("likely", {"i"}, False)),
        ("while (true) { if (i >= n) break; i++; }", ("surely", {"i", "n"}, False)),
        ("while (x != 5 && i < n) { x = x * 3; i++; }", ("surely", {"i", "n", "x"}, False)),
        ("while (i < a[n]) i++;", ("surely", {"a", "i", "n"}, True)),
        ("while (i < a[n]) { i++; a[i] = i; }", (None, {"a", "i", "n"}, True)),
        ("while (1) x++;", (None, set(), False)),
        ("for (;;) { x += a[0]; a[1] = x; }", (None, set(), False)),
        ("for (; u >= 0; u--) x++;", (None, set(), False)),
        ("for (; i < n; i--) x++;", (None, set(), False)),
        ("while (i < n) x += i;", (None, {"i", "n"}, False)),
        ("while (i < n) { x += j; i = x > 9 ? x : i; }", (None, {"i", "j", "n", "x"}, False)),
        ("while (i < n) { if (j > 3) i++; f += 1; }", (None, {"i", "j", "n"}, False)),
        ("while (i < n) { if (j > 3) continue; i++; }", (None, {"i", "j", "n"}, False)),
        ("while (i < n) { for (j = 0; j < x; j++) i++; }", (None, {"i", "j", "n", "x"}, False)),
        ("while (i != n) i += 2;", (None, {"i", "n"}, False)),
        ("while (i < n) { i++; n++; }", (None, {"i", "n"}, False)),
        ("while (i < n) { i++; i--; }", (None, {"i", "n"}, False)),
        ("while (twice(i) < n) { x++; i = twice(x); }", (None, None, False)),
        ("while (i < n) { up(i); }", (None, None, True)),
        ("int *p = &i; while (i < n) { (*p)++; }", (None, None, True)),
        ("while (atomicAdd(a, 1) < n) x++;", (None, {"a", "n"}, True)),
        ("while (i < n) { assert(x < 9); x++; }", (None, None, True)),
    ],
)
def test_what_decides_about_a_loop(loop, expected):
    counts, watched, memory = end(loop)
    if "twice" in loop:
        assert counts is None and watched >= {"i", "x", "n"}
    else:
        assert (counts, watched, memory) == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("while (1) x++;", "its condition is always true, and nothing in it leaves it"),
        ("for (unsigned u = 9; u >= 0; u--) x += u;", "its condition is always true"),
        ("for (int i = 0; i < n; i--) x++;", "its condition is always true"),
        (
            "int i = 0; while (i < n) x++;",
            "n and i, which decide whether it goes on, are what they were before",
        ),
        ("for (int i = 0; i < n; i *= 2) x++;", "n and i, which decide"),
        ("for (int i = 0; i < n; i += x) a[0] += 1;", "x and i, which decide|n, x and i, which decide"),
        ("while (1) for (int j = 0; j < 9; j++) x += j;", "its condition is always true"),
        ("int i = 0; while (i < n) { for (int j = 0; j < 9; j++) x += j; }", "n and i, which decide"),
        (
            "unsigned h = n; while (h != 12345u) h = h * 1664525u + 1013904223u;",
            "times round this loop, no thread has left it",
        ),
        ("while (atomicAdd(a, 1) >= 0) x++;", "times round this loop, no thread has left it"),
    ],
)
@pytest.mark.slow
@pytest.mark.parametrize("block", [1, 64])
def test_loops_whose_values_change_for_ever(body, message, block):
    kernel = gs.cuda(f"__global__ void k(int *a, int n) {{ int x = 0; {body} a[0] = x; }}").k
    with pytest.raises(gs.StepLimit, match=message):
        kernel[2, block](gs.zeros(4, "i4"), 5)
    if "atomic" not in body:
        with pytest.raises(gs.GpusimError):
            gs.count(kernel, 2, block, gs.spec(4, "i4"), 5)


@pytest.mark.slow
def test_a_loop_that_is_only_suspected_may_be_allowed_more():
    kernel = gs.cuda("__global__ void k(int *a) { int p = 0; while (p >= 0) p = a[p]; a[0] = p; }").k
    chain = [*range(1, 30_000), -1]
    assert kernel[1, 1](gs.asarray(chain, "i4")).counts.global_load_requests == 30_000
    with pytest.raises(gs.StepLimit, match="after 20,000 steps") as stopped:
        kernel[1, 1](gs.asarray(chain, "i4"), step_limit=20_000)
    assert "step_limit=200000" in stopped.value.hint


EXPRESSION = st.sampled_from(
    [
        "i",
        "j",
        "x",
        "n",
        "0",
        "1",
        "3",
        "i + 1",
        "j - 1",
        "x * 2",
        "i ^ j",
        "x % 7",
        "t",
        "a[1]",
        "a[t]",
        "i / 2",
        "~x",
        "f > 2",
    ]
)
CONDITION = st.builds(
    lambda a, op, b: f"{a} {op} {b}",
    EXPRESSION,
    st.sampled_from(["<", ">", "!=", "==", "<=", ">="]),
    EXPRESSION,
)


@st.composite
def body(draw, depth=0):
    kinds = ["{v} = {e};", "{v} += {e};", "{v}++;", "if ({c}) {v} = {e};", "if ({c}) break;", "if ({c}) continue;",
             "if ({c}) return;", "a[t] = {e};", "a[{v} & 3] += {e};", "f = f * 0.5f + ({e});", "if ({c}) {{ {v}--; j++; }}"]  # fmt: skip
    if depth == 0:
        kinds += [
            "for (int q = 0; q < {e}; q++) {{ {b} if (q > 40) break; }}",
            "while ({c}) {{ {b} if (x++ > 30) break; }}",
        ]
    inner = draw(body(1)) if depth == 0 else ""
    parts = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    return " ".join(
        part.format(v=draw(st.sampled_from("ijx")), e=draw(EXPRESSION), c=draw(CONDITION), b=inner)
        for part in parts
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    CONDITION, body(), st.sampled_from(["", "i++", "j--", "i += n", "x = x * 3 + 1"]), st.sampled_from([1, 3])
)
def test_a_loop_that_is_said_never_to_end_does_not(condition, inside, step, threads):
    text = (
        "__global__ void k(int *a, int n) { int t = threadIdx.x, i = 0, j = 5, x = 1; float f = 1; "
        f"for (; {condition}; {step}) {{ {inside} }} a[t] = x; }}"
    )
    kernel = gs.cuda(text).k

    def stopped(limit):
        try:
            kernel[1, threads](gs.zeros(4, "i4"), 2, step_limit=limit, bounds="report", checks=False)
        except gs.StepLimit as error:
            return error.message
        return ""

    said = stopped(1500)
    if "never ends" not in said and "to change" not in said:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress.Progress, "_look", lambda *_: None)
        patch.setattr(progress, "_refuse_to_wait", lambda *_: None)
        assert "still runs" in stopped(6000), text
