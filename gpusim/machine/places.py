"""Places: errors of a launch get the line of the kernel's text that they come from."""

from __future__ import annotations

import contextlib

import numpy as np

from ..errors import GpusimError, LaunchError


@contextlib.contextmanager
def placed(kernel):
    """Complete errors with the place in the kernel's text; floats overflow in silence, as on a GPU."""
    with np.errstate(all="ignore"):
        try:
            yield
        except GpusimError as error:
            raise kernel.place(error) from None
        except RecursionError:
            raise LaunchError(f"{kernel.name} nests too deeply to run", file=kernel.file) from None
