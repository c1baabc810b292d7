"""What `make test` does: builds the book while the tests run that do not need it, then the browser's tests.

python tools/tests.py [pytest's arguments]    the arguments choose among the tests, as with pytest alone

The build leaves a processor idle while it writes pages, and the other tests read nothing that it writes.
"""

import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOG = ROOT / "_build" / "build.log"
NOTHING_CHOSEN = 5  # pytest's exit status where no test is left


def pytest(mark, arguments):
    """Whether the tests of a mark pass; none at all counts as well."""
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "loadfile", "-m", mark, *arguments]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "GPUSIM_ALL_TESTS": "1"})
    return done.returncode in (0, NOTHING_CHOSEN)


def main(arguments):
    start = time.monotonic()
    LOG.parent.mkdir(exist_ok=True)
    with open(LOG, "w") as log:
        command = [sys.executable, str(ROOT / "tools" / "build.py")]
        build = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    print("The book is built meanwhile; its progress is in _build/build.log", flush=True)
    try:
        right = pytest("not browser", arguments)
        built = build.wait() == 0
    finally:
        if build.poll() is None:
            build.terminate()
    print(LOG.read_text().strip().split("\n")[-1] if built else LOG.read_text(), flush=True)
    right = built and pytest("browser", arguments) and right
    print(f"{'All tests pass' if right else 'Not all is right'}, after {time.monotonic() - start:.0f} s")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
