"""Diagrams of threads, tiles, trees and arrays agree with brute force and with the models."""

import itertools

import numpy as np
import pytest

import gpusim as gs
from gpusim.models import blas, sparse
from gpusim.show.plot.trees import KINDS

plot = gs.plot


def texts(ax):
    return [text.get_text() for text in ax.texts]


def thread_fates(grid, block, shape):
    """How many threads own an element, touch another row's element, or leave the array, one by one."""
    own = alias = outside = 0
    for x, y in itertools.product(range(grid[0] * block[0]), range(grid[1] * block[1])):
        inside = x < shape[0] and y < shape[1]
        own += inside
        alias += not inside and y * shape[0] + x < shape[0] * shape[1]
        outside += y * shape[0] + x >= shape[0] * shape[1]
    return own, alias, outside


@pytest.mark.parametrize(
    "grid, block, shape", [((2, 2), (8, 4), (12, 6)), ((5, 4), (16, 16), (76, 62)), ((3, 1), (4, 8), (9, 5))]
)
def test_an_ownership_map_counts_threads_as_brute_force_does(grid, block, shape):
    own, alias, outside = thread_fates(grid, block, shape)
    assert plot.ownership_map(grid, block, shape).headline == (
        f"{own} threads own an element, {alias + outside} stop at the guard"
    )
    assert plot.ownership_map(grid, block, shape, guard=False).headline == (
        f"{alias} threads touch a wrong element, {outside} are out of bounds"
    )


def test_a_launch_that_is_too_small_leaves_elements_without_a_thread():
    assert plot.ownership_map((1, 2), (8, 4), (12, 6)).headline == "24 elements have no thread"
    assert plot.ownership_map(3, 256, 1000).headline == "232 elements have no thread"


def test_an_ownership_map_keeps_its_height_when_it_is_given():
    axes = [plot.ownership_map((n, n), (4, 4), (4 * n - 1, 4 * n), height=250) for n in (1, 3, 9)]
    assert len({ax.get_ylim() for ax in axes}) == 1


