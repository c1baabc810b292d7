"""Occupancy: the lecture's figures, the page's prose, and the driver's own answers."""

from figures import agrees

import gpusim as gs

KB = 1024


def limits(o, *names):
    return [o.limits[n] for n in names]


def test_the_two_level_multiplication_fills_a_quarter_of_an_h100_sm():
    o = gs.occupancy(gs.H100, threads=256, registers=96, shared=16 * KB, rules="lecture")
    agrees("s0-055", [256, 16, *limits(o, "registers", "shared", "warps"), o.blocks, o.fraction])
    assert gs.occupancy(gs.H100, threads=256, registers=96, shared=16 * KB).fraction == 0.25


def test_what_a_v100_sm_holds():
    v = gs.V100
    agrees(
        "s1-007",
        [
            32 * v.warps_per_sm,
            v.blocks_per_sm,
            4 * v.registers_per_sm // KB,
            v.shared_per_sm // KB,
            v.registers_per_sm,
        ],
    )
    agrees("s1-008", [v.registers_per_sm // (32 * v.warps_per_sm), v.shared_per_sm // KB // v.blocks_per_sm])
    o = gs.occupancy(v, threads=128, registers=64, shared=8 * KB)
    agrees("s1-009", [limits(o, "registers", "shared", "warps", "blocks"), o.blocks])
    assert o.limiters == ("registers",)


def test_thirty_two_kilobytes_a_block_on_two_cards():
    plain = [
        gs.occupancy(card, threads=256, registers=32, shared=32 * KB, rules="lecture").fraction
        for card in ("GTX 980", "H100")
    ]
    agrees("s2-034", plain)
    real = [
        gs.occupancy(card, threads=256, registers=32, shared=32 * KB).fraction for card in ("GTX 980", "H100")
    ]
    assert real == [0.375, 0.75]  # the system takes 1 KB of each block on the H100


def test_the_small_convolution_fits_until_warps_run_out():  # s2-035: the notes have lost the numbers
    found = [gs.occupancy(card, threads=128, registers=32, shared=520) for card in ("GTX 980", "H100")]
    assert [o.fraction for o in found] == [1.0, 1.0] and all("warps" in o.limiters for o in found)


def test_two_limits_tie():
    o = gs.occupancy(gs.H100, threads=256, registers=64, shared=48 * KB)
    agrees("s2-060", [limits(o, "warps", "registers", "shared", "blocks"), o.blocks, o.warps, o.fraction])
    assert o.limiters == ("registers", "shared")


def test_ninety_two_registers_and_224_threads_leave_14_warps():
    warps = {t: gs.occupancy(gs.A100, threads=t, registers=92).warps for t in (96, 128, 160, 192, 224, 256)}
    assert list(warps.values()) == [18, 20, 20, 18, 14, 16]
    assert gs.occupancy(gs.A100, 256, 41).blocks == gs.occupancy(gs.A100, 256, 43).blocks


def test_sentences_of_the_page():
    assert gs.occupancy(gs.H100, 1024, 40).blocks == 1 and gs.occupancy(gs.H100, 256, 40).blocks == 6
    assert [gs.occupancy(gs.H100, 256, r).blocks for r in (64, 65)] == [4, 3]
    assert (gs.H100.shared_per_sm, gs.H100.shared_per_block_optin, gs.H100.shared_per_block) == (
        228 * KB,
        227 * KB,
        48 * KB,
    )
    assert gs.occupancy(gs.H100, 256, 32, 32 * KB).blocks == 6


def test_the_driver_agrees_on_every_measured_kernel():
    for name in (
        "saxpy",
        "matmul_tiled",
        "matmul_two_level",
        "transpose_tile",
        "reduce_v1",
        "conv_shared",
        "uniform_work",
        "copy_loads",
    ):
        for r in gs.hardware.records(name, gs.H200):
            threads = r.block[0] * r.block[1] * r.block[2]
            assert (
                gs.occupancy(gs.H200, threads, r.registers, r.static_shared + r.dynamic_shared).blocks
                == r.blocks_per_sm
            )
