"""What `python -m gpusim` is told: the options, and the arguments of the kernel made from words."""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

import numpy as np

from .ctypes import DTYPES, ELEMENTS
from .cuda.tree.types import Pointer
from .errors import GpusimError
from .gpus import GPUS, USUAL
from .machine.memory.arrays import asarray, empty, spec

MOST_ELEMENTS = 1 << 46
FILLS = ("random", "zeros", "ones", "range", "unset")
ARGUMENTS = """\
an --arg, in the kernel's order, is
  1000, 2.5, 1e6       a number
  float:1e6            an array of a million floats; sizes may be products: float:512x512
  int:1026+1           a pointer to its element 1, as `a + 1` in a launch
  int:1024:range       its content: random (default for const pointers), zeros (default for others), ones,
                       range (0, 1, 2, ...) or unset, whose reading is reported
  @data.npy            an array saved by NumPy
types: """ + ", ".join(ELEMENTS)
EXAMPLE = (
    "python -m gpusim saxpy.cu --grid 64 --block 256 --arg 2 --arg float:16384 --arg float:16384 --arg 16384"
)
EXITS = """\
exit codes: 0 clean; 1 the run reports something (a race, unset memory, an access out of bounds);
2 the command line is wrong; 3 the text or the launch is (the message is the compiler's: file, line, caret)"""


class CommandError(GpusimError):
    """A word of the command line that cannot be read."""


