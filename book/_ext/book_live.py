"""The living page's share of the build: cells that the page can name, and gpusim in one file for its Python.

The page runs the notebook that Sphinx copies beside it (`_sources`); a cell is known by its place in there.
"""

import pathlib
import zipfile

from docutils import nodes
from gpusim_book import ROOT, found

PACKED = (
    "gpusim/**/*.py",
    *(f"book/{folder}/*" for folder in ("kernels", "exercises", "measured", "computed")),
)
SAME_TIME = (2020, 1, 1, 0, 0, 0)  # the same files give the same bytes, and compiled code that fits them


def number_cells(app, doctree, here):
    """Give each code cell the class gs-cell-N, its place in the notebook."""
    for cell in doctree.findall(nodes.container):
        if "cell_index" in cell:
            cell["classes"].append(f"gs-cell-{cell['cell_index']}")


def pack(path):
    """Write the simulator, its kernels, exercises and records as one archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted({file for pattern in PACKED for file in found(pattern)}):
            if "__pycache__" not in file.parts:
                name = zipfile.ZipInfo(file.relative_to(ROOT).as_posix(), SAME_TIME)
                name.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(name, file.read_bytes())


def pack_for(app, error):
    if error is None and app.builder.format == "html":
        pack(pathlib.Path(app.outdir) / "_static" / "live" / "gpusim.zip")


def setup(app):
    app.connect("doctree-resolved", number_cells)
    app.connect("build-finished", pack_for)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
