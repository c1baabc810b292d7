"""Runs the project's tests in the Python of the built pages: Pyodide in Chromium, where NumPy's integers have 32 bits.

    python tools/page_tests.py                            all that need neither a browser, a compiler nor SciPy
    python tools/page_tests.py tests/machine/test_races.py -k barrier

pytest and what it needs are the packages of this environment, as they are pure Python; hypothesis, whose newest
releases are not, comes as an older one through pip.
"""

import functools
import http.server
import pathlib
import subprocess
import sys
import tempfile
import threading
import zipfile

import chromium

ROOT = pathlib.Path(__file__).resolve().parents[1]
RUNTIME = ROOT / "book" / "_static" / "vendor" / "pyodide"
PURE = (
    "_pytest",
    "pytest",
    "pluggy",
    "iniconfig",
    "packaging",
    "pygments",
    "attr",
    "attrs",
    "sortedcontainers",
    "py.py",
)
HYPOTHESIS = "hypothesis==6.140.3"  # the tests use nothing newer
TESTS = ("rules", "facts", "cuda", "machine", "models", "hardware", "faults", "show/test_living_cells.py")
ELSEWHERE = (  # what cannot run in a page
    "tests/cuda/test_tree_sitter.py",  # a parser in C
    "tests/machine/test_against_cpp.py",  # g++
    "tests/models/test_blas.py",  # SciPy
    "tests/models/test_sparse.py",  # SciPy
)
PROJECT = ("gpusim", "tests", "tools", "book", "pyproject.toml", "_toc.yml")
KINDS = {".py", ".cu", ".json", ".toml", ".yml", ".ipynb", ".npz", ".js", ".css", ".md"}
PAGE = """<!doctype html><title>tests</title><script type="module">
import { loadPyodide } from "./runtime/pyodide.mjs";
window.begin = async (words) => {
  const indexURL = new URL("runtime/", location).href;
  const python = await loadPyodide({ indexURL, packages: ["numpy"], stdout: (line) => window.told(line) });
  for (const [name, folder] of [["project", "/project"], ["pure", "/pure"]]) {
    python.unpackArchive(await (await fetch(`${name}.zip`)).arrayBuffer(), "zip", { extractDir: folder });
  }
  python.globals.set("WORDS", python.toPy(words));
  return python.runPython(`
import os, sys
os.chdir("/project")
sys.dont_write_bytecode = True
sys.path[:0] = ["/project", "/project/tests/helpers", "/project/tools", "/project/book/_ext", "/pure"]
import pytest
int(pytest.main([*WORDS, "-p", "no:cacheprovider", "-p", "no:faulthandler", "--tb=short", "-o", "addopts="]))`);
};
</script>"""


def pack_project(path):
    """The project's own files as one archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PROJECT:
            place = ROOT / name
            for file in [place] if place.is_file() else sorted(place.rglob("*")):
                if file.suffix in KINDS and not {"__pycache__", "vendor"} & set(file.parts):
                    archive.write(file, file.relative_to(ROOT))


def pack_pure(path, folder):
    """pytest and hypothesis as one archive."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, HYPOTHESIS]
    subprocess.run(command, check=True)
    site = pathlib.Path(__import__("pytest").__file__).parents[1]
    found = [(site, site / name) for name in PURE]
    found += [
        (site, place)
        for name in ("pytest", "pluggy", "iniconfig")
        for place in site.glob(f"{name}-*.dist-info")
    ]
    found += [(pathlib.Path(folder), place) for place in pathlib.Path(folder).iterdir()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for root, place in found:
            for file in [place] if place.is_file() else sorted(place.rglob("*")):
                if file.is_file() and file.suffix != ".pyc":
                    archive.write(file, file.relative_to(root))


def run(words):
    """Run pytest in a page; its exit code."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        folder = pathlib.Path(place)
        (folder / "runtime").symlink_to(RUNTIME)
        (folder / "index.html").write_text(PAGE)
        (folder / "packages").mkdir()
        pack_project(folder / "project.zip")
        pack_pure(folder / "pure.zip", str(folder / "packages"))
        handler = functools.partial(Quiet, directory=place)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = driver.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(0)
        page.expose_function("told", lambda line: print(line, flush=True))
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_function("Boolean(window.begin)")
        code = page.evaluate("words => window.begin(words)", list(words))
        browser.close()
        server.shutdown()
    return code


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """The tests say what matters."""


def main():
    words = sys.argv[1:] or [
        *(f"tests/{name}" for name in TESTS),
        *(f"--ignore={name}" for name in ELSEWHERE),
    ]
    if chromium.find() is None:
        sys.exit(chromium.ADVICE)
    sys.exit(run(["-q", *words]))


if __name__ == "__main__":
    main()
