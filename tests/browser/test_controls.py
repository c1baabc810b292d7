"""Every slider of the built book, moved to both ends, and every question, answered: the page must say what a fresh
simulation says."""

import functools
import html
import re

import book_pages
import pytest

pytestmark = pytest.mark.browser


def settings_shown(explorer):
    """The place on each control of an explorer in the page."""
    return explorer.evaluate(
        """root => [...root.querySelector('.gs-controls').children].map(control =>
            control.matches('.gs-choice')
                ? [...control.querySelectorAll('button')].findIndex(b => b.ariaPressed === 'true')
                : +control.querySelector('input').value)"""
    )


def counts_shown(explorer):
    """The readout as a dict."""
    pairs = explorer.locator(".gs-readout > span").evaluate_all(
        "all => all.map(e => [e.firstChild.textContent.trim(), e.querySelector('b').textContent])"
    )
    return dict(map(tuple, pairs))


def pictures_shown(explorer):
    """What the pictures say of themselves."""
    return explorer.locator(".gs-plot [role=img]").evaluate_all(
        "all => all.map(e => e.getAttribute('aria-label'))"
    )


@functools.cache
def fresh_frame(made, at):
    """A run of this very moment; keyboard and mouse ask for the same ones."""
    return made.frame(at)


def assert_fresh(explorer, made):
    """The page's counts, labels and picture are those of a run."""
    at = tuple(settings_shown(explorer))
    frame = fresh_frame(made, at)
    assert counts_shown(explorer) == frame.counts or not frame.counts, made.setting(at)
    for text in pictures_shown(explorer):
        assert html.escape(text) in frame.picture, made.setting(at)
    labels = explorer.locator(".gs-value").all_text_contents()
    assert labels == [axis.labels[place] for axis, place in zip(made.axes, at, strict=True) if not axis.named]
    return at


def by_keyboard(control, end):
    """Move a control to one of its ends with keys alone."""
    if control.evaluate("e => e.matches('.gs-choice')"):
        button = control.locator("button").nth(0 if end == "first" else -1)
        button.focus()
        button.press("Enter")
    else:
        control.locator("input").press("Home" if end == "first" else "End")


def by_mouse(control, end):
    """Drag a slider's thumb beyond its end, or click the outermost button."""
    if control.evaluate("e => e.matches('.gs-choice')"):
        return control.locator("button").nth(0 if end == "first" else -1).click()
    slider = control.locator("input")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    part = int(slider.input_value()) / int(slider.get_attribute("max"))
    middle = box["y"] + box["height"] / 2
    mouse = slider.page.mouse
    mouse.move(box["x"] + 8 + part * (box["width"] - 16), middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2, middle)
    mouse.move(box["x"] + (1 if end == "first" else box["width"] - 1), middle)
    mouse.up()


def test_the_page_opens_at_the_setting_that_makes_the_point(play):
    opened, path = play
    explorers, made = opened.page.locator(".gs-explore").all(), book_pages.fresh(path).explorers
    assert len(explorers) == len(made)
    for explorer, fresh in zip(explorers, made, strict=True):
        assert assert_fresh(explorer, fresh) == fresh.start


@pytest.mark.parametrize("move", [by_keyboard, by_mouse])
def test_every_control_reaches_both_ends_and_tells_the_truth(play, move):
    opened, path = play
    for explorer, fresh in zip(
        opened.page.locator(".gs-explore").all(), book_pages.fresh(path).explorers, strict=True
    ):
        height = _height(explorer)
        for place, control in enumerate(explorer.locator(".gs-controls > *").all()):
            for end in ("first", "last"):  # the last ends stay, so that the far corner is met as well
                move(control, end)
                at = assert_fresh(explorer, fresh)
                assert at[place] == (0 if end == "first" else len(fresh.axes[place].values) - 1)
                assert abs(_height(explorer) - height) <= 1, "the picture changed its size"
    assert opened.complaints == [] and opened.outside == []


def _height(explorer):
    return explorer.evaluate("root => root.querySelector('.gs-plot').offsetHeight")


def test_arrow_keys_step_through_the_list_and_a_screen_reader_hears_each_value(play):
    for slider in play[0].page.locator(".gs-explore input[type=range]").all():
        slider.press("Home")
        heard = [slider.get_attribute("aria-valuetext")]
        for _ in range(int(slider.get_attribute("max"))):
            slider.press("ArrowRight")
            heard.append(slider.get_attribute("aria-valuetext"))
        assert heard == slider.evaluate("e => JSON.parse(e.dataset.values)")


def test_paper_gets_the_picture_and_the_table_but_no_controls(play):
    page = play[0].page
    page.emulate_media(media="print", color_scheme="dark")
    for explorer in page.locator(".gs-explore").all():
        assert not explorer.locator(".gs-controls").is_visible()
        assert explorer.locator("tbody tr").first.is_visible()
        assert explorer.evaluate("root => getComputedStyle(root).color") == "rgb(34, 40, 50)"
    page.emulate_media(media="screen", color_scheme="light")


@pytest.mark.parametrize("path", book_pages.listed(), ids=lambda path: path.stem)
def test_without_javascript_the_first_frame_and_the_table_are_there(chromium, site, path):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + book_pages.page_of(path))
    for explorer in page.locator(".gs-explore").all():
        assert explorer.locator(".gs-plot").bounding_box()["height"] > 50
        assert not explorer.locator(".gs-controls").is_visible()
        explorer.locator("summary").click()
        assert explorer.locator("tbody tr").first.is_visible()
    context.close()


# ---- questions ----


def test_a_right_answer_is_told_so_and_a_wrong_one_not(play):
    opened, path = play
    asked, made = opened.page.locator(".gs-ask").all(), book_pages.fresh(path).questions
    assert len(asked) == len(made)
    for shown, question in zip(asked, made, strict=True):
        for right in (False, True):
            _answer(shown, question, right)
            verdict = shown.locator(".gs-verdict")
            assert verdict.inner_text().startswith("Right" if right else "Not yet")
        for wrong, remark in question.remarks.items():
            shown.locator("input").fill(str(wrong))
            shown.locator("input").press("Enter")
            assert _words(verdict.inner_text()) == _words(f"Not yet. {remark}")


def _words(text):
    """A text without its marks of code and emphasis."""
    return re.sub(r"[`*]", "", text).split()


def test_a_section_with_typed_numbers_has_remarks_on_wrong_ones(play):
    _, path = play
    typed = [question for question in book_pages.fresh(path).questions if question.options is None]
    assert any(question.remarks for question in typed) or not typed


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
