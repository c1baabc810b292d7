"""Builds the book into _build/html: progress as it goes, warnings are errors, the whole log where something fails."""
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-m", "jupyter_book", "build", str(ROOT), "-W", "-n", "--keep-going"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
PROGRESS = re.compile(r"reading sources\.\.\.|Executing notebook|Executed notebook|WARNING|ERROR", re.IGNORECASE)


def main():
    start = time.perf_counter()
    log = []
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT) as build:
        for line in build.stdout:
            line = ESCAPE.sub("", line).rstrip()
            log.append(line)
            if PROGRESS.search(line):
                print(line.replace(str(ROOT) + "/", ""), flush=True)
    if build.returncode or not (ROOT / "_build" / "html" / "index.html").exists():
        print("\n".join(log[-60:]), file=sys.stderr)
        sys.exit(build.returncode or 1)
    print(f"Built _build/html in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
