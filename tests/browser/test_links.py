"""The links that no page writes: glossary terms at their first use, sections by number, entries of the back matter."""

import json
import re

import book_pages
import pytest
from needed import need

DOCUMENTS = [
    line.split()[-1] + ".html"
    for line in (book_pages.ROOT / "_toc.yml").read_text(encoding="utf-8").splitlines()
    if line.split()[-1:] and line.split()[-1].startswith("book/")
]
GLOSSARY = "book/08-back-matter/glossary.html"
NOT_TEXT = "h1 h2 h3 h4 code pre svg script style button label legend summary".split()
NO_TERMS = [*NOT_TEXT, "caption", "figcaption", "thead", "dt"]
NO_TERMS_IN = {"math", "gs-meta", "gs-kind", "gs-map", "text_html"}  # what is no running text
NAMED = re.compile(r"\b[Ss]ections?\s\d+(?!\.?\d)(?:(?:,| to| and|, and| or)\s\d+\b(?!\.\d))*")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def article(html):
    """A function: the text of a built page, parsed."""
    bs4 = need("bs4")
    read = {}

    def parsed(page):
        if page not in read:
            soup = bs4.BeautifulSoup((html / page).read_text(encoding="utf-8"), "html.parser")
            read[page] = soup.select_one("article")
        return read[page]

    return parsed


@pytest.fixture(scope="module")
def known(article):
    """{term: its anchor in the glossary}."""
    return {term.find(string=True): term["id"] for term in article(GLOSSARY).select("dl.glossary dt")}


def strings(article, tags, classes=()):
    """Each piece of text in the order of reading, but for those inside these tags and classes."""
    for text in article.find_all(string=True):
        above = [text.parent, *text.parent.parents]
        shown = not any(tag.name in tags or {*classes} & {*tag.get("class", [])} for tag in above)
        if type(text).__name__ == "NavigableString" and shown:
            yield text, text.find_parent("a")


def leads_to(link, page):
    """The page and the anchor that a link leads to, seen from a page."""
    path, _, anchor = link["href"].partition("#")
    folder = (book_pages.ROOT / page).parent
    target = (folder / path).resolve().relative_to(book_pages.ROOT).as_posix() if path else page
    return target, anchor


def defined_around(text):
    """The terms of the glossary's entry that a text belongs to."""
    entry = text.find_parent("dd")
    names = []
    for before in entry.find_previous_siblings() if entry else ():
        if before.name == "dd":
            break
        names.append(before.find(string=True))
    return names


@pytest.mark.parametrize("page", DOCUMENTS)
def test_each_term_is_linked_at_its_first_use_and_only_there(page, article, known):
    need("docutils")
    from book_links import uses

    met, unlinked = set(), []
    for text, link in strings(article(page), NO_TERMS, NO_TERMS_IN):
        if link is None:
            own = defined_around(text)
            unlinked += [term for term, *_ in uses(text, known) if term not in met and term not in own]
        elif "gs-term" in link.get("class", ()):
            target, anchor = leads_to(link, page)
            term = next(term for term, place in known.items() if place == anchor)
            assert target == GLOSSARY and link["title"]
            assert term in {used for used, *_ in uses(link.parent.get_text(), known)}, text
            assert term not in met, f"{term} is linked twice"
            met.add(term)
    assert unlinked == []


@pytest.mark.parametrize("page", DOCUMENTS)
def test_terms_are_linked_in_running_text_only(page, article):
    wrong = [f"{tag} a.gs-term" for tag in [*NO_TERMS, "a"]]
    assert article(page).select(", ".join([*wrong, *(f".{name} a.gs-term" for name in NO_TERMS_IN)])) == []


def test_every_term_of_the_glossary_is_used_by_some_other_page(article, known):
    links = [link for page in DOCUMENTS if page != GLOSSARY for link in article(page).select("a.gs-term")]
    assert {*known.values()} - {link["href"].partition("#")[2] for link in links} == set()


