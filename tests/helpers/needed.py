"""What a test needs beyond NumPy; where it is missing the test is left out, but not under `make test`."""

import importlib
import os

import pytest

ALL = os.environ.get("GPUSIM_ALL_TESTS") == "1"


def need(module):
    """The module, or the end of the test."""
    return importlib.import_module(module) if ALL else pytest.importorskip(module)
