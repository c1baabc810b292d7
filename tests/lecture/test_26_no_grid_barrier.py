"""No grid barrier: the lecture's figures, and what the page says about waiting blocks."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs


def launches(n, items):
    """Blocks of each launch until one number is left."""
    found = []
    while n > 1:
        n = -(-n // items)
        found.append(n)
    return found


def test_levels_of_a_tree():
    numbers, levels = [3, 1, 7, 0, 4, 1, 6, 3], []
    while len(numbers) > 1:
        numbers = [a + b for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        levels.append(numbers)
    agrees("s0-030", levels)


def test_blocks_of_each_launch():
    agrees("s0-031", [launches(1 << 18, 256), launches(1 << 18, 512)])
    agrees("s0-058", launches(10**8, 1024))


def test_the_versions_differ_from_double_precision_by_rounding_only():  # s0-032: about 1e-5 absolute
    x = np.random.default_rng(0).random(1 << 18, dtype=np.float32)
    exact = x.astype(np.float64).reshape(-1, 256).sum(axis=1)
    for v in (1, 2, 3):
        out = gs.zeros(1024, np.float32)
        gs.load(f"reduce_v{v}")[1024, 256](gs.asarray(x), out)
        assert 0 < abs(gs.asnumpy(out) - exact).max() < 1e-4


def test_a_spinning_barrier_works_while_all_blocks_fit_and_hangs_beyond():
    spin = gs.load("grid_spin")
    out = gs.zeros(32 * 20, np.int32)
    gs.launch(spin, 20, 32, gs.zeros(1, np.int32), out, gpu=gs.TOY)
    assert set(gs.asnumpy(out)) == {20}
    with pytest.raises(gs.StepLimit, match="24 blocks run at a time"):
        gs.launch(spin, 30, 32, gs.zeros(1, np.int32), gs.zeros(32 * 30, np.int32), gpu=gs.TOY)


def test_1056_blocks_of_256_threads_fit_on_an_h100():
    assert gs.H100.sms * gs.occupancy(gs.H100, threads=256, registers=32).blocks == 1056
