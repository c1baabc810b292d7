"""The real GPU: run the same text through CuPy, and what was measured earlier.

`available()`, `run(kernel, grid, block, *arrays)`, `gpu_here()`; `recorded(name, gpu, **params)`,
`compare(run)`.
CuPy is imported only when it is asked for.
"""

from .card import available, gpu_here
from .gpu import HardwareRun, run
from .measurements import CountComparison, Recorded, compare, folder, library, recorded, records

__all__ = [
    "CountComparison",
    "HardwareRun",
    "Recorded",
    "available",
    "compare",
    "folder",
    "gpu_here",
    "library",
    "recorded",
    "records",
    "run",
]
