"""The built files as text: everything local, every link found, nothing of the machine that built them."""

import re
import urllib.parse

import book_pages
import pytest

PAGES = book_pages.listed()
LIMIT = 1_500_000  # bytes of HTML a page
OUTSIDE = re.compile(r'(?:src|href)="((?:https?:)?//[^"]*)"')
LOADED = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="((?:https?:)?//[^"]*)"')
LOCAL = re.compile(r'(?:src|href)="(?!https?:|//|data:|mailto:|javascript:)([^"]+)"')
MACHINE = re.compile(r"(?:/home/|/root/|/tmp/|/Users/|site-packages|\.venv)")
NOISE = re.compile(r"Warning:|Traceback \(most recent|findfont|Glyph \d+|nbclient|ModuleNotFoundError")
pytestmark = pytest.mark.browser


@pytest.fixture(params=PAGES, ids=lambda path: path.stem)
def page(request, html):
    return (html / book_pages.page_of(request.param)).read_text(encoding="utf-8")


def test_every_listed_notebook_became_a_page(html):
    assert [page for page in map(book_pages.page_of, PAGES) if not (html / page).exists()] == []


def test_a_page_loads_nothing_from_outside(page):
    assert LOADED.findall(page) == []


def test_a_page_names_no_machine_and_shows_no_warning(page):
    text = re.sub(r'class="gs-data">[^<]*', "", page)
    assert MACHINE.findall(text) == []
    text = re.sub(
        r'<div class="cell_input.*?</pre>|<code.*?</code>', "", text, flags=re.DOTALL
    )  # what is quoted
    assert NOISE.findall(text) == []


def test_a_page_holds_no_widget_that_would_need_a_kernel(page):
    assert "application/vnd.jupyter.widget" not in page


def test_a_page_is_light_enough(page):
    assert len(page.encode()) <= LIMIT
    assert page.count('class="gs-explore"') <= 6


def test_every_picture_has_a_description_of_its_own(page):
    told = re.findall(r'<svg [^>]*role="img" aria-label="([^"]*)"', page)
    assert all(len(text) > 20 for text in told)
    assert "<svg" not in page or told
    assert not re.search(r'<img(?![^>]*alt="[^"]+)[^>]*>', page)


def test_every_table_says_what_it_shows(page):
    assert re.findall(r'<table class="gs-table[^"]*">(?!<caption>).{80}', page) == []


def test_a_percentage_is_written_in_one_way(page):
    shown = re.sub(
        r'<(script|style)\b.*?</\1>|<div class="cell_input.*?</pre>|<code.*?</code>',
        "",
        page,
        flags=re.DOTALL,
    )
    assert re.findall(r">[^<>]*\d%[^<>]*<", shown) == []


def test_every_local_link_is_found(html):
    missing = []
    for path in map(book_pages.page_of, PAGES):
        page = html / path
        for link in LOCAL.findall(page.read_text(encoding="utf-8")):
            target, _, anchor = urllib.parse.unquote(link).partition("#")
            file = (page.parent / target.partition("?")[0]).resolve() if target else page
            if not file.exists():
                missing.append((path, link))
            elif (
                anchor and file.suffix == ".html" and f'id="{anchor}"' not in file.read_text(encoding="utf-8")
            ):
                missing.append((path, link))
    assert missing == []
