"""The vocabulary of figures: palette, numbers, canvas, and what importing and drawing leave alone."""

import re
import subprocess
import sys

import numpy as np
import pytest

import gpusim as gs
from gpusim.show import page, written
from gpusim.show.plot import paper, scales, shapes, svg, theme

plot = gs.plot


def contrast(a, b):
    """The WCAG ratio of two colours "#RRGGBB"."""

    def light(colour):
        parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722))

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", [name for name in plot.LIGHT if name != "bg"])
def test_a_colour_stands_out_on_its_page(name):
    assert contrast(plot.LIGHT[name], plot.LIGHT["bg"]) >= 3
    assert contrast(plot.DARK[name], plot.DARK["bg"]) >= 3


def test_text_colours_are_readable_on_both_pages():
    for palette in (plot.LIGHT, plot.DARK):
        assert all(contrast(palette[name], palette["bg"]) >= 4.5 for name in ("ink", "muted", "bad"))


def test_ink_is_readable_on_every_tint():
    for palette in (plot.LIGHT, plot.DARK):
        for name in theme.IDENTITY + ("bad", "store"):
            parts = [[int(palette[one][k : k + 2], 16) for k in (1, 3, 5)] for one in (name, "bg")]
            mixed = theme.TINT * np.array(parts[0]) + (1 - theme.TINT) * np.array(parts[1])
            tint = "#" + "".join(f"{round(part):02X}" for part in mixed)
            assert contrast(palette["ink"], tint) >= 4.5


def test_the_style_sheet_of_the_book_has_the_same_colours():
    sheet = (page.HERE / "player.css").read_text(encoding="utf-8").upper()
    for palette in (plot.LIGHT, plot.DARK):
        for name in set(palette) - {"bg"}:
            assert f"--GS-{name.upper()}: {palette[name]}".upper() in sheet


def test_importing_gpusim_does_not_import_matplotlib_and_drawing_no_pyplot():
    code = """import sys, gpusim as gs
assert 'matplotlib' not in sys.modules
gs.plot.sector_map([4 * lane for lane in range(32)])
assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == ""


def test_without_matplotlib_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plot.sector_map(np.arange(32) * 4)


def test_a_canvas_is_measured_in_points_with_y_downward():
    ax = plot.canvas(120)
    to_points = ax.figure.dpi / 72
    x, y = ax.transData.transform((10, 20)) / to_points
    assert (round(x, 6), round(y, 6)) == (10, 100)


def test_panels_stand_side_by_side_and_their_descriptions_join():
    left, right = plot.panels([322], columns=2)
    lane = np.arange(32)
    plot.bank_heatmap(lane * 128, ax=left)
    plot.bank_heatmap(lane * 132, ax=right)
    assert left.get_position().x1 == pytest.approx(right.get_position().x0)
    alt = plot.alt_text(left.figure)
    assert "32 wavefronts" in alt and "1 wavefront" in alt and alt == left.figure._gs_alt


def test_drawing_on_a_used_canvas_leaves_nothing_of_the_old_figure():
    ax = plot.sector_map(np.arange(32) * 32)
    fresh = plot.sector_map(np.arange(32) * 4)
    again = plot.sector_map(np.arange(32) * 4, ax=ax)
    assert again is ax and svg.of(again) == svg.of(fresh)


def test_the_same_figure_gives_the_same_bytes():
    first, second = (svg.of(plot.waves(400, sms=132, per_sm=3)) for _ in range(2))
    assert first == second and " id=" not in first and "font-family" not in first


def test_a_canvas_shows_itself_in_a_notebook_with_its_description():
    markup = plot.sector_map(np.arange(32) * 4)._repr_html_()
    assert 'role="img" aria-label="Sector map' in markup and markup.count("<svg") == 1


def test_a_title_of_ones_own_replaces_the_sentence():
    ax = plot.sector_map(np.arange(32) * 4, title="All of it <is> used", note="A & B")
    assert ax.headline == "All of it <is> used" and "A & B" in plot.alt_text(ax)
    assert "All of it &lt;is&gt; used" in svg.of(ax)


@pytest.mark.parametrize(
    "value, text",
    [
        (26.44, "26.4"),
        (999.6, "1000"),
        (0.0004, "4 × 10⁻⁴"),
        (-2.5, "−2.5"),
        (1e9, "10⁹"),
        (12345.6, "12 346"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_have_three_significant_digits(value, text):
    assert written.three(value).replace(written.THIN, " ") == text


def test_a_long_text_shrinks_to_its_room():
    text = "a sentence that is much too long for the width of a canvas, and then some more of it"
    ax = plot.canvas(50)
    plot.headline(ax, text)
    assert paper.text_width(text, ax.texts[0].get_fontsize(), True) <= 345.6


def test_ticks_are_round_few_and_inside():
    for low, high in ((0, 28), (0, 1), (0, 0.037), (3, 97), (0, 123456), (-5, 5)):
        ticks = scales.steps(low, high)
        assert 2 <= len(ticks) <= 8 and min(ticks) >= low and max(ticks) <= high
        assert all(float(f"{tick:.2g}") == pytest.approx(tick) for tick in ticks)


def test_merged_boxes_cover_a_map_once():
    kinds = np.random.default_rng(3).integers(0, 3, (17, 23))
    seen = np.full(kinds.shape, -1)
    for top, low, left, right, kind in shapes.merged(kinds, (5, 4)):
        assert (seen[top:low, left:right] == -1).all()
        assert top // 4 == (low - 1) // 4 and left // 5 == (right - 1) // 5
        seen[top:low, left:right] = kind
    assert (seen == kinds).all()


def test_an_svg_keeps_ink_and_paper_as_variables():
    markup = svg.of(plot.sector_map(np.arange(32) * 12))
    assert "var(--gs-load,#1A73C7)" in markup and not re.search(r"(?<!,)#[0-9a-fA-F]{6}", markup)
