"""Builds the book into _build/html: progress as it goes, warnings are errors, the cause where it fails.

python tools/build.py              the whole book
python tools/build.py --page 07    one page alone, in seconds, into _build/page: its links to other pages lead nowhere
"""

import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
COMMAND = [sys.executable, "-c", JUPYTER_BOOK, "build", str(ROOT)]
STRICT = ["-W", "-n", "--keep-going"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
PROGRESS = re.compile(r"^reading sources\.\.\.|^executed |: Execut|WARNING:|ERROR:")
ELSEWHERE = re.compile(r"cross-reference target not found|unknown document|toctree|\[myst\.xref_missing\]")


def cause(log):
    """The lines that say why: a failing cell with its traceback, else the end of the log."""
    first = next((place for place, line in enumerate(log) if "CellExecutionError: " in line), None)
    if first is None:
        return log[-60:]
    return list(itertools.takewhile(lambda line: not line.startswith("The above exception"), log[first:]))


def build(options, html, trees, quiet=None):
    """Run Jupyter Book; end the program where it fails.  quiet : pattern of lines that are not shown."""
    start = time.perf_counter()
    log = []
    with subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as running:
        for line in running.stdout:
            line = ESCAPE.sub("", line).rstrip()
            log.append(line)
            if PROGRESS.search(line) and not (quiet and quiet.search(line)):
                print(line.replace(str(ROOT) + "/", ""), flush=True)
    if running.returncode or not html.exists():
        print("\n".join(cause(log)), file=sys.stderr)
        shutil.rmtree(trees, ignore_errors=True)  # else the next build forgets warnings
        sys.exit(running.returncode or 1)
    return time.perf_counter() - start


def book():
    """Build everything; a warning is an error."""
    seconds = build(STRICT, BUILD / "html" / "index.html", BUILD / ".doctrees")
    print(f"Built _build/html in {seconds:.1f} s")


def page(name):
    """Build one notebook as a book of one page; it shares the cache of executed cells with the whole book.

    name : "07", or the name of a notebook such as "glossary"
    """
    notebook = notebook_of(name).relative_to(ROOT).with_suffix("")
    folder = BUILD / "page"
    folder.mkdir(parents=True, exist_ok=True)
    contents = folder / "_toc.yml"
    contents.write_text(f"format: jb-book\nroot: {notebook.as_posix()}\n")
    html = folder / "_build" / "html" / notebook.with_suffix(".html")
    options = ["--toc", str(contents), "--path-output", str(folder)]
    seconds = build(options, html, folder / "_build" / ".doctrees", ELSEWHERE)
    print(f"Built {html.relative_to(ROOT)} in {seconds:.1f} s: open it in a browser")


def notebook_of(name):
    """The notebook of a section's number or of a name; ends the program where there is none."""
    every = sorted((ROOT / "book").glob("[0-9]*/*.ipynb"))
    for path in every:
        if path.stem == name or path.stem.startswith(f"{name}-"):
            return path
    sys.exit(f"no notebook is called {name!r}; there are {', '.join(path.stem for path in every)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--page", metavar="NB", help="a section's number, such as 07, or a notebook's name")
    options = parser.parse_args()
    page(options.page) if options.page else book()


if __name__ == "__main__":
    main()
