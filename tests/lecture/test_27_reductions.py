"""Four reductions: the lecture's figures recounted, and the page's prose."""

import numpy as np
from figures import agrees

import gpusim as gs

VERSIONS = (1, 2, 3, 4)
KERNEL = {v: gs.load(f"reduce_v{v}") for v in VERSIONS}
X = np.random.default_rng(0).random(1 << 18, dtype=np.float32)


def counted(version, n, block=256):
    kernel = gs.load(f"reduce_v{version}", BLOCK=block)
    blocks = n // (block * (2 if version == 4 else 1))
    return gs.count(kernel, blocks, block, gs.spec(n), gs.spec(blocks), gpu=gs.H100), blocks


def a_block(version, name):
    run, blocks = counted(version, 1 << 18)
    return getattr(run.counts, name) / blocks


def rounds(version):
    """The branch of each of the eight rounds, warp by warp."""
    run = KERNEL[version][1, 256](gs.asarray(X[:256]), gs.zeros(1, np.float32))
    return [[e for e in run.trace(0, w) if e.kind == "branch"][:8] for w in range(8)]


def test_half_of_the_threads_drop_out_each_round():
    agrees("s0-033", [sum(int(w[r].taken.sum()) for w in rounds(1)) for r in range(8)])


def test_spread_threads_keep_all_warps_busy_and_packed_threads_do_not():
    agrees("s0-034", [sum(bool(w[r].taken.any()) for w in rounds(1)) for r in range(8)])
    agrees("s0-036", [sum(bool(w[r].taken.any()) for w in rounds(2)) for r in range(8)])


def ways(distance):
    threads = np.arange(32)
    active = 2 * distance * threads < 256
    return int(gs.wavefronts(2 * distance * threads * 4, active, 4)[0])


def test_packed_threads_queue_at_the_banks():
    agrees("s0-035", [ways(s) for s in (1, 2, 4, 8, 16, 32, 64, 128)])
    agrees("s0-057", [len(set(8 * np.arange(32) % 32)), ways(4)])


def test_instructions_and_lanes_of_a_block():
    agrees("s0-037", [a_block(v, "warp_instructions") for v in VERSIONS])
    agrees("s0-038", [counted(v, 1 << 18)[0].counts.simd_efficiency for v in VERSIONS])


def test_divergent_branches_of_a_block():  # s0-039: the notes say that v2 and v3 have none
    assert [a_block(v, "divergent_branches") for v in VERSIONS] == [48, 6, 6, 1]


def test_wavefronts_of_a_block():  # s0-040: the notes have lost the table
    sums = {
        what: [a_block(v, f"shared_load_{what}") + a_block(v, f"shared_store_{what}") for v in VERSIONS]
        for what in ("requests", "wavefronts")
    }
    assert (
        sums["wavefronts"][0] == sums["wavefronts"][1] == 150
        and sums["wavefronts"][2] == sums["requests"][2] == 45
    )
    assert sums["wavefronts"][3] == 28
    agrees("s0-041", sums["wavefronts"][1] / sums["requests"][1])


def test_bounds_for_64_mi_numbers_on_an_h100():
    found = [gs.lecture_bound(counted(v, 1 << 26)[0], gs.H100) for v in VERSIONS]

    def microseconds(name):
        return [b.bounds[name] * 1e6 for b in found]

    agrees("s0-042", microseconds("issue")[:2])
    agrees("s0-043", microseconds("shared")[:3])
    agrees("s0-044", (1 << 28) / gs.H100.memory_bandwidth * 1e6)
    reads = (1 << 28) / gs.H100.memory_bandwidth * 1e6  # the notes leave out the 3 % that are stored
    agrees(
        "s0-045",
        [max(i, s, reads) for i, s in zip(microseconds("issue"), microseconds("shared"), strict=True)],
    )
    agrees("s0-046", [microseconds("issue")[3], microseconds("shared")[3]])


def races(version, barrier, blocks=1024):
    """Reads between warps that come too early once one barrier is taken out (0: after the load, 1: in the loop)."""
    parts = KERNEL[version].text.split("__syncthreads();")
    text = (
        "".join(p + ("" if i == barrier else "__syncthreads();") for i, p in enumerate(parts[:-1]))
        + parts[-1]
    )
    kernel = gs.cuda(text)[f"reduce_v{version}"]
    found = kernel[blocks, 256](gs.asarray(X[: 256 * blocks]), gs.zeros(blocks, np.float32)).reports
    return sum(r.count for r in found if r.kind == "read-after-write race" and "another warp" in r.message)


def test_races_without_the_barrier_after_the_load():
    agrees("s0-048", [races(1, 0), races(3, 0)])


def test_races_of_a_block_without_the_barrier_in_the_loop():
    agrees("s0-047", [races(v, 1) / 1024 for v in (1, 2, 3)])


def test_no_version_is_slower_than_the_one_before_on_an_h200():
    time = [gs.hardware.recorded(KERNEL[v], gs.H200, n=1 << 26).seconds for v in VERSIONS]
    assert time == sorted(time, reverse=True) and time[1] < 0.67 * time[0]
