"""Which page of the book explains a number: the table behind the links on counts."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from ..counters import COUNTERS, DERIVED
from ..library import folder
from .page import escape, is_static

# Beginnings and ends of counts' names, the first that fits wins -> the notebook that explains the count.
PAGES = (
    ("divergent", "05-divergence"),
    ("branches", "05-divergence"),
    ("simd_efficiency", "05-divergence"),
    ("warp_instructions", "05-divergence"),
    ("thread_instructions", "05-divergence"),
    ("lanes", "05-divergence"),
    ("barriers", "09-barriers-and-races"),
    ("atomic", "09-barriers-and-races"),
    ("report", "09-barriers-and-races"),
    ("shuffles", "27-reductions"),
    ("tensor", "28-tensor-cores"),
    ("flops", "18-roofline"),
    ("wavefronts", "10-bank-conflicts"),
    ("excess", "10-bank-conflicts"),
    ("shared", "08-shared-1d-convolution"),
    ("occupancy", "15-occupancy"),
    ("waves", "17-waves-and-tails"),
    ("seconds", "13-model-vs-measurement"),
    ("requests", "07-coalescing"),
    ("sectors", "07-coalescing"),
    ("global", "07-coalescing"),
)

ROOM = "Why"  # the heading under which each of these pages explains

# What a column shows, where it is no count by itself but many counts together or a mean.
WORDS = {
    "requests": "memory instructions, once for each warp with at least one active lane",
    "sectors": "distinct aligned 32-byte pieces of global memory that a request touches",
    "wavefronts": "rounds at the 32 banks that a request to shared memory takes",
    "lanes": "threads of a warp, 32 at most, that are active in an instruction",
}


def notebook_of(count) -> str | None:
    """The name of the notebook that explains a count.

    >>> notebook_of("shared_load_wavefronts"), notebook_of("global_load_sectors")
    ('10-bank-conflicts', '07-coalescing')
    """
    return next((notebook for part, notebook in PAGES if part in count), None)


def meaning(count) -> str:
    """What a count or a column of counts says, in a sentence; '' where no table has it.

    >>> meaning("lanes")
    'threads of a warp, 32 at most, that are active in an instruction'
    """
    known = COUNTERS.get(count) or DERIVED.get(count)
    return known.meaning if known else WORDS.get(count, "")


def linked(count, text, quiet=False) -> str:
    """HTML of a count or its name, as a link to the page that explains it; plain where there is no such page.

    count : a name of `gpusim.counters`, or a part of one such as "sectors"
    quiet : leave it out of the order of the Tab key: a table repeats the link in each row
    """
    address, title = address_of(count), meaning(count)
    told = f' title="{escape(title)}"' if title else ""
    if address is None:
        return f"<span{told}>{escape(text)}</span>" if told else escape(text)
    skipped = ' tabindex="-1"' if quiet else ""
    return f'<a class="gs-why" href="{escape(address)}"{told}{skipped}>{escape(text)}</a>'


def address_of(count) -> str | None:
    """The address of its explanation, seen from the page being made; None outside the book."""
    return _address(notebook_of(count), os.getcwd(), is_static())


@lru_cache(maxsize=256)
def _address(notebook, here, built):
    book = folder("kernels").parent.resolve()
    here = Path(here).resolve()
    if notebook is None or book != here and book not in here.parents:
        return None
    found = next(iter(sorted(book.glob(f"*/{notebook}.ipynb"))), None)
    if found is None:
        return None
    page = Path(os.path.relpath(found, here)).with_suffix(".html" if built else ".ipynb").as_posix()
    return f"{page}#{ROOM.lower() if built else ROOM}"  # a page names its headings in small letters
