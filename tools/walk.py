"""The walk of one address, counted: which modules of gpusim a piece of work passes, and how often a call crosses
from one to another.

    python tools/walk.py

A crossing is a call whose caller and callee stand in different files of gpusim; the Python that a kernel became is
a file of its own.  docs/walk.md prints these numbers.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
PACKAGE = str(ROOT / "gpusim") + "/"


class Walk:
    """`with Walk() as walk: ...` then walk.crossings is a Counter of (from, to), walk.modules a set."""

    def __enter__(self):
        self.crossings, self.modules, self._names = Counter(), set(), {}
        sys.setprofile(self._event)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def _event(self, frame, event, _):
        if event != "call":
            return
        to = self._room(frame.f_code.co_filename)
        if to is None:
            return
        self.modules.add(to)
        came = self._room(frame.f_back.f_code.co_filename) if frame.f_back else None
        if came is not None and came != to:
            self.crossings[came, to] += 1

    def _room(self, file):
        """A file of gpusim by its name in the package, a kernel's Python as "emitted"; None for all others."""
        if file not in self._names:
            inside = file.removeprefix(PACKAGE).removesuffix(".py") if file.startswith(PACKAGE) else None
            self._names[file] = "emitted" if file.startswith("<matmul") else inside
        return self._names[file]

    def __str__(self):
        return f"{len(self.modules)} modules, {self.crossings.total():,} crossings"


def stages():
    """The stages of the walk of A[row*N+k] in matmul_naive.cu: {name: Walk}"""
    import numpy as np

    import gpusim as gs
    from gpusim.library import kernel_file
    from gpusim.machine.program import Program

    for name in ("saxpy", "transpose_tile"):  # what is imported on the way is no part of it
        kernel = Program(kernel_file(name).read_text(), f"{name}.cu").kernels[name]
        kernel.python(counting=True, symbolic=True)
    gs.count(kernel, (2, 2), (32, 32), gs.spec((64, 64)), gs.spec((64, 64)), 64, 64)
    text, n = kernel_file("matmul_naive").read_text(), 64
    arrays = [gs.zeros((n, n), np.float32) for _ in range(3)]
    found = {}
    with Walk() as found["read"]:
        kernel = Program(text, "matmul_naive.cu").kernels["matmul_naive"]
    with Walk() as found["emit"]:
        kernel.python(counting=True, symbolic=True)
    with Walk() as found["count"]:
        gs.count(kernel, (4, 4), (16, 16), *arrays, n)

    def one_step(block, k):  # an explorer of section 19
        n = 64
        run = gs.count(
            gs.load("matmul_naive"), (n // block[0], n // block[1]), block, *[gs.spec((n, n))] * 3, n
        )
        events = [event for event in run.trace(0, 0) if event.addresses is not None]
        A, B, C = ([event for event in events if event.array == name] for name in "ABC")
        return gs.plot.matrix_sectors({"load of A": A[k], "load of B": B[k], "store to C": C[0]}, columns=n)

    one_step((8, 32), 0)  # the reader has this picture before the first step
    with Walk() as found["slider frame"]:
        one_step((16, 16), 1)
    return found


if __name__ == "__main__":
    for name, walk in stages().items():
        print(f"{name:14} {walk}")
        if "-v" in sys.argv:
            for (came, to), times in walk.crossings.most_common(25):
                print(f"    {times:6} {came} -> {to}")
