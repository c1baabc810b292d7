"""What NVIDIA's compiler makes of a kernel: machine instructions line by line, with no GPU.

`machine(kernel, gpu)` is the door, `gs.machine` to readers; a listing comes from what was recorded for the book's
kernels, or from NVRTC and nvdisasm where their packages are.
"""

from .door import machine
from .listing import Line, Listing

__all__ = ["Line", "Listing", "machine"]
