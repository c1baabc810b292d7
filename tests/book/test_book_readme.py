"""The README's program runs as it stands, and the commands that it names exist."""

import contextlib
import io
import re

from places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_program_in_the_readme_runs_and_counts():
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    printed, names = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        exec(program, names)
    assert names["gs"].asnumpy(names["y"]).tolist() == [2.0] * 1000
    assert str(names["run"].counts.global_load_sectors) in printed.getvalue()


def test_every_command_of_the_readme_is_a_target_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert named and named <= targets
