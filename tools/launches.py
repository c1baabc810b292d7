"""Every launch of a book kernel that is measured on a real GPU: one row a kernel.

A row names a file of book/kernels, how a launch is made from its settings (grid, block, arguments, expected
result) and the settings.  A setting's names are macros of the text (TILE=16), sizes (N=256) or the shape of a
block; macros that a setting leaves out have the text's own value.  Of several settings that fit, `recorded`
serves the first of the row.  The rows stand in tools/launch_rows.
The same rows drive the simulator's tests: `launches()` gives arguments as NumPy arrays, made from seeds.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gpusim.hardware.text import KernelText  # noqa: E402
from gpusim.units import dim3  # noqa: E402

KERNELS = ROOT / "book" / "kernels"
TABLE = {}  # kernel name -> Row


@dataclass(frozen=True)
class Row:
    """How to launch one kernel.  block, grid, shared, arguments, constants, profile : value or function of p.

    settings : list of dicts; p : namespace of a setting and of the text's macros
    expect : {place of an argument: array it must hold afterwards}; None where the result is left to chance
    profile : also count with Nsight Compute; repeat : False where a second launch on the same data would hang
    clear : places of arguments that are set to zero before every launch (their setting is timed with it)
    observe : function of (p, {place: array}) -> dict that the record keeps, for results left to chance
    """

    kernel: str
    settings: list
    block: object
    grid: object
    arguments: object
    expect: object = None
    shared: object = 0
    constants: object = None
    tolerance: float = 1e-5
    profile: object = True
    repeat: bool = True
    clear: tuple = ()
    observe: object = None


@dataclass(frozen=True)
class Launch:
    """One row in one setting."""

    row: Row
    setting: dict

    @property
    def kernel(self) -> str:
        return self.row.kernel

    @cached_property
    def text(self) -> KernelText:
        """The kernel's text with this setting's macros."""
        text = (KERNELS / f"{self.kernel}.cu").read_text()
        own = KernelText(self.kernel, text).macros
        return KernelText(self.kernel, text, {k: v for k, v in self.setting.items() if k in own})

    @property
    def defines(self) -> dict:
        return self.text.defines

    @property
    def params(self) -> dict:
        """The setting, completed with the text's own macros."""
        own = {
            k: int(v) if v.lstrip("-").isdigit() else v for k, v in self.text.macros.items() if "(" not in v
        }
        return {**own, **self.setting, "block": list(self.block)}

    @property
    def name(self) -> str:
        """A unique name such as `matmul_tiled N=256 TILE=16`."""
        words = (
            f"{k}={'x'.join(map(str, v)) if isinstance(v, tuple) else v}" for k, v in self.setting.items()
        )
        return " ".join([self.kernel, *words])

    @property
    def block(self) -> tuple:
        return dim3(self._of(self.row.block))

    @property
    def grid(self) -> tuple:
        return dim3(self._of(self.row.grid))

    @property
    def shared(self) -> int:
        """Dynamic shared memory, bytes a block."""
        return self._of(self.row.shared)

    @property
    def profile(self) -> bool:
        return bool(self._of(self.row.profile))

    @property
    def constants(self) -> dict:
        """Arrays for the text's __constant__ variables."""
        return self._of(self.row.constants) or {}

    def arguments(self) -> list:
        """Fresh arguments, NumPy arrays and numbers."""
        return self._of(self.row.arguments)

    def expected(self, arguments) -> dict:
        """{place: array} that the launch must leave behind."""
        return self.row.expect(self.p, arguments) if self.row.expect else {}

    @cached_property
    def p(self) -> SimpleNamespace:
        own = {k: int(v) for k, v in self.text.macros.items() if v.lstrip("-").isdigit()}
        block = self.setting.get("block")
        return SimpleNamespace(
            **{
                **own,
                **self.setting,
                **({"bx": block[0], "by": block[1]} if isinstance(block, tuple) else {}),
            }
        )

    def _of(self, value):
        return value(self.p) if callable(value) else value


def row(kernel, settings, block, grid, arguments, expect=None, **others):
    """Add a kernel to the table."""
    TABLE[kernel] = Row(kernel, settings, block, grid, arguments, expect, **others)


def launches(only=()) -> list[Launch]:
    """All launches, or those of the kernels named."""
    unknown = [name for name in only if name not in TABLE]
    if unknown:
        raise SystemExit(f"no row for {', '.join(unknown)}; there are {', '.join(TABLE)}")
    return [Launch(r, s) for r in TABLE.values() if not only or r.kernel in only for s in r.settings]


def sweep(**values) -> list[dict]:
    """Every combination of the values: sweep(N=[1, 2], TILE=4) is [{N: 1, TILE: 4}, {N: 2, TILE: 4}]."""
    lists = [value if isinstance(value, list) else [value] for value in values.values()]
    return [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*lists)]


def up(n, size) -> int:
    """Blocks of `size` that cover n."""
    return -(-n // size)


import launch_rows  # noqa: E402,F401  (fills the table)
