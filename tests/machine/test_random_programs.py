"""Random programs give what C++ gives: 200 here, more by `python tools/random_programs.py`."""

from __future__ import annotations

import pytest
from programs import COMPILER, differences, program

TOGETHER, BATCHES = 25, 8


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on this machine")
@pytest.mark.parametrize("first", range(0, TOGETHER * BATCHES, TOGETHER))
def test_random_programs_agree_with_the_compiler(first, tmp_path):
    wrong = differences(range(first, first + TOGETHER), tmp_path)
    assert not wrong, "".join(f"\nprogram {seed}: {what}\n{program(seed)[0]}" for seed, what in wrong[:1])
