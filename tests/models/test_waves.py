"""Waves: one block more may double the time."""

import pytest
from figures import agrees, measured

from gpusim.errors import LaunchError
from gpusim.gpus import A100, H100, H200, T4
from gpusim.models.occupancy import occupancy
from gpusim.models.waves import waves


def test_a_wave_is_sms_times_resident_blocks():
    agrees("s2-042", waves(H100, 1, 2).size)
    rows = [waves(H100, blocks, 2) for blocks in (132, 264, 265, 528, 529, 1000, 2640, 2641, 10000)]  # s2-043
    assert [row.count for row in rows] == [1, 1, 2, 2, 3, 4, 10, 11, 38]
    assert [round(row.utilisation, 3) for row in rows] == [0.5, 1, 0.502, 1, 0.668, 0.947, 1, 0.909, 0.997]


def test_halving_the_block_does_not_cure_the_tail():
    two = [waves(H100, 400, 3), waves(H100, 800, 6)]
    agrees("s2-062", [[w.size, w.count, w.utilisation] for w in two])


def test_one_block_too_many_takes_a_second_wave():
    assert [waves(A100, blocks, 1).count for blocks in (108, 109)] == [1, 2]
    assert round(waves(A100, 109, 1).utilisation, 3) == 0.505 and waves(A100, 109, 1).tail == 1
    per_sm = occupancy(T4, 256).blocks
    assert per_sm == 4 and [waves(T4, blocks, per_sm).count for blocks in (160, 161)] == [1, 2]
    assert round(waves(T4, 161, per_sm).utilisation, 3) == 0.503


def test_measured_times_step_with_the_waves():
    for record in measured("h200_experiments")["waves"]:
        count = waves(H200, record["blocks"], record["blocks_per_sm"]).count
        modelled = count * record["cycles_per_block"] / H200.clock * 1e6 + 6
        assert abs(modelled / record["us"] - 1) < 0.04, record


@pytest.mark.parametrize("blocks, per_sm", [(0, 1), (-5, 1), (1.5, 1), (10, 0), (10, 33), ("ten", 1)])
def test_no_blocks_or_more_than_fit_are_refused(blocks, per_sm):
    with pytest.raises(LaunchError, match="blocks"):
        waves(H100, blocks, per_sm)
