"""Builds the book into _build/html: progress as it goes, warnings are errors, the cause where it fails."""

import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
COMMAND = [sys.executable, "-c", JUPYTER_BOOK, "build", str(ROOT), "-W", "-n", "--keep-going"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
PROGRESS = re.compile(r"^reading sources\.\.\.|^executed |: Execut|WARNING:|ERROR:")


def cause(log):
    """The lines that say why: a failing cell with its traceback, else the end of the log."""
    first = next((place for place, line in enumerate(log) if "CellExecutionError: " in line), None)
    if first is None:
        return log[-60:]
    return list(itertools.takewhile(lambda line: not line.startswith("The above exception"), log[first:]))


def main():
    start = time.perf_counter()
    log = []
    with subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as build:
        for line in build.stdout:
            line = ESCAPE.sub("", line).rstrip()
            log.append(line)
            if PROGRESS.search(line):
                print(line.replace(str(ROOT) + "/", ""), flush=True)
    if build.returncode or not (ROOT / "_build" / "html" / "index.html").exists():
        print("\n".join(cause(log)), file=sys.stderr)
        shutil.rmtree(
            ROOT / "_build" / ".doctrees", ignore_errors=True
        )  # else the next build forgets warnings
        sys.exit(build.returncode or 1)
    print(f"Built _build/html in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
