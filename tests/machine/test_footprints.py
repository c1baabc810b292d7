"""Footprints: sectors touched and filled; accesses that differ by a constant are taken together."""

import numpy as np
import pytest

import gpusim as gs
from gpusim.machine.account.footprint import _alike

TEXT = """__global__ void k(float *x) {
    int i = V * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int row = 0; row < 3; row++) {
#pragma unroll
        for (int v = 0; v < V - GAP; v++) {
            x[row * 4096 + i + v] = 1;
        }
    }
}"""


def counted(v, gap):
    return gs.count(gs.cuda(TEXT, V=v, GAP=gap).k, 8, 64, gs.spec(3 * 4096))


@pytest.mark.parametrize("v, gap", [(2, 0), (4, 0), (4, 1), (8, 3), (8, 7), (3, 1)])
def test_sectors_touched_and_filled_are_those_of_an_enumeration(v, gap):
    thread = np.arange(8 * 64)
    elements = (np.arange(3)[:, None, None] * 4096 + v * thread[:, None] + np.arange(v - gap)).reshape(-1)
    per_sector = np.bincount(np.unique(elements) // 8)
    run = counted(v, gap)
    assert run.counts.global_store_distinct_sectors == (per_sector > 0).sum()
    touched, filled = (per_sector > 0).sum(), (per_sector == 8).sum()
    assert run.launch_counts.footprint == 32 * touched
    assert run.launch_counts.dram_bytes >= 32 * (touched + (touched - filled))  # unfilled ones are read too


def test_neighbours_make_one_group():
    stores = " ".join(f"x[4 * threadIdx.x + {place}] = 1;" for place in range(4))
    run = gs.count(gs.cuda(f"__global__ void k(float *x) {{ {stores} }}").k, 8, 64, gs.spec(256))
    touches = [touch for entry in run.tally.entries.values() for touch in entry.touches]
    assert len(touches) == 4 and len(_alike(touches)) == 1
    assert run.counts.global_store_distinct_sectors == 32
