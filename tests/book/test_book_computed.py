"""Products of our own code lie apart from records, and a table says who writes and who checks each."""

import re

from places import ROOT

FOLDER = ROOT / "book" / "computed"
ROW = re.compile(r"^\| `([^`]+)` \|[^|]*\| `python (tools/\w+\.py)[^|]*\| `(tests/[^`]+)` \|$", re.MULTILINE)
TABLE = ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8"))


def test_the_table_in_computed_names_every_file_there_and_no_other():
    there = {path.name for path in FOLDER.iterdir()} - {"README.md"}
    assert {name for name, _, _ in TABLE} == there, "book/computed/README.md has a row for each file"


def test_each_file_is_written_by_the_program_and_read_by_the_test_that_the_table_names():
    for name, producer, test in TABLE:
        assert f'"computed" / "{name}"' in (ROOT / producer).read_text(), f"{producer} does not write {name}"
        module = producer.removeprefix("tools/").removesuffix(".py")
        assert f"import {module}\n" in (ROOT / test).read_text(), f"{test} does not run {producer}"


def test_records_and_products_do_not_mix():
    records = {path.name for path in (ROOT / "book" / "measured").iterdir()}
    assert {name for name in records if not re.fullmatch(r"[a-z0-9]+-\w+\.json", name)} == set()
    assert [path.name for path in (ROOT / "book").glob("*.json")] == []
