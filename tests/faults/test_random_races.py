"""Random kernels with masks, locks and fences: they race where comparing all pairs of accesses says so, nowhere else.

More of them: python tests/faults/test_random_races.py FIRST COUNT
"""

import sys

import numpy as np
import pytest
from racy import program

import gpusim as gs

EACH = 20


def wrong(seed):
    """What the checks and the comparison of all pairs say about a random kernel, or None where they agree."""
    text, grid, block, right = program(seed)
    arrays = [gs.zeros(16, np.int32), gs.zeros(16, np.int32), gs.zeros(grid * block, np.int32)]
    found = {r.array for r in gs.cuda(text).k[grid, block](*arrays).reports if "race" in r.kind}
    return (
        None
        if found == right
        else f"seed {seed}, {grid} x {block}: {sorted(found)} not {sorted(right)}\n{text}"
    )


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(EACH, 240, EACH))]
)
def test_a_random_kernel_races_where_all_pairs_say(first):
    faults = [fault for seed in range(first, first + EACH) if (fault := wrong(seed))]
    assert not faults, "\n".join(faults)


def test_some_of_them_race_and_some_do_not():
    verdicts = [bool(program(seed)[3]) for seed in range(240)]
    assert 60 < sum(verdicts) < 220


if __name__ == "__main__":
    start, count = map(int, sys.argv[1:3])
    for number in range(start, start + count):
        print(wrong(number) or "", end="\n" if wrong(number) else "")
