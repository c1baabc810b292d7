"""Explorers: a figure function, its controls, and the same picture live and in the built page."""

import asyncio
import re
import sys

import numpy as np
import pytest

from gpusim.errors import LaunchError
from gpusim.rules import coalesce
from gpusim.show import page
from gpusim.show.pages import live
from gpusim.show.pages.explore import explore
from gpusim.show.plot import svg, theme
from gpusim.show.plot.sectors import sector_map

LANE = np.arange(32)


def one_load(stride, offset):
    """The figure of a strided load, as a notebook would write it."""
    addresses = 4 * (stride * LANE + offset)
    count = int(coalesce.sectors(addresses[None], LANE[None] >= 0, 4)[0])
    return sector_map(addresses, rows=8), {"sectors": count, "used": 128 / (32 * count)}


def words(n, walk="row"):
    return f"<p>{n} {walk}</p>", {"n": n}


def test_the_player_starts_with_the_setting_asked_for():
    html = explore(one_load, stride=[1, 2, 8], offset=[0, 1], start={"stride": 2}).html()
    assert 'value="1" aria-valuetext="2"' in html
    assert "<span>sectors <b>8</b></span>" in html


def test_the_table_holds_a_fresh_run_of_every_setting():
    head, *rows = explore(one_load, stride=[1, 2, 3, 8, 32], offset=[0, 1, 4]).table()
    assert head == ["stride", "offset", "sectors", "used"]
    assert len(rows) == 15
    for stride, offset, sectors, _ in rows:
        assert sectors == str(one_load(int(stride), int(offset))[1]["sectors"])


def test_two_to_four_words_are_buttons_and_numbers_are_a_range():
    html = explore(words, n=[1, 2], walk=["row", "column"]).html()
    assert html.count('type="range"') == 1
    assert html.count("aria-pressed") == 2
    named = explore(lambda pad: words(pad), pad={"none": 0, "one column": 1}).html()
    assert ">one column</button>" in named


def test_all_frames_of_an_explorer_have_one_height():
    drawn = explore(lambda stride: (sector_map(4 * stride * LANE), {"n": 0}), stride=[1, 8]).all_frames()
    boxes = {re.match(r'<svg viewBox="([^"]*)"', frame.picture)[1] for frame in drawn}
    assert len(boxes) == 1


def test_every_picture_says_what_it_shows_in_numbers():
    frame = explore(one_load, stride=[3, 1], offset=[1, 0]).frame((0, 0))
    assert "12 sectors move 384 bytes" in re.search('aria-label="([^"]*)"', frame.picture)[1]


def test_a_setting_that_a_card_refuses_shows_the_reason():
    def block(threads):
        if threads > 1024:
            raise LaunchError(f"a block of {threads} threads: at most 1024")
        return words(threads)

    explorer = explore(block, threads=[1024, 2048])
    assert "a block of 2048 threads: at most 1024" in explorer.all_frames()[1].picture
    assert explorer.table()[2] == ["2048", "–"]


def test_a_mistake_in_a_figure_function_stops_the_build():
    with pytest.raises(ZeroDivisionError):
        explore(lambda n: words(1 // n), n=[1, 0]).html()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (dict(n=[1, 2], start={"m": 1}), "no axes"),
        (dict(n=[1, 2], start={"n": 3}), "n=3"),
        (dict(n=[1]), "two values"),
        (dict(), "1 to 4 controls"),
        (dict.fromkeys("abcde", [1, 2]), "1 to 4 controls, not 5"),
        (dict(a=range(100), b=range(100)), "10000 settings"),
    ],
)
def test_a_wrong_call_says_what_is_allowed(call, message):
    with pytest.raises(ValueError, match=message):
        explore(words, **call)


def test_counts_that_change_their_names_are_refused():
    with pytest.raises(ValueError, match="same names"):
        explore(lambda n: ("<p></p>", {f"count {n}": n}), n=[1, 2]).all_frames()


