"""How runs and counts show themselves: the floors below know no pages, this one tells them when asked."""

from __future__ import annotations

from ..machine.account.counts import Counts
from ..machine.run import Run


def source(run):
    """The kernel's text with requests, sectors or wavefronts, lanes and divergent branches beside each line.

    return : source.Source; print it, or let a notebook show it
    """
    from .source import source

    return source(run)


def run_page(run) -> str:
    """A run as a notebook shows it."""
    return source(run)._repr_html_()


def counts_page(counts) -> str:
    """Counts as a notebook shows them."""
    from .tables import counts_table

    return counts_table(counts)._repr_html_()


Run.source, Run._repr_html_, Counts._repr_html_ = source, run_page, counts_page
