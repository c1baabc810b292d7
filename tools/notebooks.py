"""The one form of the book's notebooks: checks it, or with --write brings every notebook into it.

Written are the setup cell, the link to Colab, the kernels' texts and the file format; the rest is checked.
"""

import argparse
import hashlib
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from address import address, colab  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
BOOK = ROOT / "book"
SETUP = """\
# Finds gpusim beside this notebook. On Colab it fetches the book first; nothing else is installed.
import importlib.util, pathlib, sys

ADDRESS = "{address}"
here = pathlib.Path.cwd()
places = [here, *here.parents, here / "gpu-book"]
if "google.colab" in sys.modules and ADDRESS and not any((place / "gpusim").is_dir() for place in places):
    !git clone --quiet --depth 1 {{ADDRESS}} gpu-book
sys.path[:0] = [str(place) for place in places if (place / "gpusim").is_dir()][:1]
if importlib.util.find_spec("gpusim") is None:
    raise ModuleNotFoundError("gpusim is not here: open this notebook inside the book's repository")

import gpusim as gs
import numpy as np"""
METADATA = {
    "accelerator": "GPU",
    "colab": {"gpuType": "T4", "provenance": []},
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
ROOMS = (
    "Predict first",
    "The kernel",
    "Run and count",
    "Explore",
    "Why",
    "On a real GPU",
    "Often believed",
    "Exercises",
    "Summary",
    "Sources",
)
NEEDED = {
    "a question answered in the page": "gs.ask(",
    "sliders": ("gs.explore(", "gs.step("),
    "an exercise with a check": "gs.check(",
}
LONGEST_CELL = 18  # lines; kernels and the setup cell apart
TITLE = re.compile(r"# [^:?]+: [^:?]+[?]")
META = re.compile(r'<p class="gs-meta">.*?</p>', re.DOTALL)
LINK = re.compile(r'\s*<a class="gs-colab"[^>]*>.*?</a>')
KERNEL = re.compile(r'(r"""\n)(.*?)(""")', re.DOTALL)


def paths():
    """All notebooks of the book."""
    return sorted(path for path in BOOK.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def text(notebook):
    """The notebook as it lies in git."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def source(cell):
    return "".join(cell["source"])


def tags(cell):
    return cell.get("metadata", {}).get("tags", [])


# ---- what can be written ----


def canonical(notebook, path):
    """The notebook in its one form: setup cell, link, kernels, metadata, ids; no outputs."""
    cells, taken = [], set()
    for cell in notebook["cells"]:
        written = _written(cell, path)
        made = {
            "cell_type": cell["cell_type"],
            "id": _identifier(cell, written, taken),
            "metadata": {"tags": tags(cell)} if tags(cell) else {},
            "source": written.splitlines(keepends=True),
        }
        cells.append(
            {**made, "execution_count": None, "outputs": []} if cell["cell_type"] == "code" else made
        )
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def _written(cell, path):
    """A cell's source with everything that has one origin taken from there."""
    if "setup" in tags(cell):
        return SETUP.format(address=address())
    bodies = [*map(kernel_text, kernel_names(cell)), *map(starter_text, starter_names(cell))]
    if bodies:
        body = bodies[0]
        return KERNEL.sub(lambda found: found[1] + body + found[3], source(cell), count=1)
    return (
        META.sub(lambda found: _linked(found[0], path), source(cell))
        if cell["cell_type"] == "markdown"
        else source(cell)
    )


def kernel_names(cell):
    return [tag.removeprefix("kernel:") for tag in tags(cell) if tag.startswith("kernel:")]


def kernel_text(name):
    return (BOOK / "kernels" / f"{name}.cu").read_text(encoding="utf-8")


def starter_names(cell):
    return [tag.removeprefix("starter:") for tag in tags(cell) if tag.startswith("starter:")]


def starter_text(name):
    """The starter of an exercise in book/exercises: the common lines, and its part of each region."""
    sys.path.insert(0, str(ROOT))
    from gpusim.show.exercises import load_exercise

    return load_exercise(name).starter


def _linked(meta, path):
    """The line under the title with a link to Colab, once there is an address to link to."""
    bare, url = LINK.sub("", meta), address()
    if not url:
        return bare
    link = f'<a class="gs-colab" href="{colab(url, path.relative_to(ROOT).as_posix())}">Open in Colab</a>'
    return bare.replace("</p>", f" {link}</p>")


def _identifier(cell, written, taken):
    """The cell's own id, or one made from its content; none twice in a notebook."""
    wanted = cell.get("id") or hashlib.sha256(written.encode()).hexdigest()[:8]
    unique = next(name for name in (wanted, *(f"{wanted}-{n}" for n in range(2, 999))) if name not in taken)
    taken.add(unique)
    return unique


# ---- what can only be checked ----


def problems(notebook, path):
    """What keeps a notebook from the form of the book, in words; an empty list when nothing does."""
    found = []
    if text(notebook) != text(canonical(notebook, path)):
        found.append("setup cell, kernels, link or file format differ from the book's: run make kernels")
    if not any("setup" in tags(cell) for cell in notebook["cells"]):
        found.append("no code cell is tagged setup")
    return [*found, *_rooms(notebook), *_cells(notebook)] if path.stem[:2].isdigit() else found


def _rooms(notebook):
    """Title, line under it, and the rooms in their order."""
    prose = "\n".join(source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    code = "\n".join(source(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
    title = prose.split("\n", 1)[0]
    if not TITLE.fullmatch(title):
        yield f"the title is not a topic with a question, '# Topic: question?': {title!r}"
    meta = META.search(prose)
    if not meta or "minutes" not in meta[0]:
        yield 'no line <p class="gs-meta"> with part, minutes and lecture under the title'
    headings = [line.removeprefix("## ") for line in prose.split("\n") if line.startswith("## ")]
    met = [room for heading in headings for room in ROOMS if heading.startswith(room)]
    missing = [room for room in ROOMS if room not in met]
    if missing:
        yield f"rooms are missing: {', '.join(missing)}"
    elif list(dict.fromkeys(met)) != list(ROOMS):
        yield f"the rooms stand in the order {', '.join(dict.fromkeys(met))}"
    for what, calls in NEEDED.items():
        if not any(call in code for call in ([calls] if isinstance(calls, str) else calls)):
            yield f"{what} is missing: {calls}"


def _cells(notebook):
    """Each code cell: short, and drawing through gpusim only."""
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        lines = source(cell).count("\n") + 1
        texts = kernel_names(cell) + starter_names(cell)
        if lines > LONGEST_CELL and not texts and "setup" not in tags(cell):
            yield f"cell {place} has {lines} lines, {LONGEST_CELL} at most"
        if "plt." in source(cell):
            yield f"cell {place} draws through pyplot"
        if texts and not KERNEL.search(source(cell)):
            yield f'cell {place} is tagged {tags(cell)} and has no r""" with the text on the lines below it'


def write_all():
    """Bring every notebook into the form; return those that changed."""
    changed = []
    for path in paths():
        old, new = path.read_text(encoding="utf-8"), text(canonical(read(path), path))
        if old != new:
            path.write_text(new, encoding="utf-8")
            changed.append(path)
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write what has one origin, then check")
    options = parser.parse_args()
    for path in write_all() if options.write else []:
        print(f"wrote {path.relative_to(ROOT)}")
    found = [
        f"{path.relative_to(ROOT)}: {problem}" for path in paths() for problem in problems(read(path), path)
    ]
    print("\n".join(found) or f"{len(paths())} notebooks have the form of the book")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
