"""Sets the public repository's address: it stands in pyproject.toml; notebooks and pages read it there."""

import pathlib
import re
import sys

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROJECT = ROOT / "pyproject.toml"
SECTION = re.compile(r"\n\[project\.urls\]\n(?:[^\[\n].*\n)*")
VALID = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")


def address():
    """The address, or an empty text while none is set."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "")


def colab(url, path):
    """Where Colab opens a notebook of the repository; path : relative to its root."""
    return (
        f"https://colab.research.google.com/github/{url.removeprefix('https://github.com/')}/blob/main/{path}"
    )


def record(url):
    """Write the address into pyproject.toml, in place of an earlier one."""
    text = SECTION.sub("", PROJECT.read_text(encoding="utf-8"))
    before, after = text.split("\n[project.optional-dependencies]", 1)
    section = f'\n[project.urls]\nRepository = "{url}"\n'
    PROJECT.write_text(f"{before}{section}\n[project.optional-dependencies]{after}", encoding="utf-8")


def main():
    import notebooks

    url = sys.argv[1].removesuffix("/").removesuffix(".git") if len(sys.argv) == 2 else ""
    if not VALID.fullmatch(url):
        sys.exit(f"an address looks like https://github.com/OWNER/REPOSITORY, not {url!r}")
    record(url)
    notebooks.write_all()
    print(f"pyproject.toml and {len(notebooks.paths())} notebooks now name {url}")


if __name__ == "__main__":
    main()
