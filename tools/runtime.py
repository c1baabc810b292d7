"""Checks the Python that the built pages run, and brings it again: Pyodide, NumPy, matplotlib and what they need.

    python tools/runtime.py                 checks the files against the list of their hashes
    python tools/runtime.py --fetch         brings the missing ones from npm and PyPI
    python tools/runtime.py ARCHIVE ...     takes them out of archives: Pyodide's release, npm's package, the wheel

The list is book/_static/vendor/pyodide/SHA256SUMS. The wheels' hashes stand in Pyodide's own lock, too, so the
package that they travelled in needs no trust.
"""

import argparse
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "book" / "_static" / "vendor" / "pyodide"
LIST, LOCK = FOLDER / "SHA256SUMS", FOLDER / "pyodide-lock.json"
CORE = "https://registry.npmjs.org/pyodide/-/pyodide-314.0.3.tgz"
WHEELS = "open-webui==0.12.4"  # a package of PyPI that carries Pyodide's own builds


def listed():
    """{file name: SHA-256} of what the pages' Python consists of."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def locked():
    """{file name of a wheel: SHA-256} as Pyodide's lock names them."""
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"].values()
    return {package["file_name"]: package["sha256"] for package in packages}


def faults():
    """What is wrong with the files, in words; nothing when each is the listed one."""
    builds = locked() if LOCK.exists() else {}
    for name, digest in listed().items():
        path = FOLDER / name
        if not path.exists():
            yield f"{name} is missing"
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            yield f"{name} is not the file whose hash SHA256SUMS names"
        elif name.endswith(".whl") and builds.get(name) != digest:
            yield f"{name} is not the build that pyodide-lock.json names"


def members(archive):
    """(name, function that reads it) of every file in a .tgz, .tar.bz2, .zip or .whl, given as bytes."""
    if zipfile.is_zipfile(io.BytesIO(archive)):
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            for name in opened.namelist():
                yield name, lambda name=name: opened.read(name)
    else:
        with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
            for member in opened:
                if member.isfile():
                    yield member.name, lambda member=member: opened.extractfile(member).read()


def take(archive):
    """Write the files of an archive that are listed and whose hash is the listed one."""
    wanted = listed()
    for path, read in members(archive):
        name = path.rsplit("/", 1)[-1]
        if name in wanted and hashlib.sha256(content := read()).hexdigest() == wanted[name]:
            (FOLDER / name).write_bytes(content)
            print(f"took {name}")


def fetch():
    """The contents of both packages, core first."""
    print(f"fetching {CORE}", flush=True)
    with urllib.request.urlopen(CORE, timeout=600) as answer:
        yield answer.read()
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-deps", "--only-binary=:all:", "--python-version=3.12", "--dest", folder]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, WHEELS], check=True)
        yield from (path.read_bytes() for path in pathlib.Path(folder).iterdir())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archives", nargs="*", type=pathlib.Path, metavar="ARCHIVE")
    parser.add_argument("--fetch", action="store_true", help="from npm and PyPI")
    options = parser.parse_args()
    for archive in [path.read_bytes() for path in options.archives] + list(fetch() if options.fetch else []):
        take(archive)
    found = list(faults())
    if found:
        sys.exit("\n".join(found))
    print(f"{len(listed())} files, each the listed one")


if __name__ == "__main__":
    main()
