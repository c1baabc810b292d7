"""How runs, counts and comparisons show themselves: the floors below know no pages, so this one tells them."""

from __future__ import annotations

from ..hardware.measurements import Comparison
from ..machine.counts import Counts
from ..machine.run import Run
from .source import source
from .tables import compare_table, counts_table

Run.source = source
Run._repr_html_ = lambda run: source(run)._repr_html_()
Counts._repr_html_ = lambda counts: counts_table(counts)._repr_html_()
Comparison._repr_html_ = lambda comparison: compare_table(comparison)._repr_html_()
