"""Waves and tails: the lecture's figures, the page's prose, and what an H200 took."""

import pytest
from figures import agrees

import gpusim as gs


def test_two_blocks_on_each_of_132_sms_make_a_wave_of_264():
    agrees("s2-042", gs.waves(gs.H100, blocks=264, per_sm=2).size)


# s2-043: the notes have lost this table; it follows from the rule.
@pytest.mark.parametrize(
    ("blocks", "count", "used"),
    [
        (132, 1, 0.5),
        (264, 1, 1.0),
        (265, 2, 0.502),
        (528, 2, 1.0),
        (529, 3, 0.668),
        (1000, 4, 0.947),
        (2640, 10, 1.0),
        (2641, 11, 0.909),
        (10000, 38, 0.997),
    ],
)
def test_one_block_too_many_costs_a_wave(blocks, count, used):
    found = gs.waves(gs.H100, blocks=blocks, per_sm=2)
    assert (found.count, round(found.utilisation, 3)) == (count, used)


def test_halving_the_block_leaves_the_tail_as_it_was():
    both = [gs.waves(gs.H100, blocks=b, per_sm=p) for b, p in ((400, 3), (800, 6))]
    agrees("s2-062", [[w.size, w.count, w.utilisation] for w in both])


def test_a_long_block_hides_in_front_and_shows_at_the_end():
    toy = gs.TOY.with_(sms=4)
    ends = [gs.models.blocks.schedule(toy, d, per_sm=1).end for d in ([4] + 8 * [1], 8 * [1] + [4])]
    assert ends == [4, 6]


def test_an_h200_needs_as_many_waves():
    kernel = gs.load("uniform_work")
    time = {
        b: gs.hardware.recorded(kernel, gs.H200, blocks=b, steps=10000, shared=102400).seconds
        for b in (132, 264, 265, 528, 529)
    }
    assert 1.15 < time[264] / time[132] < 1.25  # "a fifth longer"
    assert time[265] > 1.6 * time[264] and time[529] > 1.25 * time[528]
