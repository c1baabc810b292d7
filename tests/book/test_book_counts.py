"""A count's link leads to its explanation, and there is none on the page that explains it."""

import doctest

import pytest
from needed import need

LINK = '<a class="gs-why" href="{}#why" title="a &gt; b" tabindex="-1">12</a>'


@pytest.fixture
def book():
    need("docutils")
    import gpusim_book

    return gpusim_book


def test_the_examples_of_its_functions_are_right(book):
    found = doctest.testmod(book)
    assert found.attempted and found.failed == 0


def test_a_page_keeps_its_links_to_other_pages_only(book):
    other, own = LINK.format("../02-memory/07-coalescing.html"), LINK.format("05-divergence.html")
    html = book.WHY.sub(
        lambda link: book.unlinked(link, "05-divergence.html"), f"<td>{other}</td><td>{own}</td>"
    )
    assert html == f'<td>{other}</td><td><span class="gs-why" title="a &gt; b">12</span></td>'