@pytest.mark.parametrize("block", [(8, 8), 33, (5, 7), (8, 4, 4), (64, 2)])
def test_a_block_shows_every_warp_and_how_full_the_lanes_are(block):
    ax = plot.block_warps(block)
    threads = int(np.prod(block))
    warps = -(-threads // 32)
    assert ax.headline == f"{warps} warps: {threads} of {32 * warps} lanes have a thread"
    named = {text.strip("warp ") for text in texts(ax)}
    assert {str(warp) for warp in range(warps)} <= named


def test_the_tiles_of_a_phase_feed_tile_multiply_adds_each():
    assert plot.tile_phases(64, 16, 0).headline == "phase 1 of 4: each of 512 values feeds 16 multiply-adds"
    assert "computes C(1, 2) to C(1, 3)" in plot.alt_text(plot.tile_phases(64, 16, 0, (1, 1), coarse=2))
    ax = plot.tile_phases(10, 4, 2, (2, 2))
    assert "3 of 3: each of 8 values" in ax.headline and "24 zeros fill the edge" in plot.alt_text(ax)


@pytest.mark.parametrize("leading", [8, 64, 1000])
def test_a_fetch_map_counts_the_sectors_of_its_requests(leading):
    rows, columns = np.mgrid[:64, :8]
    thread = (rows * 8 + columns) % 256
    ax = plot.fetch_map(thread, leading=leading)
    sectors = 0
    for turn, warp in itertools.product(range(2), range(8)):
        first = turn * 32 + warp * 4
        place = [(first + lane // 8) * leading + lane % 8 for lane in range(32)]
        sectors += int(gs.sectors(np.array(place) * 4, True, 4)[0])
    assert f"16 requests, {sectors} sectors" in plot.alt_text(ax)


def test_a_race_map_counts_by_pair_of_warps():
    reader = np.repeat(np.arange(128), 3)
    word = reader + np.tile([0, 1, 2], 128)
    writers = np.arange(130) % 128
    racing = writers[word] // 32 != reader // 32
    ax = plot.race_map(np.stack([word, reader], 1)[racing], writers, 128)
    assert ax.headline == "12 racing reads" and texts(ax).count("3") >= 4
    assert "warp 3 reads 3 written by warp 0" in plot.alt_text(ax)
    assert plot.race_map([], writers, 128).headline == "no racing reads"


@pytest.mark.parametrize("kind, count", list(itertools.product(KINDS, (2, 8, 32))))
def test_the_rounds_of_a_reduction_add_everything_once(kind, count):
    values = np.random.default_rng(0).integers(0, 100, count)
    total = values.sum()
    for steps in plot.reduction_rounds(count, kind):
        assert len({into for _, into, _ in steps} | {source for *_, source in steps}) == 2 * len(steps)
        for _, into, source in steps:
            values[into] += values[source]
    assert values[0] == total
    assert plot.tree(count, kind).headline.startswith(f"{count - 1} addition")


def test_pictures_of_memory_keep_the_height_that_they_are_given():
    strips = [plot.memory_strip(rows, 4, 8, height=260) for rows in range(1, 9)]
    pictures = [plot.csr(np.eye(n), height=300) for n in range(2, 10)]
    assert {ax.get_ylim()[0] for ax in strips} == {260} and {ax.get_ylim()[0] for ax in pictures} == {300}


def test_a_tree_keeps_its_height_while_rounds_are_added():
    assert len({plot.tree(16, upto=rounds).get_ylim() for rounds in range(5)}) == 1


@pytest.mark.parametrize("rows, columns, ld, offset", [(3, 4, 5, 0), (2, 6, 2, 3), (4, 3, 7, 1)])
def test_a_memory_strip_numbers_the_matrix_as_blas_views_it(rows, columns, ld, offset):
    memory = np.arange(offset + ld * columns)
    seen = blas.view(memory[offset:], rows, columns, ld)
    ax = plot.memory_strip(rows, columns, ld, offset=offset)
    drawn = [int(text) for text in texts(ax) if text.isdigit()]
    assert drawn[-rows * columns :] == np.asarray(seen).ravel().tolist()


def test_a_row_major_strip_numbers_its_rows_in_a_row():
    drawn = [int(text) for text in texts(plot.memory_strip(3, 4, 6, layout="row")) if text.isdigit()]
    assert drawn[-12:] == (np.arange(18).reshape(3, 6)[:, :4]).ravel().tolist()
    with pytest.raises(ValueError, match="at least 4"):
        plot.memory_strip(3, 4, 3, layout="row")


def test_the_arrays_of_a_csr_picture_are_those_of_the_model():
    matrix = np.where(np.random.default_rng(5).random((4, 6)) < 0.4, np.arange(24).reshape(4, 6), 0)
    model, alt = sparse.csr(matrix), plot.alt_text(plot.csr(matrix))
    starts, columns = (np.asarray(getattr(model, name)).tolist() for name in ("row_ptr", "col_index"))
    assert f"row_ptr {starts}, col_index {columns}" in alt
    assert plot.alt_text(plot.csr(model)) == alt


def test_two_in_four_keeps_what_the_model_keeps():
    weights = np.random.default_rng(2).normal(size=(3, 16))
    ax = plot.two_in_four(weights)
    kept = sparse.prune24(weights) != 0
    inks = [text.get_color() == plot.LIGHT["ink"] for text in ax.texts if text.get_text()[-1:].isdigit()][:48]
    assert inks == kept.ravel().tolist()


def test_a_correctness_map_tells_wrong_values_from_missing_ones():
    result = np.ones((6, 6))
    result[0], result[5, :3] = 7, np.nan
    assert plot.correctness_map(result, np.ones((6, 6)), tile=3).headline == "27 of 36 right, 6 wrong, 3 NaN"
    assert plot.correctness_map(np.ones(8), np.ones(8)).headline == "all 8 right"
    with pytest.raises(ValueError, match="shape"):
        plot.correctness_map(np.ones(8), np.ones(9))


def test_traffic_writes_how_often_a_value_is_used_again():
    ax = plot.traffic(["HBM", "shared", "registers"], [1e9, 16e9])
    assert ax.headline == "HBM to shared 1 GB; shared to registers 16 GB" and "×16" in texts(ax)
    with pytest.raises(ValueError, match="3 layers have 2 flows"):
        plot.traffic(["HBM", "shared", "registers"], [1e9])


def test_scopes_know_five_kinds_of_memory():
    with pytest.raises(ValueError, match="register, local, shared, global, constant"):
        plot.scopes("texture")


def test_lane_widths_count_instructions():
    assert plot.lane_widths(1000, longest=1000).headline == "1000 elements take 1000, 250 or 32 instructions"


def test_the_time_at_a_barrier_is_what_the_slower_warps_take():
    assert plot.barrier_wait([[4, 2], [2, 4]]).headline == "25 % of the time is spent waiting"


def test_a_refusal_says_why_at_the_height_of_the_other_settings():
    ax = plot.refused("block of 2048 threads: at most 1024", 240)
    assert ax.get_ylim()[0] == 240 and "block of 2048 threads: at most 1024" in texts(ax)
