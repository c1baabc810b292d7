"""The built pages as a reader meets them: three screens, no network, nothing to complain of."""

import book_pages
import pytest
from needed import need
from screens import SCREENS

PAGES = book_pages.listed()
OURS = ".gs-explorer, .gs-ask, .gs-figure, .gs-src, .gs-table, .gs-plot"
pytestmark = pytest.mark.browser


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_quiet_and_asks_nobody_outside(visit, path, screen):
    opened = visit(book_pages.page_of(path), screen)
    assert opened.complaints == []
    assert opened.outside == []
    assert opened.page.evaluate("[...document.fonts].some(font => font.status === 'loaded')")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_axe_finds_nothing_in_what_gpusim_shows_and_nothing_serious_in_the_page(visit, path, screen):
    need("axe_playwright_python")
    from axe_playwright_python.sync_playwright import Axe

    page = visit(book_pages.page_of(path), screen).page
    found = Axe().run(page).response["violations"]
    inside = "([target, ours]) => Boolean(document.querySelector(target)?.closest(ours))"
    marks = [(rule, node) for rule in found for node in rule["nodes"]]
    assert [node["html"] for _, node in marks if page.evaluate(inside, [node["target"][0], OURS])] == []
    assert [node["html"] for rule, node in marks if rule["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_phone_never_scrolls_sideways(visit, path):
    page = visit(book_pages.page_of(path), "phone").page
    for summary in page.locator(".gs-all summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_figures_take_the_theme_and_the_width_of_the_screen(visit, path, screen):
    page = visit(book_pages.page_of(path), screen).page
    ink = {"dark": "rgb(206, 214, 221)"}.get(screen, "rgb(34, 40, 50)")
    for picture in page.locator(".gs-plot svg").all():
        assert picture.evaluate("e => getComputedStyle(e).fill") == ink
        assert picture.bounding_box()["width"] >= (374 if screen == "phone" else 480)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_right_answer_is_told_so_and_a_wrong_one_not(visit, path):
    page = visit(book_pages.page_of(path)).page
    asked = page.locator(".gs-ask").all()
    made = book_pages.fresh(path).questions
    assert len(asked) == len(made)
    for shown, question in zip(asked, made, strict=True):
        for right in (False, True):
            _answer(shown, question, right)
            verdict = shown.locator(".gs-verdict")
            assert verdict.inner_text().startswith("Right" if right else "Not yet")


def _answer(shown, question, right):
    """Choose or type with the keyboard."""
    if question.options is None:
        shown.locator("input").fill(str(question.answer if right else question.answer * 2 + 1))
        return shown.locator("input").press("Enter")
    options = list(question.options)
    place = next(place for place, option in enumerate(options) if (option == question.answer) == right)
    shown.locator("input").nth(place).focus()
    shown.locator("input").nth(place).press("Space")
    shown.locator("button").press("Enter")


def test_search_finds_a_word_of_the_index(visit):
    page = visit("search.html?q=sectors").page
    page.wait_for_selector("ul.search li a")
    assert page.locator("ul.search li a").count() >= 1
