"""Grids, blocks, threads and the guard: the lecture's figures recomputed, and the page's prose."""

import numpy as np
import pytest
from figures import agrees

import gpusim as gs

ADD, UNGUARDED = gs.load("matrix_add"), gs.load("matrix_add_unguarded")


def added(kernel, columns, rows, block, **options):
    """The run of a matrix addition on a grid rounded up, and its grid."""
    grid = -(-columns // block[0]), -(-rows // block[1])
    matrices = [gs.zeros(columns * rows, np.float32) for _ in range(3)]
    return gs.launch(kernel, grid, block, *matrices, columns, rows, **options), grid


def up(n, block):
    """Blocks that n elements need, their threads, and how many of those are idle: counted from the stores."""
    blocks = -(-n // block)
    counts = gs.count(gs.load("multiply"), blocks, block, gs.spec(n), gs.spec(n), gs.spec(n), n).counts
    return blocks, blocks * block, blocks * block - counts.global_store_bytes // 4


def written(name):
    array = gs.full(12, -1, np.int32)
    gs.load(name)[3, 4](array)
    return gs.asnumpy(array).tolist()


def test_three_ways_to_number_twelve_threads():
    agrees("s1-002", [written(f"index_{kind}") for kind in ("global", "block", "thread")])


def test_a_matrix_of_12_by_6_takes_six_blocks_of_12_threads():
    run, grid = added(ADD, 12, 6, (4, 3))
    agrees("s2-001", [list(grid), grid[0] * grid[1], 4 * 3, run.counts.global_store_bytes // 4])


def test_who_owns_rows_0_and_3_and_how_a_block_numbers_its_threads():
    owner, number = np.full((6, 12), -1), np.full((6, 12), -1)
    for block in range(6):
        store = next(e for e in added(ADD, 12, 6, (4, 3))[0].trace(block, 0) if e.kind == "store")
        lanes = np.flatnonzero(store.mask)
        owner.reshape(-1)[store.addresses[lanes] // 4] = block
        number.reshape(-1)[store.addresses[lanes] // 4] = lanes
    agrees("s2-002", [owner[0].tolist(), owner[3].tolist()])
    agrees("s2-064", number[:3, :4].tolist())


def test_17_of_72_threads_stop_at_the_guard_in_four_warps():
    run, grid = added(ADD, 11, 5, (4, 3))
    threads = grid[0] * grid[1] * 12
    idle = threads - run.counts.global_store_bytes // 4
    agrees("s2-003", [idle, threads, 100 * idle / threads])
    agrees("s2-004", run.counts.divergent_branches)


def test_without_the_guard_13_threads_leave_the_arrays_and_4_take_a_neighbour_s_element():
    with pytest.raises(gs.OutOfBounds, match="index 55 is outside A, which has 55 elements") as caught:
        added(UNGUARDED, 11, 5, (4, 3))
    assert caught.value.who == "block (0,1,0) thread (0,2,0)"
    agrees("s2-005", [2 * 4 + 0, 0, 1, 55, 55])
    run, _ = added(UNGUARDED, 11, 5, (4, 3), bounds="report")
    assert {report.array: report.count for report in run.reports} == {"A": 13, "B": 13, "C": 13}
    assert run.counts.global_store_bytes // 4 == 11 * 5 + 4


@pytest.mark.parametrize(
    "figure, n, block, shown",
    [
        ("s1-001", 8192, 512, lambda blocks, threads, idle: [blocks, 512, threads]),
        ("s1-003", 8191, 512, lambda blocks, threads, idle: idle),
        ("s2-006", 10**6, 256, lambda blocks, threads, idle: idle),
        ("s2-057", 1000, 256, lambda blocks, threads, idle: [blocks, threads, idle]),
    ],
)
def test_the_last_block_is_seldom_full(figure, n, block, shown):
    agrees(figure, shown(*up(n, block)))


def test_8192_elements_also_fit_8_blocks_of_1024():
    assert up(8192, 1024) == (8, 8192, 0)


def test_a_tile_of_32_by_128_gives_a_thread_2_by_16_elements():
    kernel, rows, columns = gs.load("bias_tile"), 128, 32
    run = gs.count(kernel, 1, (16, 8), gs.spec(rows * columns), gs.spec(columns), rows, columns)
    stores = [event.addresses[0] // 4 for event in run.trace(0, 0) if event.kind == "store"]
    agrees("s1-005", [len({at % columns for at in stores}), len({at // columns for at in stores})])
    agrees("s1-006", [63 // 32, (63 + 31) // 32])


def test_rounding_down_leaves_15936_of_a_million_untouched():
    for side, untouched in ((1000 // 32, 15936), (-(-1000 // 32), 0)):
        square = gs.full((1000, 1000), 1, np.float32)
        gs.load("scale_square")[(side, side), (32, 32)](square, 1000)
        assert int((gs.asnumpy(square) == 1).sum()) == untouched
    assert (1000 // 256, 1000 - 1000 // 256 * 256, -(-40_000 // 256), -(-10_000 // 256)) == (3, 232, 157, 40)


def test_plus_binds_tighter_than_a_shift():
    text = gs.load("precedence").text
    for shift, elements, rounds in (
        ("threadIdx.x << 2 + 1", lambda t: 8 * t, 8),
        ("(threadIdx.x << 2) + 1", lambda t: 4 * t + 1, 4),
    ):
        kernel = gs.cuda(text.replace("threadIdx.x << 2 + 1", shift)).precedence
        out = gs.zeros(32, np.float32)
        run = kernel[1, 32](gs.asarray(np.arange(288, dtype=np.float32)), out)
        assert (gs.asnumpy(out) == elements(np.arange(32))).all()
        assert run.counts.shared_load_wavefronts == rounds
    assert gs.hardware.recorded("precedence", gs.H200).counts.shared_load_wavefronts == 8


def test_comparison_binds_tighter_than_a_bitwise_and():
    text = "__global__ void k(int *o, int a) { o[0] = 1 << 24 + 1; o[1] = a & 1 == 0; o[2] = (a & 1) == 0; }"
    out = gs.full(3, -1, np.int32)
    gs.cuda(text).k[1, 1](out, 6)
    assert gs.asnumpy(out).tolist() == [1 << 25, 0, 1]
