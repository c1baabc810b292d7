"""Sector maps, bank maps and divergence timelines show exactly what the rules count."""

from types import SimpleNamespace

import numpy as np
import pytest
from gallery import trace
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

import gpusim as gs
from gpusim.show.plot.divergence import event_sides

plot = gs.plot
LANE = np.arange(32)
SIZES = st.sampled_from([1, 2, 4, 8, 16])


def boxes(ax, color, edge=False):
    """How many closed boxes are filled (or outlined) in a colour of the palette."""

    def paint(patch):
        return patch.get_edgecolor() if edge else patch.get_facecolor()

    paints = [(patch.get_path().codes, paint(patch)) for patch in ax.patches]
    wanted = [codes for codes, (*rgb, alpha) in paints if alpha and to_hex(rgb).upper() == plot.LIGHT[color]]
    return sum(int((codes == 1).sum()) for codes in wanted)


@st.composite
def accesses(draw, most=4096):
    """Addresses (multiples of the size), a mask, and bytes a lane."""
    size = draw(SIZES)
    place = draw(st.lists(st.integers(0, most // size - 1), min_size=32, max_size=32))
    active = draw(st.lists(st.booleans(), min_size=32, max_size=32))
    return np.array(place) * size, np.array(active), size


@settings(max_examples=40, deadline=None)
@given(accesses())
def test_a_sector_map_outlines_as_many_sectors_as_the_rules_count(access):
    address, active, size = access
    count = int(gs.sectors(address, active, size)[0])
    ax = plot.sector_map(address, active, size)
    outlined = boxes(ax, "load", edge=True)
    assert outlined == count and ax.headline.startswith(f"{count} sector")


@settings(max_examples=40, deadline=None)
@given(accesses())
def test_used_and_wasted_bytes_of_a_sector_map_add_up(access):
    address, active, size = access
    ax = plot.sector_map(address, active, size)
    bytes_used = len({b for a in address[active] for b in range(a, a + size)})
    moved = 32 * int(gs.sectors(address, active, size)[0])
    texts = " ".join(text.get_text() for text in ax.texts)
    if moved:
        assert f"{bytes_used} used" in texts
        assert (f"{moved - bytes_used} wasted" in texts) == (moved > bytes_used)


def test_a_sector_map_draws_a_box_for_each_lane_that_reads():
    ax = plot.sector_map(LANE * 32, LANE < 20)
    assert boxes(ax, "load") == 20 + 20 + 1  # the lanes above, their words below, and the bar of bytes
    assert boxes(ax, "idle", edge=True) >= 12  # masked lanes are hollow


def test_sector_maps_of_one_slider_have_one_height():
    heights = {
        float(plot.sector_map(LANE * 4 * stride + 4 * offset, rows=9).get_ylim()[0])
        for stride in range(33)
        for offset in (0, 1)
    }
    assert len(heights) == 1


def test_a_store_is_drawn_in_the_colour_of_stores():
    ax = plot.sector_map(LANE * 4, kind="store")
    assert boxes(ax, "store", edge=True) == 4 and not boxes(ax, "load") and "written" in ax.headline


def test_a_broadcast_says_how_many_lanes_share_a_word():
    texts = [text.get_text() for text in plot.sector_map(LANE * 0).texts]
    assert "32 lanes" in texts


def test_a_request_needs_32_addresses():
    with pytest.raises(ValueError, match="32 lanes; got 31"):
        plot.sector_map(np.arange(31) * 4)
    with pytest.raises(ValueError, match="no addresses"):
        plot.sector_map(SimpleNamespace(addresses=None, mask=LANE >= 0, size=0, kind="branch"))


def test_a_bank_map_paints_the_first_green_and_the_waiting_red():
    ax = plot.bank_heatmap(LANE * 4 * 32)
    assert boxes(ax, "shared") == 2 and boxes(ax, "bad") == 62  # in the map of lanes and in the queue
    ax = plot.bank_heatmap(LANE * 4 * 33)
    assert boxes(ax, "shared") == 64 and not boxes(ax, "bad")


def test_bank_maps_have_one_height_whatever_they_show():
    heights = {float(plot.bank_heatmap(LANE * 4 * width, turns=32).get_ylim()[0]) for width in range(1, 40)}
    assert len(heights) == 1


def test_the_share_of_a_divergence_timeline_is_that_of_its_masks():
    masks = np.random.default_rng(1).random((3, 7, 32)) < 0.4
    ax = plot.divergence_timeline(masks)
    assert ax.headline.startswith(f"{100 * masks.mean():.0f} %")


def test_a_timeline_colours_then_and_else_apart():
    mask = np.zeros((3, 32), bool)
    mask[0], mask[1, :5], mask[2, 5:] = True, True, True
    ax = plot.divergence_timeline(mask, ["all", "then", "else"])
    assert (boxes(ax, "compute"), boxes(ax, "issue"), boxes(ax, "muted")) == (1, 1, 1)
    with pytest.raises(ValueError, match="3 slots but 2 sides"):
        plot.divergence_timeline(mask, [["all", "then"]])


def test_sides_are_read_off_the_branches_of_a_trace():
    text = """__global__ void f(const float* x, float* y) {
        int i = threadIdx.x; float v = x[i];
        if (v > 0) v = v * 2; else { if (v < -1) v = v * 3; else v = v + 1; }
        y[i] = v; }"""
    x = np.tile([1.0, -0.5, -2.0, 3.0], 8).astype(np.float32)
    events = gs.cuda(text).f[1, 32](gs.asarray(x), gs.zeros(32, np.float32)).trace(0, 0)
    told = [(event.kind, side, event.lanes) for event, side in zip(events, event_sides(events), strict=True)]
    assert told == [
        ("load", "all", 32),
        ("branch", "all", 32),
        ("arith", "then", 16),
        ("branch", "else", 16),
        ("arith", "then", 8),
        ("arith", "else", 8),
        ("store", "all", 32),
    ]


def test_a_timeline_of_a_trace_has_a_slot_for_each_instruction():
    text = """__global__ void f(const float* x, float* y) {
        int i = threadIdx.x; float v = x[i];
        for (int k = 0; k < 3; k++) v = v * v + 1.0f;
        y[i] = v; }"""
    run = gs.cuda(text).f[1, 32](gs.asarray(np.ones(32, np.float32)), gs.zeros(32, np.float32))
    ax = plot.divergence_timeline(run.trace(0, 0))
    assert f"{run.counts.warp_instructions} instructions" in plot.alt_text(ax)


def test_all_events_of_a_trace_are_drawn_at_one_size_and_say_their_line():
    events = trace()
    axes = [plot.event_map(event) for event in events]
    kinds = [event.kind for event in events]
    assert kinds[:5] == ["load", "store", "barrier", "branch", "load"]
    assert sorted(kinds[5:]) == ["arith", "store"]
    assert len({ax.get_ylim() for ax in axes}) == 1
    assert all(f"ine {event.line}: " in plot.alt_text(ax) for event, ax in zip(events, axes, strict=True))
    assert axes[0].headline.startswith("32 sectors") and axes[1].headline.startswith("2 wavefronts")
    assert axes[3].headline == "branch: 9 of 32 lanes take it"
