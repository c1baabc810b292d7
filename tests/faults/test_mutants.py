"""A campaign: 200 small faults planted in the book's kernels; each is found, or shown to change nothing."""

import json
from collections import Counter

import mutants
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    return mutants.run()


def test_every_mutant_is_found_or_harmless_for_a_reason_that_is_given(table):
    assert len(table) == mutants.COUNT
    assert [row for row in table if not row["found_by"] and not row["harmless"]] == []
    assert {row["fault"] for row in table} == set(mutants.FAULTS)


def test_faults_of_memory_and_order_are_found_by_the_check_they_belong_to(table):
    found = {
        fault: Counter(
            row["found_by"].split(" between")[0].split(" inside")[0] for row in table if row["fault"] == fault
        )
        for fault in mutants.FAULTS
    }
    assert set(found["barrier moved into a branch"]) == {"partial barrier", "barrier", "warp mask"}
    assert set(found["barrier removed"]) <= {
        "read-after-write race",
        "write-after-read race",
        "write-after-write race",
        "",
    }
    assert set(found["accumulator not set"]) == set(found["initial value removed"]) == {"unset read"}
    assert set(found["mask changed"]) == {"warp mask"}
    assert set(found["atomic made plain"]) == {"write-after-read race"}
    assert set(found["guard removed"]) <= {
        "out of bounds",
        "write-after-write race",
        "write-after-read race",
        "wrong result",
        "",
    }


def test_the_table_in_the_book_is_this_campaign(table):
    """Written by `python tools/mutants.py --write`."""
    told = json.loads(mutants.TABLE.read_text())
    assert [(r["kernel"], r["line"], r["after"], r["found_by"]) for r in told] == [
        (r["kernel"], r["line"], r["after"], r["found_by"]) for r in table
    ]
