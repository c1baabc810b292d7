"""The README's program runs as it stands; the commands and files that the documents name exist."""

import contextlib
import io
import re

from places import ROOT

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_program_in_the_readme_runs_and_counts():
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    printed, names = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        exec(program, names)
    assert names["gs"].asnumpy(names["y"]).tolist() == [2.0] * 1000
    assert str(names["run"].counts.global_load_sectors) in printed.getvalue()


def test_every_command_of_the_documents_is_a_target_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for text in (README, CONTRIBUTING):
        named = set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE))
        assert named and named <= targets


def test_every_file_that_contributing_names_is_there():
    named = re.findall(r"`((?:book|gpusim|tests|tools|docs)/[\w./-]+\w/?)`", CONTRIBUTING)
    assert (
        len(named) > 30
        and [name for name in named if "NAME" not in name and not (ROOT / name).exists()] == []
    )
