"""Charts put marks where the numbers say, and their headlines repeat the models."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_hex

import gpusim as gs
from gpusim.models import blocks, occupancy
from gpusim.models import warps as scheduler
from gpusim.show.plot.curves import curve
from gpusim.show.plot.scales import Scales

plot = gs.plot


def extents(ax, color, alpha=None):
    """(x0, y0, x1, y1) of each closed box that is filled with a colour of the palette, in points."""
    found = []
    for patch in ax.patches:
        red, green, blue, depth = patch.get_facecolor()
        same = to_hex((red, green, blue)).upper() == plot.LIGHT[color]
        if depth and same and alpha in (None, round(depth, 2)):
            path = patch.get_path()
            cuts = np.flatnonzero(path.codes == 1).tolist() + [len(path.codes)]
            parts = [path.vertices[a:b] for a, b in itertools.pairwise(cuts)]
            found += [(*part.min(0), *part.max(0)) for part in parts]
    return np.array(found).reshape(-1, 4)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_frame_maps_linear_and_logarithmic_scales():
    frame = Scales(plot.canvas(100), 50, 10, 250, 90, (1, 10000), (0, 8), xlog=True)
    assert frame.x([1, 100, 10000]).tolist() == [50, 150, 250] and frame.y([0, 2, 8]).tolist() == [90, 70, 10]


def test_bars_are_as_long_as_their_values_say():
    ax = plot.bars({"a": 100, "b": 25, "c": 50}, unit="sectors")
    x0, _, x1, _ = extents(ax, "load").T
    assert (x1 - x0) / (x1 - x0).max() == pytest.approx([1, 0.25, 0.5], abs=1e-3) and len(set(x0)) == 1


def test_a_stack_is_as_long_as_the_sum_of_its_parts():
    ax = plot.bars({"once": {"copy": 3, "compute": 1}, "all": {"copy": 3, "compute": 5}}, unit="ms")
    copies, sums = extents(ax, "store")[:2], extents(ax, "compute")[:2]
    assert copies[:, 2] == pytest.approx(sums[:, 0]) and np.ptp(copies[:, 2]) == pytest.approx(0)
    assert np.diff(sums[:, 2] - copies[:, 0])[0] == pytest.approx((sums[1, 2] - copies[1, 0]) / 2)


def test_an_estimate_is_pale_with_a_firm_end_and_the_binding_bar_is_deep():
    ax = plot.roofline_bars({"copy": {"hbm": 2e-4, "l2": 1e-4}})
    assert len(extents(ax, "hbm", 1.0)) == 1 and not len(extents(ax, "hbm", 0.3))
    pale, firm = extents(ax, "l2", 0.3)[0], extents(ax, "l2", 1.0)[0]
    assert firm[2] == pytest.approx(pale[2]) and firm[2] - firm[0] == pytest.approx(1.4)
    assert (pale[2] - pale[0]) / (extents(ax, "hbm")[0, 2] - pale[0]) == pytest.approx(0.5)


def test_roofline_bars_keep_their_height_and_scale_between_settings():
    axes = [plot.roofline_bars({"a": {"hbm": t, "l1": 1e-3}}, limit=5e-3) for t in (1e-4, 5e-3)]
    assert len({ax.get_ylim() for ax in axes}) == 1
    ticks = [[t for t in texts(ax) if t.replace(".", "").isdigit()][-5:] for ax in axes]
    assert ticks[0] == ticks[1]


def test_a_measured_time_is_a_diamond_at_its_place():
    ax = plot.roofline_bars({"a": {"hbm": 1e-3, "l2": 5e-4}}, {"a": 2e-3}, device="T4")
    zero, unit = extents(ax, "hbm")[0, [0, 2]]
    diamond = extents(ax, "ink")[-1]
    assert (diamond[0] + diamond[2]) / 2 == pytest.approx(zero + 2 * (unit - zero))
    assert "measured on a T4" in plot.alt_text(ax)


def test_a_roofline_point_stands_under_the_roof_that_limits_it():
    ax = plot.roofline({"low": (1, 1e12), "high": (100, 20e12)}, 4e12, 60e12)
    told = texts(ax)
    assert "1; roof 4× higher" in told and "20; roof 3× higher" in told and ax.headline == "20 of 60 TFLOP/s"


def test_a_curve_writes_the_value_at_the_readers_setting():
    p = np.linspace(0, 1, 40)
    ax = curve((p, 1 - (1 - p) ** 32), x="p", y="warps that diverge", here=(0.05, 1 - 0.95**32))
    assert ax.headline == "warps that diverge: 0.806 at p = 0.05"


def test_a_curve_stays_in_its_frame_when_limits_are_given():
    x = np.linspace(0, 10, 30)
    ax = curve((x, x**3), ylim=(0, 100), xlim=(0, 8))
    lines = [patch for patch in ax.patches if to_hex(patch.get_edgecolor()).upper() == plot.LIGHT["load"]]
    y = lines[0].get_path().vertices[:, 1]
    assert y.min() >= 58 - 1e-6 and y.max() <= 196 - 34 + 1e-6


def test_a_series_says_what_kind_of_number_it_is():
    with pytest.raises(ValueError, match="counted, estimated or measured, not 'guess'"):
        curve({"a": ([1, 2], [3, 4], "guess")})


def test_waves_repeat_the_model():
    model = gs.waves("H100", blocks=400, per_sm=3)
    by_hand = plot.waves(400, sms=132, per_sm=3)
    assert plot.waves(model).headline == by_hand.headline == "50.5 % of the places used"
    full, last = extents(plot.waves(model), "load")[:2]
    assert (last[2] - last[0]) / (full[2] - full[0]) == pytest.approx(4 / 396, abs=2e-3)


def test_waves_keep_their_height_when_rows_are_reserved():
    assert len({plot.waves(n, 396, rows=3).get_ylim() for n in (1, 396, 397, 1189, 9999)}) == 1


@pytest.mark.parametrize("asked", [("H200", 256, 40, 49152), ("T4", 1024, 32, 0), ("H100", 96, 128, 20000)])
def test_occupancy_limits_repeat_the_model(asked):
    model = occupancy.occupancy(*asked)
    ax = plot.occupancy_limits(model, *asked)
    bold = {text.get_text() for text in ax.texts if text.get_fontweight() == "bold"}
    assert set(model.limiters) == bold & set(model.limits)
    assert ax.headline.startswith(f"{model.blocks} block") and f"{model.warps} of" in ax.headline
    limits = [limit for limit in model.limits.values() if limit is not None]
    assert len(extents(ax, "load")) == sum(min(model.blocks, limit, 32) for limit in limits)


def test_a_gantt_chart_repeats_the_schedule():
    model = blocks.schedule(gs.TOY.with_(sms=3), [3, 3, 7, 5, 6, 6, 7, 3, 5, 13, 5, 8, 6, 3], per_sm=2)
    ax = plot.gantt(model)
    assert ax.headline == f"{100 * model.utilisation:.0f} % busy over 19 units of time"
    stays = np.concatenate([extents(ax, color, 0.3) for color in ("load", "compute", "shared", "issue")])
    lengths = sorted(placed.end - placed.start for placed in model.placements)
    drawn = np.sort(stays[:, 2] - stays[:, 0] + 0.8)
    assert drawn / drawn.max() == pytest.approx(np.array(lengths) / max(lengths), abs=1e-2)


def test_a_block_that_never_ends_is_trouble():
    ax = plot.gantt([(0, 0, 0, 0, None), (1, 1, 0, 0, 4)], waiting=[2, 3], until=10)
    assert ax.headline == "1 block never ends" and "blocks 2 to 3 never start" in texts(ax)
    assert ax.texts[-2].get_color() == plot.LIGHT["bad"] or len(extents(ax, "bad")) == 1


@pytest.mark.parametrize("policy", scheduler.POLICIES)
def test_a_warp_timeline_repeats_the_scheduler(policy):
    model = scheduler.schedule(6, 10, 40, policy, cycles=300)
    ax = plot.warp_timeline(model)
    assert ax.headline == f"{100 * model.utilisation:.0f} % of the cycles issue an instruction"
    busy = extents(ax, "issue")
    share = (busy[:, 2] - busy[:, 0]).sum() / (345.6 - 8 - 2 - 58)
    assert share == pytest.approx(model.utilisation, abs=1e-3)


def test_a_heatmap_is_deeper_where_values_are_larger():
    values = np.array([[1.0, 2.0], [3.0, np.nan]])
    ax = plot.heatmap(values, ["a", "b"], ["c", "d"], best="high", unit="ms")
    depth = [patch.get_facecolor()[3] for patch in ax.patches if patch.get_facecolor()[3] not in (0, 1)]
    assert sorted(depth) == depth and "–" in texts(ax) and ax.headline == "Best: 3 ms at a, d"


def test_a_heatmap_refuses_values_of_another_shape():
    with pytest.raises(ValueError, match=r"\(1, 2\); got \(2, 2\)"):
        plot.heatmap(np.ones((2, 2)), [1, 2], [1])


def test_a_ladder_writes_the_factor_of_each_step():
    assert {"5×", "3×"} <= set(texts(plot.ladder({"a": 1.0, "b": 5.0, "c": 15.0}, 60)))


def test_a_waterfall_ends_at_the_product():
    ax = plot.waterfall(("old", 4.0), {"SMs": 8.0, "clock": 0.5, "tensor": 16.0}, unit="TFLOP/s", end="new")
    assert ax.headline == "old to new: 64 times, 4 to 256 TFLOP/s" and len(extents(ax, "bad")) == 1


def test_latencies_stand_a_decade_apart_on_a_log_axis():
    ax = plot.latency_ladder({"shared": 20, "device memory": 200})
    shared, memory = (np.mean(extents(ax, color)[0, [0, 2]]) for color in ("shared", "hbm"))
    assert ax.headline == "device memory takes 10 times as long as shared" and memory > shared
