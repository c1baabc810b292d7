"""The book's own files, found beside a checkout or inside an installed package."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from .errors import GpusimError

PACKAGE = Path(__file__).resolve().parent


def folder(name) -> Path:
    """`book/<name>` of a checkout, or the copy in an installed package.  name : "kernels", "exercises" or
    "measured"."""
    inside, beside = PACKAGE / name, PACKAGE.parent / "book" / name
    return inside if inside.is_dir() and any(inside.iterdir()) else beside


def kernel_file(name) -> Path:
    """The file of one of the book's kernels.

    >>> kernel_file("saxpy").name
    'saxpy.cu'
    """
    path = folder("kernels") / f"{name}.cu"
    known = sorted(p.stem for p in folder("kernels").glob("*.cu"))
    if name not in known:
        close = get_close_matches(str(name), known, 1)
        raise GpusimError(
            f"the book has no kernel called {name!r}" + (f"; did you mean {close[0]!r}?" if close else "")
        )
    return path