def test_an_svg_is_the_same_bytes_twice_and_carries_no_font_and_no_colour_of_its_own():
    first, second = (svg.of(one_load(3, 1)[0]) for _ in range(2))
    assert first == second
    assert "font-family" not in first
    bare = re.sub(r"var\(--gs-\w+,#\w{6}\)", "", first)
    assert re.findall(r"#[0-9a-fA-F]{6}\b", bare) == []


def test_numbers_in_the_text_of_a_figure_are_not_rounded():
    text = svg.clean(
        '<svg viewBox="0 0 1 1"><text x="1.2345" style="font: 600 9px \'A\'">3.14159</text></svg>'
    )
    assert '<text x="1.2" style="font-size:9px;font-weight:600">3.14159</text>' in text


def test_pictures_in_dots_on_request(monkeypatch):
    monkeypatch.setenv("GPUSIM_PICTURES", "png")
    picture = explore(one_load, stride=[3, 1], offset=[1, 0]).frame((0, 0)).picture
    assert picture.startswith("<img") and "12 sectors" in picture


def test_the_style_sheet_holds_the_palette_of_both_themes():
    light, dark = (page.HERE / "player.css").read_text().split("@media not print", 1)
    for name, code in theme.LIGHT.items():
        assert re.search(rf"--gs-{name}: [^;]*{code}", light), name
    for name, code in theme.DARK.items():
        assert re.search(rf"--gs-{name}: [^;]*{code}", dark), name


# ---- in a kernel ----


def test_moving_a_slider_replaces_the_picture_in_place():
    pytest.importorskip("ipywidgets")
    box = live.widget(explore(one_load, stride=[1, 2, 8], offset=[0, 1]))
    (stride, _), picture = box.children[0].children, box.children[1]
    assert "<b>4</b>" in picture.value
    stride.value = 2
    assert "<b>32</b>" in picture.value
    assert box.children[1] is picture


def test_a_mistake_in_a_live_figure_is_shown_where_the_reader_looks():
    html = live.live_html(explore(lambda n: words(1 // n), n=[0, 1]), (0,))
    assert 'role="alert"' in html and "ZeroDivisionError" in html


def test_events_that_queue_up_are_drawn_once_and_the_last_position_wins():
    drawn, slider = [], {"at": 0}
    redraw = live.LastWins(lambda: drawn.append(slider["at"]), clock=lambda: 0.0)

    async def drag():
        for position in range(50):
            slider["at"] = position
            redraw()
        await asyncio.sleep(5 * live.PAUSE)

    asyncio.run(drag())
    assert drawn == [0, 49]


def test_events_with_time_between_them_are_drawn_at_once():
    drawn, seconds = [], iter(range(100))
    redraw = live.LastWins(lambda: drawn.append(len(drawn)), clock=lambda: next(seconds))

    async def step():
        for _ in range(3):
            redraw()

    asyncio.run(step())
    assert drawn == [0, 1, 2]


def test_a_front_end_without_widgets_gets_html_beside_them():
    pytest.importorskip("ipywidgets")
    bundle = explore(words, n=[1, 2])._bundle()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
    assert "<p>1 row</p>" in bundle["text/html"]


def test_colab_gets_the_widgets_and_no_choice(monkeypatch):
    pytest.importorskip("ipywidgets")
    monkeypatch.setitem(sys.modules, "google.colab", sys)
    assert set(explore(words, n=[1, 2])._bundle()) == {
        "text/plain",
        "application/vnd.jupyter.widget-view+json",
    }


def test_without_ipywidgets_the_player_comes_with_its_script(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bundle = explore(words, n=[1, 2])._bundle()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "DecompressionStream" in bundle["text/html"]


def test_the_built_page_gets_the_player_alone(monkeypatch):
    monkeypatch.setenv("GPUSIM_STATIC", "1")
    bundle = explore(words, n=[1, 2])._bundle()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "<style>" not in bundle["text/html"]
