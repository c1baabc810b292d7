"""Explorers and questions in a live notebook, in JupyterLab or the classic front end, whichever is here."""

import importlib.metadata

import nbformat
import pytest
from front_ends import front_end

from gpusim.rules import coalesce

CELLS = [
    """
import numpy as np
from gpusim.rules import coalesce
from gpusim.show.pages.explore import explore
from gpusim.show.plot import sector_map
from gpusim.show.question import ask

lane = np.arange(32)

def load(stride, size):
    addresses = size * stride * lane
    count = int(coalesce.sectors(addresses[None], lane[None] >= 0, size)[0])
    return sector_map(addresses, size=size, rows=8), {"sectors": count}
""",
    'explore(load, stride=list(range(33)), size={"float": 4, "double": 8}, caption="All strides.")',
    'ask("How many?", [4, 8], answer=8)',
    """
import gpusim as gs
run = gs.load("vector_add")[4, 256](gs.zeros(1000, np.float32), gs.zeros(1000, np.float32), gs.zeros(1000, np.float32), 1000)
display(run.source(), gs.sweep(lambda n: {"word": "wide", "n": n}, n=[1, 2, 3]))
""",
]
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
pytestmark = pytest.mark.live


def sectors(stride, size):
    addresses = size * stride * coalesce.np.arange(32)
    return int(coalesce.sectors(addresses[None], addresses[None] >= 0, size)[0])


@pytest.fixture(scope="module")
def page(server, run_notebook):
    path = server[2] / "strides.ipynb"
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), path)
    page = run_notebook(path)
    page.wait_for_selector(".gs-live svg")
    return page


def shown(page, count):
    """Wait until the one readout says `count`."""
    page.wait_for_function(
        "count => document.querySelector('.gs-live .gs-readout b')?.textContent === String(count)", arg=count
    )
    assert page.locator(".gs-live svg").count() == 1


def test_keys_and_buttons_redraw_in_place(page):
    handle = page.locator(front_end().handle).first
    handle.press("Home")
    shown(page, sectors(0, 4))
    for stride in (1, 2, 3):
        handle.press("ArrowRight")
        shown(page, sectors(stride, 4))
    page.get_by_role("button", name="double").click()
    shown(page, sectors(3, 8))
    page.get_by_role("button", name="float").click()
    shown(page, sectors(3, 4))


def test_while_dragging_fast_the_last_position_wins(page):
    page.locator(front_end().handle).first.press("Home")
    shown(page, sectors(0, 4))
    box = page.locator(front_end().handle).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + 10 * step, y)
    page.mouse.up()
    shown(page, sectors(32, 4))


def test_a_question_is_judged(page):
    page.wait_for_selector(".gs-ask[data-gs=ready]")
    page.get_by_label("4", exact=True).check()
    page.get_by_role("button", name="Check", exact=True).click()
    assert page.locator(".gs-verdict").inner_text().startswith("Not yet")
    page.get_by_label("8", exact=True).check()
    page.get_by_role("button", name="Check", exact=True).click()
    assert page.locator(".gs-verdict").inner_text().startswith("Right: 8")


def test_the_widgets_are_those_of_this_environment(page):
    major = importlib.metadata.version("ipywidgets").split(".")[0]
    assert front_end().name == {"7": "classic", "8": "lab"}[major]


STYLES = """selector => [...document.querySelectorAll(selector)].map(each => {
    const style = getComputedStyle(each);
    return [style.textAlign, style.tableLayout, style.backgroundColor, style.whiteSpace];
})"""


def test_the_front_ends_own_rules_for_tables_do_not_reach_the_text_with_counts(page):
    page.wait_for_selector(".gs-src tr")
    (table,) = page.evaluate(STYLES, ".gs-src table")
    assert table[1] == "auto"
    assert {style[2] for style in page.evaluate(STYLES, ".gs-src tr")} == {"rgba(0, 0, 0, 0)"}
    text = page.evaluate(STYLES, ".gs-src tr td:last-child")
    assert len(text) > 4 and {(style[0], style[3]) for style in text} == {("left", "pre")}
    assert {style[0] for style in page.evaluate(STYLES, ".gs-src td.n")} == {"right"}
    assert {style[0] for style in page.evaluate(STYLES, ".gs-table td.words")} == {"left"}
