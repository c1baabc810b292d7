"""Where things lie, for every test: the repository and the data beside the tests."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
