"""Races: the plain rule, the sorting that finds them in bulk, and what a launch reports."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpusim as gs
from gpusim.machine.check.racing import NAMES, _worth, find_races
from gpusim.rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE, races

ACCESS = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4), st.integers(0, 1))
KINDS = st.lists(st.sampled_from([READ, WRITE, ATOMIC]), min_size=5, max_size=5)


def test_atomics_do_not_race_with_atomics_but_with_plain_accesses():
    assert races([0, 1], [0, 0], [ATOMIC, ATOMIC], [0, 1]) == []
    assert races([0, 1], [0, 0], [ATOMIC, READ], [0, 1]) == [(0, 1, RAW)]
    assert races([0, 1], [0, 0], [READ, ATOMIC], [0, 1]) == [(0, 1, WAR)]
    assert races([0, 1], [0, 0], [WRITE, ATOMIC], [0, 1]) == [(0, 1, WAW)]


def test_two_writes_of_one_instruction_race_only_with_different_values():
    assert races([0, 1], [0, 0], [WRITE, WRITE], [0, 0], [5, 5]) == []
    assert races([0, 1], [0, 0], [WRITE, WRITE], [0, 0], [5, 6]) == [(1, 0, WAW)]


@settings(max_examples=300, deadline=None)
@given(st.lists(ACCESS, max_size=14), KINDS)
def test_sorting_finds_what_the_plain_rule_finds(accesses, kinds):
    """An instruction reads, writes or is atomic for all its lanes."""
    accesses.sort(key=lambda access: access[2])
    rows = [(party, word, kinds[step], step, value) for party, word, step, value in accesses]
    columns = [np.array(column, int) for column in zip(*rows)] or [np.zeros(0, int)] * 5
    party, word, kind, step, value = columns
    plain = {(later, name) for _, later, name in races(party, word, kind, step, value)}
    earlier, later, name = find_races(party, word, kind, step, value)
    assert {(b, NAMES[n]) for b, n in zip(later.tolist(), name.tolist())} == plain
    assert len(later) == len(races(party, word, kind, step, value))
    assert (party[earlier] != party[later]).all() and (word[earlier] == word[later]).all()


# What a launch reports.


def launch(text, grid, block, *arguments, **options):
    return gs.launch(gs.cuda(text).k, grid, block, *arguments, **options).reports


def floats(n):
    return gs.zeros(n, np.float32)


def summary(reports):
    return [(r.kind.removesuffix(" race"), r.scope, r.count) for r in reports]


def test_the_convolution_without_its_barrier():
    """The lecture's 12 racing reads a block, 98,304 in 8192 blocks."""
    n = 1 << 20
    found = gs.load("conv_no_barrier")[n // 128, 128](floats(n + 2), floats(n)).reports
    assert found.total("read-after-write race", "between warps") == found.total() == 98304
    assert [(r.line, r.other_line, r.array) for r in found] == [(20, 14, "support"), (20, 16, "support")]
    assert gs.load("conv_shared")[n // 128, 128](floats(n + 2), floats(n)).reports == []


@pytest.mark.parametrize(
    "name, without_load_barrier, without_round_barrier", [("v1", 0, 7), ("v2", 224, 128), ("v3", 128, 96)]
)
def test_reductions_without_a_barrier(name, without_load_barrier, without_round_barrier):
    """Racing reads between warps, a block; the interleaved one without its load barrier races inside warps only."""
    text = gs.load(f"reduce_{name}").text
    lines = [i for i, line in enumerate(text.split("\n")) if "__syncthreads" in line]
    for line, races_wanted in zip(lines, (without_load_barrier, without_round_barrier)):
        changed = text.split("\n")
        changed[line] = ""
        kernel = next(iter(gs.cuda("\n".join(changed)).kernels.values()))
        found = kernel[1024, 256](floats(1 << 18), floats(1024)).reports
        assert found.total("read-after-write", "between warps") == races_wanted * 1024
        assert found.total("race") > 0


def test_one_tile_hides_the_missing_barrier_and_two_show_it():
    nearest = gs.cuda("""extern "C" __global__ void nearest(const float* ref, const float* pt, float* best, int nref) {
  __shared__ float tile[64];
  float x = pt[threadIdx.x], d = 1e30f;
  for (int m = 0; m < nref; m += 64) {
    tile[threadIdx.x] = ref[m + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
  }
  best[threadIdx.x] = d;
}""").nearest
    assert nearest[1, 64](floats(64), floats(64), floats(64), 64).reports == []
    (report,) = nearest[1, 64](floats(128), floats(64), floats(64), 128).reports
    assert (report.kind, report.scope, report.count) == ("write-after-read race", "between warps", 64)
    assert (report.line, report.other_line, report.array) == (5, 7, "tile")
    assert report.thread == (0, 0, 0) and report.other_thread[0] >= 32
    assert "at the end of the loop, after line 7" in report.hint


TALLY = """__global__ void k(int *out) {{
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  {};
  __syncthreads();
  if (threadIdx.x == 0) out[0] = n;
}}"""


@pytest.mark.parametrize("block, scope", [(2, "inside a warp"), (64, "between warps")])
def test_a_shared_sum_without_an_atomic(block, scope):
    (report,) = launch(TALLY.format("n += 1"), 1, block, gs.zeros(1, np.int32))
    assert (report.scope, report.count, report.line, report.other_line) == (scope, block, 5, 5)
    out = gs.zeros(1, np.int32)
    run = gs.launch(gs.cuda(TALLY.format("atomicAdd(&n, 1)")).k, 1, block, out)
    assert (
        run.reports == []
        and gs.asnumpy(out)[0] == block
        and run.counts.shared_atomic_requests == -(-block // 32)
    )


@pytest.mark.parametrize(
    "body, wanted",
    [
        ("s[t / 2] = t; __syncthreads(); out[t] = s[t / 2];", [("write-after-write", "inside a warp", 32)]),
        ("s[t % 32] = t; __syncthreads(); out[t] = s[t % 32];", [("write-after-write", "between warps", 32)]),
        ("s[0] = 5; __syncthreads(); out[t] = s[0];", []),  # all write the same value
        ("atomicAdd(&s[t % 4], 1.0f); out[t] = s[t % 4];", [("read-after-write", "between warps", 64)]),
        ("if (t == 0) s[0] = 0; atomicAdd(&s[0], 1.0f);", [("write-after-write", "between warps", 32)]),
        ("s[t] = s[63 - t];", [("write-after-read", "between warps", 64)]),
        ("s[t] = s[t] + 1;", []),
        ("if (t < 32) { s[t] = t; __syncwarp(); out[t] = s[31 - t]; }", []),
        ("if (t < 32) { s[t] = t; out[t] = s[31 - t]; }", [("read-after-write", "inside a warp", 32)]),
        (
            "volatile float *v = s; if (t < 32) { v[t] = t; out[t] = v[31 - t]; }",
            [("read-after-write", "inside a warp", 32)],
        ),
    ],
)
def test_races_on_shared_memory(body, wanted):
    text = f"__global__ void k(float *out) {{ __shared__ float s[64]; int t = threadIdx.x; s[t] = 1; __syncthreads(); {body} }}"
    assert summary(launch(text, 1, 64, floats(64))) == wanted


def test_lanes_run_in_step_on_cards_before_volta():
    text = "__global__ void k(float *out) { __shared__ float s[32]; int t = threadIdx.x; s[t] = t; out[t] = s[31 - t]; }"
    assert launch(text, 1, 32, floats(32), gpu=gs.GTX_980) == []


@pytest.mark.parametrize(
    "body, wanted",
    [
        ("a[0] = a[0] + 1;", [("write-after-read", "between blocks", 1)]),
        ("a[i] = i; out[i] = a[(i + 64) % 256];", [("read-after-write", "between blocks", 256)]),
        ("a[i % 64] = i;", [("write-after-write", "between blocks", 64)]),
        ("a[0] = 7;", []),
        ("a[i] = i; out[i] = a[i];", []),
        ("a[i] = i; __syncthreads(); out[i] = a[64 * blockIdx.x + 63 - threadIdx.x];", []),
        (
            "a[i] = i; out[i] = a[64 * blockIdx.x + 63 - threadIdx.x];",
            [("read-after-write", "between warps", 256)],
        ),
        ("atomicAdd(&a[0], 1.0f); out[i] = a[0];", [("read-after-write", "between blocks", 1)]),
        ("atomicAdd(&a[0], 1.0f); if (i == 3) a[0] = 0;", [("write-after-write", "between blocks", 1)]),
        ("out[i] = a[0]; if (i < 9) a[100 + i] = 1;", []),
    ],
)
def test_races_on_global_memory(body, wanted):
    text = f"__global__ void k(float *a, float *out) {{ int i = blockIdx.x * 64 + threadIdx.x; {body} }}"
    for chunk in (1 << 16, 64):
        assert summary(launch(text, 4, 64, floats(256), floats(256), chunk=chunk)) == wanted


def test_a_report_names_both_parties_and_the_cure():
    text = "__global__ void k(float *out) {\n  __shared__ float s[64];\n  s[threadIdx.x] = 1;\n  out[threadIdx.x] = s[63 - threadIdx.x];\n}"
    (report,) = launch(text, 1, 64, floats(64))
    assert (
        str(report)
        == """kernel.cu:4:22: read-after-write race: thread (0,0,0) in block (0,0,0) reads s[63], which thread (63,0,0) of another warp writes; no barrier stands between, so it may read too early
  out[threadIdx.x] = s[63 - threadIdx.x];
                     ^
kernel.cu:3:3: the other access
  s[threadIdx.x] = 1;
  ^
64 times in all
hint: put __syncthreads() between line 3 and line 4"""
    )
    assert "<pre" in report._repr_html_() and "__syncthreads()" in report._repr_html_()
    with pytest.raises(gs.GpusimError, match="reads s.63."):
        launch(text, 1, 64, floats(64), strict=True)


@pytest.mark.parametrize("order", ["forward", "reverse", "random:5", "threads"])
def test_races_are_found_in_every_order(order):
    found = gs.launch(
        gs.load("conv_no_barrier"), 8, 128, floats(8 * 128 + 2), floats(8 * 128), order=order
    ).reports
    assert found.total("race", "between warps") >= 12 * 8


# One owner: arrays that need no watching.

ADDRESS = st.sampled_from(
    [
        "i",
        "j * {w} + i",
        "(j * {w} + i) * 2",
        "j * {w} + i + {k}",
        "i % {w}",
        "(i + k * 64) * 3",
        "threadIdx.x",
        "i / 2",
        "j * {w} + i * 2 + k % 2",
        "k * 512 + j * {w} + i",
        "blockIdx.x",
        "{k}",
    ]
)
GUARD = st.sampled_from(
    ["", "if (i < {w})", "if (threadIdx.x == 0)", "if (i < {w} && j < 3)", "if (threadIdx.x % 4 == 0)"]
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(ADDRESS, GUARD, st.booleans()), min_size=1, max_size=2),
    st.integers(1, 40),
    st.integers(0, 3),
    st.sampled_from([((3, 2), (8, 4)), ((4, 1), (32, 1)), ((1, 1), (16, 2))]),
)
def test_arrays_shown_to_have_one_owner_an_element_do_not_race(accesses, w, k, shape):
    """Whatever the closed form clears, the check that watches every access clears too."""
    lines = [
        (guard + (" a[" + where + "] = i;" if write else " out[i] = a[" + where + "];")).format(w=w, k=k)
        for where, guard, write in accesses
    ]
    text = (
        "__global__ void k(float *a, float *out) { int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;"
        " for (int k = 0; k < 4; k++) { " + " ".join(lines) + " } }"
    )
    kernel, (grid, block) = gs.cuda(text).k, shape
    quick = gs.launch(kernel, grid, block, floats(4096), floats(4096)).reports
    kernel.uncountable = gs.NotCountable("watch every access")
    watched = gs.launch(kernel, grid, block, floats(4096), floats(4096)).reports
    assert summary(quick) == summary(watched)


REVERSED = """__global__ void k(const float *in, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[63 - t] + s[t ^ 1];
}"""


def hints(text, threads=64):
    arrays = gs.full(threads, 1, np.float32), gs.zeros(threads, np.float32)
    return [report.hint for report in gs.cuda(text).k[1, threads](*arrays).reports]


def test_one_missing_barrier_is_asked_for_once():
    assert hints(REVERSED) == [
        "put __syncthreads() between line 4 and line 5",
        "the __syncthreads() between line 4 and line 5, asked for above, repairs this as well",
    ]
    assert hints(REVERSED.replace("out[t]", "__syncthreads(); out[t]")) == []


def test_a_barrier_of_one_warp_does_not_repair_a_race_between_warps():
    far = REVERSED.replace("s[63 - t] + s[t ^ 1]", "s[t ^ 1];\n    out[t] += s[63 - t]")
    assert hints(far) == [
        "put __syncthreads() between line 4 and line 6",
        "put __syncwarp() between line 4 and line 5",
    ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(ACCESS, min_size=1, max_size=40),
    st.lists(st.sampled_from([READ, READ, READ, WRITE]), min_size=5, max_size=5),
)
def test_reads_that_come_before_all_else_of_their_word_need_not_all_be_compared(accesses, kinds):
    accesses.sort(key=lambda access: access[2])
    party, word, step, value = (
        np.array(column, np.int64) for column in zip(*[(a[0], a[1], a[2], a[3]) for a in accesses])
    )
    kind = np.array(kinds, np.int64)[step]
    whole = [part.tolist() for part in find_races(party, word, kind, step, value)]
    kept = _worth(party, word, kind, step)
    if kept is not None:
        earlier, later, name = find_races(party[kept], word[kept], kind[kept], step[kept], value[kept])
        assert [kept[earlier].tolist(), kept[later].tolist(), name.tolist()] == whole


def test_an_in_place_step_of_many_bodies_is_judged_soon():
    body = """__global__ void k(float4 *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; float f = 0;
    for (int j = 0; j < n; j++) f += (p[j].x - p[i].x) * (p[j].y - p[i].y);
    p[i].x += f;
}"""
    begun = time.process_time()
    (report,) = launch(body, 4, 256, floats(4096), 1024)
    assert (report.kind, report.count) == ("write-after-read race", 1024) and time.process_time() - begun < 5


def test_words_that_two_read_and_a_third_writes_are_judged_however_many_they_are():
    """Thinning keeps both reads of each word: what is left is no less, and is judged all the same."""
    words = 3000
    word = np.repeat(np.arange(words), 3)
    party, kind, step = (np.tile(each, words) for each in ([0, 1, 2], [READ, READ, WRITE], [0, 0, 1]))
    earlier, later, name = find_races(party, word, kind, step)
    assert {NAMES[each] for each in name} == {WAR}
    assert sorted(word[later]) == list(range(words))
