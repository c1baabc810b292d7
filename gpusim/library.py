"""The book's own files, found beside a checkout or inside an installed package."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from .errors import GpusimError
from .inputs import near

PACKAGE = Path(__file__).resolve().parent


def folder(name) -> Path:
    """`book/<name>` of a checkout, or the copy in an installed package.  name : "kernels", "exercises",
    "measured" or "computed"."""
    inside, beside = PACKAGE / name, PACKAGE.parent / "book" / name
    return inside if inside.is_dir() and any(inside.iterdir()) else beside


def reading(path) -> str:
    """How to read a kernel from a file."""
    return f"gs.cuda(Path({str(path)!r}).read_text(), {str(path)!r}), after from pathlib import Path"


def kernel_file(name) -> Path:
    """The file of one of the book's kernels.

    >>> kernel_file("saxpy").name
    'saxpy.cu'
    """
    path = folder("kernels") / f"{name}.cu"
    if isinstance(name, PurePath) or re.search(r"[/\\.]", str(name)):
        raise GpusimError(
            f"gs.load takes the name of a kernel of the book, such as 'saxpy', not a file; got {str(name)!r}",
            hint=reading(name),
        )
    known = sorted(p.stem for p in folder("kernels").glob("*.cu"))
    if name not in known:
        raise GpusimError(
            f"the book has no kernel called {name!r}" + (f"; {hint}" if (hint := near(name, known)) else "")
        )
    return path