@pytest.mark.parametrize("page", DOCUMENTS)
def test_every_section_named_is_a_link_to_its_page(page, article):
    text, owner = "", []  # of each character the link that it is part of
    for piece, link in strings(article(page), NOT_TEXT, {"gs-meta"}):
        text += piece
        owner += [link] * len(piece)
    for named in NAMED.finditer(text):
        for number in re.finditer(r"\d+", named[0]):
            link = owner[named.start() + number.start()]
            if page.rsplit("/", 1)[1].startswith(f"{int(number[0]):02}-"):
                continue
            assert link, f"no link: {text[named.start() - 40 : named.end() + 20]!r}"
            assert leads_to(link, page)[0].rsplit("/", 1)[1].startswith(f"{int(number[0]):02}-"), link


@pytest.mark.parametrize("page", DOCUMENTS)
def test_what_a_question_says_after_an_answer_has_its_sections_linked(page, article):
    for data in article(page).select(".gs-ask script.gs-data"):
        said = json.loads(data.string)
        for text in [said["why"], *(said["remarks"] or [])]:
            assert not NAMED.search(re.sub(r"<a .*?</a>", "", text)), text


# ---- entries that lead to the page where their subject is treated ----


def rows(article, page, head):
    """The rows of a page's tables that have a column of this name, and that column's cell of each."""
    for table in article(page).select("table"):
        names = [cell.get_text() for cell in table.select("thead th")]
        for row in table.select("tbody tr") if head in names else ():
            yield row, row.find_all(["th", "td"])[names.index(head)]


def sections_linked(cell, page):
    return [link for link in cell.select("a") if re.match(r"book/.*/\d\d-", leads_to(link, page)[0])]


def test_each_optimisation_of_the_checklist_leads_to_its_page(article):
    page = next(page for page in DOCUMENTS if "/32-" in page)
    found = list(rows(article, page, "in this book"))
    assert len(found) >= 10
    assert [row.get_text() for row, cell in found if not sections_linked(cell, page)] == []


def test_each_slip_leads_to_its_page(article):
    page = "book/08-back-matter/slips.html"
    found = list(rows(article, page, "where"))
    assert len(found) >= 16
    assert [row.get_text() for row, cell in found if not sections_linked(cell, page)] == []


def test_each_misconception_leads_to_the_room_that_takes_it_apart(article):
    page = "book/08-back-matter/misconceptions.html"
    entries = article(page).select("section > ul li, div.cell_output li")
    assert len(entries) > 60
    for entry in entries:
        (link,) = (link for link in entry.select("a") if "gs-term" not in link["class"])
        target, anchor = leads_to(link, page)
        room = article(target).select_one(f"section#{anchor}")
        assert room.find("h2").get_text().startswith("Often believed")


@pytest.mark.parametrize("name", ["mutants", "simulated-and-measured"])
def test_each_kernel_that_a_page_has_leads_to_it(name, article):
    page = f"book/08-back-matter/{name}.html"
    notebooks = [path.read_text(encoding="utf-8") for path in book_pages.listed() if path.stem[:2].isdigit()]
    found = list(rows(article, page, "where"))
    assert len(found) > 20
    for row, cell in found:
        kernel = row.th.get_text().partition(",")[0]
        treated = any(re.search(rf"\b{kernel}\b", text) for text in notebooks)
        assert bool(sections_linked(cell, page)) == treated, kernel


def test_each_counter_leads_to_the_page_that_explains_it(article):
    page = "book/08-back-matter/counters.html"
    entries = [
        entry for entry in article(page).select("div.cell_output p, section > p") if entry.find("code")
    ]
    counters = [entry for entry in entries if entry.contents[0].name == "a"]
    from gpusim.counters import COUNTERS, DERIVED

    assert [entry.a.get_text() for entry in counters] == [*COUNTERS, *DERIVED]
    assert all(sections_linked(entry, page) for entry in counters)


@pytest.mark.parametrize("page", DOCUMENTS)
def test_a_count_leads_to_its_explanation_on_another_page(page, article):
    for link in article(page).select("a.gs-why"):
        target, anchor = leads_to(link, page)
        assert target != page and anchor == "why" and link["title"], link
