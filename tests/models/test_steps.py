"""The estimate, step by step: what each idea buys on the recorded launches."""

import numpy as np
from timings import quality, records

from gpusim.gpus import H200
from gpusim.models.estimate import estimate
from gpusim.models.steps import STEPS, steps


def test_every_step_brings_the_estimates_closer_to_the_recorded_times():
    rows = list(records())
    times, families = [row[2] for row in rows], [row[1] for row in rows]
    ladders = np.array([[seconds for _, seconds in steps(row[4], H200)] for row in rows])
    medians = [quality(ladders[:, step], times, families).median for step in range(len(STEPS))]
    assert medians == sorted(medians, reverse=True)
    assert medians[0] > 0.7 and medians[-2] > 3 * medians[-1] and medians[-1] < 0.06


def test_the_last_step_is_the_estimate():
    for row in records():
        assert steps(row[4], H200)[-1][1] == estimate(row[4], H200).seconds