class Options(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: error: {message}\n")


def parser() -> argparse.ArgumentParser:
    """The options of the command line."""
    made = Options(
        prog="python -m gpusim",
        description="Run a CUDA C kernel without a GPU: its text with counts beside each line, reports, "
        "occupancy, and an estimate of its time.  Without --grid and --block: the kernels of the text, each with "
        "a command line to begin with.",
        epilog=f"{ARGUMENTS}\n\n{EXITS}\n\nexample: {EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("file", help="CUDA C text")
    made.add_argument("--grid", type=shape, help="blocks: 64, or 8x4, or 8,4,2")
    made.add_argument("--block", type=shape, help="threads of a block: 256, or 16x16")
    made.add_argument("--arg", action="append", default=[], metavar="VALUE", help="an argument; see below")
    made.add_argument(
        "--kernel", help="its name, where the text has several; of a template 'reduce<float, 256>'"
    )
    made.add_argument(
        "--shared", type=whole_number, default=0, metavar="BYTES", help="dynamic shared memory of a block"
    )
    made.add_argument(
        "-D", dest="defines", action="append", default=[], metavar="NAME=VALUE", help="as nvcc's -D"
    )
    made.add_argument(
        "--gpu",
        default=USUAL.name,
        type=card,
        help=f"{', '.join(GPUS)}; unless told the H200, which was measured",
    )
    made.add_argument(
        "--registers", type=whole_number, help="of a thread, if you know them (nvcc -Xptxas -v)"
    )
    either = made.add_mutually_exclusive_group()
    either.add_argument(
        "--count", action="store_true", help="count only, no data: true sizes in milliseconds; no reports"
    )
    either.add_argument("--verify", action="store_true", help="run other orders of warps and blocks as well")
    made.add_argument("--seed", type=whole_number, default=0, help="of the random numbers")
    made.add_argument(
        "--step-limit", type=whole_number, metavar="STEPS", help="of all loops of lanes that run together"
    )
    made.add_argument("--json", action="store_true", help="print JSON")
    made.add_argument("--html", type=Path, metavar="FILE", help="write a page that needs nothing else")
    return made


def shape(word) -> tuple:
    """Grid or block from a word.

    >>> shape("16x16"), shape("64"), shape("8,4,2")
    ((16, 16), (64,), (8, 4, 2))
    """
    if not re.fullmatch(r"\d+([x,]\d+){0,2}", word):
        raise argparse.ArgumentTypeError(f"one to three whole numbers such as 64 or 16x16, not {word!r}")
    return tuple(map(int, re.split("[x,]", word)))


def whole_number(word) -> int:
    """A number from 0 up, from a word."""
    if not re.fullmatch(r"\d{1,18}", word):
        raise argparse.ArgumentTypeError(f"a whole number from 0 up, not {word!r}")
    return int(word)


def card(word):
    """A card from its name, however it is spelled.

    >>> card("gtx_980").name, card("h100").name
    ('GTX 980', 'H100')
    """
    plain = {re.sub(r"[\W_]", "", name).lower(): gpu for name, gpu in GPUS.items()}
    found = plain.get(re.sub(r"[\W_]", "", word).lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{word!r} is not among {', '.join(GPUS)}")
    return found


def define(word) -> tuple:
    """(name, value) from NAME=VALUE; a name alone is 1.

    >>> define("TILE=16"), define("FAST"), define("T=float")
    (('TILE', 16), ('FAST', 1), ('T', 'float'))
    """
    name, _, value = word.partition("=")
    number = as_number(value or "1")
    return name, value if number is None else number


def as_number(word):
    """A number from a word, whole where it is whole; None if it is none.

    >>> as_number("1e6"), as_number("2.5"), as_number("0x10"), as_number("float:3")
    (1000000, 2.5, 16, None)
    """
    try:
        return int(word, 0)
    except ValueError:
        pass
    try:
        value = float(word)
    except ValueError:
        return None
    return int(value) if re.search("e", word, re.I) and value.is_integer() else value


def arguments(words, kernel, seed=0, dataless=False) -> list:
    """The kernel's arguments from the words of --arg.

    kernel : whose parameters say which arrays are const;  dataless : shapes only, for counting
    """
    random = np.random.default_rng(seed)
    parameters = [*kernel.parameters, *[None] * len(words)]
    return [
        _argument(word, parameter, random, dataless)
        for word, parameter in zip(words, parameters, strict=False)
    ]


def _argument(word, parameter, random, dataless):
    value = as_number(word)
    if value is not None:
        return value
    if word.startswith("@"):
        array = _saved(word[1:])
        return spec(array.shape, array.dtype) if dataless else asarray(array)
    dtype, count, offset, fill = _described(word)
    if dataless:
        return spec(count, dtype)[offset:] if offset else spec(count, dtype)
    constant = parameter is not None and isinstance(parameter.type, Pointer) and parameter.type.const
    fill = fill or ("random" if constant else "zeros")
    made = empty(count, dtype) if fill == "unset" else asarray(_filled(dtype, count, fill, random))
    return made[offset:] if offset else made


def _described(word):
    """(dtype, number of elements, offset of the pointer, fill or None) of an array's description."""
    kind, _, rest = word.partition(":")
    sizes, _, fill = rest.partition(":")
    sizes, plus, offset = sizes.rpartition("+") if re.search(r"\+\d+$", sizes) else (sizes, "", "0")
    numbers = [as_number(size) for size in sizes.split("x")]
    if (
        kind not in ELEMENTS
        or not all(isinstance(n, int) and n > 0 for n in numbers)
        or fill not in ("", *FILLS)
    ):
        raise CommandError(f"--arg {word}: not a number, not TYPE:SIZE or TYPE:SIZE:FILL, not @file.npy",
                          hint=f"types are {', '.join(ELEMENTS)}; fills are {', '.join(FILLS)}")  # fmt: skip
    count = math.prod(numbers)
    if count > MOST_ELEMENTS:
        raise CommandError(f"--arg {word}: more than {MOST_ELEMENTS:,} elements")
    if int(offset) > count:
        raise CommandError(f"--arg {word}: the pointer starts behind the array")
    return DTYPES[kind], count, int(offset), fill


def _filled(dtype, count, fill, random):
    if fill == "random":
        return (
            random.standard_normal(count)
            if dtype.kind == "f"
            else random.integers(0, 2 if dtype.kind == "b" else 100, count, np.int64)
        ).astype(dtype)
    return {"zeros": np.zeros, "ones": np.ones, "range": np.arange}[fill](count, dtype=dtype)


def _saved(path):
    try:
        found = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise CommandError(f"--arg @{path}: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(found, np.ndarray):
        raise CommandError(f"--arg @{path}: one array is wanted, saved by np.save")
    return found
