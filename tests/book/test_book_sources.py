"""Every source that a page names in italics has an address, or is known to have none."""

import re

import notebooks
from book_sources import ADDRESSES, FOLDED, PLAIN

ITALICS = re.compile(r"(?<![*\w])\*([^*\n]{3,})\*(?!\*)")


def named():
    """The titles in italics under "Sources", folded as the build compares them."""
    for path in notebooks.paths():
        for cell in notebooks.read(path)["cells"]:
            text = notebooks.source(cell)
            if cell["cell_type"] == "markdown" and "## Sources" in text:
                yield from (title.casefold() for title in ITALICS.findall(text.split("## Sources")[1]))


def test_every_source_in_italics_has_an_address_or_is_known_to_have_none():
    titles = set(named())
    assert len(titles) > 15
    assert titles <= FOLDED.keys() | {title.casefold() for title in PLAIN}


def test_no_address_stands_for_a_source_that_no_page_names():
    assert FOLDED.keys() <= set(named())


def test_addresses_are_whole_and_safe():
    assert all(address.startswith("https://") and " " not in address for address in ADDRESSES.values())
