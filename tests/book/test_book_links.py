"""What the build recognises as a section or a term, and where in a cell's HTML it may link."""

import doctest
import json

import pytest
from needed import need


@pytest.fixture
def book_links():
    need("docutils")
    need("sphinx")
    import book_links

    return book_links


@pytest.fixture
def linked(book_links):
    """A function: HTML with a link on each section that it names."""

    class Links:
        def sections(self, text):
            for start, end, number in book_links.sections_in(text):
                yield start, end, f"{number}.html", "A & B?", "gs-section"

    return lambda html: book_links.in_html(html, Links())


def test_the_examples_of_its_functions_are_right(book_links):
    found = doctest.testmod(book_links)
    assert found.attempted > 3 and found.failed == 0


def test_of_several_sections_each_number_is_a_link(linked):
    link = '<a class="gs-section" href="{0}.html" title="A &amp; B?">{0}</a>'
    said = f"sections {link.format(20)} to {link.format(25)} and {link.format(7)}."
    assert linked("<p>sections 20 to 25 and 7.</p>") == f"<p>{said}</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<code>section 7</code>",
        '<a href="x">section 7</a>',
        "<h2>Section 7</h2>",
        '<p class="gs-meta"><span>Memory access, section 7</span></p>',
        '<button title="section 7">section 7</button>',
        "<p>section 6.3 of a book, 7 sections</p>",
    ],
)
def test_code_links_headings_and_other_books_stay_as_they_are(linked, html):
    assert linked(html) == html


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("units compute what Nsight Compute counts; compute is the longest bar", [("compute", "compute")]),
        ("private counters, then atomics", [("atomic", "atomics")]),
        ("the 3 × 2 block of a matrix; a block of 16 × 16 threads", [("block", "block")]),
        ("a warp (AMD: wavefront, of 64)", [("warp", "warp")]),
    ],
)
def test_a_term_is_linked_where_its_own_sense_is_meant(book_links, text, meant):
    known = ["atomic", "atomics", "block", "compute", "warp", "wavefront"]
    assert [(term, text[a:b]) for term, a, b in book_links.uses(text, known)] == meant


def test_what_a_question_says_is_linked_and_stays_readable_for_the_player(linked):
    why = {"answer": 1, "remarks": ["", "see section 7"], "why": "<code>x</code>, section 9", "right": "4"}
    data = json.dumps(why).replace("<", "\\u003c")
    html = linked(f'<script type="application/json" class="gs-data">{data}</script>')
    said = json.loads(html.partition(">")[2].removesuffix("</script>"))
    assert "<" not in html.partition(">")[2].removesuffix("</script>")
    assert 'href="9.html"' in said["why"] and 'href="7.html"' in said["remarks"][1]
