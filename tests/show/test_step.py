"""gs.step: one warp through its kernel, one slider."""

import re

import numpy as np
import pytest
from needed import need

import gpusim as gs

need("matplotlib")

TEXT = """__global__ void k(const float *in, float *out, int n) {
    __shared__ float tile[1024];     // <b>hostile</b>
    int t = threadIdx.x;
    if (t < 16) {
        out[t] = 0;
    }
    tile[32 * t] = in[t];
    __syncthreads();
    for (int i = 0; i < t % 3; i++) {
        out[t] = tile[32 * t] * 2.0f;
    }
}"""


def explorer(**options):
    run = gs.cuda(TEXT).k[2, 32](gs.full(64, 1.0, np.float32), gs.zeros(64, np.float32), 64)
    return gs.step(run, 1, 0, **options)


def frames(explorer):
    return [explorer.frame(at) for at in explorer.settings()]


def test_the_steps_are_accesses_branches_barriers_and_loops_that_lanes_leave():
    events = explorer().figure.events
    kinds = [events[place].kind for place in explorer().figure.places]
    assert kinds == [
        "branch",
        "store",
        "load",
        "store",
        "barrier",
        "loop",
        "load",
        "store",
        "loop",
        "load",
        "store",
    ]


def test_the_line_of_the_step_is_lit_and_its_lanes_are_counted():
    first, second = frames(explorer())[:2]
    assert re.search(r"<tr class=now>.*?<td class=n>4</td>", first.picture)
    assert first.counts["active lanes"] == "32 of 32" and second.counts["active lanes"] == "16 of 32"
    assert "16 lanes take the first side, 16 the other" in first.picture


def test_the_counts_add_up_to_those_of_the_warp():
    last = frames(explorer())[-1].counts
    run = gs.cuda(TEXT).k[1, 32](gs.full(64, 1.0, np.float32), gs.zeros(64, np.float32), 64)
    counts = run.counts
    assert int(last["wavefronts"]) == counts.shared_load_wavefronts + counts.shared_store_wavefronts
    assert int(last["sectors"]) == counts.global_load_sectors + counts.global_store_sectors
    assert int(last["divergent branches"]) == counts.divergent_branches + counts.divergent_loops
    assert last["barriers"] == "1"


def test_it_opens_at_the_step_that_costs_most():
    made = explorer()
    assert made.setting(made.start) == {"step": 4}  # 32 lanes store into one bank
    assert made.frame(made.start).counts["wavefronts"] == "32"
    assert explorer(start=2).start == (1,)


def test_all_pictures_have_one_height():
    assert len({re.search(r'viewBox="([^"]*)"', frame.picture)[1] for frame in frames(explorer())}) == 1


def test_the_text_is_escaped_and_every_picture_has_words():
    for frame in frames(explorer()):
        assert "<b>" not in frame.picture and "&lt;b&gt;hostile" in frame.picture
        assert re.search(r'role="img" aria-label="[^"]{20,}"', frame.picture)


def test_a_long_walk_is_cut_and_says_so():
    made = explorer(most=3)
    assert len(made.axes[0].values) == 3 and "The first 3 of 11 steps" in made.caption


def test_a_warp_that_does_nothing_is_refused():
    run = gs.cuda("__global__ void k(float *x) { if (threadIdx.x < 0) x[0] = 1; }").k[1, 32](
        gs.zeros(1, np.float32)
    )
    with pytest.raises(ValueError, match="nothing to go through"):
        gs.step(run, 0, 0)
