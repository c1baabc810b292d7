"""Tables: in text aligned, in HTML escaped, with both names of a count and the device that measured."""

from types import SimpleNamespace

import numpy as np

import gpusim as gs
from gpusim.counters import COUNTERS
from gpusim.show.explains import notebook_of
from gpusim.show.tables import PageTable, compare_table, counter_table, counts_table, table


def test_counts_that_are_zero_are_left_out():
    run = gs.load("saxpy")[1, 32](2.0, gs.zeros(32, np.float32), gs.zeros(32, np.float32), 32)
    rows = counts_table(run.counts).rows
    assert ("global_load_sectors", 8, "32-byte sectors") in rows
    assert all(value for _, value, _ in rows)


def test_numbers_stand_at_the_right_and_words_at_the_left():
    lines = str(PageTable(("count", "n", "unit"), [("a", 5, "x"), ("bbbbbb", 12000, "yyy")])).split("\n")
    assert lines == ["count        n  unit", "a            5  x", "bbbbbb  12,000  yyy"]


def test_a_comparison_has_both_numbers_both_names_and_the_device():
    rows = [("global_load_sectors", 8, 9, "l1tex__t_sectors.sum"), ("barriers", 2, None, "")]
    shown = compare_table(SimpleNamespace(kernel="k", footer="measured: NVIDIA H200", rows=rows))
    page = shown.html()
    assert "<caption>k: measured: NVIDIA H200</caption>" in page
    assert "<code>l1tex__t_sectors.sum</code>" in page and "<td>9</td>" in page and "<td>–</td>" in page
    assert str(shown).split("\n")[2].split() == ["barriers", "2", "-"]


def test_a_table_with_sentences_names_its_columns_in_each_row_for_a_phone():
    long = PageTable(
        ("slip", "right", "n"), [("a", "more words than a column of a phone can hold", 3)]
    ).html()
    assert 'class="gs-table gs-rows"' in long and '<td data-head="n">3</td>' in long
    errors = [
        (64, 5, None),
        (128, 6, None),
        (256, 7, None),
        (2048, None, "more threads than a block may have"),
    ]
    short = PageTable(("threads", "ms", "error"), errors).html()
    assert "gs-rows" not in short and "data-head" not in short


def test_text_in_a_table_is_escaped():
    page = PageTable(("<b>", "n"), [("<script>", "a & b")], "<i>").html()
    assert not any(bad in page for bad in ("<b>", "<script>", "<i>", "a & b"))


def test_rows_of_dicts_make_a_table():
    made = table([{"stride": 1, "sectors": 4}, {"stride": 2, "sectors": 8}], caption="one request")
    assert made.head == ("stride", "sectors") and made.rows == [(1, 4), (2, 8)]


def test_every_count_has_a_page_that_explains_it():
    assert [name for name in COUNTERS if notebook_of(name) is None] == []
    assert len(counter_table().rows) == len(COUNTERS)
